"""NumPy kernels of `whygrad.ops.indexing` and `whygrad.ops.segments`: lookups and scatters.

All of them work on rows of a table whose leading axes are flattened.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from whygrad.values import dtypes

Array = Any
Shape = tuple[int, ...]


def start_of_extreme(data: Array, how: str, empty: Any) -> Any:
    """Where the maximum or minimum of a segment starts: at an infinity if empty segments are filled with `empty` afterwards.

    Otherwise they are left at the dtype's limit, and as in TensorFlow so are those of infinities alone.
    """
    dtype = dtypes.of_array(data)
    if empty is not None and dtype.is_floating:
        return -np.inf if how == "maximum" else np.inf
    return dtype.min if how == "maximum" else dtype.max


class LookupKernels:
    """The lookups of the NumPy engine, and the scatters that transpose them."""

    def gather(self, params: Array, indices: Array, *, axis: int, batch_dims: int) -> Array:
        """`params` at `indices` along `axis`; the first `batch_dims` axes of both are batch axes."""
        axis %= params.ndim
        if not batch_dims:
            return _take_rows(params, indices) if axis == 0 else np.take(params, indices, axis=axis)
        rows, shape = _batch_rows(params.shape, indices, axis, batch_dims)
        tail = params.shape[axis + 1 :]
        return _take_rows(params.reshape(math.prod(params.shape[: axis + 1]), *tail), rows).reshape(*shape, *tail)

    def ungather(self, values: Array, indices: Array, *, shape: Shape, axis: int, batch_dims: int) -> Array:
        """The transpose of `gather`: `values` added into zeros of `shape` at `indices`."""
        axis %= len(shape)
        if not indices.ndim:
            indices = indices % shape[axis]  # `x[i]` may count from the end
        rows, _ = _batch_rows(shape, indices, axis, batch_dims)
        tail = shape[axis + 1 :]
        table = np.zeros((math.prod(shape[: axis + 1]), *tail), values.dtype)
        self.add_rows(table, rows.reshape(-1), values.reshape(rows.size, *tail))
        return table.reshape(shape)

    def slice_at(self, x: Array, starts: Array, *, sizes: Shape) -> Array:
        """The block of `sizes` that begins at `starts`."""
        return x[tuple([slice(start, start + size) for start, size in zip(starts.tolist(), sizes)])]

    def unslice_at(self, values: Array, starts: Array, *, shape: Shape) -> Array:
        """The transpose of `slice_at`: zeros of `shape` with `values` in the block."""
        out = np.zeros(shape, values.dtype)
        out[tuple([slice(start, start + size) for start, size in zip(starts.tolist(), values.shape)])] = values
        return out

    def gather_nd(self, params: Array, indices: Array) -> Array:
        """The elements or slices of `params` at the positions in the last axis of `indices`."""
        depth = indices.shape[-1]
        lead, tail = params.shape[:depth], params.shape[depth:]
        if depth == 1:
            return _take_rows(params, indices[..., 0])
        if depth and not params.flags.c_contiguous:  # flattening several axes would copy the whole array
            return params[tuple(np.moveaxis(indices, -1, 0))]
        return _take_rows(params.reshape(math.prod(lead), *tail), _row_numbers(indices, lead))

    def scatter_nd(self, indices: Array, updates: Array, *, shape: Shape) -> Array:
        """`updates` added into zeros of `shape` at the positions in the last axis of `indices`."""
        out = np.full(shape, b"", object) if updates.dtype == object else np.zeros(shape, updates.dtype)
        table, rows, values = self.as_rows(out, indices, updates)
        self.add_rows(table, rows, values)
        return out

    def scatter_rows(self, values: Array, indices: Array, *, shape: Shape) -> Array:
        """Rows `values` added into zeros of `shape` at the positions `indices` along the first axis."""
        out = np.zeros(shape, values.dtype)
        self.add_rows(out, indices, values)
        return out

    def place_slots(self, *values: Array, slots: tuple[Any, ...], shape: Shape) -> Array:
        """Each of `values` added into zeros of `shape` at its basic index in `slots`."""
        out = np.zeros(shape, values[0].dtype)
        for index, value in zip(slots, values):
            out[index] += value
        return out

    def add_rows(self, table: Array, rows: Array, values: Array) -> None:
        """Add `values[i]` to `table[rows[i]]`, in place; rows may repeat."""
        self.combine_rows(np.add, table, rows, values)

    def combine_rows(self, combine: Any, table: Array, rows: Array, values: Array) -> None:
        """`table[rows[i]] = combine(table[rows[i]], values[i])` for each i, in place; rows may repeat."""
        width = math.prod(table.shape[1:])
        if table.ndim == 1 or table.dtype == object or not table.flags.c_contiguous:
            combine.at(table, rows, values)
        elif values.size:  # `at` is several times faster along one axis than on rows
            places = rows.reshape(-1, 1) * np.intp(width) + np.arange(width)
            combine.at(table.reshape(-1), places.reshape(-1), values.reshape(-1))

    def as_rows(self, out: Array, indices: Array, updates: Array) -> tuple[Array, Array, Array]:
        """`out` as a table, the row numbers that `indices` select, and the updates as rows for them."""
        depth = indices.shape[-1]
        lead, tail = out.shape[:depth], out.shape[depth:]
        rows = _row_numbers(indices, lead).reshape(-1)
        return out.reshape(math.prod(lead), *tail), rows, updates.reshape(rows.size, *tail)

    def write_nd(self, x: Array, indices: Array, updates: Array) -> Array:
        """A copy of `x` with `updates` at the positions in the last axis of `indices`; for duplicate positions the last one wins."""
        out = np.array(x, order="C")
        table, rows, values = self.as_rows(out, indices, updates)
        table[rows] = values
        return out

    def extreme_nd(self, x: Array, indices: Array, updates: Array, *, how: str) -> Array:
        """A copy of `x`, at the positions in the last axis of `indices` the "maximum" or "minimum" with `updates`."""
        out = np.array(x, order="C")
        self.combine_rows(getattr(np, how), *self.as_rows(out, indices, updates))
        return out

    # -- segments: rows with the same id form a segment; rows with a negative id are dropped --

    def segment_sum(self, data: Array, segment_ids: Array, *, num_segments: int) -> Array:
        """The sum of the rows of each segment."""
        return self._segments(np.add, data, segment_ids, num_segments, 0)

    def segment_prod(self, data: Array, segment_ids: Array, *, num_segments: int) -> Array:
        """The product of the rows of each segment."""
        return self._segments(np.multiply, data, segment_ids, num_segments, 1)

    def segment_extreme(self, data: Array, segment_ids: Array, *, num_segments: int, how: str, empty: Any) -> Array:
        """The "maximum" or "minimum" of the rows of each segment, `empty` where there are none."""
        start = start_of_extreme(data, how, empty)
        out = self._segments(getattr(np, how), data, segment_ids, num_segments, start)
        if empty is not None:
            out[np.bincount(segment_ids[segment_ids >= 0], minlength=num_segments) == 0] = empty
        return out

    def segment_spread(self, values: Array, segment_ids: Array) -> Array:
        """For each row the value of its segment; zero for dropped rows."""
        out_of_all = segment_ids < 0
        if not out_of_all.any():
            return _take_rows(values, segment_ids)
        if not len(values):
            return np.zeros(segment_ids.shape + values.shape[1:], values.dtype)
        out = _take_rows(values, np.where(out_of_all, 0, segment_ids))
        out[out_of_all] = 0
        return out

    def _segments(self, combine: Any, data: Array, segment_ids: Array, num_segments: int, start: Any) -> Array:
        """Reduce the rows of each segment, starting from `start`."""
        tail = data.shape[segment_ids.ndim :]
        out = np.full((num_segments, *tail), start, data.dtype)
        rows, values = segment_ids.reshape(-1), data.reshape(segment_ids.size, *tail)
        belongs = rows >= 0
        if not belongs.all():
            rows, values = rows[belongs], values[belongs]
        self.combine_rows(combine, out, rows, values)
        return out


def _take_rows(params: Array, rows: Array) -> Array:
    """`params[rows]`; `take` is faster, but first copies an array that is not contiguous."""
    return params.take(rows, axis=0) if params.flags.c_contiguous else params[rows]


def _row_numbers(indices: Array, lead: Shape) -> Array:
    """Convert positions (the last axis of `indices`) within axes of sizes `lead` to row numbers."""
    if not lead:
        return np.zeros(indices.shape[:-1], np.intp)
    rows = indices[..., 0]
    for k, size in enumerate(lead[1:], 1):
        rows = rows * np.intp(size) + indices[..., k]
    return rows


def _batch_rows(shape: Shape, indices: Array, axis: int, batch_dims: int) -> tuple[Array, Shape]:
    """The rows that a batched lookup along `axis` reads, when the axes up to `axis` are flattened; and the result's shape."""
    batch, between = shape[:batch_dims], shape[batch_dims:axis]
    groups = np.arange(math.prod(shape[:axis])).reshape(math.prod(batch), math.prod(between), 1) * shape[axis]
    rows = groups + indices.reshape(math.prod(batch), 1, math.prod(indices.shape[batch_dims:]))
    return rows, (*batch, *between, *indices.shape[batch_dims:])
