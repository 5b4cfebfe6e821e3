"""`infinite-slope`: the value is finite, and the slope is not, as that of a root at 0."""

from __future__ import annotations

from typing import Any

import numpy as np

from whygrad.ops.traits import Defined, InfiniteSlope, Interval
from whygrad.why.cause import Cause
from whygrad.why.evidence.history import outputs_of
from whygrad.why.evidence.nonfinite_question import NonfiniteQuestion, operand, operands, values
from whygrad.why.evidence.numerics import Birth
from whygrad.why.source.code_for_roots import with_small_constant
from whygrad.why.source.wording import spoken


def backward(q: NonfiniteQuestion, birth: Birth) -> Cause | None:
    """The cause, if the op is evaluated at a point where its slope is infinite."""
    record = birth.record
    made = q.numerics.made(outputs_of(record)[0])
    if record.traits.domain_as(InfiniteSlope) is not None and made is not None and (made.inputs[0] == 0).any():
        inside = with_small_constant(record, operand(record))
        return q.cause(
            "infinite-slope",
            f"{spoken(record)} is evaluated at exactly 0{_where_zero(made.inputs[0])}, where its slope is infinite",
            birth,
            f"keep away from 0: add a small constant inside, such as {inside}",
        )
    interval = record.traits.domain_as(Interval)
    if interval is not None:
        ends = [end for end in (interval.low, interval.high) if np.isfinite(end)]
        at = ends if made is None else made.inputs[0][np.isin(made.inputs[0], ends)]
        if len(at):
            return q.cause(
                "infinite-slope",
                f"{spoken(record)} is evaluated at {values(at)}, where its slope is infinite",
                birth,
                f"stay inside the range: {interval.guard.format(*operands(record))}",
            )
    defined = record.traits.domain_as(Defined)
    if defined is not None:
        return q.cause(
            "infinite-slope",
            f"{spoken(record)} is evaluated at the end of its domain, where its slope is infinite or not defined",
            birth,
            f"stay inside the domain: {defined.where}",
        )
    return None


def _where_zero(x: Any) -> str:
    zeros = int((x == 0).sum())
    return f", at {zeros} of {x.size} elements" if x.size > 1 else ""
