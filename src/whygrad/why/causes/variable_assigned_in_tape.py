"""variable-assigned-in-tape: the path goes through a variable that was assigned, and assigning cuts it."""

from __future__ import annotations

from whygrad.why.cause import Cause
from whygrad.why.causes.cause_of_none import cause_of_none
from whygrad.why.evidence.history import Step
from whygrad.why.evidence.question import SourceQuestion
from whygrad.why.source.sites import site
from whygrad.why.source.wording import described


def explain(q: SourceQuestion, step: Step) -> Cause:
    """The cause of a path that ends in an assigned variable."""
    return cause_of_none(
        q,
        "variable-assigned-in-tape",
        "the path goes through a variable, and assigning cuts it",
        [site(step.through.code, step.through.instruction, "cut here", described(step.start))],
        "compute the loss from the tensor that was assigned, not from the variable afterwards",
    )
