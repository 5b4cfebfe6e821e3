"""NumPy kernels for reductions, running sums and sorting."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

Array = Any


class ReductionKernels:
    """The part of the NumPy engine that works along axes."""

    # -- reductions --

    def unreduce(self, x: Array, *, shape: tuple[int, ...], axis: tuple[int, ...], keepdims: bool) -> Array:
        """`x`, left by a reduction of `shape` over `axis`, repeated to that shape again; often a view of few elements."""
        if not keepdims:
            x = x.reshape([1 if i in axis else size for i, size in enumerate(shape)])
        if math.prod(shape) > 1024:
            return np.broadcast_to(x, shape)
        out = np.empty(shape, x.dtype)  # small: filling costs less than making the view
        out[...] = x
        return out

    def extreme_shares(self, x: Array, extreme: Array, *, axis: tuple[int, ...], keepdims: bool) -> Array:
        """For each element its share in a reduction's maximum or minimum: 1 / n for each of n equals, else 0."""
        if not keepdims:
            extreme = extreme.reshape([1 if i in axis else size for i, size in enumerate(x.shape)])
        chosen = x == extreme
        return (chosen / np.add.reduce(chosen, axis=axis, keepdims=True)).astype(x.dtype)

    # -- running along an axis --

    def running_sum(self, x: Array, *, axis: int, exclusive: bool, reverse: bool) -> Array:
        """The cumulative sum; without each element itself if `exclusive`, from the end if `reverse`."""
        return _running(np.add, x, axis, exclusive, reverse, 0)

    # -- sorting --

    def sort_values(self, x: Array, *, axis: int, descending: bool) -> Array:
        """The elements in order along `axis`."""
        ordered = np.sort(x, axis=axis)
        return np.flip(ordered, axis) if descending else ordered

    def sort_order(self, x: Array, *, axis: int, descending: bool) -> Array:
        """The positions, along `axis`, of the elements in order; equals stay in the order they have."""
        if x.dtype.kind == "V":
            x = x.astype(np.float32)  # bfloat16: the same order, sorted by NumPy's own comparison
        if not descending:
            return np.argsort(x, axis=axis, kind="stable")
        backwards = np.argsort(np.flip(x, axis), axis=axis, kind="stable")
        return x.shape[axis] - 1 - np.flip(backwards, axis)

    def place_along_axis(self, values: Array, positions: Array, *, axis: int, size: int) -> Array:
        """`values` put at `positions`, which differ along `axis`, into zeros of length `size` there."""
        out = np.zeros((*values.shape[:axis], size, *values.shape[axis + 1 :]), values.dtype)
        np.put_along_axis(out, positions, values, axis)
        return out


def _running(ufunc: Any, x: Array, axis: int, exclusive: bool, reverse: bool, start: Any) -> Array:
    """`ufunc` accumulated along `axis`; `start` is what an exclusive run begins with."""
    dtype = x.dtype
    working = np.dtype(np.float32) if dtype.itemsize == 2 and dtype.kind in "fV" else dtype  # halves would get stuck
    if reverse:
        x = np.flip(x, axis)
    if not exclusive:
        out = ufunc.accumulate(x, axis=axis, dtype=working)
    else:
        out = np.empty(x.shape, working)
        before: list[Any] = [slice(None)] * x.ndim
        before[axis] = slice(None, 1)
        out[tuple(before)] = start
        before[axis] = slice(1, None)
        earlier = list(before)
        earlier[axis] = slice(None, -1)
        ufunc.accumulate(x[tuple(earlier)], axis=axis, dtype=working, out=out[tuple(before)])
    if reverse:
        out = np.flip(out, axis)
    return out.astype(dtype, copy=False)
