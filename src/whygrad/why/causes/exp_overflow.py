"""`exp-overflow`: an exponential of a number that is too large for the dtype."""

from __future__ import annotations

import ast
import math

import numpy as np

from whygrad.ops.primitive import Record
from whygrad.ops.traits import Arithmetic, Exponential
from whygrad.why.cause import Cause
from whygrad.why.evidence.nonfinite_question import NonfiniteQuestion
from whygrad.why.evidence.numerics import Birth, largest
from whygrad.why.source.edits import Repair, replaced
from whygrad.why.source.sites import node_at
from whygrad.why.source.stable_forms import stable_form
from whygrad.why.source.wording import spoken


def forward(q: NonfiniteQuestion, birth: Birth) -> Cause | None:
    """The cause, if the op is an exponential."""
    domain = birth.record.traits.domain_as(Exponential)
    if domain is None:
        return None
    limit = math.log(largest(birth.key.dtype), domain.base)
    function = "exp" if domain.base == math.e else f"exp{domain.base:g}"
    return q.cause(
        "exp-overflow",
        f"{spoken(birth.record)} of {float(np.max(np.real(birth.arrays[0]))):.4g} is beyond the range of {birth.key.dtype.name}, which "
        f"ends at {function}({limit:.1f})",
        birth,
        _repair(q, birth),
    )


def _repair(q: NonfiniteQuestion, birth: Birth) -> Repair:
    """The function that computes the whole expression without overflow, where it is a known one."""
    stable = stable_form(node_at(birth.record.code, birth.record.instruction))
    if stable is None:
        if not _is_normalised(q, birth):
            slower = "a lower learning rate, since earlier steps were finite, " if q.times_asked() > 1 else ""
            return Repair(
                f"keep its argument small: {slower}smaller weights, normalized data, or a bound, as in tf.minimum(x, 50.0); or work "
                "with the logarithm"
            )
        return Repair(
            "use a stable form: tf.sigmoid, tf.nn.softplus, tf.nn.softmax, tf.reduce_logsumexp, or subtract the maximum first"
        )
    whole, text = stable
    return Repair(
        f"use a stable form: {text} for {ast.unparse(whole)}", (replaced(birth.record.code.co_filename, whole, text),)
    )


def _is_normalised(q: NonfiniteQuestion, birth: Birth) -> bool:
    """Whether what is made of an exponential is divided, or its logarithm is taken: then a stable form computes both together."""
    made = q.history.descendants([birth.key])
    users = [user for key in made for user in q.history.used_by.get(key, ()) if isinstance(user, Record)]
    return any(each.traits.is_logarithm or each.traits.arithmetic is Arithmetic.QUOTIENT for each in users)
