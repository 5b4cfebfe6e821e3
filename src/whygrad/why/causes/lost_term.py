"""non-differentiable-op in one of several terms: the loss has a gradient, but a term of it was counted, rounded or compared."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from whygrad.ops.primitive import Record
from whygrad.ops.traits import Arithmetic
from whygrad.values.tensor import Key
from whygrad.why.cause import Cause
from whygrad.why.evidence.history import History, outputs_of
from whygrad.why.evidence.question import Question
from whygrad.why.source.sites import node_at, operand_names, site
from whygrad.why.source.wording import described, quoted, spoken

if TYPE_CHECKING:
    from whygrad.why.evidence.trace import Trace

_SUMS = (Arithmetic.SUM, Arithmetic.DIFFERENCE)
_MOST_VALUES = 2_000  # that a term is followed back through


def explain(question: Question, trace: Trace) -> Iterator[Cause]:
    """The cause, if a term of a scalar target was computed from the sources, by an op without a gradient."""
    call, evidence = question.call, question.evidence
    given = [i for i, gradient in enumerate(call.gradients) if gradient is not None]
    if not given or question.call_site.derivative != "gradient":
        return
    sources = {key for i in given for key in evidence.read_values_of(call.sources[i])}
    after = evidence.tape_history.descendants(sources).intersection(evidence.watched)
    terms = list(_terms_without_gradient(question))
    if any(_is_stopped(evidence.tape_history.made_by.get(r.inputs[position])) for r, position in terms):
        return  # the gradient of one term stands for that of another: `hard + soft - tf.stop_gradient(soft)`
    for record, position in terms:
        cut = _cut(trace.history(), record.inputs[position], after)
        if cut is None or _chooses_a_piece(cut, [each for each, _ in terms], question):
            continue
        names = operand_names(record.code, record.instruction)
        term = quoted(names[position]) if len(names) == len(record.inputs) else "a term"
        place = site(cut.code, cut.instruction, "cut here", described(outputs_of(cut)[0]))
        op = quoted(place.text) if isinstance(node_at(cut.code, cut.instruction), ast.Compare) else spoken(cut)
        yield Cause(
            "non-differentiable-op",
            "wrong_value",
            f"the gradient of {quoted(question.target_name)} lacks a part: {term} has none, because {op} does not change under a "
            "small step",
            (
                place,
                site(record.code, record.instruction, "added here"),
                question.call_site.site,
            ),
            f"in its place use {cut.traits.smooth_form or 'ops that have a gradient'}; or leave the term out: it changes nothing",
            {question.target_name: described(call.targets[0])},
            likely=True,
        )
        return


def _terms_without_gradient(question: Question) -> Iterator[tuple[Record, int]]:
    """The sums that a scalar target is made of, each with an operand that the tape does not watch."""
    made_by, watched = question.evidence.tape_history.made_by, question.evidence.watched
    pending = [key for key in question.evidence.differentiated_targets if not key.shape]
    while pending:
        maker = made_by.get(pending.pop())
        if not isinstance(maker, Record) or maker.traits.arithmetic not in _SUMS:
            continue
        for position, key in enumerate(maker.inputs):
            if key in watched:
                pending.append(key)
            elif not key.shape and key.dtype.kind == "f":
                yield maker, position


def _is_stopped(maker: Any) -> bool:
    return isinstance(maker, Record) and maker.traits.stops_gradient


def _chooses_a_piece(cut: Record, sums: list[Record], question: Question) -> bool:
    """Whether terms with a gradient are computed with it too: the target is put together of pieces, and this is the constant of one."""
    history, watched = question.evidence.tape_history, question.evidence.watched
    pending, seen = [outputs_of(cut)[0]], set(outputs_of(cut))
    while pending:
        for user in history.used_by.get(pending.pop(), ()):
            if not isinstance(user, Record):
                continue
            output = outputs_of(user)[0]
            if output in watched:
                if not any(user is each for each in sums):
                    return True
            elif output not in seen:
                seen.add(output)
                pending.append(output)
    return False


def _cut(history: History, term: Key, after: set[Key]) -> Record | None:
    """The op without a gradient through which a term was computed from the sources; None if there is none, or a term is stopped."""
    pending, seen, found = [term], {term}, None
    while pending and len(seen) < _MOST_VALUES:
        maker = history.made_by.get(pending.pop())
        if not isinstance(maker, Record):
            continue
        if maker.traits.stops_gradient or maker.traits.draws is not None:
            return None
        if any(key in after for key in maker.inputs):
            if maker.plan.primitive.no_gradient is None or maker.traits.only_shape:
                return None
            found = found or maker
            continue
        new = [key for key in maker.inputs if key not in seen]
        seen.update(new)
        pending += new
    return found
