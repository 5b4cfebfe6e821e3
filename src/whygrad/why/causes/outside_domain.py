"""`outside-domain`: a function is evaluated where it is not defined, or has a pole."""

from __future__ import annotations

import numpy as np

from whygrad.ops.traits import Defined, Interval
from whygrad.why.cause import Cause
from whygrad.why.causes.infinite_slope import inside_domain
from whygrad.why.evidence.nonfinite_question import NonfiniteQuestion, values, values_there
from whygrad.why.evidence.numerics import Birth
from whygrad.why.source.edits import Repair
from whygrad.why.source.wording import for_instance, quoted, spoken


def forward(q: NonfiniteQuestion, birth: Birth) -> Cause | None:
    """The cause, if an operand lies outside the op's domain."""
    record, x = birth.record, birth.arrays[0]
    interval = record.traits.domain_as(Interval)
    if interval is not None:
        outside = x[~np.isfinite(birth.made) & ((x <= interval.low) | (x >= interval.high))]
        if not outside.size:
            return None
        name = q.operand(record)
        guarded = q.guarded(record, 0, interval.guard) if interval.guard else None
        inside = f"keep {quoted(name)} inside the domain{for_instance(interval.guard, name)}"
        return q.cause(
            "outside-domain",
            f"{spoken(record)} is not defined for {values(outside)}",
            birth,
            Repair(inside, () if guarded is None else guarded.edits),
        )
    defined = record.traits.domain_as(Defined)
    if defined is not None:
        there = values_there(birth)
        return q.cause(
            "outside-domain",
            f"{spoken(record)} is not defined where {there}" if there else f"{spoken(record)} is not defined here",
            birth,
            f"keep its arguments inside the domain: {inside_domain(record, defined)}",
        )
    return None
