"""XLA kernels for signals: unnormalized Fourier transforms, and frames."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any
Axes = tuple[int, ...]


class SignalKernels:
    """The part of the XLA engine for signals."""

    jnp: Any

    def fourier_transform(self, x: Array, *, axes: Axes, inverse: bool) -> Array:
        """The sums with exp(-2 pi i j k / n), or exp(+...) for the inverse."""
        if not x.size:
            return x
        # One axis at a time: XLA transforms at most three at once.
        for axis in axes:
            x = self.jnp.fft.ifft(x, axis=axis, norm="forward") if inverse else self.jnp.fft.fft(x, axis=axis)
        return x

    def real_fourier_transform(self, x: Array, *, axes: Axes) -> Array:
        """`fourier_transform` of real numbers: along the last of the axes, only the non-redundant half."""
        if not x.size:
            shape = list(x.shape)
            shape[axes[-1]] = shape[axes[-1]] // 2 + 1 if shape[axes[-1]] else 0
            return self.jnp.zeros(shape, np.result_type(x.dtype, np.complex64))
        return self.fourier_transform(self.jnp.fft.rfft(x, axis=axes[-1]), axes=axes[:-1], inverse=False)

    def inverse_real_fourier_transform(self, x: Array, *, axes: Axes, size: int) -> Array:
        """The real inverse of `real_fourier_transform`; `size` is the length of the last of the axes."""
        if not x.size or not size:
            real = np.empty((), x.dtype).real.dtype
            return self.jnp.zeros([size if i == axes[-1] else n for i, n in enumerate(x.shape)], real)
        x = self.fourier_transform(x, axes=axes[:-1], inverse=True)
        return self.jnp.fft.irfft(x, size, axis=axes[-1], norm="forward")

    def frames(self, x: Array, *, length: int, step: int, count: int) -> Array:
        """Along the last axis, `count` frames of `length` elements, `step` apart."""
        if not count or not length:
            return self.jnp.zeros((*x.shape[:-1], count, length), x.dtype)
        return self.jnp.take(x, np.arange(count)[:, None] * step + np.arange(length), axis=-1)

    def overlap_add(self, x: Array, *, step: int, size: int) -> Array:
        """The transpose of `frames`: the sum of frames that start `step` apart, in a signal of this size."""
        count, length = x.shape[-2:]
        places = np.arange(count)[:, None] * step + np.arange(length)
        return self.jnp.zeros((*x.shape[:-2], size), x.dtype).at[..., places].add(x, mode="drop")
