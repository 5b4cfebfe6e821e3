"""NumPy kernels for activations and normalization."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any


class NetworkKernels:
    """The part of the NumPy engine for activations and normalization."""

    def relu6_grad(self, a: Array, b: Array) -> Array:
        """a where b is between 0 and 6, else 0 * a: nan for an infinite a, as in TensorFlow."""
        return a * ((b > 0) & (b < 6)).astype(a.dtype)

    def leaky_relu_grad(self, a: Array, b: Array, *, alpha: float) -> Array:
        """a where b is positive, else alpha * a."""
        return self.where(b > 0, a, np.asarray(a * np.asarray(alpha, a.dtype)))  # type: ignore[attr-defined]

    def window_sum(self, x: Array, *, radius: int) -> Array:
        """Along the last axis, the sum of all elements within `radius`."""
        out = np.array(x)
        for distance in range(1, min(radius, x.shape[-1] - 1) + 1):
            out[..., distance:] += x[..., :-distance]
            out[..., :-distance] += x[..., distance:]
        return out
