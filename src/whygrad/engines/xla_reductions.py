"""XLA kernels for reductions, running sums and sorting."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any


class ReductionKernels:
    """The part of the XLA engine that works along axes."""

    jnp: Any
    lax: Any

    # -- reductions --

    def sum(self, x: Array, axis: Any = None, **options: Any) -> Array:
        """NumPy's sum, in the dtype of the array; halves are summed in float32."""
        dtype = options.pop("dtype", x.dtype)
        wide = np.float32 if _is_half(dtype) else dtype
        return self.jnp.sum(x, axis=axis, dtype=wide, **options).astype(dtype)

    def unreduce(self, x: Array, *, shape: tuple[int, ...], axis: tuple[int, ...], keepdims: bool) -> Array:
        """`x`, left by a reduction of `shape` over `axis`, repeated to that shape again."""
        if not keepdims and x.shape:
            x = x.reshape([1 if i in axis else size for i, size in enumerate(shape)])
        return self.jnp.broadcast_to(x, shape)

    def extreme_shares(self, x: Array, extreme: Array, *, axis: tuple[int, ...], keepdims: bool) -> Array:
        """For each element its share in a reduction's maximum or minimum: 1 / n for each of n equals, else 0."""
        if not keepdims:
            extreme = extreme.reshape([1 if i in axis else size for i, size in enumerate(x.shape)])
        shares = (x == extreme).astype(x.dtype)
        return shares / self.jnp.sum(shares, axis=axis, keepdims=True)

    def extreme_position(self, x: Array, *, axis: int, largest: bool) -> Array:
        """The position of the first maximum or minimum along `axis`. What is not a number is no extreme, unless all are."""
        if x.dtype.kind in "fV":
            x = self.jnp.where(self.jnp.isnan(x), x.dtype.type(-np.inf if largest else np.inf), x)
        return (self.jnp.argmax if largest else self.jnp.argmin)(x, axis=axis)

    def logsumexp(self, x: Array, *, axis: tuple[int, ...], keepdims: bool) -> Array:
        """log(sum(exp(x))) without overflow."""
        wide = x.astype(np.float32) if _is_half(x.dtype) else x
        top = self.jnp.max(wide, axis=axis, keepdims=True, initial=-np.inf)
        top = self.jnp.where(self.jnp.isfinite(top), top, wide.dtype.type(0))
        out = self.jnp.log(self.jnp.sum(self.jnp.exp(wide - top), axis=axis, keepdims=True)) + top
        return (out if keepdims else out.reshape([n for i, n in enumerate(x.shape) if i not in axis])).astype(x.dtype)

    def euclidean_norm(self, x: Array, *, axis: tuple[int, ...], keepdims: bool) -> Array:
        """The root of the sum of squares (of absolute values); for integers both stay integers."""
        squares = x.real * x.real + x.imag * x.imag if x.dtype.kind == "c" else x * x
        return self.jnp.sqrt(self.sum(squares, axis, keepdims=keepdims)).astype(x.dtype)

    # -- shares along an axis --

    def softmax(self, x: Array, *, axis: int) -> Array:
        """exp(x) over its sum along `axis`, in which nothing overflows."""
        if not x.size:
            return x
        wide = x.astype(np.float32) if _is_half(x.dtype) else x
        shares = self.jnp.exp(wide - self.jnp.max(wide, axis=axis, keepdims=True))
        return (shares / self.jnp.sum(shares, axis=axis, keepdims=True)).astype(x.dtype)

    def log_softmax(self, x: Array, *, axis: int) -> Array:
        """The logarithm of `softmax`, exact where a share is too small to be seen."""
        if not x.size:
            return x
        wide = x.astype(np.float32) if _is_half(x.dtype) else x
        shifted = wide - self.jnp.max(wide, axis=axis, keepdims=True)
        return (shifted - self.jnp.log(self.jnp.sum(self.jnp.exp(shifted), axis=axis, keepdims=True))).astype(x.dtype)


def _is_half(dtype: Any) -> bool:
    return bool(dtype.itemsize == 2 and dtype.kind in "fV")
