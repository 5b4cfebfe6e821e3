"""XLA kernels for ops on each element by itself."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

Array = Any


_MANY = 4096  # elements from which on a kernel of our own pays
_LARGEST_TURNED = np.float32(1e9)  # up to here the multiples of pi / 2 fit into 32 bits, and what is left is exact
# pi / 2 as a sum of three, of which the first two have so few bits that their products with a number of turns are exact. As a
# float64 it lacks 6.1e-17.
_HIGH = math.floor(np.pi / 2 * 2**22) / 2**22
_MIDDLE = math.floor((np.pi / 2 - _HIGH) * 2**45) / 2**45
_HALF_PI = (_HIGH, _MIDDLE, (np.pi / 2 - _HIGH - _MIDDLE) + 6.123233995736766e-17)
# Of sin(x) / x and cos(x) in x ** 2, from the second term on; for x within a quarter turn, to less than float32's rounding.
_SINE = tuple([np.float32(each) for each in (-1 / 6, 1 / 120, -1 / 5040, 1 / 362880)])
_COSINE = tuple([np.float32(each) for each in (-1 / 2, 1 / 24, -1 / 720, 1 / 40320, -1 / 3628800)])


def _polynomial(coefficients: tuple[Any, ...], x: Array) -> Array:
    total = coefficients[-1]
    for coefficient in coefficients[-2::-1]:
        total = coefficient + total * x
    return total


class ElementwiseKernels:
    """The part of the XLA engine that works element by element."""

    jax: Any
    jnp: Any
    lax: Any

    def power(self, a: Array, b: Array) -> Array:
        """a ** b; small whole exponents that are known as products."""
        if isinstance(b, np.ndarray | np.generic) and not b.shape and b.dtype.kind in "fc":
            exponent = b.item()
            if exponent in (1, 2, 3):
                return a if exponent == 1 else a * a if exponent == 2 else a * a * a
        return self.jnp.power(a, b)

    def sin(self, x: Array) -> Array:
        """The sine; see `_turned`."""
        return self._turned(x, self.jnp.sin, 0)

    def cos(self, x: Array) -> Array:
        """The cosine; see `_turned`."""
        return self._turned(x, self.jnp.cos, 1)

    def _turned(self, x: Array, exact: Callable[[Array], Array], quarter: int) -> Array:
        """The sine, a `quarter` turn on for the cosine.

        On a CPU, XLA calls a function of C's for each element. For many float32s, the multiple of pi / 2 taken off in float64
        and two short polynomials take a tenth of the time. Very large numbers, and what is no number, go the slow way.
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
            return value if quarter else jnp.where(x == 0, x, value)  # which keeps the sign of zero

        return self.lax.cond(jnp.max(jnp.abs(x)) < _LARGEST_TURNED, quick, exact, x)

    def keep_where(self, mask: Array, x: Array) -> Array:
        """x where the mask holds, else 0."""
        return self.jnp.where(mask, x, self._zero(x))

    def relu(self, x: Array) -> Array:
        """x where it is positive, else 0."""
        return self.jnp.maximum(x, 0)

    def relu_grad(self, a: Array, b: Array) -> Array:
        """a where b is positive, else 0."""
        return self.keep_where(b > 0, a)

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
        """log(1 + exp(x)), in which nothing overflows."""
        return self.jnp.log1p(self.jnp.exp(-self.jnp.abs(x))) + self.jnp.maximum(x, 0)

    def make_complex(self, a: Array, b: Array) -> Array:
        """a + ib."""
        return self.lax.complex(*self.jnp.broadcast_arrays(a, b))

    def cast(self, x: Array, *, dtype: np.dtype[Any]) -> Array:
        """x in another dtype; of complex numbers the real part, if that is real."""
        x = self.jnp.asarray(x)
        if x.dtype.kind == "c" and dtype.kind != "c":
            x = x.real
        if x.dtype.kind in "fV" and dtype.kind in "iu" and dtype.itemsize < 4:
            x = x.astype(np.int32)  # narrow integers keep the low bits, on every machine
        return x.astype(dtype)

    def add_n(self, *tensors: Array) -> Array:
        """The sum of several arrays of one shape."""
        total = tensors[0]
        for each in tensors[1:]:
            total = total + each
        return total

    def shift_left(self, a: Array, b: Array) -> Array:
        """Bits moved up; counts beyond the width are taken as the width less one."""
        return self.jnp.left_shift(a, self.jnp.clip(b, 0, a.dtype.itemsize * 8 - 1))

    def shift_right(self, a: Array, b: Array) -> Array:
        """Bits moved down, the sign kept."""
        return self.jnp.right_shift(a, self.jnp.clip(b, 0, a.dtype.itemsize * 8 - 1))
