"""XLA kernels for elementwise ops."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

Array = Any


_MANY = 4096  # elements from which our own kernel pays
_LARGEST_TURNED = np.float32(1e9)  # up to here, the multiple of pi / 2 fits into 32 bits and the remainder is exact
# pi / 2 as a sum of three parts; the first two have so few bits that their products with an integer are exact. pi / 2 as a float64
# is off by 6.1e-17.
_HIGH = math.floor(np.pi / 2 * 2**22) / 2**22
_MIDDLE = math.floor((np.pi / 2 - _HIGH) * 2**45) / 2**45
_HALF_PI = (_HIGH, _MIDDLE, (np.pi / 2 - _HIGH - _MIDDLE) + 6.123233995736766e-17)
# Taylor coefficients of sin(x) / x and cos(x) in x ** 2, from the second term on; for |x| <= pi / 4, exact to float32's rounding.
_SINE = tuple([np.float32(each) for each in (-1 / 6, 1 / 120, -1 / 5040, 1 / 362880)])
_COSINE = tuple([np.float32(each) for each in (-1 / 2, 1 / 24, -1 / 720, 1 / 40320, -1 / 3628800)])


def _polynomial(coefficients: tuple[Any, ...], x: Array) -> Array:
    total = coefficients[-1]
    for coefficient in coefficients[-2::-1]:
        total = coefficient + total * x
    return total


class ElementwiseKernels:
    """The elementwise kernels of the XLA engine."""

    jax: Any
    jnp: Any
    lax: Any

    def power(self, a: Array, b: Array) -> Array:
        """a ** b; known small integer exponents use products."""
        if isinstance(b, np.ndarray | np.generic) and not b.shape and b.dtype.kind in "fc":
            exponent = b.item()
            if exponent in (1, 2, 3):
                return a if exponent == 1 else a * a if exponent == 2 else a * a * a
        return self.jnp.power(a, b)

    def sin(self, x: Array) -> Array:
        """The sine; see `_sine`."""
        return self._sine(x, self.jnp.sin, 0)

    def cos(self, x: Array) -> Array:
        """The cosine; see `_sine`."""
        return self._sine(x, self.jnp.cos, 1)

    def _sine(self, x: Array, exact: Callable[[Array], Array], quarter: int) -> Array:
        """The sine, shifted by a `quarter` turn for the cosine.

        On a CPU, XLA calls a C function for each element. For large float32 arrays, subtracting the multiple of pi / 2 in float64 and two
        short polynomials take a tenth of the time. Very large numbers, inf and nan use XLA's function.
        """
        if x.dtype != np.float32 or x.size < _MANY or self.platform() != "cpu":  # type: ignore[attr-defined]
            return exact(x)
        jnp = self.jnp

        def quick(x: Array) -> Array:
            wide = x.astype(np.float64)
            turns = jnp.round(wide * (2 / np.pi))
            for part in _HALF_PI:
                wide = wide - turns * part
            rest = wide.astype(np.float32)
            phase = turns.astype(np.int32) + quarter
            square = rest * rest
            odd = rest + rest * square * _polynomial(_SINE, square)
            even = 1 + square * _polynomial(_COSINE, square)
            value = jnp.where(phase & 1, even, odd)
            value = jnp.where(phase & 2, -value, value)
            return value if quarter else jnp.where(x == 0, x, value)  # keeps the sign of zero

        return self.lax.cond(jnp.max(jnp.abs(x)) < _LARGEST_TURNED, quick, exact, x)

    def keep_where(self, mask: Array, x: Array) -> Array:
        """x where the mask is true, else 0."""
        return self.jnp.where(mask, x, self._zero(x))

    def relu(self, x: Array) -> Array:
        """x where it is positive, else 0."""
        return self.jnp.maximum(x, 0)

    def relu_grad(self, a: Array, b: Array) -> Array:
        """a where b is positive, else 0 * a: nan for an infinite a, as in TensorFlow."""
        return a * (b > 0).astype(a.dtype)

    def tanh_grad(self, a: Array, b: Array) -> Array:
        """a * (1 - b * b), the cotangent through b = tanh(x)."""
        return a * (1 - b * b)

    def sigmoid_grad(self, a: Array, b: Array) -> Array:
        """a * (b * (1 - b)), the cotangent through b = sigmoid(x)."""
        return a * (b * (1 - b))

    def _zero(self, x: Array) -> Array:
        return np.zeros((), x.dtype)

    def divide_no_nan(self, a: Array, b: Array) -> Array:
        """a / b, 0 where b is 0."""
        return self.keep_where(b != 0, self.jnp.divide(a, b))

    def multiply_no_nan(self, a: Array, b: Array) -> Array:
        """a * b, 0 where b is 0."""
        return self.keep_where(b != 0, a * b)

    def xdivy(self, a: Array, b: Array) -> Array:
        """a / b, 0 where a is 0."""
        return self.keep_where(a != 0, self.jnp.divide(a, b))

    def xlogy(self, a: Array, b: Array) -> Array:
        """a * log(b), 0 where a is 0."""
        return self.keep_where(a != 0, a * self.jnp.log(b))

    def xlog1py(self, a: Array, b: Array) -> Array:
        """a * log(1 + b), 0 where a is 0."""
        return self.keep_where(a != 0, a * self.jnp.log1p(b))

    def sigmoid(self, x: Array) -> Array:
        """1 / (1 + exp(-x))."""
        return 1 / (1 + self.jnp.exp(-x))

    def softplus(self, x: Array) -> Array:
        """log(1 + exp(x)), without overflow."""
        return self.jnp.log1p(self.jnp.exp(-self.jnp.abs(x))) + self.jnp.maximum(x, 0)

    def make_complex(self, a: Array, b: Array) -> Array:
        """a + ib."""
        return self.lax.complex(*self.jnp.broadcast_arrays(a, b))

    def cast(self, x: Array, *, dtype: np.dtype[Any]) -> Array:
        """x in another dtype; a cast from complex to real takes the real part."""
        x = self.jnp.asarray(x)
        if x.dtype.kind == "c" and dtype.kind != "c":
            x = x.real
        if x.dtype.kind in "fV" and dtype.kind in "iu" and dtype.itemsize < 4:
            x = x.astype(np.int32)  # through int32, narrow integers keep the low bits on every machine
        return x.astype(dtype)

    def add_n(self, *tensors: Array) -> Array:
        """The sum of several arrays of one shape."""
        total = tensors[0]
        for each in tensors[1:]:
            total = total + each
        return total

    def shift_left(self, a: Array, b: Array) -> Array:
        """Left shift; counts beyond the width are clamped to the width - 1."""
        return self.jnp.left_shift(a, self.jnp.clip(b, 0, a.dtype.itemsize * 8 - 1))

    def shift_right(self, a: Array, b: Array) -> Array:
        """Arithmetic right shift."""
        return self.jnp.right_shift(a, self.jnp.clip(b, 0, a.dtype.itemsize * 8 - 1))
