"""A None through a compiled call: the place inside of the function at which the path is cut.

A tape around the call saw one op. So the function is traced once more, with a tape that records what is inside.
"""

from __future__ import annotations

from typing import Any

from whygrad.compile.tracing import Traced, trace
from whygrad.tape.gradient_tape import GradientTape
from whygrad.values.recorders import state
from whygrad.values.tensor import Tensor
from whygrad.why.cause import Cause
from whygrad.why.evidence.history import Step, outputs_of
from whygrad.why.evidence.question import Question
from whygrad.why.source.sites import site
from whygrad.why.source.wording import quoted


def explain(q: Question, step: Step) -> Cause:
    """The cause of a None that a compiled call gave."""
    record: Any = step.through
    traced: Traced = record.plan.primitive.compiled
    found = _cut_inside(q, traced, record.inputs.index(step.start), outputs_of(record).index(step.end))
    if found is not None:
        return found
    return q.cause(
        "source-unused",
        f"{q.opening}: it goes into {quoted(traced.name)}, but the result that leads to the target does not depend on it",
        [site(record.code, record.instruction, "called here")],
        f"use it for that result of {quoted(traced.name)}, or leave it out of the sources",
    )


def _cut_inside(q: Question, traced: Traced, source: int, result: int) -> Cause | None:
    from whygrad.why.causes import broken_path  # which asks this module of compiled calls

    count = len(traced.inputs)
    causes: list[Cause | None] = []

    def python(*tensors: Tensor) -> list[Tensor]:
        state.context.substitute(traced.captures, tensors[count:])
        state.context.leave_variables()
        with GradientTape(watch_accessed_variables=False) as tape:
            tape.watch([tensor for tensor in tensors if tensor.dtype.is_differentiable])
            results = list(traced.python(*tensors[:count]))
        # As the call that was asked, so that it is spoken of in the same names.
        call = q.call._replace(
            tape=tape,
            targets=[results[result]] * len(q.call.targets),
            sources=[tensors[source]] * len(q.call.sources),
            gradients=[None] * len(q.call.sources),
        )
        position = next(i for i, each in enumerate(q.call.sources) if each is q.source)
        inner = Question(call, position)
        place = min(broken_path.cuts(inner), key=lambda each: each.rank, default=None)
        causes.append(None if place is None else broken_path.explain(inner, place))
        return results

    trace(traced.name, python, [*traced.inputs, *[capture.tensor._array for capture in traced.captures]])
    return causes[0]
