"""XLA kernels for attention: plain, or the fused kernel of the GPU's library."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Array = Any


class AttentionKernels:
    """The part of the XLA engine for attention."""

    jax: Any
    jnp: Any

    def attention(
        self, query: Array, key: Array, value: Array, bias: Array, mask: Array, *, scale: float, is_causal: bool
    ) -> Array:
        """Attention: values averaged with weights softmax(query @ key); half precision is summed in float32."""
        fused = self._fused(query, key, value, bias, mask, scale, is_causal)
        if fused is not None:
            # The gradient begins with the same call, so that XLA computes it only once.
            return self.jax.vjp(fused, query, key, value, bias)[0]
        weights, _ = self._weights(query, key, bias, mask, scale, is_causal)
        return self._product("bnts,bsnh->btnh", weights.astype(value.dtype), value).astype(query.dtype)

    def attention_grad(
        self,
        upstream: Array,
        query: Array,
        key: Array,
        value: Array,
        bias: Array,
        mask: Array,
        *,
        scale: float,
        is_causal: bool,
    ) -> tuple[Array, ...]:
        """The gradients of query, key, value and bias."""
        fused = self._fused(query, key, value, bias, mask, scale, is_causal)
        if fused is not None:
            return tuple(self.jax.vjp(fused, query, key, value, bias)[1](upstream))
        weights, seen = self._weights(query, key, bias, mask, scale, is_causal)
        dtype = query.dtype
        of_value = self._product("bnts,btnh->bsnh", weights.astype(dtype), upstream)
        slopes = self._product("btnh,bsnh->bnts", upstream, value)
        slopes = (slopes - self.jnp.sum(slopes * weights, axis=-1, keepdims=True)) * weights
        if seen is not None:
            slopes = self.jnp.where(seen, slopes, np.zeros((), slopes.dtype))
        of_bias = self.jnp.zeros((), bias.dtype)
        if bias.ndim:
            axes = tuple([i for i, size in enumerate(bias.shape) if size == 1])
            of_bias = self.jnp.sum(slopes, axis=axes, keepdims=True).astype(bias.dtype)
        slopes = (slopes * slopes.dtype.type(scale)).astype(dtype)
        of_query = self._product("bnts,bsnh->btnh", slopes, key)
        of_key = self._product("bnts,btnh->bsnh", slopes, query)
        return of_query.astype(dtype), of_key.astype(dtype), of_value.astype(dtype), of_bias

    def may_fuse_attention(self) -> bool:
        """Return whether there is a fused kernel for attention of some shapes and dtypes."""
        return self.platform() == "gpu"  # type: ignore[attr-defined,no-any-return]

    def fuses_attention(self, query: Array, key: Array, value: Array, mask: Array = None, *, is_causal: bool) -> bool:
        """Return whether a fused kernel computes attention for arrays like these."""
        nothing = np.zeros((), query.dtype)
        if not query.dtype == key.dtype == value.dtype:
            return False
        return self._fused(query, key, value, nothing, nothing if mask is None else mask, 1.0, is_causal) is not None

    def _product(self, labels: str, a: Array, b: Array) -> Array:
        """A matrix product with labelled axes, accumulated at least in float32."""
        wide = np.float32 if a.dtype.itemsize == 2 else a.dtype
        return self.jnp.einsum(labels, self.summable(a), self.summable(b), preferred_element_type=wide)  # type: ignore[attr-defined]

    def _weights(
        self, query: Array, key: Array, bias: Array, mask: Array, scale: float, is_causal: bool
    ) -> tuple[Array, Array | None]:
        """The weights of all pairs, and the mask of pairs (None: no mask)."""
        logits = self._product("btnh,bsnh->bnts", query, key)
        logits = logits * logits.dtype.type(scale)
        if bias.ndim:
            logits = logits + bias.astype(logits.dtype)
        seen = mask if mask.ndim else None
        if is_causal:
            causal = self.jnp.tri(query.shape[1], key.shape[1], dtype=bool)
            seen = causal if seen is None else seen & causal
        if seen is not None:
            logits = self.jnp.where(seen, logits, logits.dtype.type(-0.7 * np.finfo(logits.dtype).max))
        return self.softmax(logits, axis=-1), seen  # type: ignore[attr-defined]

    def _fused(
        self, query: Array, key: Array, value: Array, bias: Array, mask: Array, scale: float, is_causal: bool
    ) -> Callable[..., Array] | None:
        """The fused kernel of the GPU's library as a function of query, key, value and bias; None where it does not apply."""
        if not self.may_fuse_attention() or not (query.dtype.itemsize == 2 and query.dtype.kind in "fV"):
            return None

        pairs = query.shape[1], key.shape[1]

        def fused(query: Array, key: Array, value: Array, bias: Array) -> Array:
            return self.jax.nn.dot_product_attention(
                query,
                key,
                value,
                bias if bias.ndim else None,
                # The kernel takes no mask of one row for all queries, as those of padding are.
                self.jnp.broadcast_to(mask, (*mask.shape[:2], *pairs)) if mask.ndim else None,
                scale=scale,
                is_causal=is_causal,
                implementation="cudnn",
            )

        try:
            self.jax.eval_shape(lambda *given: self.jax.vjp(fused, *given)[0], query, key, value, bias)
        except (ValueError, RuntimeError, NotImplementedError, TypeError):
            return None  # these sizes, this GPU or its version are not supported
        return fused
