"""NumPy kernels for elementwise ops."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from whygrad.engines import workers
from whygrad.runtime.switches import switches

Array = Any

_MANY = 2048  # elements from which selecting by bits is faster
_MANY_MASKED = 1 << 16  # elements from which a mask is better converted block by block, as it is multiplied
_ENOUGH = 1 << 18  # elements from which a slow elementwise function pays for several threads
ENOUGH_FOR_BLOCKS = 1 << 12  # float64 elements from which our sine is faster than NumPy's
_BITS = {1: np.int8, 2: np.int16, 4: np.int32, 8: np.int64}


def _multithreaded(compute: Callable[..., Array], into: Callable[..., Any] | None = None) -> Callable[..., Array]:
    """Wrap a function that is slower than reading and writing its array: large arrays are computed by several threads.

    `into(x, out)` does the same with memory for the result; a ufunc takes it itself.
    """
    part = compute if into is None else into

    def kernel(x: Array) -> Array:
        if x.size < _ENOUGH:  # first, and alone: every op on a small array pays for this check
            return compute(x)
        if not (x.flags.forc and x.dtype.kind in "fc" and workers.limit() > 1):
            return compute(x)
        return _in_parts(part, x)

    kernel.of_few, kernel.many = compute, _ENOUGH  # type: ignore[attr-defined]  # for callers that know the size
    return kernel


def _by_blocks(ufunc: np.ufunc) -> Callable[..., Array]:
    """Wrap the sine or cosine: large float64 arrays are computed by our own function, as NumPy's is not vectorized."""
    of_others = _multithreaded(ufunc)

    def kernel(x: Array) -> Array:
        if x.size < ENOUGH_FOR_BLOCKS:
            return ufunc(x)
        if x.dtype != np.float64 or not switches.sine:
            return of_others(x)
        if not x.flags.forc:
            x = x.copy()  # takes less time than C's function for each element
        from whygrad.engines import sine  # few programs compute sines of large arrays

        return _in_parts(getattr(sine, ufunc.__name__), x, sine.BLOCK)

    kernel.of_few, kernel.many = ufunc, ENOUGH_FOR_BLOCKS  # type: ignore[attr-defined]
    return kernel


def _in_parts(compute: Callable[..., Any], x: Array, block: int = 1) -> Array:
    """`compute(x, out)` on parts of a contiguous array, of whole blocks, which several threads share if they are large."""
    out = np.empty_like(x)
    source, to = x.ravel("K"), out.ravel("K")  # no copies
    count = 2 * workers.limit() if x.size >= _ENOUGH else 1
    size = -(-x.size // (count * block)) * block
    parts = [slice(start, start + size) for start in range(0, x.size, size)]
    workers.run([functools.partial(compute, source[part], to[part]) for part in parts])
    return out


# Numbers as arrays: to convert a Python number takes NumPy as long as to add it to a small array.


@functools.cache
def _one(dtype: np.dtype[Any]) -> Array:
    return np.ones((), dtype)


@functools.cache
def _zero(dtype: np.dtype[Any]) -> Array:
    return np.zeros((), dtype)


def _sigmoid(x: Array) -> Array:
    """1 / (1 + exp(-x)); where exp overflows, the result is 0, which is right."""
    return np.reciprocal(_one(x.dtype) + np.exp(-x))


def _sigmoid_into(x: Array, out: Array) -> None:
    np.negative(x, out)
    np.exp(out, out)
    np.add(_one(x.dtype), out, out)
    np.reciprocal(out, out)


def _softplus(x: Array) -> Array:
    """log(1 + exp(x)), without overflow."""
    return np.log1p(np.exp(-np.abs(x))) + np.maximum(x, 0)


def _softplus_into(x: Array, out: Array) -> None:
    np.abs(x, out)
    np.negative(out, out)
    np.exp(out, out)
    np.log1p(out, out)
    np.add(out, np.maximum(x, 0), out)


class ElementwiseKernels:
    """The elementwise kernels of the NumPy engine."""

    # NumPy's functions of these names.
    arccos, arccosh, arcsin, arcsinh, arctan, arctanh, cosh, exp, expm1, log, log1p, sinh, tan, tanh = [
        staticmethod(_multithreaded(ufunc))
        for ufunc in (
            np.arccos, np.arccosh, np.arcsin, np.arcsinh, np.arctan, np.arctanh, np.cosh, np.exp, np.expm1,
            np.log, np.log1p, np.sinh, np.tan, np.tanh,
        )
    ]  # fmt: skip
    cos, sin = staticmethod(_by_blocks(np.cos)), staticmethod(_by_blocks(np.sin))
    sigmoid = staticmethod(_multithreaded(_sigmoid, _sigmoid_into))
    softplus = staticmethod(_multithreaded(_softplus, _softplus_into))

    def power(self, a: Array, b: Array) -> Array:
        """a ** b; small integer exponents, the most common, use products: ten times as fast and at least as exact."""
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
        """NumPy's `where`; large arrays are selected by their bits: no branch to mispredict, ten times as fast."""
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
        """x where the mask is true, else 0: its bits, as an integer, times 0 or 1, so that nan becomes 0 too."""
        dtype = x.dtype
        if mask.shape == x.shape and mask.dtype == bool and dtype.kind in "fcViu" and dtype.itemsize in _BITS:
            return np.multiply(x.view(_BITS[dtype.itemsize]), mask).view(dtype)
        return np.where(mask, x, np.zeros((), dtype))

    def relu(self, x: Array) -> Array:
        """x where it is positive, else 0; large arrays use `clip`, whose loop in NumPy is three times as fast."""
        if x.size > _MANY and x.dtype.kind == "f" and x.dtype.itemsize > 2:
            kind = x.dtype.type
            return x.clip(kind(0), kind(np.inf))
        return np.maximum(_zero(x.dtype), x)  # this order keeps the sign of zero, as `clip` does

    def relu_grad(self, a: Array, b: Array) -> Array:
        """a where b, of the same shape, is positive, else 0 * a: nan for an infinite a, as in TensorFlow."""
        if a.size > _MANY_MASKED and a.dtype.kind == "f":
            return np.multiply(a, b > 0, dtype=a.dtype)
        return a * (b > _zero(b.dtype)).astype(a.dtype)

    def tanh_grad(self, a: Array, b: Array) -> Array:
        """a * (1 - b * b), the cotangent through b = tanh(x)."""
        return a * (_one(b.dtype) - b * b)

    def sigmoid_grad(self, a: Array, b: Array) -> Array:
        """a * (b * (1 - b)), the cotangent through b = sigmoid(x)."""
        return a * (b * (_one(b.dtype) - b))

    # In these ops a zero takes precedence. Without zeros, which are quick to detect, the plain result is right.

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

    def make_complex(self, a: Array, b: Array) -> Array:
        """a + ib, set by its parts: multiplying i by an infinity would give nan."""
        out = np.empty(np.broadcast_shapes(a.shape, b.shape), np.result_type(a, np.complex64))
        out.real = a
        out.imag = b
        return out

    def cast(self, x: Array, *, dtype: np.dtype[Any]) -> Array:
        """x in another dtype; a cast from complex to real takes the real part."""
        if x.dtype.kind == "c" and dtype.kind != "c":
            x = x.real
        if x.dtype.kind in "fV" and dtype.kind in "iu" and dtype.itemsize < 4:
            x = x.astype(np.int32)  # through int32, narrow integers keep the low bits on every machine
        return x.astype(dtype)

    def add_n(self, *tensors: Array) -> Array:
        """The sum of several arrays of one shape."""
        total = np.asarray(tensors[0] + tensors[1])
        for each in tensors[2:]:
            total += each
        return total

    def shift_left(self, a: Array, b: Array) -> Array:
        """Left shift; counts beyond the width are clamped to the width - 1, as in TensorFlow's kernels."""
        return np.left_shift(a, _within_width(a, b))

    def shift_right(self, a: Array, b: Array) -> Array:
        """Arithmetic right shift."""
        return np.right_shift(a, _within_width(a, b))


def _within_width(a: Array, b: Array) -> Array:
    return np.clip(b, 0, a.dtype.itemsize * 8 - 1)
