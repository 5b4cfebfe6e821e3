"""`non-differentiable-op` where the op has a gradient, which is zero: it is constant on each side of a step."""

from __future__ import annotations

from whygrad.ops.primitive import Record
from whygrad.why.cause import Cause
from whygrad.why.evidence.numerics import Pulled
from whygrad.why.evidence.zero_question import ZeroQuestion
from whygrad.why.source.edits import Repair, straight_through
from whygrad.why.source.wording import spoken


def vanished(q: ZeroQuestion, pulled: Pulled) -> Cause | None:
    """The cause, if the cotangent vanished at such an op."""
    record = pulled.record
    if not record.traits.piecewise_constant:
        return None
    return q.cause(
        "non-differentiable-op",
        f"{spoken(record)} is constant on each side of a step, so its slope is 0",
        record,
        "cut here",
        _passing(record),
        pulled.key,
    )


def _passing(record: Record) -> Repair:
    """The straight-through form: the value of the step, and the gradient of its operand."""
    other = "an op with a slope in place of it, such as tf.tanh"
    code = straight_through(record.code, record.instruction)
    if code is None:
        return Repair(f"use {other}")
    return Repair(
        f"to let the gradient pass as if the step were not there, write {code.text}; or use {other}", code.edits
    )
