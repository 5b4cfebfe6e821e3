"""Why a gradient is None: the path from source to target, and the place at which it is cut."""

from __future__ import annotations

import ast
from typing import Any

from whygrad.tape.gradient_tape import GradientCall
from whygrad.values.variable import Variable
from whygrad.why.cause import Cause
from whygrad.why.causes import (
    broken_path,
    constant_derivative,
    left_for_numpy,
    piecewise_linear_second_derivative,
    unused_source,
)
from whygrad.why.evidence.question import Question
from whygrad.why.source import syntax
from whygrad.why.source.sites import node_at, site
from whygrad.why.source.wording import quoted


def explain(call: GradientCall, position: int, trace: Any = None) -> Cause:
    """The cause of the None that source number `position` got."""
    piecewise = piecewise_linear_second_derivative.explain_none(call, position)
    if piecewise is not None:
        return piecewise
    question = Question(call, position, trace)
    explanations = (
        _integer_source, _switched_off, unused_source.only_aimed_at, _cut_or_left, constant_derivative.explain,
        unused_source.looked_away, unused_source.computed_outside, unused_source.another_object, unused_source.explain,
    )  # fmt: skip
    for explanation in explanations:
        found = explanation(question)
        if found is not None:
            return found
    return unused_source.plainly(question)


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
    found = min(broken_path.cuts(q), key=lambda each: each.rank, default=None)
    by_numpy = left_for_numpy.explain(q, None if found is None else found.rank)
    if by_numpy is not None or found is None:
        return by_numpy
    copied = unused_source.copied_before(q, found.step) if found.rank == broken_path.BEFORE else None
    return copied or broken_path.explain(q, found)


# -- a None that the program counts on --


def is_dropped(call: GradientCall) -> bool:
    """Whether the program looks for None among these gradients, and passes it by or puts something else in its place."""
    asked = node_at(call.code, call.instruction)
    if asked is None:
        return False
    reached = syntax.Flow([call.code.co_filename]).reached_from(asked)
    return any(isinstance(syntax.parent(node), ast.Compare) and _passes_by(syntax.parent(node)) for node in reached)


def _passes_by(comparison: ast.Compare) -> bool:
    """Whether `g is None` or `g is not None` decides what is done with g, rather than what is said of it."""
    against = comparison.comparators[0]
    if not (isinstance(comparison.ops[0], ast.Is | ast.IsNot) and isinstance(against, ast.Constant)):
        return False
    above = syntax.parent(comparison)
    if isinstance(above, ast.comprehension):
        return comparison in above.ifs
    if isinstance(above, ast.IfExp):
        instead = above.body if isinstance(comparison.ops[0], ast.Is) else above.orelse
        return comparison is above.test and isinstance(instead, ast.Call)
    return isinstance(above, ast.If) and not any(isinstance(part, ast.Raise) for part in ast.walk(above))
