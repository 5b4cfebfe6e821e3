"""`overflow`, `diverged` and `loss-scales-with-batch`: finite values that grew beyond the range of their dtype."""

from __future__ import annotations

import ast
import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from whygrad.ops.primitive import Record
from whygrad.ops.traits import Arithmetic, Moves, Overflows, Reduction
from whygrad.values.tensor import Key
from whygrad.why.cause import Cause
from whygrad.why.evidence.history import outputs_of
from whygrad.why.evidence.nonfinite_question import NonfiniteQuestion
from whygrad.why.evidence.numerics import Birth, is_beyond_range, largest
from whygrad.why.source import syntax
from whygrad.why.source.edits import Edit, with_part
from whygrad.why.source.sites import Site, node_at, site, site_of
from whygrad.why.source.wording import described, quoted, spoken


def forward(q: NonfiniteQuestion, birth: Birth) -> Cause | None:
    """The cause, if the values are too large for the dtype; ends of the op's domain have been considered before."""
    # Products on the way leave the range, and become nan.
    squared = _largest(birth.arrays) > math.sqrt(largest(birth.key.dtype))
    return _too_large(q, birth) if _overflows_on_the_way(birth) or is_beyond_range(birth) or squared else None


def backward(q: NonfiniteQuestion, birth: Birth) -> Cause | None:
    """The cause, if a rule was given numbers whose product is beyond the range."""
    if not np.isnan(birth.made).any() or _overflows_on_the_way(birth) or _is_huge(q, birth):
        return _too_large(q, birth)
    return None


def _overflows_on_the_way(birth: Birth) -> bool:
    return birth.record.traits.domain_as(Overflows) is not None


def _is_huge(q: NonfiniteQuestion, birth: Birth) -> bool:
    """Whether a rule multiplied numbers whose product is beyond the range: sums of such products are nan."""
    made = q.numerics.made(outputs_of(birth.record)[0])
    if made is None:
        return False
    g, x = _largest(birth.arrays), _largest(made.inputs)
    return x * max(g, x) > largest(birth.key.dtype)


def _largest(arrays: Sequence[Any]) -> float:
    return max((float(np.max(np.abs(a), initial=0.0)) for a in arrays if a.dtype.kind in "fcV"), default=0.0)


def _too_large(q: NonfiniteQuestion, birth: Birth) -> Cause:
    """Training that diverges, or numbers that are too large from the start."""
    limit = f"the range of {birth.key.dtype.name} ({largest(birth.key.dtype):.2g})"
    growth = _growth_in_a_loop(q, birth.record)
    if growth is not None and q.times_asked() < 2:
        return q.cause(
            "overflow",
            f"{spoken(birth.record)} leaves {limit}: it grows in each turn of a loop, {growth:.2g} times in the last",
            birth,
            "if the loop goes through time, its steps are too long for the method: take shorter ones, or an implicit method; otherwise "
            "scale the values down in each turn",
        )
    if q.times_asked() < 2:
        return q.cause(
            "overflow",
            f"{spoken(birth.record)} leaves {limit}",
            birth,
            "scale the values down, or work with their logarithms",
        )
    added = _added_gradient(q)
    if added is not None:
        updated, better = added
        climbs = q.cause(
            "diverged",
            f"{spoken(birth.record)} leaves {limit}, because each step adds the gradient, which leads uphill",
            birth,
            f"subtract the gradient: {better}",
            likely=True,
        )
        born, *others = climbs.sites
        return replace(climbs, sites=(updated, born.as_role("too large here", born.note), *others))
    summed = next(_sums_over_a_batch(q), None)
    if summed is None and (target := _target_of_many(q)) is not None:
        count = math.prod(target.shape)
        grew = site(birth.record.code, birth.record.instruction, "too large here")
        return Cause(
            "loss-scales-with-batch",
            q.symptom,
            f"{q.opening}: the values grew beyond {limit} from step to step; {quoted(q.target_name)} has {count} elements, whose gradients "
            f"are added up, so each step is {count} times as large as with their mean",
            (*q.asked, grew),
            f"take the gradient of the mean, tf.reduce_mean({q.target_name}), or use a learning rate divided by {count}",
            {q.target_name: described(target)},
            likely=True,
        )
    if summed is None:
        return q.cause(
            "diverged",
            f"{spoken(birth.record)} leaves {limit}, because the values grew from step to step",
            birth,
            "lower the learning rate, or clip the gradients (tf.clip_by_global_norm)",
            likely=True,
        )
    record, count = summed
    place = site(record.code, record.instruction, "summed here", described(record.inputs[0]))
    grew = site(birth.record.code, birth.record.instruction, "too large here")
    return Cause(
        "loss-scales-with-batch",
        q.symptom,
        f"{q.opening}: the values grew beyond {limit} from step to step; the loss is a sum over {count} elements, so "
        f"each step is {count} times as large as with a mean",
        (place, grew, *q.asked),
        f"use tf.reduce_mean in place of tf.reduce_sum, or a learning rate divided by {count}"
        if record.traits.reduces is not None
        else f"divide {quoted(q.target_name)} by the number of terms that are added up, {count}, or the learning rate",
        {"summed": described(record.inputs[0])},
        likely=True,
        edits=_as_mean(record),
    )


def _growth_in_a_loop(q: NonfiniteQuestion, record: Record) -> float | None:
    """How much an op's result grew when it last ran, if it grew each of the last times that its line ran; else None."""
    place = record.code, record.instruction
    sizes: list[float] = []
    for each in reversed(q.evidence.records):
        made = q.numerics.made(outputs_of(each)[0]) if (each.code, each.instruction) == place else None
        size = 0.0 if made is None else _largest([made.output])
        if 0.0 < size < math.inf:
            sizes.append(size)
        if len(sizes) == _TURNS:
            break
    grows = len(sizes) == _TURNS and all(later > 1.05 * before for later, before in itertools.pairwise(sizes))
    return sizes[0] / sizes[1] if grows else None


_TURNS = 6  # that are looked at


def _added_gradient(q: NonfiniteQuestion) -> tuple[Site, str] | None:
    """The update that adds a gradient to its variable, by the program's text, and how it is written downhill."""
    asked = q.call_site.node
    if not isinstance(asked, ast.Call):
        return None
    # What is computed from gradients, such as a momentum, may have another sign.
    computed = [each for tree in q.flow.trees for each in ast.walk(tree) if isinstance(each, ast.BinOp | ast.UnaryOp)]
    gradients = q.flow.reached_from(asked, computed)
    for node in sorted(gradients, key=lambda each: (getattr(each, "lineno", 0), getattr(each, "col_offset", 0))):
        step, update = node, syntax.parent(node)
        while isinstance(update, ast.BinOp) and isinstance(update.op, ast.Mult):
            if _is_negative(update.right if update.left is step else update.left):
                break
            step, update = update, syntax.parent(update)
        function = update.func if isinstance(update, ast.Call) and update.args == [step] else None
        if isinstance(function, ast.Attribute) and function.attr == "assign_add":
            better = f"{ast.unparse(function.value)}.assign_sub({ast.unparse(step)})"
            return site_of(update, q.flow.file_of(update), "added here"), better
    return None


def _is_negative(factor: ast.expr) -> bool:
    """Whether a factor is written with a minus, here or where its name is given a value."""
    if isinstance(factor, ast.Name):
        found = syntax.assignment_before(syntax.scope_of(factor), factor.id, factor.lineno)
        factor = factor if found is None else found[1]
    return any(isinstance(each, ast.USub | ast.Sub) for each in ast.walk(factor))


def _target_of_many(q: NonfiniteQuestion) -> Key | None:
    """The target, if it holds the losses of a batch, which nothing divides by their number."""
    (target,) = q.target_keys if len(q.target_keys) == 1 else (None,)
    maker = None if target is None else q.history.made_by.get(target)
    if target is None or math.prod(target.shape) < _BATCH or not isinstance(maker, Record):
        return None
    return target if maker.traits.arithmetic is not Arithmetic.QUOTIENT and _has_data(q, maker) else None


def _as_mean(record: Record) -> tuple[Edit, ...]:
    """The edit that writes tf.reduce_mean in place of tf.reduce_sum; none for a sum that is written otherwise."""
    node = node_at(record.code, record.instruction)
    function = node.func if isinstance(node, ast.Call) else None
    if not isinstance(function, ast.Attribute) or function.attr != "reduce_sum":
        return ()
    mean = ast.Attribute(function.value, "reduce_mean", ast.Load())
    return with_part(record.code.co_filename, node, function, mean).edits


_BATCH = 4  # fewer elements, and a mean makes steps that are hardly shorter
_SUMS = (Reduction.SUM, Reduction.SUM_OF_SQUARES)
_KEEPS_SCALE = (
    Arithmetic.SUM, Arithmetic.DIFFERENCE, Arithmetic.PRODUCT, Arithmetic.NEGATION, Arithmetic.ROOT,
)  # fmt: skip


def _sums_over_a_batch(q: NonfiniteQuestion) -> Iterator[tuple[Record, int]]:
    """The sums of many elements that the target is made of, and that nothing divides again."""
    pending, seen = list(q.target_keys), set(q.target_keys)
    added: dict[tuple[Any, int], int] = {}
    while pending:
        record = q.history.made_by.get(pending.pop())
        if not isinstance(record, Record):
            continue
        traits = record.traits
        if traits.reduces in _SUMS and not outputs_of(record)[0].shape:
            count = math.prod(record.inputs[0].shape)
            if count >= _BATCH and _has_data(q, record):
                yield record, count
        if traits.arithmetic is Arithmetic.SUM and len(record.inputs) == 2:  # a loss added up in a loop
            place = (record.code, record.instruction)
            added[place] = added.get(place, 0) + 1
            if added[place] == 8:
                adds = sum((r.code, r.instruction) == place for r in q.evidence.records)
                yield record, adds
        if traits.arithmetic in _KEEPS_SCALE or traits.moves is Moves.ALL or traits.casts:
            for key in record.inputs:
                if key not in seen:
                    seen.add(key)
                    pending.append(key)


def _has_data(q: NonfiniteQuestion, record: Record) -> bool:
    """Whether the elements of a sum were computed from data too, not from variables and single numbers alone."""
    pending, seen = list(record.inputs), set(record.inputs)
    values = {key for keys in q.evidence.watched_variables.values() for key in keys}
    while pending:
        key = pending.pop()
        maker = q.history.made_by.get(key)
        if isinstance(maker, Record):
            pending += [each for each in maker.inputs if each not in seen]
            seen.update(maker.inputs)
        elif key not in values and math.prod(key.shape) > 1:
            return True
    return False
