"""`piecewise-linear-second-derivative`: the gradient of a gradient, through a function whose slope is constant in pieces."""

from __future__ import annotations

from dataclasses import replace

from whygrad.ops.primitive import Record
from whygrad.ops.traits import Selects
from whygrad.why.cause import Cause
from whygrad.why.evidence.history import outputs_of
from whygrad.why.evidence.question import Question
from whygrad.why.evidence.zero_question import ZeroQuestion
from whygrad.why.source.wording import quoted, spoken


def explain_none(question: Question, position: int) -> Cause | None:
    """The cause, where the gradient of a gradient is None: the slope does not depend on the source at all."""
    q = ZeroQuestion(question, position)
    q.opening = q.opening.replace("is zero everywhere", "is None")
    cause = explain(q)
    return None if cause is None else replace(cause, symptom="none")


def explain(q: ZeroQuestion) -> Cause | None:
    """The cause, if the target was computed from a gradient, and a piecewise linear op lies on the way."""
    towards = q.history.towards(q.target_keys)
    if not any(key in towards for key in q.keys):
        return None
    made_here = q.history.made_by
    if not any(each.gradient in towards and each.gradient in made_here for each in q.evidence.derivatives):
        return None
    for record in q.evidence.records:
        traits = record.traits
        chooses = traits.selects is Selects.VALUES and not traits.moves and record.inputs[0] in q.reached
        if (traits.piecewise_linear or chooses) and not q.reached.isdisjoint(record.inputs) and not _is_off(q, record):
            return q.cause(
                "piecewise-linear-second-derivative",
                f"{spoken(record)} is linear in pieces, so its slope does not change with {quoted(q.name)} and its second "
                "derivative is zero",
                record,
                "linear in pieces",
                "use a smooth function (tanh, softplus, gelu, a smooth maximum) where second derivatives are needed",
                outputs_of(record)[0],
            )
    return None


def _is_off(q: ZeroQuestion, record: Record) -> bool:
    """Whether an op gave only zeros, as units that are dead for all examples: then that is the reason."""
    made = q.numerics.made(outputs_of(record)[0])
    return made is not None and not made.output.any()
