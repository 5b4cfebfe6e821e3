"""NumPy kernels for reductions, running sums and sorting."""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

Array = Any


class ReductionKernels:
    """The part of the NumPy engine that works along axes."""

    # -- reductions --

    def sum(self, x: Array, axis: Any = None, **options: Any) -> Array:
        """NumPy's sum; halves are summed in float32, since in their own precision a long sum gets stuck."""
        dtype = x.dtype
        if not options:
            if axis == (0,) and x.ndim == 2 and dtype.kind == "f" and dtype.itemsize >= 4 and len(x) <= _MOST_ONES:
                return np.dot(_ones(len(x), dtype), x)  # a product with ones: two to ten times as fast
            if is_half(dtype):
                return np.add.reduce(x, axis=axis, dtype=np.float32).astype(dtype)
        elif is_half(dtype) and "dtype" not in options:
            return np.add.reduce(x, axis=axis, dtype=np.float32, **options).astype(dtype)
        return np.add.reduce(x, axis=axis, **options)

    def unreduce(self, x: Array, *, shape: tuple[int, ...], axis: tuple[int, ...], keepdims: bool) -> Array:
        """`x`, left by a reduction of `shape` over `axis`, repeated to that shape again; often a view of few elements."""
        if not keepdims and x.shape:
            x = x.reshape([1 if i in axis else size for i, size in enumerate(shape)])
        if math.prod(shape) > 1024:
            if x.shape:
                return np.broadcast_to(x, shape)
            view = np.ndarray(shape, x.dtype, np.asarray(x), 0, (0,) * len(shape))  # in a fifth of the time
            view.flags.writeable = False
            return view
        out = np.empty(shape, x.dtype)  # small: filling costs less than making the view
        if x.shape:
            out[...] = x
        else:
            out.fill(x)
        return out

    def extreme_shares(self, x: Array, extreme: Array, *, axis: tuple[int, ...], keepdims: bool) -> Array:
        """For each element its share in a reduction's maximum or minimum: 1 / n for each of n equals, else 0."""
        if not keepdims:
            extreme = extreme.reshape([1 if i in axis else size for i, size in enumerate(x.shape)])
        chosen = x == extreme
        count = np.add.reduce(chosen, axis=axis, keepdims=True)
        shares = chosen.astype(x.dtype)
        if (count != 1).any():  # equals; or none at all, where the extreme is nan, and so are the shares
            shares /= count.astype(x.dtype)
        return shares

    def extreme_position(self, x: Array, *, axis: int, largest: bool) -> Array:
        """The position of the first maximum or minimum along `axis`. What is not a number is no extreme, unless all are."""
        find = np.argmax if largest else np.argmin
        if x.dtype.kind in "fV":
            total = np.add.reduce(x, axis=None)
            if total != total:  # one look at the sum spares the common case a look at each element
                x = np.where(np.isnan(x), x.dtype.type(-np.inf if largest else np.inf), x)
        return find(x, axis=axis)

    def logsumexp(self, x: Array, *, axis: tuple[int, ...], keepdims: bool) -> Array:
        """log(sum(exp(x))) without overflow."""
        wide = x.astype(np.float32) if is_half(x.dtype) else x
        top = np.maximum.reduce(wide, axis=axis, keepdims=True, initial=-np.inf)
        top = np.where(np.isfinite(top), top, wide.dtype.type(0))
        out = np.log(np.add.reduce(np.exp(wide - top), axis=axis, keepdims=True)) + top
        return (out if keepdims else out.reshape([n for i, n in enumerate(x.shape) if i not in axis])).astype(x.dtype)

    def euclidean_norm(self, x: Array, *, axis: tuple[int, ...], keepdims: bool) -> Array:
        """The root of the sum of squares (of absolute values); for integers both stay integers."""
        dtype = x.dtype
        if dtype.kind == "c":
            squares = np.sum(x.real * x.real + x.imag * x.imag, axis=axis, keepdims=keepdims)
        elif is_half(dtype):
            wide = x.astype(np.float32)
            squares = np.sum(wide * wide, axis=axis, keepdims=keepdims)
        else:
            squares = np.sum(x * x, axis=axis, dtype=dtype, keepdims=keepdims)
        return np.sqrt(squares).astype(dtype)

    # -- shares along an axis --

    def softmax(self, x: Array, *, axis: int) -> Array:
        """exp(x) over its sum along `axis`, in which nothing overflows."""
        if not x.size:
            return x
        wide = x.astype(np.float32) if is_half(x.dtype) else x
        # Where the numbers are moderate, exp neither overflows nor vanishes, and the largest of each row need not be found.
        if largest(wide) < MODERATE and smallest(wide) > -MODERATE:
            shares = np.asarray(np.exp(wide))
        else:
            shares = wide - np.maximum.reduce(wide, axis=axis, keepdims=True)
            np.exp(shares, out=shares)
        shares /= sums_along(shares, axis)
        return shares.astype(x.dtype, copy=False)

    def softmax_grad(self, gain: Array, shares: Array, *, axis: int) -> Array:
        """What the logits of these shares gain: shares sum to one, so that what all gain together changes nothing."""
        if is_half(gain.dtype) or axis not in (-1, gain.ndim - 1):
            return (gain - self.sum(gain * shares, axis=axis, keepdims=True)) * shares
        out = gain - np.vecdot(gain, shares)[..., None]
        out *= shares
        return out

    def log_softmax(self, x: Array, *, axis: int) -> Array:
        """The logarithm of `softmax`, exact where a share is too small to be seen."""
        if not x.size:
            return x
        wide = x.astype(np.float32) if is_half(x.dtype) else x
        shifted = wide - np.maximum.reduce(wide, axis=axis, keepdims=True)
        shifted -= np.log(np.add.reduce(np.exp(shifted), axis=axis, keepdims=True))
        return shifted.astype(x.dtype, copy=False)

    # -- running along an axis --

    def running_sum(self, x: Array, *, axis: int, exclusive: bool, reverse: bool) -> Array:
        """The cumulative sum; without each element itself if `exclusive`, from the end if `reverse`."""
        return _running(np.add, x, axis, exclusive, reverse, 0)

    def running_product(self, x: Array, *, axis: int, exclusive: bool, reverse: bool) -> Array:
        """The cumulative product, as `running_sum`."""
        return _running(np.multiply, x, axis, exclusive, reverse, 1)

    def running_logsumexp(self, x: Array, *, axis: int, exclusive: bool, reverse: bool) -> Array:
        """The cumulative log(sum(exp(x))), as `running_sum`."""
        return _running(np.logaddexp, x, axis, exclusive, reverse, -np.inf)

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
            return np.argsort(x, axis=axis, kind="stable").astype(np.int32)
        backwards = np.argsort(np.flip(x, axis), axis=axis, kind="stable").astype(np.int32)
        return x.shape[axis] - 1 - np.flip(backwards, axis)

    def place_along_axis(self, values: Array, positions: Array, *, axis: int, size: int) -> Array:
        """`values` put at `positions`, which differ along `axis`, into zeros of length `size` there."""
        out = np.zeros((*values.shape[:axis], size, *values.shape[axis + 1 :]), values.dtype)
        np.put_along_axis(out, positions, values, axis)
        return out

    def top_k(self, x: Array, *, k: int) -> tuple[Array, Array]:
        """The k largest along the last axis, in descending order, and where they are; of equals the earlier ones."""
        size = x.shape[-1]
        if x.dtype.kind == "V":
            x, dtype = x.astype(np.float32), x.dtype
            values, positions = self.top_k(x, k=k)
            return values.astype(dtype), positions
        if 0 < 4 * k < size and not (x.dtype.kind == "f" and np.isnan(x).any()):
            # All that exceed the k-th largest, and the first of its equals: found without sorting the rest.
            least = np.partition(x, size - k, axis=-1)[..., size - k, None]
            above = x > least
            equal = x == least
            room = k - np.add.reduce(above, axis=-1, keepdims=True)
            chosen = above | (equal & (np.add.accumulate(equal, axis=-1, dtype=np.int32) <= room))
            candidates = np.nonzero(chosen)[-1].reshape(*x.shape[:-1], k).astype(np.int32)
            order = self.sort_order(np.take_along_axis(x, candidates, -1), axis=-1, descending=True)
            positions = np.take_along_axis(candidates, order, -1)
        else:
            positions = self.sort_order(x, axis=-1, descending=True)[..., :k]
        return np.take_along_axis(x, positions, -1), positions

    def search_sorted(self, sequence: Array, values: Array, *, right: bool) -> Array:
        """Where in each row of `sequence` each value of the same row of `values` belongs."""
        side: Any = "right" if right else "left"
        if sequence.dtype.kind == "V":
            sequence, values = sequence.astype(np.float32), values.astype(np.float32)
        rows, wanted = _rows(sequence), _rows(values)
        out = np.empty(wanted.shape, np.int64)
        for i in range(len(rows)):
            out[i] = np.searchsorted(rows[i], wanted[i], side)
        return out.reshape(values.shape)

    def unique_in_order(self, x: Array) -> tuple[Array, Array, Array]:
        """The distinct elements of a vector in the order they first appear, the place of each element, and their counts."""
        comparable = x.astype(np.float32) if x.dtype.kind == "V" else x
        _, first, inverse, counts = np.unique(
            comparable, return_index=True, return_inverse=True, return_counts=True, equal_nan=False
        )
        appearance = np.argsort(first)
        place = np.empty_like(appearance)
        place[appearance] = np.arange(len(appearance))
        return x[first[appearance]], place[inverse], counts[appearance]

    def count_into_bins(self, bins: Array, weights: Array, *, size: int, binary: bool) -> Array:
        """In each row, the sum of the weights (or whether there are any) of the elements in each of `size` bins.

        What lies beyond the last bin is left out; `weights` of size 0 count each element once.
        """
        rows = _rows(bins)
        inside = rows < size
        flat = (rows + np.arange(len(rows))[:, None] * size)[inside]
        total = len(rows) * size
        if binary or not weights.size:
            out = np.bincount(flat, minlength=total)
            out = (out > 0 if binary else out).astype(weights.dtype)
        else:
            out = np.zeros(total, weights.dtype)
            np.add.at(out, flat, weights.reshape(rows.shape)[inside])
        return out.reshape(*bins.shape[:-1], size)

    def histogram_counts(self, values: Array, value_range: Array, nbins: int) -> Array:
        """How many values fall into each bin; what is outside the range, into the nearest."""
        low, high = value_range.astype(np.float64)
        step = (high - low) / nbins
        places = np.clip((values.astype(np.float64) - low) / step, 0, nbins - 1).astype(np.int64)
        return np.bincount(places.reshape(-1), minlength=nbins)

    def histogram_places(self, values: Array, value_range: Array, nbins: int) -> Array:
        """The bin of each value; what is outside the range, in the nearest."""
        low, high = value_range[0], value_range[1]
        places = np.floor((values - low) / (high - low) * values.dtype.type(nbins))
        return np.clip(places, 0, nbins - 1).astype(np.int32)


def _rows(x: Array) -> Array:
    """All axes but the last made one; not by -1, which says nothing where the last has no elements."""
    return x.reshape(math.prod(x.shape[:-1]), x.shape[-1])


def largest(x: Array) -> Any:
    """The largest of all elements, nan if one is."""
    return x.item(x.argmax()) if x.size <= _FEW else np.maximum.reduce(x, axis=None)


def smallest(x: Array) -> Any:
    """The smallest of all elements, nan if one is."""
    return x.item(x.argmin()) if x.size <= _FEW else np.minimum.reduce(x, axis=None)


# Elements up to which finding the place takes less time than setting up a reduction, which takes that of 8,000 elements.
_FEW = 1 << 14

MODERATE = 40  # exp(40) times any number of elements is finite in float32, and exp(-80) far from its least


def sums_along(x: Array, axis: int) -> Array:
    """Sums along `axis`, which is kept."""
    size = x.shape[axis]
    if axis in (-1, x.ndim - 1) and 8 <= size <= 512 and x.flags.c_contiguous:  # NumPy's loop is made for longer rows
        return np.dot(x.reshape(-1, size), _ones(size, x.dtype)).reshape(*x.shape[:-1], 1)
    return np.add.reduce(x, axis=axis, keepdims=True)


_MOST_ONES = 1 << 16


@functools.lru_cache(32)
def _ones(size: int, dtype: np.dtype[Any]) -> Array:
    return np.ones(size, dtype)


def is_half(dtype: Any) -> bool:
    """Whether a dtype is float16 or bfloat16, whose sums are taken in float32: a long one in their own precision gets stuck."""
    return bool(dtype.itemsize == 2 and dtype.kind in "fV")


def _running(ufunc: Any, x: Array, axis: int, exclusive: bool, reverse: bool, start: Any) -> Array:
    """`ufunc` accumulated along `axis`; `start` is what an exclusive run begins with."""
    dtype = x.dtype
    working = np.dtype(np.float32) if is_half(dtype) else dtype
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
