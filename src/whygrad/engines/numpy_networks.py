"""NumPy kernels for activations and normalization."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any
_SHORT = 128  # biases: NumPy adds row by row, and takes longer to begin a row than to add so few
_LONG = 1 << 14  # elements of repeated biases, at most


class NetworkKernels:
    """The part of the NumPy engine for activations and normalization."""

    def relu6_grad(self, a: Array, b: Array) -> Array:
        """a where b is between 0 and 6, else 0 * a: nan for an infinite a, as in TensorFlow."""
        return a * ((b > 0) & (b < 6)).astype(a.dtype)

    def leaky_relu_grad(self, a: Array, b: Array, *, alpha: float) -> Array:
        """a where b is positive, else alpha * a."""
        return self.where(b > 0, a, np.asarray(a * np.asarray(alpha, a.dtype)))  # type: ignore[attr-defined]

    def bias_add(self, value: Array, bias: Array, *, axis: int) -> Array:
        """`value` with a vector of biases added along an axis."""
        count = len(bias)
        if axis == value.ndim - 1 and 0 < count <= _SHORT and value.size > _LONG and value.flags.c_contiguous:
            pixels, first = 1, axis  # how many rows, one after the other, make a longer one
            while first and pixels * value.shape[first - 1] * count <= _LONG:
                first -= 1
                pixels *= value.shape[first]
            if pixels > 1:
                rows = value.reshape(-1, pixels * count)
                return (rows + np.tile(bias, pixels)).reshape(value.shape)
        return value + bias.reshape((-1,) + (1,) * (value.ndim - 1 - axis))

    def window_sum(self, x: Array, *, radius: int) -> Array:
        """Along the last axis, the sum of all elements within `radius`."""
        out = np.array(x)
        for distance in range(1, min(radius, x.shape[-1] - 1) + 1):
            out[..., distance:] += x[..., :-distance]
            out[..., :-distance] += x[..., distance:]
        return out
