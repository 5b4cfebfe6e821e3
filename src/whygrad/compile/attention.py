"""Attention that a program writes op by op, run by the one kernel that a GPU has for it.

    scores = tf.einsum("btnh,bsnh->bnts", q, k) / 8.0 + mask
    mixed = tf.einsum("bnts,bsnh->btnh", tf.nn.softmax(scores), v)

While a function is traced for a GPU, each op on symbolic tensors is noted here with its inputs. At a product with a softmax of scaled and
masked products, `dot_product_attention` is computed and recorded in the place of that product. XLA drops the scores and the weights, which
nothing uses then, so no array of all pairs is left, and the rule of the fused op gives the gradient.

It is done only where the result is the same up to rounding: in half precision, which is what the kernel computes in, and for masks that hide
pairs and add nothing else. A gradient with respect to the scores or weights themselves needs the ops as they were written: the function is
then traced again without this.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from whygrad.engines.loading import engine
from whygrad.ops.attention import dot_product_attention
from whygrad.ops.elementwise import logical_and, logical_not
from whygrad.ops.primitive import Primitive, apply
from whygrad.ops.shaping import reshape, transpose
from whygrad.ops.traits import Arithmetic, Logits, Selects
from whygrad.values.recorders import state
from whygrad.values.tensor import Key, Tensor, key_of, wrap

# A number this far below the others has the weight 0: programs add it to the scores of hidden pairs.
_HIDES = -1e4
_STILL_HIDES = 0.01  # after a product with a number that is at least this

_SUMMED = "summed over by the first product"
Labels = tuple[Any, ...]  # a label for each axis: axes of two tensors with the same label run together


class ScoresWanted(BaseException):
    """A gradient is asked with respect to a tensor that was left out: the function is traced again with every op as it is written.

    Not an Exception: the program's own handlers must not catch it.
    """


class _Made(NamedTuple):
    primitive: Primitive
    inputs: tuple[Tensor, ...]
    attributes: dict[str, Any]


class _Scores(NamedTuple):
    """Products of queries and keys, as found before a softmax."""

    product: _Made
    scale: float
    visible: list[Tensor]  # masks that are false where a query does not see a key
    left_out: list[Tensor]


class AttentionFusion:
    """Finds attention among the ops of a trace. Those of branches and loop bodies have one each."""

    def __init__(self, outer: AttentionFusion | None) -> None:
        self._made: dict[Key, _Made] = {}
        self.left_out: set[Key] = set() if outer is None else outer.left_out

    def apply(self, primitive: Primitive, inputs: tuple[Tensor, ...], attributes: dict[str, Any]) -> Any:
        """Compute an op as `ops.primitive.apply` does, by the fused kernel if it completes attention."""
        context = state.context
        context.fusion = None
        try:
            made: Any = self._fused(primitive, inputs, attributes)
            if made is None:
                made = apply(primitive, *inputs, **attributes)
        finally:
            context.fusion = self
        if type(made) is not tuple:
            self._made[key_of(made)] = _Made(primitive, inputs, attributes)
        return made

    def forget(self) -> None:
        """Let go of all tensors."""
        self._made.clear()

    def check_sources(self, sources: Sequence[Key]) -> None:
        """Refuse a gradient with respect to a tensor that is not computed."""
        if not self.left_out.isdisjoint(sources):
            raise ScoresWanted

    def _fused(self, primitive: Primitive, inputs: tuple[Tensor, ...], attributes: dict[str, Any]) -> Tensor | None:
        """Return the result of an op that completes attention, computed by the fused kernel; None for any other op."""
        if primitive.traits.arithmetic not in (Arithmetic.MATRIX_PRODUCT, Arithmetic.CONTRACTION):
            return None
        labels = _labels(_Made(primitive, inputs, attributes))
        for weights in (0, 1):
            left_out = [inputs[weights]]
            softmax = self._before(inputs[weights], left_out)
            if labels is not None and softmax is not None and softmax.primitive.traits.takes_logits is Logits.SOFTMAX:
                scores = self._scores(softmax.inputs[0], [*left_out, softmax.inputs[0]])
                if scores is None:
                    continue
                own = labels[weights], labels[1 - weights], labels[2]
                found = _attention(scores, softmax.attributes["axis"], inputs[1 - weights], *own)
                if found is not None:
                    self.left_out.update(map(key_of, scores.left_out))
                    return found
        return None

    def _before(self, tensor: Tensor, left_out: list[Tensor]) -> _Made | None:
        """Return how a tensor was computed, before casts of it."""
        made = self._made.get(key_of(tensor))
        while made is not None and made.primitive.traits.casts:
            left_out.append(made.inputs[0])
            made = self._made.get(key_of(made.inputs[0]))
        return made

    def _scores(self, tensor: Tensor, left_out: list[Tensor]) -> _Scores | None:
        """Follow scores back through scales and masks to the product of queries and keys."""
        shape, scale = tensor._array.shape, 1.0
        visible: list[Tensor] = []
        while True:
            made = self._before(tensor, left_out)
            if made is None:
                return None
            if _labels(made) is not None:
                return _Scores(made, scale, visible, left_out)
            step = _scale_or_mask(made)
            if step is None or step[0]._array.shape != shape:
                return None
            tensor, factor, seen = step
            if seen is not None and scale < _STILL_HIDES:
                return None
            scale *= factor
            visible += [] if seen is None else [seen]
            left_out.append(tensor)


def _scale_or_mask(made: _Made) -> tuple[Tensor, float, Tensor | None] | None:
    """Return what an op scales or masks, by which factor, and which pairs stay visible; None for another op."""
    inputs, traits = made.inputs, made.primitive.traits
    if traits.arithmetic in (Arithmetic.PRODUCT, Arithmetic.QUOTIENT) and len(inputs) == 2:
        for scaled, other in ((0, 1), (1, 0)):
            value = _constant(inputs[other])
            if value is not None and value.size == 1 and np.isfinite(value).all() and value.all():
                if traits.arithmetic is Arithmetic.PRODUCT:
                    return inputs[scaled], float(value.item()), None
                if scaled == 0:
                    return inputs[0], 1.0 / float(value.item()), None
    if traits.arithmetic is Arithmetic.SUM and len(inputs) == 2:
        for masked, other in ((0, 1), (1, 0)):
            value = _constant(inputs[other])
            if value is not None and value.ndim and ((value == 0) | (value <= _HIDES)).all():
                return inputs[masked], 1.0, wrap(value == 0)
    if traits.selects is Selects.VALUES and len(inputs) == 3:
        for masked, other in ((1, 2), (2, 1)):
            value = _constant(inputs[other])
            if value is not None and value.size == 1 and np.isfinite(value).all() and (value <= _HIDES).all():
                return inputs[masked], 1.0, inputs[0] if masked == 1 else logical_not(inputs[0])
    return None


def _constant(tensor: Tensor) -> np.ndarray[Any, Any] | None:
    """Return the value of a tensor that is the same in each call, and that no tape differentiates with respect to."""
    if type(tensor) is not Tensor or any(recorder.watches(tensor._key) for recorder in state.recorders):
        return None
    array = tensor._array
    return array.astype(np.float64) if array.dtype.kind in "fV" else None


def _labels(made: _Made) -> tuple[Labels, Labels, Labels] | None:
    """Return the labels of the axes of two operands and of their product; None for an op that is no product of two tensors."""
    arithmetic, attributes = made.primitive.traits.arithmetic, made.attributes
    if arithmetic is Arithmetic.CONTRACTION:
        return attributes["a_labels"], attributes["b_labels"], attributes["labels"]
    if arithmetic is not Arithmetic.MATRIX_PRODUCT:
        return None
    a, b = (each._array.shape for each in made.inputs)
    if a[:-2] != b[:-2]:
        return None
    batch = tuple(range(len(a) - 2))
    rows = ("sum", "row") if attributes.get("transpose_a") else ("row", "sum")
    columns = ("column", "sum") if attributes.get("transpose_b") else ("sum", "column")
    return (*batch, *rows), (*batch, *columns), (*batch, "row", "column")


def _attention(
    scores: _Scores, softmax_axis: int, value: Tensor, pairs: Labels, value_labels: Labels, labels: Labels
) -> Tensor | None:
    """Return the product of weights and values, by the fused kernel; None where that does not apply.

    `pairs`, `value_labels` and `labels` are the labels of weights, values and product.
    """
    found = _labels(scores.product)
    assert found is not None, "_scores ends at a product"
    # The labels of the first product, as the second one calls the same axes. The axis that the first one sums over has a name of its own.
    same = dict(zip(found[2], pairs))
    own = [tuple([same.get(label, _SUMMED) for label in each]) for each in found[:2]]
    key_label = pairs[softmax_axis]
    position = 1 if key_label in own[0] else 0  # of the queries
    (query, key), (query_labels, key_labels) = scores.product.inputs, own
    if position == 1:
        query, key, query_labels, key_labels = key, query, key_labels, query_labels
    shared = [label for label in pairs if label in query_labels and label in key_labels]
    query_label = [label for label in pairs if label not in (*shared, key_label)]
    width = [label for label in value_labels if label not in pairs]
    if len(shared) > 2 or len(query_label) != 1 or len(width) != 1:
        return None
    batch, heads = [*shared, None, None][:2]
    if None not in (batch, heads) and query_labels.index(batch) > query_labels.index(heads):
        batch, heads = heads, batch
    orders = (
        (query, query_labels, (batch, *query_label, heads, _SUMMED)),
        (key, key_labels, (batch, key_label, heads, _SUMMED)),
        (value, value_labels, (batch, key_label, heads, *width)),
    )
    result = (batch, *query_label, heads, *width)
    if any(
        sorted(map(str, own)) != sorted(map(str, {*order} - {None}))
        for _, own, order in (*orders, (None, labels, result))
    ):
        return None
    given = [_in_order(*each) for each in orders]
    masks = [
        _in_order(each, pairs[len(pairs) - each.ndim :], (batch, heads, *query_label, key_label))
        for each in scores.visible
    ]
    if not _each_sees_something([mask._array for mask in masks if type(mask) is Tensor]):
        return None
    causal = [_is_causal(mask) for mask in masks]
    others = [mask for mask, is_causal in zip(masks, causal) if not is_causal]
    mask = functools.reduce(logical_and, others) if others else None
    arrays = [each._array for each in (*given, *([] if mask is None else [mask]))]
    if not engine().fuses_attention(*arrays, is_causal=any(causal)):
        return None
    query, key, value = given
    mixed = dot_product_attention(query, key, value, mask=mask, scale=scores.scale, is_causal=any(causal))
    return _in_order(mixed, result, labels)


def _each_sees_something(masks: list[np.ndarray[Any, Any]]) -> bool:
    """Return whether these masks leave a key to each query. What another query gets depends on how the numbers that hide are rounded."""
    return not masks or bool(functools.reduce(np.logical_and, masks).any(axis=-1).all())


def _is_causal(mask: Tensor) -> bool:
    """Return whether a mask is known to hide later keys from earlier queries, and no others: the kernel skips these."""
    *others, queries, keys = mask._array.shape
    if type(mask) is not Tensor or queries != keys or queries == 1 or any(size != 1 for size in others):
        return False
    return np.array_equal(mask._array[0, 0], np.tri(queries, dtype=bool))


def _in_order(tensor: Tensor, labels: Labels, order: Sequence[Any]) -> Tensor:
    """Return the tensor with its axes in this order. None is an axis of size 1, and so are those that it lacks."""
    kept = [label for label in order if label is not None and label in labels]
    perm = [labels.index(label) for label in kept]
    perm += [axis for axis in range(len(labels)) if axis not in perm]
    if perm != list(range(len(perm))):
        tensor = transpose(tensor, perm)
    sizes = dict(zip(kept, tensor._array.shape))
    shape = tuple([sizes.get(label, 1) for label in order])
    return tensor if shape == tensor._array.shape else reshape(tensor, shape)
