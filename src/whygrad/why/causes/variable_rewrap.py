"""variable-rewrap: the path goes through `tf.Variable(...)`, which copies its value."""

from __future__ import annotations

from whygrad.why.cause import Cause
from whygrad.why.causes.cause_of_none import cause_of_none
from whygrad.why.evidence.history import Step
from whygrad.why.evidence.question import SourceQuestion
from whygrad.why.source.edits import Repair, operand_alone
from whygrad.why.source.sites import site
from whygrad.why.source.wording import described


def explain(q: SourceQuestion, step: Step) -> Cause:
    """The cause of a path that ends in a new variable."""
    return cause_of_none(
        q,
        "variable-rewrap",
        "tf.Variable(...) copies the value it is given, and the path ends there",
        [site(step.through.code, step.through.instruction, "cut here", described(step.start))],
        Repair(
            "use the computed tensor itself; make variables once, before the tape",
            operand_alone(step.through.code, step.through.instruction),
        ),
    )
