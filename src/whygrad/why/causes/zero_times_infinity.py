"""`zero-times-infinity`: an infinite factor, given as such or left by a division by 0, is multiplied by 0."""

from __future__ import annotations

import numpy as np

from whygrad.ops.traits import Arithmetic, Power, Quotient
from whygrad.why.cause import Cause
from whygrad.why.causes import half_precision_range
from whygrad.why.causes.division_by_zero import divisor_of, help_with_divisor
from whygrad.why.evidence.nonfinite_question import NonfiniteQuestion
from whygrad.why.evidence.numerics import Birth
from whygrad.why.source.sites import site


def forward(q: NonfiniteQuestion, birth: Birth) -> Cause | None:
    """The cause, if a product made nan of an inf."""
    record, infinite = birth.record, birth.infinite
    if infinite is None or not record.traits.is_product:
        return None
    if infinite.where == "data":
        given = infinite.arrays[0]
        found = given[~np.isfinite(given)]
        # One number, or a mask of zeros and infinities, was written as such; other data that hold inf are to be cleaned.
        is_written = infinite.total == 1 or not given[np.isfinite(given)].any()
        if not is_written or np.isnan(given).any() or record.traits.arithmetic is not Arithmetic.PRODUCT:
            return None
        return q.cause(
            "zero-times-infinity",
            f"0 is multiplied by {float(found[0])}, which is nan",
            birth,
            "use a large finite number such as -1e9 in place of -inf, or tf.where in place of a product",
        )
    if not _divides_by_zero(infinite) or half_precision_range.forward(q, infinite) is not None:
        return None
    return q.cause(
        "zero-divided-by-zero",
        f"{divisor_of(q, infinite.record)} is 0, and the infinite quotient is multiplied by 0",
        infinite,
        help_with_divisor(q, infinite.record),
        site(record.code, record.instruction, "multiplied by 0 here"),
    )


def _divides_by_zero(birth: Birth) -> bool:
    """Whether an op made an inf by dividing by 0, as a negative power of 0 does too; a large power leaves the range."""
    traits, arrays = birth.record.traits, birth.arrays
    quotient = traits.domain_as(Quotient)
    if quotient is not None:
        return bool((arrays[quotient.divisor] == 0).any())
    return traits.domain_as(Power) is not None and bool(((arrays[0] == 0) & (np.real(arrays[1]) < 0)).any())
