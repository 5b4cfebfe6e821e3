"""NumPy kernels for ops on each element by itself."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from whygrad.engines import workers

Array = Any

_MANY = 2048  # elements from which on `where` by bits is faster
_ENOUGH = 1 << 18  # elements from which on a function that takes a while for each is computed by several threads
_BITS = {1: np.int8, 2: np.int16, 4: np.int32, 8: np.int64}


def _by_all_threads(ufunc: np.ufunc) -> Callable[..., Array]:
    """A function of one array that takes longer than to read and write it: many elements by several threads."""

    def kernel(x: Array) -> Array:
        if x.size < _ENOUGH:  # first, and by itself: what this costs shows in every op on a small array
            return ufunc(x)
        if not (x.flags.c_contiguous and x.dtype.kind in "fc" and workers.limit() > 1):
            return ufunc(x)
        out = np.empty_like(x)
        source, to = x.reshape(-1), out.reshape(-1)
        size = -(-x.size // (2 * workers.limit()))
        parts = [slice(start, start + size) for start in range(0, x.size, size)]
        workers.run([functools.partial(ufunc, source[part], to[part]) for part in parts])
        return out

    kernel.of_few, kernel.many = ufunc, _ENOUGH  # type: ignore[attr-defined]  # for who knows beforehand how many there are
    return kernel


class ElementwiseKernels:
    """The part of the NumPy engine that works element by element."""

    # NumPy's functions of these names.
    arccos, arccosh, arcsin, arcsinh, arctan, arctanh, cos, cosh, exp, expm1, log, log1p, sin, sinh, tan, tanh = [
        staticmethod(_by_all_threads(ufunc))
        for ufunc in (
            np.arccos, np.arccosh, np.arcsin, np.arcsinh, np.arctan, np.arctanh, np.cos, np.cosh, np.exp, np.expm1,
            np.log, np.log1p, np.sin, np.sinh, np.tan, np.tanh,
        )
    ]  # fmt: skip

    def power(self, a: Array, b: Array) -> Array:
        """a ** b; small whole exponents, the commonest, as products, which are ten times as fast and at least as exact."""
        if not b.shape and b.dtype.kind in "fc":
            exponent = b[()]
            if exponent == 2:
                return np.square(a)
            if exponent == 1:
                return np.array(a)
            if exponent == 3:
                return np.square(a) * a
        return np.power(a, b)

    def where(self, condition: Array, *branches: Array) -> Array:
        """NumPy's `where`; of many numbers by their bits, without a branch to mispredict: ten times as fast."""
        if len(branches) == 2:
            x, y = branches
            if (
                getattr(condition, "size", 0) > _MANY
                and condition.dtype == bool
                and type(x) is type(y) is np.ndarray
                and x.dtype == y.dtype
                and x.dtype.kind in "fcViu"
                and x.dtype.itemsize in _BITS
            ):
                bits = _BITS[x.dtype.itemsize]
                of_y = y.view(bits)
                chosen = (x.view(bits) ^ of_y) & np.negative(condition.view(np.int8)).astype(bits)
                return np.asarray(chosen ^ of_y).view(x.dtype)
        return np.where(condition, *branches)

    def keep_where(self, mask: Array, x: Array) -> Array:
        """x where the mask holds, else 0: its bits, as an integer, times 0 or 1, which no nan survives."""
        dtype = x.dtype
        if mask.shape == x.shape and mask.dtype == bool and dtype.kind in "fcViu" and dtype.itemsize in _BITS:
            return np.multiply(x.view(_BITS[dtype.itemsize]), mask).view(dtype)
        return np.where(mask, x, np.zeros((), dtype))

    def relu(self, x: Array) -> Array:
        """x where it is positive, else 0; of many numbers as a range, where NumPy has a loop that is three times as fast."""
        if x.size > _MANY and x.dtype.kind == "f" and x.dtype.itemsize > 2:
            kind = x.dtype.type
            return x.clip(kind(0), kind(np.inf))
        return np.maximum(0, x)  # in this order a negative zero stays one, as in the range

    def relu_grad(self, a: Array, b: Array) -> Array:
        """a where b, which has its shape, is positive, else 0."""
        dtype = a.dtype
        if dtype.kind == "f":  # as `keep_where`, without its questions
            return np.multiply(a.view(_BITS[dtype.itemsize]), b > 0).view(dtype)
        return self.keep_where(b > 0, a)

    # In these a zero wins over what it meets. The plain result stands if there is no zero, which is soon seen.

    def divide_no_nan(self, a: Array, b: Array) -> Array:
        """a / b, 0 where b is 0."""
        y = np.divide(a, b)
        return y if b.all() else np.where(b == 0, 0, y)

    def multiply_no_nan(self, a: Array, b: Array) -> Array:
        """a * b, 0 where b is 0."""
        y = np.multiply(a, b)
        return y if b.all() else np.where(b == 0, 0, y)

    def xdivy(self, a: Array, b: Array) -> Array:
        """a / b, 0 where a is 0."""
        y = np.divide(a, b)
        return y if a.all() else np.where(a == 0, 0, y)

    def xlogy(self, a: Array, b: Array) -> Array:
        """a * log(b), 0 where a is 0."""
        y = a * np.log(b)
        return y if a.all() else np.where(a == 0, 0, y)

    def xlog1py(self, a: Array, b: Array) -> Array:
        """a * log(1 + b), 0 where a is 0."""
        y = a * np.log1p(b)
        return y if a.all() else np.where(a == 0, 0, y)

    def sigmoid(self, x: Array) -> Array:
        """1 / (1 + exp(-x)); where exp overflows, the result is 0, as it should."""
        return np.reciprocal(1 + np.exp(-x))

    def softplus(self, x: Array) -> Array:
        """log(1 + exp(x)), in which nothing overflows."""
        return np.log1p(np.exp(-np.abs(x))) + np.maximum(x, 0)

    def make_complex(self, a: Array, b: Array) -> Array:
        """a + ib; as parts, because i times an infinity is not that."""
        out = np.empty(np.broadcast_shapes(a.shape, b.shape), np.result_type(a, np.complex64))
        out.real = a
        out.imag = b
        return out

    def cast(self, x: Array, *, dtype: np.dtype[Any]) -> Array:
        """x in another dtype; of complex numbers the real part, if that is real."""
        if x.dtype.kind == "c" and dtype.kind != "c":
            x = x.real
        if x.dtype.kind in "fV" and dtype.kind in "iu" and dtype.itemsize < 4:
            x = x.astype(np.int32)  # narrow integers keep the low bits, on every machine
        return x.astype(dtype)

    def add_n(self, *tensors: Array) -> Array:
        """The sum of several arrays of one shape."""
        total = np.asarray(tensors[0] + tensors[1])
        for each in tensors[2:]:
            total += each
        return total

    def shift_left(self, a: Array, b: Array) -> Array:
        """Bits moved up; counts beyond the width are taken as the width less one, as TensorFlow's kernels do."""
        return np.left_shift(a, _within_width(a, b))

    def shift_right(self, a: Array, b: Array) -> Array:
        """Bits moved down, the sign kept."""
        return np.right_shift(a, _within_width(a, b))


def _within_width(a: Array, b: Array) -> Array:
    return np.clip(b, 0, a.dtype.itemsize * 8 - 1)
