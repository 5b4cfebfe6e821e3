"""`infinite-slope`: the value is finite, and the slope is not, as that of a root at 0."""

from __future__ import annotations

from typing import Any

import numpy as np

from whygrad.ops.advice import SMALL
from whygrad.ops.primitive import Record
from whygrad.ops.traits import Defined, InfiniteSlope, Interval, Power
from whygrad.why.cause import Cause
from whygrad.why.evidence.history import outputs_of
from whygrad.why.evidence.nonfinite_question import NonfiniteQuestion, operand, operands, values, values_there
from whygrad.why.evidence.numerics import Birth, Made
from whygrad.why.source.edits import Repair, in_place
from whygrad.why.source.safe_forms import with_small_constant
from whygrad.why.source.wording import spoken


def backward(q: NonfiniteQuestion, birth: Birth) -> Cause | None:
    """The cause, if the op is evaluated at a point where its slope is infinite."""
    record = birth.record
    made = q.numerics.made(outputs_of(record)[0])
    if record.traits.domain_as(InfiniteSlope) is not None and made is not None and (made.inputs[0] == 0).any():
        # At 1e-12 the slope of a root is 5e5: that is too steep where nothing on the way is 0 with it.
        inside = with_small_constant(record, operand(record), "1e-6" if q.is_infinite else SMALL)
        # A norm, or a root inside of a function such as reduce_std, is 0 itself: what it is taken of is not written there.
        whole = record.traits.reduces is not None or q.is_computed_inside(record, 0)
        zeros = _where_zero(made.output if record.traits.reduces is not None else made.inputs[0])
        is_zero = f"is exactly 0{zeros}" if whole else f"is evaluated at exactly 0{zeros}"
        return q.cause(
            "infinite-slope",
            f"{spoken(record)} {is_zero}, where its slope is {_slope(made)}",
            birth,
            Repair(
                f"keep away from 0: add a small constant inside, such as {inside}",
                in_place(record.code, record.instruction, inside),
            ),
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
                _inside(q, record, interval),
            )
    defined = record.traits.domain_as(Defined)
    if defined is not None:
        return q.cause(
            "infinite-slope",
            f"{spoken(record)} is evaluated at the end of its domain{_given(q, record, birth)}, where its slope is infinite or not "
            "defined",
            birth,
            f"stay inside the domain: {inside_domain(record, defined)}",
        )
    return None


def _inside(q: NonfiniteQuestion, record: Record, interval: Interval) -> Repair:
    """What to write for an operand at the end of an interval."""
    guard = interval.guard_of_slope or interval.guard
    guarded = q.guarded(record, 0, guard)
    text = guard.format(*operands(record)) if guarded is None else guarded.text
    return Repair(f"stay inside the range: {text}", () if guarded is None else guarded.edits)


def inside_domain(record: Record, domain: Defined) -> str:
    """The condition on the operands, with code that keeps one of them there."""
    guard = domain.guard.format(*operands(record))
    return f"{domain.where}, such as {guard}" if guard else domain.where


def _given(q: NonfiniteQuestion, record: Record, birth: Birth) -> str:
    """The values of the operands at the end of the domain, as far as they are written and known."""
    made = q.numerics.made(outputs_of(record)[0])
    there = "" if made is None else values_there(birth, made.inputs)
    return f" ({there})" if there else ""


def _slope(made: Made) -> str:
    """What the slope is at 0: infinite, but for the power 0."""
    if made.record.traits.domain_as(Power) is not None and len(made.inputs) == 2:
        x, exponent = np.broadcast_arrays(*made.inputs)
        if (exponent[x == 0] == 0).any():
            return "0 * 0 ** -1, which is nan"
    return "infinite"


def _where_zero(x: Any) -> str:
    zeros = int((x == 0).sum())
    return f", at {zeros} of {x.size} elements" if x.size > 1 else ""
