"""A None through a compiled call: the place inside the function at which the path is cut.

A tape around the call recorded one op. So the function is traced once more, with a tape that records its ops.
"""

from __future__ import annotations

from typing import Any

from whygrad.compile.tracing import Traced, trace
from whygrad.tape.gradient_tape import GradientTape
from whygrad.values.recorders import state
from whygrad.values.tensor import Tensor
from whygrad.why.cause import Cause
from whygrad.why.causes.cause_of_none import cause_of_none
from whygrad.why.evidence.history import Step, outputs_of
from whygrad.why.evidence.question import Question, SourceQuestion
from whygrad.why.source.sites import site
from whygrad.why.source.wording import quoted


def explain(q: SourceQuestion, step: Step) -> Cause:
    """The cause of a None that a compiled call gave."""
    record: Any = step.through
    traced: Traced = record.plan.primitive.compiled
    found = _cut_inside(q, traced, record.inputs.index(step.start), outputs_of(record).index(step.end))
    return found or cause_of_none(
        q,
        "source-unused",
        f"it goes into {quoted(traced.name)}, but the result that leads to the target does not depend on it",
        [site(record.code, record.instruction, "called here")],
        f"use it for that result of {quoted(traced.name)}, or leave it out of the sources",
    )


def _cut_inside(q: SourceQuestion, traced: Traced, source: int, result: int) -> Cause | None:
    from whygrad.why.causes.ranking import explain_cut  # which explains compiled calls by this module

    count = len(traced.inputs)
    causes: list[Cause | None] = []

    def python(*tensors: Tensor) -> list[Tensor]:
        state.context.substitute(traced.captures, tensors[count:])
        state.context.discard_assignments()
        with GradientTape(watch_accessed_variables=False) as tape:
            tape.watch([tensor for tensor in tensors if tensor.dtype.is_differentiable])
            results = list(traced.python(*tensors[:count]))
        # The call around the function, with values inside in place of its own: so the cause speaks of its names.
        call = q.call.replace(
            tape=tape,
            targets=[results[result]] * len(q.call.targets),
            sources=[tensors[source]] * len(q.call.sources),
            gradients=[None] * len(q.call.sources),
        )
        causes.append(explain_cut(Question(call).about(q.position)))
        return results

    trace(traced.name, python, [*traced.inputs, *[capture.tensor._array for capture in traced.captures]])
    return causes[0]
