"""Why a result that no gradient goes through, such as a metric, is inf or nan: explained with the kinds of `nonfinite_gradient.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from whygrad.why.cause import Cause
from whygrad.why.causes import nonfinite_gradient
from whygrad.why.causes.op_not_finite import QuestionOfOp
from whygrad.why.source.sites import site

if TYPE_CHECKING:
    from whygrad.why.evidence.trace import OddResult, Trace


class QuestionOfResult(QuestionOfOp):
    """Why one result is inf or nan."""

    def __init__(self, trace: Trace, odd: OddResult) -> None:
        super().__init__(trace.numerics, odd.birth.record)
        self.opening = f"{odd.name} is not finite"
        self.symptom = "nonfinite"
        self.asked = (site(*odd.place, "updated here"),)


def explain(trace: Trace) -> Cause | None:
    """The cause of the first result that is not finite, where no loss and no gradient is: those would show in every metric."""
    if trace.odd_result is None or any(each.symptom == "nonfinite" for each in trace.findings):
        return None
    return nonfinite_gradient.forward(QuestionOfResult(trace, trace.odd_result), trace.odd_result.birth)
