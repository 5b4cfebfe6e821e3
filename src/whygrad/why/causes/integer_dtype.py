"""integer-dtype: the source holds integers, or a cast to integers cuts the path."""

from __future__ import annotations

from typing import Any

from whygrad.why.cause import Cause
from whygrad.why.causes.cause_of_none import cause_of_none
from whygrad.why.causes.non_differentiable_op import cut_site, operand_of
from whygrad.why.evidence.history import Step
from whygrad.why.evidence.question import SourceQuestion
from whygrad.why.source.sites import site
from whygrad.why.source.wording import quoted


def explain_source(q: SourceQuestion) -> Cause | None:
    """The cause, if the source itself cannot have a gradient."""
    if q.source.dtype.is_differentiable:
        return None
    used = next((user for key in q.keys for user in q.evidence.history.used_by.get(key, ())), None)
    what = "integers carry no gradient" if q.source.dtype.is_integer else "only floating point numbers carry a gradient"
    return cause_of_none(
        q,
        "integer-dtype",
        f"it is {q.source.dtype.name}, and {what}",
        [q.defined_at, site(used.code, used.instruction, "used here") if used is not None else None],
        f"make {quoted(q.name)} a float, for instance with dtype=tf.float32 or by writing 1.0 for 1",
    )


def explain_cast(q: SourceQuestion, step: Step) -> Cause | None:
    """The cause, if the path ends at a cast to integers."""
    record: Any = step.through
    if not record.traits.casts or step.end.dtype.kind not in "iu":
        return None
    return cause_of_none(
        q,
        "integer-dtype",
        f"a cast to {step.end.dtype.name} cuts the path, as integers carry no gradient",
        [cut_site(step)],
        f"keep {quoted(operand_of(record))} in {step.start.dtype.name}",
    )
