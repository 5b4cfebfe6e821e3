"""Kernels of the NumPy engine for signals: unnormalized Fourier transforms, and frames."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any
Axes = tuple[int, ...]


class SignalKernels:
    """The part of the NumPy engine for signals."""

    def fourier_transform(self, x: Array, *, axes: Axes, inverse: bool) -> Array:
        """The sums with exp(-2 pi i j k / n), or exp(+...) for the inverse."""
        if not x.size:
            return x
        return np.fft.ifftn(x, axes=axes, norm="forward") if inverse else np.fft.fftn(x, axes=axes)

    def real_fourier_transform(self, x: Array, *, axes: Axes) -> Array:
        """`fourier_transform` of real numbers: along the last of the axes, only the non-redundant half."""
        if not x.size:
            shape = list(x.shape)
            shape[axes[-1]] = shape[axes[-1]] // 2 + 1 if shape[axes[-1]] else 0
            return np.zeros(shape, np.result_type(x, np.complex64))
        return np.fft.rfft(x, axis=axes[0]) if len(axes) == 1 else np.fft.rfftn(x, axes=axes)

    def inverse_real_fourier_transform(self, x: Array, *, axes: Axes, size: int) -> Array:
        """The real inverse of `real_fourier_transform`; `size` is the length of the last of the axes."""
        if not x.size or not size:
            return np.zeros([size if i == axes[-1] else n for i, n in enumerate(x.shape)], x.real.dtype)
        if len(axes) == 1:
            return np.fft.irfft(x, size, axis=axes[0], norm="forward")
        sizes = [*[x.shape[axis] for axis in axes[:-1]], size]
        return np.fft.irfftn(x, sizes, axes=axes, norm="forward")

    def frames(self, x: Array, *, length: int, step: int, count: int) -> Array:
        """Along the last axis, `count` frames of `length` elements, `step` apart; a view."""
        if not count or not length:
            return np.zeros((*x.shape[:-1], count, length), x.dtype)
        runs = np.lib.stride_tricks.sliding_window_view(x, length, axis=-1)
        return runs[..., : (count - 1) * step + 1 : step, :]

    def overlap_add(self, x: Array, *, step: int, size: int) -> Array:
        """The transpose of `frames`: the sum of frames that start `step` apart, in a signal of this size."""
        count, length = x.shape[-2:]
        out = np.zeros((*x.shape[:-2], size), x.dtype)
        # The parts of all frames at the same offset form one run: one sum per step of a frame.
        for start in range(0, length, step):
            run = np.zeros((*x.shape[:-2], count, step), x.dtype)
            part = x[..., start : start + step]
            run[..., : part.shape[-1]] = part
            run = run.reshape(*x.shape[:-2], count * step)[..., : max(size - start, 0)]
            out[..., start : start + run.shape[-1]] += run
        return out
