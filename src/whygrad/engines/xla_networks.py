"""XLA kernels for activations and normalization."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from whygrad.engines.numpy_checks import CheckKernels
from whygrad.values.recorders import state

Array = Any
_checks = CheckKernels()


class NetworkKernels:
    """The part of the XLA engine for activations and normalization."""

    jax: Any
    jnp: Any
    lax: Any
    check: Any

    def relu6_grad(self, a: Array, b: Array) -> Array:
        """a where b is between 0 and 6, else 0 * a: nan for an infinite a, as in TensorFlow."""
        return a * ((b > 0) & (b < 6)).astype(a.dtype)

    def leaky_relu_grad(self, a: Array, b: Array, *, alpha: float) -> Array:
        """a where b is positive, else alpha * a."""
        return self.jnp.where(b > 0, a, a * np.asarray(alpha, a.dtype))

    def bias_add(self, value: Array, bias: Array, *, axis: int) -> Array:
        """`value` with a vector of biases added along an axis."""
        return value + bias.reshape((-1,) + (1,) * (value.ndim - 1 - axis))

    def window_sum(self, x: Array, *, radius: int) -> Array:
        """Along the last axis, the sum of all elements within `radius`."""
        window = (*[1] * (x.ndim - 1), 2 * radius + 1)
        padding = [*[(0, 0)] * (x.ndim - 1), (radius, radius)]
        return self.lax.reduce_window(x, np.zeros((), x.dtype), self.lax.add, window, (1,) * x.ndim, padding)

    def check_numerics(self, tensor: Array, *, message: str) -> Array:
        """Return `tensor`; raise if it contains a NaN or an infinity, at each run of a compiled function that checks values."""
        if not isinstance(tensor, self.jax.core.Tracer):
            _checks.check_numerics(np.asarray(tensor), message=message)
        elif state.context.checks_values:
            report = functools.partial(_checks.check_numerics, message=message)
            self.check(self.jnp.isfinite(tensor).all(), report, tensor)
        return tensor
