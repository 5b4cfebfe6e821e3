"""custom-gradient-wrong-count, where it gives None: a custom gradient returned None for its argument."""

from __future__ import annotations

from typing import Any

from whygrad.why.cause import Cause
from whygrad.why.causes.cause_of_none import cause_of_none
from whygrad.why.evidence.history import Step
from whygrad.why.evidence.question import SourceQuestion
from whygrad.why.source.gradient_functions import returned_at
from whygrad.why.source.sites import site
from whygrad.why.source.wording import quoted


def explain(q: SourceQuestion, step: Step) -> Cause:
    """The cause of a path that ends at a custom gradient."""
    record: Any = step.through
    return cause_of_none(
        q,
        "custom-gradient-wrong-count",
        f"the gradient function of {quoted(record.plan.primitive.name)} returned None for it",
        [returned_at(record, "returned here") or site(record.code, record.instruction, "called here")],
        "return a gradient for every argument from the gradient function: upstream times the slope",
    )
