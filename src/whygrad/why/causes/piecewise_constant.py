"""`non-differentiable-op` where the op has a gradient, which is zero: it is constant on each side of a step."""

from __future__ import annotations

from whygrad.why.cause import Cause
from whygrad.why.evidence.numerics import Pulled
from whygrad.why.evidence.zero_question import ZeroQuestion
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
        "use an op with a slope instead, such as tf.tanh",
        pulled.key,
    )
