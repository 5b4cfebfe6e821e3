"""XLA kernels for segments: rows with the same id form a segment; rows with a negative id are dropped."""

from __future__ import annotations

from typing import Any

from whygrad.engines.numpy_lookups import start_of_extreme

Array = Any


class SegmentKernels:
    """The segment kernels of the XLA engine.

    Rows with an id out of range are dropped too: compiled code cannot raise.
    """

    jnp: Any

    def segment_sum(self, data: Array, segment_ids: Array, *, num_segments: int) -> Array:
        """The sum of the rows of each segment."""
        return self._segments("add", data, segment_ids, num_segments, 0)

    def segment_prod(self, data: Array, segment_ids: Array, *, num_segments: int) -> Array:
        """The product of the rows of each segment."""
        return self._segments("multiply", data, segment_ids, num_segments, 1)

    def segment_extreme(self, data: Array, segment_ids: Array, *, num_segments: int, how: str, empty: Any) -> Array:
        """The "maximum" or "minimum" of the rows of each segment, `empty` where there are none."""
        start = start_of_extreme(data, how, empty)
        out = self._segments("max" if how == "maximum" else "min", data, segment_ids, num_segments, start)
        if empty is None:
            return out
        ones = self.jnp.ones(segment_ids.size, bool)
        filled = self._segments("max", ones, segment_ids.reshape(-1), num_segments, False)
        return self.jnp.where(filled.reshape(-1, *[1] * (out.ndim - 1)), out, out.dtype.type(empty))

    def segment_spread(self, values: Array, segment_ids: Array) -> Array:
        """For each row the value of its segment; zero for dropped rows."""
        if not len(values):
            return self.jnp.zeros(segment_ids.shape + values.shape[1:], values.dtype)
        return self.jnp.asarray(values).at[self._rows(segment_ids, len(values))].get(mode="fill", fill_value=0)

    def _segments(self, combine: str, data: Array, segment_ids: Array, num_segments: int, start: Any) -> Array:
        """Reduce the rows of each segment, starting from `start`."""
        tail = data.shape[segment_ids.ndim :]
        out = self.jnp.full((num_segments, *tail), start, data.dtype)
        if not num_segments:
            return out
        rows = self._rows(segment_ids.reshape(-1), num_segments)
        return getattr(out.at[rows], combine)(data.reshape(segment_ids.size, *tail), mode="drop")

    def _rows(self, segment_ids: Array, count: int) -> Array:
        """The row ids; dropped rows get an id beyond the end, since negative ids would count from there."""
        segment_ids = self.jnp.asarray(segment_ids)
        return self.jnp.where(segment_ids < 0, count, segment_ids)
