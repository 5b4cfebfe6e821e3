"""An op on the way of a gradient that has no rule."""

from __future__ import annotations

from whygrad.ops.primitive import Record
from whygrad.ops.traits import Draws
from whygrad.why.cause import Cause
from whygrad.why.source.sites import Site, site


def explain(error: LookupError, record: Record, asked: Site) -> Cause:
    """The cause of a sweep that met an op without a rule."""
    name = record.plan.primitive.name
    called = site(record.code, record.instruction, "called here")
    if record.traits.draws is Draws.DISCRETE:
        return Cause(
            "discrete-sampling", "exception", f"{name} draws a discrete random sample, which has no derivative: {error}",
            (called, asked),
            "weight the log-probability of the sample with its reward (score function), or use a relaxation such as "
            "Gumbel-softmax",
        )  # fmt: skip
    return Cause(
        "op-without-gradient", "exception", f"{name} has no gradient: {str(error).strip(chr(39))}", (called, asked),
        "use an op that has one in its place, or give it a gradient with tf.custom_gradient",
    )  # fmt: skip
