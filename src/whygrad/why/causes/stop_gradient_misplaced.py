"""stop-gradient-misplaced: `tf.stop_gradient` cuts the path from the source to the target."""

from __future__ import annotations

from typing import Any

from whygrad.why.cause import Cause
from whygrad.why.causes.cause_of_none import cause_of_none
from whygrad.why.causes.non_differentiable_op import cut_site, operand_of
from whygrad.why.evidence.history import Step
from whygrad.why.evidence.question import SourceQuestion
from whygrad.why.source.edits import Repair, operand_alone
from whygrad.why.source.wording import quoted


def explain(q: SourceQuestion, step: Step) -> Cause:
    """The cause of a path that ends at a stop_gradient."""
    record: Any = step.through
    return cause_of_none(
        q,
        "stop-gradient-misplaced",
        "tf.stop_gradient cuts the path",
        [cut_site(step)],
        Repair(
            f"leave out tf.stop_gradient around {quoted(operand_of(record))}, or put it on the part that is to stay fixed",
            operand_alone(record.code, record.instruction),
        ),
    )
