"""`contributions-cancel`: the source reaches the target by several ways, and their contributions add up to zero.

That alone is no mistake: it happens at every minimum. It is one where the target does not change with the source at all, which
is found out by computing the target again at other values of the source.
"""

from __future__ import annotations

import ast
import copy
import math
from typing import NamedTuple

import numpy as np

from whygrad.ops.primitive import Record
from whygrad.ops.traits import Logits, Reduction
from whygrad.runtime.syntax_trees import parse
from whygrad.values.tensor import Key
from whygrad.why.cause import Cause
from whygrad.why.causes import saturated_region
from whygrad.why.causes.non_scalar_target_summed import constant_sum
from whygrad.why.evidence.dead_ends import contributions, dead_ends
from whygrad.why.evidence.history import outputs_of
from whygrad.why.evidence.numerics import array_of
from whygrad.why.evidence.recomputed import Recomputed
from whygrad.why.evidence.zero_question import ZeroQuestion, first_operand
from whygrad.why.source import syntax
from whygrad.why.source.sites import Site, node_at, operand_names, site
from whygrad.why.source.wording import described, grouped, listed, quoted, spoken

_ADDS_UP = (Reduction.SUM, Reduction.MEAN, Reduction.SUM_OF_SQUARES, Reduction.NORM, Reduction.LOGSUMEXP)
_SOFTMAXES = (Logits.SOFTMAX, Logits.LOG_SOFTMAX)


class _Lost(NamedTuple):
    """An op whose operands change with the source, and whose result does not."""

    record: Record
    operands: list[int]  # the positions of those that change


def explain(q: ZeroQuestion) -> Cause | None:
    """The cause, if the target does not change with the source because contributions cancel in one op."""
    recomputed = Recomputed(q.evidence.records, q.keys, q.target_keys, q.numerics)
    changing = recomputed.changing()
    if changing is None or not changing.isdisjoint(q.target_keys):
        return None  # a stationary point, as a minimum is
    alone = not all(is_negligible(array_of(g), q) for g in q.call.gradients if g is not None)
    for record in recomputed.records:
        operands = [i for i, key in enumerate(record.inputs) if key in changing]
        if not operands or not changing.isdisjoint(outputs_of(record)):
            continue
        lost = _Lost(record, operands)
        if len(operands) > 1:
            # What is compared, as the scores of two examples, shares parameters that rightly cancel: other sources get a gradient.
            if not alone or _takes_back_an_operand(q, lost):
                return _between_operands(q, lost, likely=alone)
        elif not alone and (record.traits.reduces in _ADDS_UP or record.traits.takes_logits in _SOFTMAXES):
            return _within_an_operand(q, lost)
    return None


def is_negligible(gradient: np.ndarray, q: ZeroQuestion) -> bool:
    """Whether a gradient is zero, or nothing but what rounding leaves of the cotangents of its sweep."""
    largest = float(np.max(np.abs(gradient), initial=0.0))
    if largest == 0.0:
        return True
    if gradient.dtype.kind not in "fc" or not math.isfinite(largest):
        return False
    sizes = [size for size in q.numerics.arrived.values() if math.isfinite(size)]
    return largest <= 64 * float(np.finfo(gradient.dtype).eps) * math.sqrt(max(sizes, default=0.0))


# -- in an op of several operands: a difference, a quotient --


def _takes_back_an_operand(q: ZeroQuestion, lost: _Lost) -> bool:
    """Whether an operand was used for another one, and what arrives for it on these two ways is zero: `z - m` of `z = m + s`."""
    given = {lost.record.inputs[i] for i in lost.operands}
    cancelled = {*dead_ends(q.history, q.keys, q.numerics).cancelled}
    if is_negligible(array_of(q.call.gradients[q.position]), q):
        cancelled.update(q.keys)
    return any(key in cancelled and not given.isdisjoint(q.history.descendants([key]) - {key}) for key in given)


def _between_operands(q: ZeroQuestion, lost: _Lost, likely: bool) -> Cause:
    record = lost.record
    names = operand_names(record.code, record.instruction)
    written = [names[i] for i in lost.operands] if len(names) == len(record.inputs) else []
    key, parts = _contributions(q, lost)
    sizes = " and ".join(f"{size:.3g}" for _, size in parts[:2])
    both = "both operands depend on it"
    if len(set(written)) == 1:
        both = f"both operands are {quoted(written[0])}"
    elif written and q.name not in written:
        both = f"{listed(written)} both depend on it"
    elif written:
        both = f"{listed([name for name in written if name != q.name])} contains {quoted(q.name)} too"
    cancel = f", and the contributions to the gradient, of norm {sizes}, cancel" if len(parts) > 1 else ""
    more = [site(each.code, each.instruction, f"contributes norm {size:.3g}", described(key)) for each, size in parts]
    return _cause(
        q,
        record,
        f"{spoken(record)} does not change with {quoted(q.name)}, because {both}{cancel}",
        more[:2] if len(parts) > 1 else [],
        _stopping(q, lost, written),
        likely,
    )


def _contributions(q: ZeroQuestion, lost: _Lost) -> tuple[Key, list[tuple[Record, float]]]:
    """The value for which the contributions arrive that cancel, and the ops that they come from, with norms."""
    nodes = dead_ends(q.history, q.keys, q.numerics).cancelled or q.keys
    operands = [lost.record.inputs[i] for i in lost.operands]
    nodes = [key for key in operands if key in nodes] or nodes
    for key in nodes:
        parts = [(record, size) for record, size in contributions(q.history, key, q.numerics) if size > 0.0]
        if len(parts) > 1:
            return key, parts
    return operands[0], []


def _stopping(q: ZeroQuestion, lost: _Lost, written: list[str]) -> str:
    """Where to write `tf.stop_gradient`: around the operand that was computed from more than the other one, or around the second."""
    record = lost.record
    otherwise = "otherwise compute one of the two from something else"
    arrived = [q.numerics.arrived.get((record.output, record.inputs[i]), 0.0) for i in lost.operands]
    if not any(arrived):  # equal operands of a squared difference: at its minimum, whatever is stopped
        return "compute one of the two from something else: they are always the same"
    if len(written) != 2:
        return f"if one of them is meant as a constant, wrap it in tf.stop_gradient; {otherwise}"
    first, second = (_origins(q, record.inputs[i]) for i in lost.operands)
    fixed = [bool(syntax.FIXED.search(each)) for each in written]
    side = fixed.index(True) if fixed.count(True) == 1 else 0 if first > second else 1
    node = node_at(record.code, record.instruction)
    text = f"tf.stop_gradient({written[side]})"
    if isinstance(node, ast.BinOp):
        node = copy.copy(node)
        stopped = parse(text, mode="eval").body
        node.left, node.right = (stopped, node.right) if side == 0 else (node.left, stopped)
        text = ast.unparse(node)
    meant = "a sample or a target" if first != second else "an old value or a baseline"
    return f"if {quoted(written[side])} is meant as a constant ({meant}), write {text}; {otherwise}"


def _origins(q: ZeroQuestion, key: Key) -> set[Key]:
    """The tensors that a value was computed from and that no op made, without the single numbers of formulas."""
    made_by = q.history.made_by
    return {each for each in q.history.towards([key]) if each not in made_by and (each.shape or each in q.keys)}


# -- in an op of one operand: a sum, a softmax --


def _within_an_operand(q: ZeroQuestion, lost: _Lost) -> Cause:
    record = lost.record
    operand = first_operand(record)
    if record.traits.takes_logits in _SOFTMAXES:
        return saturated_region.decided(q, record) or _cause(
            q,
            record,
            f"{spoken(record)} does not change with {quoted(q.name)}, which adds the same to all elements of {operand} along its axis",
            [],
            "let the source change the elements by different amounts: one value for each class, or a factor in place of a summand",
        )
    equal = _equal_factors(q, record.inputs[0])
    if equal is not None:
        return _cause(
            q,
            record,
            f"{spoken(record)} does not change with {quoted(q.name)}: {listed(equal)} are the same, and their product always gives the "
            "same number",
            [],
            f"compute {quoted(equal[0])} and {quoted(equal[1])} from different data, such as two views of it",
        )
    found = constant_sum(q.history, record.inputs[0])
    adds = record.traits.reduces in (Reduction.SUM, Reduction.MEAN)
    why = f"the elements of {operand} always {'add up to' if adds else 'give'} the same number, so their contributions cancel"
    more: list[Site] = []
    if found is not None:
        maker, says = found
        why = says
        more = [site(maker.code, maker.instruction, "made here", described(record.inputs[0]))]
    name = operand.strip("`")
    return _cause(
        q,
        record,
        f"{spoken(record)} does not change with {quoted(q.name)}: {why}",
        more,
        f"use one element of {operand} or weight the elements, such as tf.reduce_sum({grouped(name)} * weights); for the derivative of "
        f"each element ask for tape.jacobian({name}, {q.name})",
    )


def _equal_factors(q: ZeroQuestion, key: Key) -> list[str] | None:
    """The factors of a product, as they are written, if they are two tensors with the same numbers."""
    made = q.numerics.made(key)
    if made is None or not made.record.traits.is_product or len(made.inputs) != 2:
        return None
    (first, second), names = made.record.inputs, operand_names(made.record.code, made.record.instruction)
    same = first is not second and np.array_equal(*made.inputs)
    return names if same and len(names) == 2 else None


def _cause(q: ZeroQuestion, record: Record, sentence: str, more: list[Site], help: str, likely: bool = False) -> Cause:
    place = site(record.code, record.instruction, "cancels here", described(outputs_of(record)[0]))
    others = [each for each in more if (each.file, each.line, each.column) != (place.file, place.line, place.column)]
    names = operand_names(record.code, record.instruction)
    shapes = (
        {name: described(key) for name, key in zip(names, record.inputs)} if len(names) == len(record.inputs) else {}
    )
    shapes = shapes or {q.name: described(q.keys[0])}
    zero = "zero everywhere" if not array_of(q.call.gradients[q.position]).any() else "zero up to rounding"
    opening = q.opening.replace("zero everywhere", zero)
    return Cause(
        "contributions-cancel", "zero", f"{opening}: {sentence}", (place, *others, q.asked), help, shapes, likely
    )
