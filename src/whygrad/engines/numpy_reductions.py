"""NumPy kernels for reductions, cumulative ops and sorting."""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

Array = Any


class ReductionKernels:
    """Reductions, cumulative ops and sorting of the NumPy engine."""

    # -- reductions --

    def sum(self, x: Array, axis: Any = None, **options: Any) -> Array:
        """NumPy's sum; half precision is summed in float32, since a long sum in half precision stops growing."""
        dtype = x.dtype
        if not options:
            # A product with ones is two to ten times as fast, and as a method twice as fast as `np.dot` on a small array.
            if axis == (0,) and x.ndim == 2 and dtype.kind == "f" and dtype.itemsize >= 4 and len(x) <= _MOST_ONES:
                return _ones(len(x), dtype).dot(x)
            if x.ndim > 2 and x.size > 512 and dtype.kind == "f" and dtype.itemsize >= 4 and x.flags.c_contiguous:
                leading = len(axis) if type(axis) is tuple and axis == _FIRST_AXES[: len(axis)] else 0
                rows = math.prod(x.shape[:leading])
                if 0 < leading < x.ndim and 0 < rows <= _MOST_ONES:
                    return _ones(rows, dtype).dot(x.reshape(rows, -1)).reshape(x.shape[leading:])
            if is_half(dtype):
                return np.add.reduce(x, axis=axis, dtype=np.float32).astype(dtype)
        elif is_half(dtype) and "dtype" not in options:
            return np.add.reduce(x, axis=axis, dtype=np.float32, **options).astype(dtype)
        return np.add.reduce(x, axis=axis, **options)

    def unreduce(self, x: Array, *, shape: tuple[int, ...], axis: tuple[int, ...], keepdims: bool) -> Array:
        """Broadcast `x`, the result of reducing `shape` over `axis`, back to `shape`; often as a view."""
        if not keepdims and x.shape:
            x = x.reshape([1 if i in axis else size for i, size in enumerate(shape)])
        if math.prod(shape) > 1024:
            if x.shape:
                return np.broadcast_to(x, shape)
            # A fifth of the time of broadcast_to.
            view = np.ndarray(shape, x.dtype, np.asarray(x), 0, (0,) * len(shape))
            view.flags.writeable = False
            return view
        out = np.empty(shape, x.dtype)  # small: filling is faster than creating the view
        if x.shape:
            out[...] = x
        else:
            out.fill(x)
        return out

    def extreme_shares(self, x: Array, extreme: Array, *, axis: tuple[int, ...], keepdims: bool) -> Array:
        """The gradient of a maximum or minimum for each element: 1 / n for each of n ties, else 0."""
        if not keepdims:
            extreme = extreme.reshape([1 if i in axis else size for i, size in enumerate(x.shape)])
        chosen = x == extreme
        count = np.add.reduce(chosen, axis=axis, keepdims=True)
        shares = chosen.astype(x.dtype)
        if (count != 1).any():  # ties; or no match at all, if the extreme is nan: then the shares are nan too
            shares /= count.astype(x.dtype)
        return shares

    def extreme_position(self, x: Array, *, axis: int, largest: bool) -> Array:
        """The index of the first maximum or minimum along `axis`. NaN is ignored unless all elements are NaN."""
        find = np.argmax if largest else np.argmin
        if x.dtype.kind in "fV":
            total = np.add.reduce(x, axis=None)
            if total != total:  # in the common case, checking the sum avoids checking each element
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
        """The root of the sum of squared magnitudes; for integers, both steps stay integer."""
        dtype = x.dtype
        if dtype.kind == "c":
            squares = np.sum(x.real * x.real + x.imag * x.imag, axis=axis, keepdims=keepdims)
        elif is_half(dtype):
            wide = x.astype(np.float32)
            squares = np.sum(wide * wide, axis=axis, keepdims=keepdims)
        else:
            squares = np.sum(x * x, axis=axis, dtype=dtype, keepdims=keepdims)
        return np.sqrt(squares).astype(dtype)

    # -- softmax along an axis --

    def softmax(self, x: Array, *, axis: int) -> Array:
        """exp(x) divided by its sum along `axis`, without overflow."""
        if not x.size:
            return x
        wide = x.astype(np.float32) if is_half(x.dtype) else x
        # For moderate numbers exp neither overflows nor underflows, so the row maximum is not needed.
        if largest(wide) < MODERATE and smallest(wide) > -MODERATE:
            shares = np.asarray(np.exp(wide))
        else:
            shares = wide - np.maximum.reduce(wide, axis=axis, keepdims=True)
            np.exp(shares, out=shares)
        shares /= sums_along(shares, axis)
        return shares.astype(x.dtype, copy=False)

    def softmax_grad(self, gain: Array, shares: Array, *, axis: int) -> Array:
        """Softmax VJP: `(g - sum(g * y)) * y`, for the upstream gradient g of the output y."""
        if is_half(gain.dtype) or axis not in (-1, gain.ndim - 1):
            return (gain - self.sum(gain * shares, axis=axis, keepdims=True)) * shares
        out = gain - np.vecdot(gain, shares)[..., None]
        out *= shares
        return out

    def log_softmax(self, x: Array, *, axis: int) -> Array:
        """The logarithm of `softmax`, exact even where softmax underflows."""
        if not x.size:
            return x
        wide = x.astype(np.float32) if is_half(x.dtype) else x
        shifted = wide - np.maximum.reduce(wide, axis=axis, keepdims=True)
        shifted -= np.log(np.add.reduce(np.exp(shifted), axis=axis, keepdims=True))
        return shifted.astype(x.dtype, copy=False)

    # -- cumulative ops along an axis --

    def running_sum(self, x: Array, *, axis: int, exclusive: bool, reverse: bool) -> Array:
        """The cumulative sum, excluding the current element if `exclusive`, from the end if `reverse`."""
        return _running(np.add, x, axis, exclusive, reverse, 0)

    def running_product(self, x: Array, *, axis: int, exclusive: bool, reverse: bool) -> Array:
        """The cumulative product, with the options of `running_sum`."""
        return _running(np.multiply, x, axis, exclusive, reverse, 1)

    def running_logsumexp(self, x: Array, *, axis: int, exclusive: bool, reverse: bool) -> Array:
        """The cumulative log(sum(exp(x))), with the options of `running_sum`."""
        return _running(np.logaddexp, x, axis, exclusive, reverse, -np.inf)

    # -- sorting --

    def sort_values(self, x: Array, *, axis: int, descending: bool) -> Array:
        """The elements sorted along `axis`."""
        ordered = np.sort(x, axis=axis)
        return np.flip(ordered, axis) if descending else ordered

    def sort_order(self, x: Array, *, axis: int, descending: bool) -> Array:
        """The indices that sort `x` along `axis`; the sort is stable."""
        if x.dtype.kind == "V":
            x = x.astype(np.float32)  # bfloat16: the same order, with NumPy's own comparison
        if not descending:
            return np.argsort(x, axis=axis, kind="stable").astype(np.int32)
        backwards = np.argsort(np.flip(x, axis), axis=axis, kind="stable").astype(np.int32)
        return x.shape[axis] - 1 - np.flip(backwards, axis)

    def place_along_axis(self, values: Array, positions: Array, *, axis: int, size: int) -> Array:
        """Zeros of length `size` along `axis`, with `values` at `positions`, which are distinct along it."""
        out = np.zeros((*values.shape[:axis], size, *values.shape[axis + 1 :]), values.dtype)
        np.put_along_axis(out, positions, values, axis)
        return out

    def top_k(self, x: Array, *, k: int) -> tuple[Array, Array]:
        """The k largest along the last axis, in descending order, and their indices; ties go to the lower index."""
        size = x.shape[-1]
        if x.dtype.kind == "V":
            x, dtype = x.astype(np.float32), x.dtype
            values, positions = self.top_k(x, k=k)
            return values.astype(dtype), positions
        if 0 < 4 * k < size and not (x.dtype.kind == "f" and np.isnan(x).any()):
            # All elements above the k-th largest, and the first of its ties: found without a full sort.
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
        """The insertion index of each value of `values` in the same row of the sorted `sequence`."""
        side: Any = "right" if right else "left"
        if sequence.dtype.kind == "V":
            sequence, values = sequence.astype(np.float32), values.astype(np.float32)
        rows, wanted = _rows(sequence), _rows(values)
        out = np.empty(wanted.shape, np.int64)
        for i in range(len(rows)):
            out[i] = np.searchsorted(rows[i], wanted[i], side)
        return out.reshape(values.shape)

    def unique_in_order(self, x: Array, *, axis: int = 0) -> tuple[Array, Array, Array]:
        """The distinct slices along an axis in order of first appearance, the index of each slice among them, and their counts."""
        comparable = x.astype(np.float32) if x.dtype.kind == "V" else x
        along = {"axis": axis} if x.ndim > 1 else {"equal_nan": False}
        _, first, inverse, counts = np.unique(
            comparable, return_index=True, return_inverse=True, return_counts=True, **along
        )
        appearance = np.argsort(first)
        place = np.empty_like(appearance)
        place[appearance] = np.arange(len(appearance))
        return np.take(x, first[appearance], axis=axis), place[inverse.reshape(-1)], counts[appearance]

    def count_into_bins(self, bins: Array, weights: Array, *, size: int, binary: bool) -> Array:
        """In each row, the sum of the weights (or, if `binary`, whether there are any) in each of `size` bins.

        Elements beyond the last bin are dropped; `weights` of size 0 count each element once.
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
        """The number of values in each bin; values outside the range count in the nearest bin."""
        low, high = value_range.astype(np.float64)
        step = (high - low) / nbins
        places = np.clip((values.astype(np.float64) - low) / step, 0, nbins - 1).astype(np.int64)
        return np.bincount(places.reshape(-1), minlength=nbins)

    def histogram_places(self, values: Array, value_range: Array, nbins: int) -> Array:
        """The bin of each value; values outside the range go to the nearest bin."""
        low, high = value_range[0], value_range[1]
        places = np.floor((values - low) / (high - low) * values.dtype.type(nbins))
        return np.clip(places, 0, nbins - 1).astype(np.int32)


def _rows(x: Array) -> Array:
    """Flatten all axes but the last; -1 would be ambiguous for an empty last axis."""
    return x.reshape(math.prod(x.shape[:-1]), x.shape[-1])


def largest(x: Array) -> Any:
    """The maximum of all elements; nan if any is nan."""
    return x.item(x.argmax()) if x.size <= _FEW else np.maximum.reduce(x, axis=None)


def smallest(x: Array) -> Any:
    """The minimum of all elements; nan if any is nan."""
    return x.item(x.argmin()) if x.size <= _FEW else np.minimum.reduce(x, axis=None)


# Elements up to which finding the index is faster than a reduction, whose setup takes as long as 8,000 elements.
_FEW = 1 << 14

MODERATE = 40  # exp(40) times any number of elements is finite in float32, and exp(-80) is far from underflow


def sums_along(x: Array, axis: int) -> Array:
    """Sums along `axis`, with keepdims."""
    size = x.shape[axis]
    # NumPy's loop is optimized for longer rows.
    if axis in (-1, x.ndim - 1) and 8 <= size <= 512 and x.flags.c_contiguous:
        return x.reshape(-1, size).dot(_ones(size, x.dtype)).reshape(*x.shape[:-1], 1)
    return np.add.reduce(x, axis=axis, keepdims=True)


_MOST_ONES = 1 << 16
_FIRST_AXES = tuple(range(64))


@functools.lru_cache(32)
def _ones(size: int, dtype: np.dtype[Any]) -> Array:
    return np.ones(size, dtype)


def is_half(dtype: Any) -> bool:
    """Return whether a dtype is float16 or bfloat16, which are summed in float32: a long sum in half precision stops growing."""
    return bool(dtype.itemsize == 2 and dtype.kind in "fV")


def _running(ufunc: Any, x: Array, axis: int, exclusive: bool, reverse: bool, start: Any) -> Array:
    """`ufunc` accumulated along `axis`; `start` is the first element of an exclusive run."""
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
