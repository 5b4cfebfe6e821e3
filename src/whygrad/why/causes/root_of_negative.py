"""`root-of-negative`: a root, or a fractional power, of a negative number."""

from __future__ import annotations

import numpy as np

from whygrad.ops.traits import Power, Root
from whygrad.why.cause import Cause
from whygrad.why.evidence.nonfinite_question import NonfiniteQuestion, values
from whygrad.why.evidence.numerics import Birth
from whygrad.why.source.wording import for_instance, quoted


def forward(q: NonfiniteQuestion, birth: Birth) -> Cause | None:
    """The cause, if the op takes a root of negative numbers."""
    traits, x = birth.record.traits, birth.arrays[0]
    if traits.domain_as(Root) is None and traits.domain_as(Power) is None:
        return None
    if x.dtype.kind == "c" or not (x < 0).any() or not np.isnan(birth.made).any():
        return None
    name = q.operand(birth.record)
    return q.cause(
        "root-of-negative",
        f"the root is taken of negative values of {quoted(name)}: {values(x[x < 0])}",
        birth,
        f"keep {quoted(name)} from falling below 0{for_instance('tf.maximum({}, 1e-12)', name)}",
    )
