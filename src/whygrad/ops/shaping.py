"""Ops that change the form of a tensor and none of its values."""

from __future__ import annotations

from typing import Any

import numpy as np

from whygrad.ops.primitive import Primitive, apply
from whygrad.values.conversion import convert
from whygrad.values.errors import invalid
from whygrad.values.tensor import Tensor

_reshape = Primitive(
    "reshape",
    lambda xp, x, *, shape: xp.reshape(x, shape),
    vjp=lambda xp, g, x_shape: xp.reshape(g, x_shape),
)


def static_shape(value: Any) -> tuple[int, ...]:
    """A shape argument (a tuple, list, number, TensorShape, array or tensor; of tensors too) as a tuple of ints."""
    if isinstance(value, Tensor):
        value = value._array
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return tuple([int(size) for size in value])
    return (int(value),)


def reshape(tensor: Any, shape: Any, name: str | None = None) -> Tensor:
    """The values in the same order in a new shape, in which one size may be -1.

    >>> import whygrad as tf
    >>> tf.reshape([1, 2, 3, 4, 5, 6], (2, -1)).numpy()
    array([[1, 2, 3],
           [4, 5, 6]], dtype=int32)
    """
    x = convert(tensor, None)
    wanted = static_shape(shape)
    size = x._array.size
    known = int(np.prod([s for s in wanted if s != -1], dtype=object))
    if wanted.count(-1) > 1:
        raise invalid(
            "Only one input size may be -1, not both " + " and ".join(str(i) for i, s in enumerate(wanted) if s == -1)
        )
    if -1 in wanted and (known == 0 or size % known):
        raise invalid(
            f"Input to reshape is a tensor with {size} values, but the requested shape requires a multiple of {known} [Op:Reshape]"
        )
    if -1 not in wanted and known != size:
        raise invalid(
            f"Input to reshape is a tensor with {size} values, but the requested shape has {known} [Op:Reshape]"
        )
    return apply(_reshape, x, shape=wanted)
