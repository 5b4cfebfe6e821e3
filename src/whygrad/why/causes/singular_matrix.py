"""`singular-matrix`: a matrix that cannot be inverted or factorized."""

from __future__ import annotations

from whygrad.ops.traits import Invertible, Logarithm
from whygrad.values.faults import Singular
from whygrad.why.cause import Cause
from whygrad.why.causes.explanation import Explanation, explains
from whygrad.why.evidence.failed_op import FailedOp
from whygrad.why.evidence.nonfinite_question import NonfiniteQuestion, operand
from whygrad.why.evidence.numerics import Birth
from whygrad.why.source.wording import quoted, spoken


def forward(q: NonfiniteQuestion, birth: Birth) -> Cause | None:
    """The cause, if the op needs an invertible matrix, or is the logarithm of a determinant."""
    if birth.record.traits.domain_as(Invertible) is not None or _is_log_of_determinant(q, birth):
        return _singular(q, birth)
    return None


def backward(q: NonfiniteQuestion, birth: Birth) -> Cause | None:
    """The cause, if the rule needs the inverse of the matrix."""
    return _singular(q, birth) if birth.record.traits.domain_as(Invertible) is not None else None


def _is_log_of_determinant(q: NonfiniteQuestion, birth: Birth) -> bool:
    domain = birth.record.traits.domain_as(Logarithm)
    if domain is None or not (birth.arrays[domain.of] == domain.zero).any():
        return False
    maker = q.numerics.made(birth.record.inputs[domain.of])
    needs = None if maker is None else maker.record.traits.domain_as(Invertible)
    return needs is not None and needs.vanishes


def _singular(q: NonfiniteQuestion, birth: Birth) -> Cause:
    return q.cause(
        "singular-matrix",
        f"the matrix {quoted(operand(birth.record))} given to {spoken(birth.record)} is singular or not positive definite",
        birth,
        "add a small multiple of the identity to the diagonal: matrix + 1e-6 * tf.eye(n)",
    )


@explains(Singular)
def _not_invertible(op: FailedOp, fault: Singular) -> Explanation | None:
    return Explanation("singular-matrix", "", "add a small multiple of the identity to the diagonal")
