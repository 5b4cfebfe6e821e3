"""Ops that reduce along axes: sums, means, extremes, norms."""

from __future__ import annotations

from typing import Any

from whygrad.ops.primitive import Primitive, apply
from whygrad.values.conversion import convert
from whygrad.values.errors import invalid
from whygrad.values.tensor import Tensor


def normal_axes(axis: Any, rank: int) -> tuple[int, ...]:
    """An axis argument (None for all, a number or several, tensors too) as non-negative ints; errors as TensorFlow's."""
    if axis is None:
        return tuple(range(rank))
    if isinstance(axis, Tensor):
        axis = axis._array.tolist()
    axes = []
    for each in axis if isinstance(axis, list | tuple) else [axis]:
        number = int(each)
        if not -rank <= number < rank:
            raise invalid(f"Invalid reduction dimension ({number} for input with {rank} dimension(s)")
        axes.append(number % rank)
    if len(set(axes)) != len(axes):
        raise invalid(f"Invalid reduction arguments: Axes contains duplicate dimension: {axis}")
    return tuple(sorted(axes))


def expand_reduced(xp: Any, g: Any, x_shape: tuple[int, ...], axis: tuple[int, ...], keepdims: bool) -> Any:
    """The cotangent of a reduction, spread back over the axes that were reduced."""
    if not keepdims:
        g = xp.reshape(g, tuple([1 if i in axis else size for i, size in enumerate(x_shape)]))
    return xp.broadcast_to(g, x_shape)


_reduce_sum = Primitive(
    "reduce_sum",
    lambda xp, x, *, axis, keepdims: xp.sum(x, axis=axis, keepdims=keepdims, dtype=x.dtype),
    vjp=expand_reduced,
    op_name="Sum",
)


def reduce_sum(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Tensor:
    """The sum over `axis` (a number, several, or None for all).

    >>> import whygrad as tf
    >>> tf.reduce_sum([[1.0, 2.0], [3.0, 4.0]], axis=0).numpy()
    array([4., 6.], dtype=float32)
    """
    x = convert(input_tensor, None)
    return apply(_reduce_sum, x, axis=normal_axes(axis, x.ndim), keepdims=bool(keepdims))
