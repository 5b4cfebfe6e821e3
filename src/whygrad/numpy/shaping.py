"""NumPy's functions that change the form of a tensor: shapes, axes, joining and splitting."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import whygrad as tf
from whygrad.numpy.promotion import (
    as_dtype,
    normal_axes,
    normal_axis,
    number,
    numpy_dtype,
    static_shape,
    tensor,
    together,
)
from whygrad.values.tensor import Tensor

__all__ = [
    "broadcast_to",
    "concat",
    "concatenate",
    "expand_dims",
    "flip",
    "matrix_transpose",
    "moveaxis",
    "pad",
    "permute_dims",
    "repeat",
    "reshape",
    "roll",
    "split",
    "squeeze",
    "stack",
    "swapaxes",
    "tile",
    "transpose",
]


def reshape(a: Any, /, shape: Any = None, order: str = "C", *, copy: bool | None = None) -> Tensor:
    """The elements in the same order in a new shape, in which one size may be -1."""
    x = tensor(a)
    if order == "F":
        return transpose(tf.reshape(transpose(x), static_shape(shape)[::-1]))
    return tf.reshape(x, static_shape(shape))


def transpose(a: Any, axes: Any = None) -> Tensor:
    """The axes in another order; reversed if none is given."""
    x = tensor(a)
    return tf.transpose(x, normal_axes(axes, x.ndim) if axes is not None else tuple(range(x.ndim))[::-1])


permute_dims = transpose


def swapaxes(a: Any, axis1: int, axis2: int) -> Tensor:
    """Two axes exchanged."""
    x = tensor(a)
    order = list(range(x.ndim))
    first, second = normal_axis(axis1, x.ndim), normal_axis(axis2, x.ndim)
    order[first], order[second] = second, first
    return tf.transpose(x, order)


def moveaxis(a: Any, source: Any, destination: Any) -> Tensor:
    """Axes moved to new places, the others staying in order."""
    x = tensor(a)
    sources, destinations = normal_axes(source, x.ndim), normal_axes(destination, x.ndim)
    if len(sources) != len(destinations):
        raise ValueError(f"moveaxis() takes as many sources as destinations, not {source} and {destination}")
    order = [axis for axis in range(x.ndim) if axis not in sources]
    for place, axis in sorted(zip(destinations, sources)):
        order.insert(place, axis)
    return tf.transpose(x, order)


def matrix_transpose(x: Any, /) -> Tensor:
    """The last two axes exchanged."""
    t = tensor(x)
    if t.ndim < 2:
        raise ValueError(f"matrix_transpose() takes at least 2 dimensions, not {t.ndim}")
    return swapaxes(t, -1, -2)


def expand_dims(a: Any, axis: Any) -> Tensor:
    """Axes of size 1 inserted at the places `axis` of the result."""
    x = tensor(a)
    axes = number(axis)
    axes = axes if isinstance(axes, tuple | list) else (axes,)
    places = normal_axes(tuple(axes), x.ndim + len(axes))
    sizes = iter(x._array.shape)
    return tf.reshape(x, [1 if i in places else next(sizes) for i in range(x.ndim + len(axes))])


def squeeze(a: Any, axis: Any = None) -> Tensor:
    """Axes of size 1 removed: all of them, or those named."""
    x = tensor(a)
    shape = x._array.shape
    axes = tuple([i for i, size in enumerate(shape) if size == 1]) if axis is None else normal_axes(axis, x.ndim)
    for each in axes:
        if shape[each] != 1:
            raise ValueError(f"squeeze() cannot remove axis {each} of shape {shape}: its size is not 1")
    return tf.reshape(x, [size for i, size in enumerate(shape) if i not in axes])


def broadcast_to(array: Any, shape: Any, subok: bool = False) -> Tensor:
    """`array` repeated over a larger shape."""
    x = tensor(array)
    wanted = static_shape(shape)
    if x._array.shape == wanted:
        return x
    return tf.broadcast_to(x, wanted)


def concatenate(
    arrays: Any, /, axis: int | None = 0, out: Any = None, *, dtype: Any = None, casting: str = "same_kind"
) -> Tensor:
    """Tensors joined along an axis that they have; flattened first if `axis` is None."""
    parts = together(*arrays)
    if dtype is not None:
        parts = [as_dtype(part, numpy_dtype(dtype)) for part in parts]
    if axis is None:
        return tf.concat([tf.reshape(part, (-1,)) for part in parts], 0)
    return tf.concat(parts, normal_axis(axis, parts[0].ndim))


concat = concatenate


def stack(arrays: Any, axis: int = 0, out: Any = None, *, dtype: Any = None, casting: str = "same_kind") -> Tensor:
    """Tensors of one shape joined along a new axis."""
    parts = together(*arrays)
    return tf.stack(parts, normal_axis(axis, parts[0].ndim + 1))


def split(ary: Any, indices_or_sections: Any, axis: int = 0) -> list[Tensor]:
    """Equal parts along an axis, or the parts between the given indices."""
    x = tensor(ary)
    place = normal_axis(axis, x.ndim)
    size = x._array.shape[place]
    cuts = number(indices_or_sections)
    if isinstance(cuts, int):
        if cuts <= 0 or size % cuts:
            raise ValueError(f"split() cannot cut an axis of size {size} into {cuts} equal parts")
        cuts = tuple(range(size // cuts, size, size // cuts)) if size else (0,) * (cuts - 1)
    return cut(x, cuts, place)


def cut(x: Tensor, cuts: Sequence[int], axis: int) -> list[Tensor]:
    """The parts of `x` between the indices `cuts` along `axis`."""
    before = (slice(None),) * axis
    edges = [None, *cuts, None]
    return [x[(*before, slice(begin, end))] for begin, end in zip(edges[:-1], edges[1:])]


def tile(A: Any, reps: Any) -> Tensor:
    """The tensor repeated as a whole along each axis."""
    x = tensor(A)
    counts = static_shape(reps)
    rank = max(x.ndim, len(counts))
    counts = (1,) * (rank - len(counts)) + counts
    return tf.tile(tf.reshape(x, (1,) * (rank - x.ndim) + x._array.shape), counts)


def repeat(a: Any, repeats: Any, axis: int | None = None) -> Tensor:
    """Each element (or slice along `axis`) repeated."""
    x = tensor(a)
    if axis is None:
        x, axis = tf.reshape(x, (-1,)), 0
    place = normal_axis(axis, x.ndim)
    counts = np.broadcast_to(np.asarray(number(repeats)), x._array.shape[place : place + 1])
    return tf.gather(x, np.repeat(np.arange(x._array.shape[place]), counts), axis=place)


def flip(m: Any, axis: Any = None) -> Tensor:
    """The order of the elements reversed along axes."""
    x = tensor(m)
    axes = normal_axes(axis, x.ndim)
    return x[tuple([slice(None, None, -1 if i in axes else None) for i in range(x.ndim)])]


def roll(a: Any, shift: Any, axis: Any = None) -> Tensor:
    """The elements moved along axes, those that fall off coming in again at the other end."""
    x = tensor(a)
    if axis is None:
        return tf.reshape(tf.roll(tf.reshape(x, (-1,)), number(shift), 0), x._array.shape)
    axes = tuple([normal_axis(each, x.ndim) for each in (axis if isinstance(axis, tuple | list) else (axis,))])
    shifts = tuple(np.broadcast_to(np.asarray(number(shift)), (len(axes),)).tolist())
    return tf.roll(x, shifts, axes)


def pad(array: Any, pad_width: Any, mode: str = "constant", **kwargs: Any) -> Tensor:
    """The tensor with a border: constant, or reflect or symmetric (the tensor mirrored)."""
    x = tensor(array)
    widths = np.broadcast_to(np.asarray(number(pad_width)), (x.ndim, 2)).tolist()
    if mode == "constant":
        value = kwargs.pop("constant_values", 0)
        if not kwargs:
            return tf.pad(x, widths, constant_values=as_dtype(tensor(value), x._array.dtype))
    if mode in ("reflect", "symmetric") and not kwargs:
        return tf.pad(x, widths, mode)
    raise TypeError(
        f"pad(mode={mode!r}, {kwargs}) has no differentiable counterpart: constant, reflect or symmetric do"
    )
