"""Why a gradient is None: the path from source to target, and the place at which it is cut."""

from __future__ import annotations

from typing import Any

from whygrad.tape.gradient_tape import GradientCall
from whygrad.values.variable import Variable
from whygrad.why import cut, left, unused
from whygrad.why.cause import Cause
from whygrad.why.question import Question
from whygrad.why.source import site
from whygrad.why.words import quoted


def explain(call: GradientCall, position: int, trace: Any = None) -> Cause:
    """The cause of the None that source number `position` got."""
    question = Question(call, position, trace)
    explanations = (
        _integer_source, _switched_off, _cut_or_left, unused.computed_outside, unused.another_object, unused.explain
    )  # fmt: skip
    for explanation in explanations:
        found = explanation(question)
        if found is not None:
            return found
    return unused.plainly(question)


def _integer_source(q: Question) -> Cause | None:
    if q.source.dtype.is_differentiable:
        return None
    used = next((user for key in q.keys for user in q.history.used_by.get(key, ())), None)
    what = "integers carry no gradient" if q.source.dtype.is_integer else "only floating point numbers carry a gradient"
    return q.cause(
        "integer-dtype",
        f"{q.opening}: it is {q.source.dtype.name}, and {what}",
        [q.defined_at, site(used.code, used.instruction, "used here") if used is not None else None],
        f"make {quoted(q.name)} a float, for instance with dtype=tf.float32 or by writing 1.0 for 1",
    )


def _switched_off(q: Question) -> Cause | None:
    source, tape = q.source, q.tape
    if not isinstance(source, Variable) or source not in tape.unwatched:
        return None
    used = site(*tape.unwatched[source], "read here")
    if not source.trainable:
        return q.cause(
            "recording-switched-off",
            f"{q.opening}: the variable was made with trainable=False, so the tape does not watch it",
            [q.defined_at],
            f"make it trainable, or call {q.tape_name}.watch({q.name}) before it is used",
        )
    return q.cause(
        "recording-switched-off",
        f"{q.opening}: the tape has watch_accessed_variables=False and was not told to watch it",
        [q.tape_made_at("switched off here"), used],
        f"call {q.tape_name}.watch({q.name}) at the start of the with block, or leave out watch_accessed_variables=False",
    )


def _cut_or_left(q: Question) -> Cause | None:
    """Where the way from the source to the target is cut, or where it left for NumPy: the likeliest of all such places."""
    found = min(cut.cuts(q), key=lambda each: each.rank, default=None)
    by_numpy = left.explain(q, None if found is None else found.rank)
    return by_numpy if by_numpy is not None or found is None else cut.explain(q, found)
