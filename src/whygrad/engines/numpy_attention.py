"""NumPy kernels of `whygrad.ops.attention`, a few heads at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from whygrad.engines.numpy_linalg import in_float32

Array = Any

_SOME_PAIRS = 1 << 18  # as many as fit in the cache


class AttentionKernels:
    """The part of the NumPy engine for attention."""

    def attention(
        self, query: Array, key: Array, value: Array, bias: Array, mask: Array, *, scale: float, is_causal: bool
    ) -> Array:
        """Attention: values averaged with weights softmax(query @ key); half precision is computed in float32."""
        out = np.empty((*query.shape[:-1], value.shape[-1]), query.dtype)
        q, k, v = (in_float32(each) for each in (query, key, value))
        to = out.transpose(0, 2, 1, 3)
        for here, weights, _ in _weights(q, k, bias, mask, scale, is_causal):
            to[here] = weights @ _heads(v)[here]
        return out

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
        """The gradients of query, key, value and bias; the weights are recomputed."""
        g, q, k, v = (in_float32(each) for each in (upstream, query, key, value))
        grads = [np.empty(each.shape, each.dtype) for each in (query, key, value)]
        to_query, to_key, to_value = (_heads(each) for each in grads)
        of_bias = np.zeros(bias.shape, in_float32(bias).dtype)
        for here, weights, seen in _weights(q, k, bias, mask, scale, is_causal):
            rows = _heads(g)[here]
            to_value[here] = weights.swapaxes(-1, -2) @ rows
            slopes = rows @ _heads(v)[here].swapaxes(-1, -2)
            slopes -= np.einsum("...ts,...ts->...t", slopes, weights)[..., None]
            slopes *= weights
            if seen is not None:
                slopes *= seen  # a fully masked row has constant, equal weights
            if bias.ndim:
                part = _part(of_bias, here)
                axes = tuple([i for i, size in enumerate(part.shape) if size == 1])
                part += np.add.reduce(slopes, axis=axes, keepdims=True)
            slopes *= slopes.dtype.type(scale)
            to_query[here] = slopes @ _heads(k)[here]
            to_key[here] = slopes.swapaxes(-1, -2) @ _heads(q)[here]
        return (*grads, of_bias.astype(bias.dtype, copy=False))


def _heads(x: Array) -> Array:
    """View [batch, length, heads, width] as [batch, heads, length, width]."""
    return x.transpose(0, 2, 1, 3)


def _part(x: Array, here: tuple[slice, slice]) -> Array:
    """The part of a bias or mask for some heads; an axis of size 1 broadcasts."""
    return x[tuple([slice(None) if size == 1 else at for size, at in zip(x.shape, here)])]


def _weights(
    query: Array, key: Array, bias: Array, mask: Array, scale: float, is_causal: bool
) -> Iterator[tuple[tuple[slice, slice], Array, Array | None]]:
    """Yield a few heads at a time: their slices, the weights of all pairs, and the mask of pairs (None: no mask)."""
    batch, length, heads, _ = query.shape
    count = key.shape[1]
    some = max(1, _SOME_PAIRS // max(1, length * count))
    causal = np.tri(length, count, dtype=bool) if is_causal else None
    for element in range(batch):
        for first in range(0, heads, some):
            here = slice(element, element + 1), slice(first, first + some)
            logits = _heads(query)[here] @ _heads(key)[here].swapaxes(-1, -2)
            logits *= logits.dtype.type(scale)
            if bias.ndim:
                logits += _part(bias, here)
            seen = _part(mask, here) if mask.ndim else None
            if causal is not None:
                seen = causal if seen is None else seen & causal
            if seen is not None:
                logits = np.where(seen, logits, logits.dtype.type(-0.7 * np.finfo(logits.dtype).max))
            if count:
                logits -= np.maximum.reduce(logits, axis=-1, keepdims=True)
            np.exp(logits, out=logits)
            logits /= np.add.reduce(logits, axis=-1, keepdims=True)
            yield here, logits, seen
