"""Kernels of the NumPy engine for `whygrad.ops.shaping`."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any


class ShapingKernels:
    """Reshaping and transposing, padding, reversing parts, bitcasts."""

    # NumPy's functions of these names take three times as long as the methods.

    def reshape(self, x: Array, shape: tuple[int, ...]) -> Array:
        """x in another shape."""
        return x.reshape(shape)

    def transpose(self, x: Array, axes: Any = None) -> Array:
        """x with its axes in another order."""
        return x.transpose(axes)

    def pad_constant(self, x: Array, *, paddings: tuple[tuple[int, int], ...], value: Any) -> Array:
        """`x` inside a larger array filled with `value`: `numpy.pad` takes several times as long on small arrays."""
        shape = tuple([before + size + after for size, (before, after) in zip(x.shape, paddings)])
        out = np.full(shape, value, x.dtype)
        out[tuple([slice(before, before + size) for size, (before, _) in zip(x.shape, paddings)])] = x
        return out

    def reverse_sequence(self, x: Array, lengths: Array, *, seq_axis: int, batch_axis: int) -> Array:
        """For each i along `batch_axis`, reverse the first `lengths[i]` elements along `seq_axis`."""
        position = np.arange(x.shape[seq_axis])
        length = lengths[:, None]
        sources = np.where(position < length, length - 1 - position, position)
        shape = [1] * x.ndim
        shape[batch_axis], shape[seq_axis] = sources.shape
        if batch_axis > seq_axis:
            sources = sources.T
        return np.take_along_axis(x, sources.reshape(shape), axis=seq_axis)

    def bitcast(self, x: Array, *, dtype: Any) -> Array:
        """The bytes of `x` as numbers of `dtype`: a smaller dtype adds a last axis, a larger one removes it."""
        x = np.ascontiguousarray(x).reshape(x.shape)  # ascontiguousarray turns a scalar into a vector
        if dtype.itemsize < x.dtype.itemsize:
            return x[..., None].view(dtype)
        if dtype.itemsize > x.dtype.itemsize:
            return x.view(dtype)[..., 0]
        return x.view(dtype)
