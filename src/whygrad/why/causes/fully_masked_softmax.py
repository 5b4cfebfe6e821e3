"""`fully-masked-softmax`: a softmax of a row that is -inf in every position."""

from __future__ import annotations

from typing import Any

import numpy as np

from whygrad.ops.traits import Arithmetic, Logits, Quotient, Reduction
from whygrad.why.cause import Cause
from whygrad.why.evidence.nonfinite_question import NonfiniteQuestion
from whygrad.why.evidence.numerics import Birth

_SOFTMAXES = (Logits.SOFTMAX, Logits.LOG_SOFTMAX, Logits.SOFTMAX_LOSS)


def forward(q: NonfiniteQuestion, birth: Birth) -> Cause | None:
    """The cause, if the op is a softmax of nothing, or part of one written by hand."""
    infinite = birth.infinite
    if infinite is not None and infinite.where == "forward" and infinite.record.traits.domain_as(Quotient) is not None:
        return None  # no mask: logits divided by a temperature of 0
    if not _is_softmax_of_masked_row(q, birth):
        return None
    return q.cause(
        "fully-masked-softmax",
        "a row of the softmax is -inf in every position, so nothing is left to choose from, and its softmax is 0/0",
        birth,
        "leave at least one position of each row unmasked, or mask with a large negative number such as -1e9",
    )


def _is_softmax_of_masked_row(q: NonfiniteQuestion, birth: Birth) -> bool:
    traits, arrays = birth.record.traits, birth.arrays
    if traits.takes_logits in _SOFTMAXES or traits.reduces is Reduction.LOGSUMEXP:
        return _has_masked_row(arrays[-1], birth.record.attributes.get("axis", -1))
    if traits.arithmetic is Arithmetic.DIFFERENCE:  # from the maximum of the row, which is -inf too
        maker = q.numerics.made(birth.record.inputs[1])
        return (
            maker is not None
            and (
                maker.record.traits.reduces is Reduction.MAXIMUM
                or maker.record.traits.arithmetic is Arithmetic.EXTREMUM
            )
            and bool(np.isneginf(arrays[1]).any())
        )
    if traits.arithmetic is Arithmetic.QUOTIENT and len(arrays) == 2:  # of exponentials by their sum
        maker = q.numerics.made(birth.record.inputs[0])
        return (
            maker is not None
            and maker.record.traits.arithmetic is Arithmetic.EXPONENTIAL
            and bool(np.isneginf(maker.inputs[0]).any())
            and bool(np.logical_and(arrays[0] == 0, arrays[1] == 0).any())
        )
    return False


def _has_masked_row(x: Any, axis: Any) -> bool:
    if axis is None:
        axis = tuple(range(x.ndim))
    return bool(np.isneginf(x).all(axis=axis).any()) if x.ndim else bool(np.isneginf(x))
