"""Dot-product attention."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.ops.arguments import flag, number
from whygrad.ops.primitive import Primitive, apply, check_dtype, check_same_dtype
from whygrad.ops.shaping import expand_dims, repeat, reshape, squeeze
from whygrad.values import dtypes
from whygrad.values.conversion import convert
from whygrad.values.errors import OpValueError, invalid, shape_text
from whygrad.values.tensor import Tensor, wrap

# Queries are [batch, queries, heads, width], keys and values [batch, keys, heads, width]; `bias` and `mask` broadcast to
# [batch, heads, queries, keys], or are scalars if not given. The rule keeps nothing of the size of all pairs: it recomputes the
# weights.


def attention_vjp(
    xp: Any, g: Any, query: Any, key: Any, value: Any, bias: Any, mask: Any, scale: float, is_causal: bool
) -> Any:
    """All gradients at once, from recomputed weights; the mask has none."""
    grads = xp.attention_grad(g, query, key, value, bias, mask, scale=scale, is_causal=is_causal)
    return (*grads, None)


_attention = Primitive(
    "attention",
    lambda xp, query, key, value, bias, mask, *, scale, is_causal: xp.attention(
        query, key, value, bias, mask, scale=scale, is_causal=is_causal
    ),
    joint=attention_vjp,
    op_name="DotProductAttention",
)


def attention_grad_vjp(
    xp: Any,
    g: Any,
    upstream: Any,
    query: Any,
    key: Any,
    value: Any,
    bias: Any,
    mask: Any,
    mask_shape: tuple[int, ...],
    bias_shape: tuple[int, ...],
    query_shape: tuple[int, ...],
    key_shape: tuple[int, ...],
    scale: float,
    is_causal: bool,
) -> Any:
    """The derivative of the gradients, with p the weights, dp = upstream @ value' and ds = p * (dp - sum(p * dp))."""
    of_query, of_key, of_value, of_bias = g

    def pairs(a: Any, b: Any) -> Any:
        return xp.einsum("btnh,bsnh->bnts", a, b)

    def to_queries(pair: Any, b: Any) -> Any:
        return xp.einsum("bnts,bsnh->btnh", pair, b)

    def to_keys(pair: Any, a: Any) -> Any:
        return xp.einsum("bnts,btnh->bsnh", pair, a)

    def row_sum(pair: Any) -> Any:
        return xp.sum(pair, axis=-1, keepdims=True)

    logits = pairs(query, key) * scale
    if bias_shape:
        logits = logits + bias
    seen = _seen(xp, mask, mask_shape, query_shape, key_shape, is_causal)
    if seen is not None:
        logits = xp.where(seen, logits, xp.full_like(logits, lowest(logits.dtype)))
    p = xp.softmax(logits, axis=-1)
    dp = pairs(upstream, value)
    d = row_sum(p * dp)
    w = (pairs(of_query, key) + pairs(query, of_key)) * scale
    if bias_shape:
        w = w + of_bias
    ds = p * (dp - d)
    if seen is not None:
        ds, w = xp.where(seen, ds, xp.zeros_like(ds)), xp.where(seen, w, xp.zeros_like(w))
    w_mean = row_sum(p * w)
    u = p * (w - w_mean)
    r = dp * (w - w_mean) - d * w + pairs(upstream, of_value)
    t = p * (r - row_sum(p * r))
    if seen is not None:
        t = xp.where(seen, t, xp.zeros_like(t))
    return (
        to_queries(u, value) + to_queries(p, of_value),
        (to_queries(t, key) + to_queries(ds, of_key)) * scale,
        (to_keys(t, query) + to_keys(ds, of_query)) * scale,
        to_keys(u, upstream),
        _summed_to(xp, t, bias_shape) if bias_shape else xp.zeros_like(of_bias),
        None,
    )


def _seen(xp: Any, mask: Any, mask_shape: Any, query_shape: Any, key_shape: Any, is_causal: bool) -> Any:
    """Which keys each query sees; None if it sees all."""
    seen = mask if mask_shape else None
    if is_causal:
        causal = np.tri(query_shape[1], key_shape[1], dtype=bool)[None, None]
        seen = xp.asarray(causal) if seen is None else xp.logical_and(seen, xp.asarray(causal))
    return seen


def _summed_to(xp: Any, pair: Any, shape: tuple[int, ...]) -> Any:
    axes = tuple([i for i, size in enumerate(shape) if size == 1 and pair.shape[i] != 1])
    return xp.sum(pair, axis=axes, keepdims=True) if axes else pair


def lowest(dtype: Any) -> float:
    """The logit of a masked pair: so low that its weight is 0, but finite, as all pairs of a row may be masked."""
    return -0.7 * float(np.finfo(dtype).max if np.dtype(dtype).kind == "f" else 2.0**127)


_attention_grad = Primitive(
    "attention_grad",
    lambda xp, upstream, query, key, value, bias, mask, *, scale, is_causal: xp.attention_grad(
        upstream, query, key, value, bias, mask, scale=scale, is_causal=is_causal
    ),
    joint=attention_grad_vjp,
    op_name="DotProductAttentionGrad",
)


@export("nn.dot_product_attention")
def dot_product_attention(
    query: Any,
    key: Any,
    value: Any,
    bias: Any = None,
    mask: Any = None,
    *,
    scale: float | None = None,
    is_causal: bool = False,
) -> Tensor:
    """softmax(query @ key' * scale + bias) @ value for each head, like `jax.nn.dot_product_attention`.

    query      [batch, queries, heads, width], or all arguments without a batch axis
    key, value [batch, keys, heads, width]; queries may have a multiple of these heads, and then share them
    bias       added to the logits, broadcast to [batch, heads, queries, keys]
    mask       False where a query must not see a key; broadcast like bias
    scale      1 / sqrt(width) if None
    is_causal  hide keys that come after a query

    The gradient keeps no array of all pairs. A function compiled for a GPU runs half precision in a fused kernel.

    >>> import whygrad as tf
    >>> x = tf.constant([[[1.0, 0.0]], [[0.0, 1.0]]])  # two positions, one head
    >>> tf.reshape(tf.nn.dot_product_attention(x, x, x, is_causal=True), (2, 2)).numpy().round(4)
    array([[1.    , 0.    ],
           [0.3302, 0.6698]], dtype=float32)
    """
    op_name = "DotProductAttention"
    q = convert(query, None)
    k, v = (convert(each, None if isinstance(each, Tensor) else q.dtype) for each in (key, value))
    check_dtype(q, "float", op_name)
    for each in (k, v):
        check_same_dtype(q, each, op_name)
    if q.ndim not in (3, 4) or k.ndim != q.ndim or v.ndim != q.ndim:
        raise invalid(
            "query, key and value must be [batch, length, heads, width] or [length, heads, width], got shapes "
            f"{shape_text(q.shape)}, {shape_text(k.shape)} and {shape_text(v.shape)} [Op:{op_name}]"
        )
    if q.ndim == 3:
        extra = (None if each is None else convert(each, None) for each in (bias, mask))
        bias, mask = (each if each is None or each.ndim < 4 else squeeze(each, 0) for each in extra)
        q, k, v = (expand_dims(each, 0) for each in (q, k, v))
        return squeeze(dot_product_attention(q, k, v, bias, mask, scale=scale, is_causal=is_causal), 0)
    batch, length, heads, width = q._array.shape
    shape = k._array.shape
    if shape[0] != batch or shape[3] != width or v._array.shape[:3] != shape[:3] or (shape[2] and heads % shape[2]):
        raise invalid(
            f"key {shape_text(shape)} and value {shape_text(v.shape)} do not fit the query {shape_text(q.shape)}: batch and "
            f"width must be the same, and the number of heads a divisor of {heads} [Op:{op_name}]"
        )
    if shape[2] != heads:
        k, v = (repeat(each, heads // shape[2], axis=2) for each in (k, v))
    sizes = (batch, heads, length, shape[1])
    added = wrap(np.zeros((), q._array.dtype)) if bias is None else _for_pairs(bias, "bias", q.dtype, sizes)
    seen = wrap(np.ones((), bool)) if mask is None else _for_pairs(mask, "mask", dtypes.bool_, sizes)
    factor = 1 / math.sqrt(width) if scale is None else number(scale, "scale")
    return apply(_attention, q, k, v, added, seen, scale=factor, is_causal=flag(is_causal, "is_causal"))


def _for_pairs(given: Any, argument: str, dtype: dtypes.DType, sizes: tuple[int, ...]) -> Tensor:
    """Expand a bias or mask to all four axes, each of full size or 1."""
    tensor = convert(given, None if isinstance(given, Tensor) else dtype)
    if tensor.dtype is not dtype:
        raise OpValueError(f"{argument} must be {dtype.name}. Received a tensor of dtype {tensor.dtype.name}.")
    shape = (*[1] * (4 - tensor.ndim), *tensor._array.shape)
    if len(shape) > 4 or any(size not in (1, whole) for size, whole in zip(shape, sizes)):
        raise invalid(
            f"{argument} {shape_text(tensor.shape)} does not broadcast to [batch, heads, queries, keys] = {shape_text(sizes)} "
            "[Op:DotProductAttention]"
        )
    return tensor if tensor.ndim == 4 else reshape(tensor, shape)
