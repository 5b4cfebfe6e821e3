"""XLA kernels for ops on each element by itself."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any


class ElementwiseKernels:
    """The part of the XLA engine that works element by element."""

    jnp: Any
    lax: Any

    def power(self, a: Array, b: Array) -> Array:
        """a ** b; small whole exponents that are known as products."""
        if isinstance(b, np.ndarray | np.generic) and not b.shape and b.dtype.kind in "fc":
            exponent = b.item()
            if exponent in (1, 2, 3):
                return a if exponent == 1 else a * a if exponent == 2 else a * a * a
        return self.jnp.power(a, b)

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
