"""XLA kernels of `whygrad.ops.shaping`."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any


class ShapingKernels:
    """Padding, reversing parts, bitcasts."""

    jnp: Any
    lax: Any

    def pad_constant(self, x: Array, *, paddings: tuple[tuple[int, int], ...], value: Any) -> Array:
        """`x` inside a larger array of `value`."""
        return self.lax.pad(x, self.jnp.asarray(value, x.dtype), [(before, after, 0) for before, after in paddings])

    def reverse_sequence(self, x: Array, lengths: Array, *, seq_axis: int, batch_axis: int) -> Array:
        """For each i along `batch_axis`, reverse the first `lengths[i]` elements along `seq_axis`."""
        position = np.arange(x.shape[seq_axis])
        length = self.jnp.asarray(lengths)[:, None]
        sources = self.jnp.where(position < length, length - 1 - position, position)
        shape = [1] * x.ndim
        shape[batch_axis], shape[seq_axis] = sources.shape
        if batch_axis > seq_axis:
            sources = sources.T
        return self.jnp.take_along_axis(x, sources.reshape(shape), axis=seq_axis, mode="clip")

    def bitcast(self, x: Array, *, dtype: Any) -> Array:
        """The bytes of `x` as numbers of `dtype`: a smaller dtype adds a last axis, a larger one removes it."""
        return self.lax.bitcast_convert_type(x, dtype)
