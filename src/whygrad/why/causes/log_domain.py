"""`log-of-zero` and `log-of-negative`: a logarithm of a number that has none."""

from __future__ import annotations

from whygrad.ops.traits import Logarithm
from whygrad.why.cause import Cause
from whygrad.why.evidence.nonfinite_question import NonfiniteQuestion, operand, values
from whygrad.why.evidence.numerics import Birth
from whygrad.why.source.edits import Repair
from whygrad.why.source.wording import quoted


def forward(q: NonfiniteQuestion, birth: Birth) -> Cause | None:
    """The cause, if the op is a logarithm and its operand is 0 or less."""
    record = birth.record
    domain = record.traits.domain_as(Logarithm)
    if domain is None:
        return None
    x, name, zero = birth.arrays[domain.of], operand(record), domain.zero
    if (x == zero).any():
        guarded = q.guarded(record, domain.of, "{0} + 1e-7")
        add = f"add a small constant to {quoted(name)}" + ("" if guarded is None else f": {guarded.text}")
        return q.cause(
            "log-of-zero",
            f"the logarithm is taken of {quoted(name)}, which is exactly {zero:g} at {int((x == zero).sum())} of {x.size} elements",
            birth,
            Repair(f"{add}; or use a loss that works on logits", () if guarded is None else guarded.edits),
        )
    if x.dtype.kind != "c" and (x < zero).any():
        return q.cause(
            "log-of-negative",
            f"the logarithm is taken of negative values of {quoted(name)}: {values(x[x < zero])}",
            birth,
            f"keep {quoted(name)} positive: a softplus or an exp before it, or tf.maximum",
        )
    return None
