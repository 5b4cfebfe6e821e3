"""Why a gradient is zero everywhere: the rule at which the cotangent became zero."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from whygrad.ops.primitive import Record
from whygrad.tape.gradient_tape import GradientCall
from whygrad.values.conversion import convert
from whygrad.why.cause import Cause
from whygrad.why.history import History, outputs_of
from whygrad.why.source import operand_names, site
from whygrad.why.words import described, gradient_names, quoted

if TYPE_CHECKING:
    from whygrad.why.trace import Trace

PIECEWISE_LINEAR = ("relu", "leaky_relu", "relu6", "abs", "maximum", "minimum", "crelu")
SATURATING = (
    "relu",
    "relu6",
    "sigmoid",
    "tanh",
    "clip_by_value",
    "maximum",
    "minimum",
    "where",
    "elu",
    "selu",
    "softsign",
)


def explain(call: GradientCall, trace: Trace) -> Cause | None:
    """The cause, if all gradients that were given are zero."""
    given = [(i, convert(g, None)._array) for i, g in enumerate(call.gradients) if g is not None]
    if not given or any(array.size == 0 for _, array in given):
        return None
    cancelled = _cancelled(call, given)
    if cancelled is not None or any(array.any() for _, array in given):
        return cancelled
    targets, sources = gradient_names(call.code, call.instruction, len(call.targets), len(call.sources))
    name, target = sources[given[0][0]], targets[0] if len(targets) == 1 else "the target"
    opening = f"the gradient of {quoted(target)} with respect to {quoted(name)} is zero everywhere"
    asked = site(call.code, call.instruction, "asked here")
    for record, key in trace.numerics.vanished:
        op = record.plan.primitive.name
        place = site(record.code, record.instruction, "flat here", described(key))
        if op == "softmax" and _one_class(record):
            return Cause(
                "softmax-over-one-class",
                "zero",
                f"{opening}: softmax over one class is 1 whatever its input",
                (place, asked),
                "use tf.sigmoid for a single output, or give softmax one output for each class",
                {name: described(key)},
            )
        if op in SATURATING:
            operands = operand_names(record.code, record.instruction)
            return Cause(
                "saturated-region",
                "zero",
                f"{opening}: every element of {quoted(operands[0] if operands else 'the input')} lies where {op} is flat",
                (place, asked),
                "bring the input back into the range where the function has a slope: smaller weights or biases, "
                "normalised data, a leaky activation",
                {name: described(key)},
            )
    return _second_derivative(call, opening, asked)


def _one_class(record: Record) -> bool:
    shape = record.inputs[0].shape
    axis = record.attributes.get("axis", -1)
    return bool(shape) and isinstance(axis, int) and shape[axis] == 1


def _second_derivative(call: GradientCall, opening: str, asked: Any) -> Cause | None:
    """A gradient of a gradient, through functions whose slope is constant in pieces."""
    for record in call.tape.records:
        if record.plan.primitive.name in PIECEWISE_LINEAR:
            place = site(record.code, record.instruction, "linear in pieces", described(outputs_of(record)[0]))
            return Cause(
                "piecewise-linear-second-derivative",
                "zero",
                f"{opening}: {record.plan.primitive.name} is linear in pieces, and its second derivative is zero",
                (place, asked),
                "use a smooth activation (tanh, softplus, gelu) where second derivatives are wanted",
                likely=True,
            )
    return None


def _cancelled(call: GradientCall, given: list[tuple[int, Any]]) -> Cause | None:
    """The elements of the target always add up to the same, so the gradient of their sum is rounding error."""
    if len(call.targets) != 1 or call.targets[0].shape.num_elements() in (1, 0):
        return None
    history = History(call.tape.records, ())
    key = call.key_of(call.targets[0])
    maker = history.made_by.get(key) if key is not None else None
    if not isinstance(maker, Record) or maker.plan.primitive.name != "softmax":
        return None
    if any(float(np.max(np.abs(array))) > 1e-5 for _, array in given):
        return None
    targets, sources = gradient_names(call.code, call.instruction, 1, len(call.sources))
    return Cause(
        "non-scalar-target-summed",
        "zero",
        f"the gradient of {quoted(targets[0])} with respect to {quoted(sources[0])} is zero: gradient() sums the elements of "
        "the target, and probabilities always sum to 1",
        (site(call.code, call.instruction, "summed here"), site(maker.code, maker.instruction, "made here")),
        f"ask for tape.jacobian({targets[0]}, {sources[0]}), or for one element of {quoted(targets[0])}",
        {targets[0]: described(call.targets[0])},
    )
