"""NumPy's functions that select, search and sort."""

from __future__ import annotations

from typing import Any

import numpy as np
import whygrad as tf
from whygrad.numpy.promotion import normal_axis, refuse, tensor
from whygrad.values.tensor import Tensor

__all__ = [
    "argmax",
    "argmin",
    "argsort",
    "sort",
    "take",
    "take_along_axis",
]


def take(a: Any, indices: Any, axis: int | None = None, out: Any = None, mode: str = "raise") -> Tensor:
    """The elements (or slices along `axis`) at these indices."""
    x, at = tensor(a), tensor(indices)
    refuse("take", out=out)
    if axis is None:
        x, axis = tf.reshape(x, (-1,)), 0
    place = normal_axis(axis, x.ndim)
    size = x._array.shape[place]
    if mode == "wrap":
        at = at % size
    elif mode == "clip":
        at = tf.clip_by_value(at, 0, size - 1)
    return tf.gather(x, from_front(at, size), axis=place)


def from_front(indices: Tensor, size: int) -> Tensor:
    """Indices of which none counts from the end; IndexError for one that is out of bounds."""
    array = indices._array
    if array.size == 0:
        return indices if array.dtype.kind in "iu" else tf.cast(indices, np.int64)
    if array.dtype.kind not in "iu":
        raise IndexError(f"indices must be integers, not {indices.dtype.name}")
    if array.min() >= 0 and array.max() < size:
        return indices
    for extreme in (array.min(), array.max()):
        if not -size <= extreme < size:
            raise IndexError(f"index {extreme} is out of bounds for an axis of size {size}")
    return tensor(np.where(array < 0, array + size, array))


def take_along_axis(arr: Any, indices: Any, axis: int | None = -1) -> Tensor:
    """From each line along `axis` the elements that the matching line of `indices` names."""
    x, at = tensor(arr), tensor(indices)
    if axis is None:
        x, axis = tf.reshape(x, (-1,)), 0
    if at.ndim != x.ndim:
        raise ValueError(f"take_along_axis() takes indices of {x.ndim} dimensions, not {at.ndim}")
    place = normal_axis(axis, x.ndim)
    shape = x._array.shape
    at = from_front(at, shape[place])
    lines = np.broadcast_shapes(
        (*shape[:place], 1, *shape[place + 1 :]), (*at._array.shape[:place], 1, *at._array.shape[place + 1 :])
    )
    x = tf.broadcast_to(x, (*lines[:place], shape[place], *lines[place + 1 :]))
    at = tf.broadcast_to(at, (*lines[:place], at._array.shape[place], *lines[place + 1 :]))
    order = [i for i in range(x.ndim) if i != place] + [place]
    picked = tf.gather(tf.transpose(x, order), tf.transpose(at, order), batch_dims=x.ndim - 1)
    return tf.transpose(picked, np.argsort(order).tolist())


def argmax(a: Any, axis: int | None = None, out: Any = None, *, keepdims: Any = False) -> Tensor:
    """The index of the largest element; of the flattened tensor if `axis` is None."""
    return _extreme(np.argmax, a, axis, out, keepdims)


def argmin(a: Any, axis: int | None = None, out: Any = None, *, keepdims: Any = False) -> Tensor:
    """The index of the smallest element; of the flattened tensor if `axis` is None."""
    return _extreme(np.argmin, a, axis, out, keepdims)


def _extreme(search: Any, a: Any, axis: int | None, out: Any, keepdims: Any) -> Tensor:
    x = tensor(a)
    refuse(search.__name__, out=out)
    flat = tf.reshape(x, (-1,)) if axis is None else x
    op = tf.argmax if search is np.argmax else tf.argmin
    found = op(flat, normal_axis(0 if axis is None else axis, flat.ndim))
    if not keepdims:
        return found
    place = range(x.ndim) if axis is None else [normal_axis(axis, x.ndim)]
    return tf.reshape(found, [1 if i in place else size for i, size in enumerate(x._array.shape)])


def argsort(
    a: Any,
    axis: int | None = -1,
    kind: Any = None,
    order: Any = None,
    *,
    stable: bool | None = None,
    descending: bool = False,
) -> Tensor:
    """The indices that sort the tensor along `axis`."""
    x = tensor(a)
    if axis is None:
        x, axis = tf.reshape(x, (-1,)), 0
    direction = "DESCENDING" if descending else "ASCENDING"
    return tf.cast(tf.argsort(x, normal_axis(axis, x.ndim), direction, stable=True), np.int64)


def sort(
    a: Any,
    axis: int | None = -1,
    kind: Any = None,
    order: Any = None,
    *,
    stable: bool | None = None,
    descending: bool = False,
) -> Tensor:
    """The tensor sorted along `axis`."""
    x = tensor(a)
    if axis is None:
        x, axis = tf.reshape(x, (-1,)), 0
    return tf.sort(x, normal_axis(axis, x.ndim), "DESCENDING" if descending else "ASCENDING")
