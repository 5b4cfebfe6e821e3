"""An op on the way of a gradient that has no rule."""

from __future__ import annotations

from whygrad.ops.primitive import Record
from whygrad.ops.traits import Draws
from whygrad.values.faults import Fault, NoRegisteredGradient, NoRuleForCase
from whygrad.why.cause import Cause
from whygrad.why.evidence.nonfinite_question import operand
from whygrad.why.source.sites import Site, site
from whygrad.why.source.wording import described, quoted, spoken


def explain(fault: NoRegisteredGradient, record: Record, asked: Site) -> Cause:
    """The cause of a sweep that met an op without a rule."""
    name = record.plan.primitive.name
    called = site(record.code, record.instruction, "called here")
    if record.traits.draws is Draws.DISCRETE:
        return Cause(
            "discrete-sampling", "exception", f"{name} draws a discrete random sample, which has no derivative: {fault}",
            (called, asked),
            "weight the log-probability of the sample with its reward (score function), or use a relaxation such as "
            "Gumbel-softmax",
        )  # fmt: skip
    return Cause(
        "op-without-gradient", "exception",
        f"{spoken(record)} has no gradient: TensorFlow has none for its op {fault.op_type}", (called, asked),
        fault.instead or "use another op, or define its gradient with tf.custom_gradient",
    )  # fmt: skip


def explain_case(error: BaseException, fault: Fault | None, record: Record, asked: Site) -> Cause:
    """The cause of an exception that a built-in rule raised: it belongs to its op, whatever it is."""
    name = operand(record)
    message = str(error).split("\n")[0]
    has_no_rule = isinstance(fault, NoRuleForCase)
    return Cause(
        "op-without-gradient" if has_no_rule else "invalid-argument",
        "exception",
        f"{spoken(record)} has no gradient as it is called here: {message}" if has_no_rule
        else f"the gradient of {spoken(record)} failed: {message}",
        (site(record.code, record.instruction, "called here", described(record.inputs[0])), asked),
        fault.instead if isinstance(fault, NoRuleForCase)
        else f"change {quoted(name)} so that {spoken(record)} is differentiable there",
        {name: described(record.inputs[0])},
    )  # fmt: skip
