"""`zero-times-infinity`: an infinite factor, given as such or left by a division by 0, is multiplied by 0."""

from __future__ import annotations

from whygrad.ops.traits import Arithmetic, Power, Quotient
from whygrad.why.cause import Cause
from whygrad.why.causes import half_precision_range
from whygrad.why.causes.division_by_zero import help_with_divisor
from whygrad.why.evidence.nonfinite_question import NonfiniteQuestion, operand
from whygrad.why.evidence.numerics import Birth
from whygrad.why.source.sites import site
from whygrad.why.source.wording import quoted


def forward(q: NonfiniteQuestion, birth: Birth) -> Cause | None:
    """The cause, if a product made nan of an inf."""
    record, infinite = birth.record, birth.infinite
    if infinite is None or not record.traits.is_product:
        return None
    if infinite.where == "data":
        if infinite.total != 1 or record.traits.arithmetic is not Arithmetic.PRODUCT:
            return None
        return q.cause(
            "zero-times-infinity",
            f"0 is multiplied by {float(infinite.arrays[0].reshape(-1)[0])}, which is nan",
            birth,
            "use a large finite number such as -1e9 in place of -inf, or tf.where in place of a product",
        )
    source = infinite.record.traits
    divides = source.domain_as(Quotient) is not None or source.domain_as(Power) is not None
    if not divides or half_precision_range.forward(q, infinite) is not None:
        return None
    return q.cause(
        "zero-divided-by-zero",
        f"the divisor {quoted(operand(infinite.record))} is 0, and the infinite quotient is multiplied by 0",
        infinite,
        help_with_divisor(q, infinite.record),
        site(record.code, record.instruction, "multiplied by 0 here"),
    )
