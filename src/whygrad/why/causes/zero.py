"""Why a gradient is zero everywhere: the rule at which the cotangent became zero, or a sum that never changes."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import numpy as np

from whygrad.ops.primitive import Record
from whygrad.tape.gradient_tape import GradientCall
from whygrad.values.tensor import Key
from whygrad.why.cause import Cause
from whygrad.why.causes import nonfinite
from whygrad.why.causes.nonfinite import PRODUCTS
from whygrad.why.causes.normalized_singleton import over_one_element
from whygrad.why.evidence.history import History, outputs_of
from whygrad.why.evidence.numerics import Pulled, Seen, all_zero, array_of, is_finite
from whygrad.why.source.names import names_of
from whygrad.why.source.sites import operand_names, site
from whygrad.why.source.wording import described, quoted, spoken

if TYPE_CHECKING:
    from whygrad.why.evidence.trace import Trace

PIECEWISE_LINEAR = ("relu", "leaky_relu", "relu6", "abs", "maximum", "minimum", "reduce_max", "reduce_min", "max_pool")
SATURATING = (
    "relu", "relu6", "sigmoid", "tanh", "maximum", "minimum", "where", "elu", "selu", "softsign", "softplus", "gelu",
    "gelu_approximate", "silu", "erf", "erfc", "exp", "softmax", "sigmoid_cross_entropy_with_logits",
)  # fmt: skip
_SOFTMAXES = ("softmax", "log_softmax")
_COMPARISONS = ("greater", "greater_equal", "less", "less_equal", "equal", "not_equal")
_MOVES_ELEMENTS = ("reshape", "squeeze", "expand_dims", "transpose", "identity", "cast", "getitem", "negative")


# Zeros that come after other gradients are explained only when they stay: a single sample may well be out of reach.
_STAYS = 3


def explain(call: GradientCall, trace: Trace) -> Cause | None:
    """The cause, if a gradient is zero everywhere."""
    found: Cause | None = None
    for position, gradient in enumerate(call.gradients):
        if gradient is None or (call.filled is not None and position in call.filled):
            continue
        array = array_of(gradient)
        streak = trace.streak(call, position)
        streak.calls += 1
        if not all_zero(array):
            streak.zeros = 0
            if streak.cause is not None:
                trace.withdraw(streak.cause)
                streak.cause = None
            if found is None and streak.calls == 1:
                found = _cancelled(call, position, array)
            continue
        streak.zeros += 1
        if found is None and (streak.calls == 1 or streak.zeros == _STAYS):
            found = streak.cause = _Question(call, position, trace).answer(array)
    return found


def cause_of(call: GradientCall, position: int, seen: Seen) -> Cause | None:
    """The cause of one gradient that is zero everywhere; None where nothing is wrong with it, as at a minimum."""
    return _Question(call, position, seen).answer(array_of(call.gradients[position]))


class _Asked:
    """One gradient, and what the tape knows around it."""

    def __init__(self, call: GradientCall, position: int) -> None:
        self.call, self.position = call, position
        targets, sources = names_of(call)
        self.name = sources[position]
        self.target = targets[0] if len(targets) == 1 else "the target"
        of = f"the gradient of {quoted(self.target)} with respect to {quoted(self.name)}"
        self.opening = f"{of} is zero everywhere"
        self.asked = site(call.code, call.instruction, "asked here")
        self.history = History(call.tape.records, ())
        self.keys = call.tape._keys(call.sources[position])
        self.reached = self.history.descendants(self.keys)
        self.target_keys = [key for key in map(call.key_of, call.targets) if key is not None]

    @functools.cached_property
    def all_vanish(self) -> bool:
        """Whether all gradients of the call are zero. Asked only where they have values: in a compiled function they do not."""
        return all(g is None or not array_of(g).any() for g in self.call.gradients)

    def cause(
        self, kind: str, sentence: str, record: Record, role: str, help: str, key: Key, likely: bool = False
    ) -> Cause:
        """A cause whose place is an op."""
        place = site(record.code, record.instruction, role, described(key))
        names = operand_names(record.code, record.instruction)
        shapes = {names[0] if names else self.name: described(key)}
        return Cause(kind, "zero", f"{self.opening}: {sentence}", (place, self.asked), help, shapes, likely)

    def second_derivative(self, symptom: str) -> Cause | None:
        """A gradient of a gradient, through functions whose slope is constant in pieces."""
        towards = self.history.towards(self.target_keys)
        if not any(key in towards for key in self.keys):
            return None
        made_here = self.history.made_by
        if not any(each.gradient in towards and each.gradient in made_here for each in self.call.tape.derivatives):
            return None
        for record in self.call.tape.records:
            name = record.plan.primitive.name
            chooses = name == "where" and record.inputs[0] in self.reached
            if (name in PIECEWISE_LINEAR or chooses) and not self.reached.isdisjoint(record.inputs):
                found = self.cause(
                    "piecewise-linear-second-derivative",
                    f"{spoken(record)} is linear in pieces, so its slope does not change with {quoted(self.name)} and its second "
                    "derivative is zero",
                    record,
                    "linear in pieces",
                    "use a smooth function (tanh, softplus, gelu, a smooth maximum) where second derivatives are wanted",
                    outputs_of(record)[0],
                )
                return Cause(**{**vars(found), "symptom": symptom})
        return None


class _Question(_Asked):
    """One gradient that is zero, and all that was seen of its computation."""

    def __init__(self, call: GradientCall, position: int, trace: Seen) -> None:
        super().__init__(call, position)
        self.trace = trace

    def answer(self, array: Any) -> Cause | None:
        """The cause, unless there is none: at a minimum a gradient is zero."""
        found = _cancelled(self.call, self.position, array) or self.overflowed() or self.second_derivative("zero")
        if found is not None:
            return found
        if not all(is_finite(array_of(target)) for target in self.call.targets):
            return None  # zeros where a step passes nan by: the nan is what is to be explained
        vanished = [pulled for pulled in self.trace.numerics.vanished if pulled.key in self.reached]
        one_class_only = self.one_class_on_every_way()
        if one_class_only is not None:
            return self.single_class(one_class_only)
        normalised = over_one_element(self.history, self.keys, self.target_keys)
        if normalised is not None:
            return self.normalised(normalised)
        explanations = [self.constant, self.underflow, self.masked]
        if any(array_of(target).any() for target in self.call.targets):
            explanations.append(self.at)  # else a loss of 0, as of a hinge that is satisfied everywhere: a minimum
        return next(
            (cause for pulled in vanished for each in explanations if (cause := each(pulled)) is not None), None
        )

    def overflowed(self) -> Cause | None:
        """The way goes through an inf, whose slope is 0: a root of it, or a quotient by it."""
        births = self.trace.numerics.births
        if not births:
            return None
        towards = self.history.towards(self.target_keys)
        for key in (*self.target_keys, *towards):
            birth = births.get(key)
            if birth is not None and birth.where == "forward" and key in self.reached:
                opening = self.opening
                if not all(is_finite(array_of(target)) for target in self.call.targets):
                    opening = opening.replace(
                        "the gradient", f"{quoted(self.target)} is not finite, and the gradient", 1
                    )
                return nonfinite.forward_cause(self.call, birth, self.trace, opening, "zero")
        return None

    def constant(self, pulled: Pulled) -> Cause | None:
        """An op whose result does not change, wherever it is evaluated."""
        record, name = pulled.record, pulled.record.plan.primitive.name
        if name in _SOFTMAXES and one_class(record):
            return self.single_class(record)
        if name == "sign":
            return self.cause(
                "non-differentiable-op",
                f"{spoken(record)} is constant on both sides of 0, so its slope is 0",
                record,
                "cut here",
                "use something with a slope in its place, such as tf.tanh",
                pulled.key,
            )
        return None

    def one_class_on_every_way(self) -> Record | None:
        """A softmax over one class that lies between the source and the target, if no way leads around it."""
        towards = self.history.towards(self.target_keys)
        single = [
            record
            for record in self.call.tape.records
            if record.plan.primitive.name in _SOFTMAXES
            and one_class(record)
            and record.inputs[0] in self.reached
            and outputs_of(record)[0] in towards
        ]
        if not single:
            return None
        constant = {id(record) for record in single}
        others = [record for record in self.call.tape.records if id(record) not in constant]
        around = History(others, ()).descendants(self.keys)
        return None if any(key in around for key in self.target_keys) else single[0]

    def normalised(self, record: Record) -> Cause:
        """The difference of one element from its own mean is 0."""
        operand = quoted((operand_names(record.code, record.instruction) or ["its input"])[0])
        axes = record.attributes["axis"]
        axis = f"axis {axes[0]}" if len(axes) == 1 else f"axes {', '.join(map(str, axes))}"
        return self.cause(
            "normalized-over-one",
            f"{operand} is normalised over {axis}, which holds one element: that is its own mean, and the difference is always 0",
            record,
            "mean of one here",
            "normalise over more than one element: a larger batch, another axis, or the moving statistics",
            record.inputs[0],
        )

    def single_class(self, record: Record) -> Cause:
        """Softmax over one class is a constant."""
        operand = quoted((operand_names(record.code, record.instruction) or ["its input"])[0])
        return self.cause(
            "softmax-over-one-class",
            f"softmax over one class is 1, whatever {operand} is",
            record,
            "constant here",
            "use tf.sigmoid for a single output, or give softmax one output for each class",
            record.inputs[0],
        )

    def at(self, pulled: Pulled) -> Cause | None:
        """What made the cotangent vanish at a rule, if it is something that can be said."""
        record = pulled.record
        if record.plan.primitive.name == "where" and record.inputs[0] not in self.reached and not self.all_vanish:
            return None  # chosen by the data alone: one regime of several, which these data do not touch
        if record.plan.primitive.name == "softmax" and not self._has_decided(record):
            return None  # what arrives is the same for all classes
        if record.plan.primitive.name in SATURATING:
            operands = operand_names(record.code, record.instruction)
            return self.flat(record, quoted(operands[0] if operands else "its input"), pulled.key)
        return self.dead_operand(pulled)

    def _has_decided(self, record: Record) -> bool:
        """Whether a softmax gave 1 to one class and 0 to the others, as far as numbers go: there it is flat."""
        made = self.trace.numerics.made(outputs_of(record)[0])
        return made is None or bool(((made.output == 0) | (made.output == 1)).all())

    def flat(self, record: Record, operand: str, key: Key) -> Cause:
        """Every element lies where a function is flat."""
        made = self.trace.numerics.made(outputs_of(record)[0])
        span = ""
        inputs = [] if made is None else [x for k, x in zip(record.inputs, made.inputs) if k is key and x.size]
        if inputs:
            low, high = float(np.min(inputs[0])), float(np.max(inputs[0]))
            span = f", from {low:.4g} to {high:.4g}," if high > low else f", {low:.4g},"
        count = int(np.prod(key.shape))
        every = f"each of the {count} elements of {operand}" if count > 1 else operand
        return self.cause(
            "saturated-region",
            f"{every}{span} lies where {spoken(record)} is flat",
            record,
            "flat here",
            "bring the input back into the range where the function has a slope: smaller weights or biases, normalised data, "
            "a leaky activation, a wider clip",
            key,
        )

    def dead_operand(self, pulled: Pulled) -> Cause | None:
        """The other factor is zero everywhere, because it comes from a comparison or from units that are all off."""
        made = self.trace.numerics.made(outputs_of(pulled.record)[0])
        if made is None or pulled.record.plan.primitive.name not in PRODUCTS:
            return None
        for key, array in zip(pulled.record.inputs, made.inputs):
            if key is pulled.key or not all_zero(array):
                continue
            maker = self.trace.numerics.made(key)
            while maker is not None and maker.record.plan.primitive.name in _MOVES_ELEMENTS:
                maker = self.trace.numerics.made(maker.record.inputs[0])
            if maker is None:
                return None
            name = maker.record.plan.primitive.name
            if name in ("relu", "relu6") or (name in ("maximum", "where") and self.all_vanish):
                names = operand_names(maker.record.code, maker.record.instruction)
                return self.flat(maker.record, quoted(names[0] if names else "its input"), maker.record.inputs[-1])
            if name in _COMPARISONS and not self.history.descendants(self.keys).isdisjoint(maker.record.inputs):
                return self.cause(
                    "saturated-region",
                    f"the mask that multiplies {quoted(self.name)} is 0 at all {array.size} elements",
                    pulled.record,
                    "masked here",
                    "bring the input back into the range where the mask lets it through",
                    pulled.key,
                )
        return None

    def masked(self, pulled: Pulled) -> Cause | None:
        """All is multiplied by a mask, made of what is true or false of the data, that is 0 everywhere."""
        record, made = pulled.record, self.trace.numerics.made(outputs_of(pulled.record)[0])
        if made is None or not self.all_vanish or record.plan.primitive.name not in PRODUCTS:
            return None
        for key, array in zip(record.inputs, made.inputs):
            if key is pulled.key or array.size < 2 or not all_zero(array) or key in self.reached:
                continue
            maker = self.trace.numerics.made(key)
            while maker is not None and maker.record.plan.primitive.name in _MOVES_ELEMENTS:
                if maker.record.inputs[0].dtype.kind == "b":
                    operands = operand_names(record.code, record.instruction)
                    position = [k is key for k in record.inputs].index(True)
                    name = operands[position] if len(operands) == len(record.inputs) else "the mask"
                    return self.cause(
                        "saturated-region",
                        f"it is multiplied by {quoted(name)}, which is 0 at all {array.size} elements: a mask that lets nothing through",
                        record,
                        "masked here",
                        "look at what the mask is made of: no element of it is true",
                        pulled.key,
                    )
                maker = self.trace.numerics.made(maker.record.inputs[0])
        return None

    def underflow(self, pulled: Pulled) -> Cause | None:
        """A cotangent in float16 that became too small to be told from 0."""
        if pulled.gx.dtype != np.float16 or pulled.record.plan.primitive.name not in _SCALES:
            return None
        made = self.trace.numerics.made(outputs_of(pulled.record)[0])
        others = [] if made is None else [a for k, a in zip(pulled.record.inputs, made.inputs) if k is not pulled.key]
        if any(all_zero(array) for array in others):
            return None
        return self.cause(
            "half-precision-range",
            f"the gradient that goes back through {spoken(pulled.record)} is too small for float16 (below 6e-8) and becomes 0",
            pulled.record,
            "lost here",
            "compute this part in float32, or scale the loss up and the gradients down again",
            pulled.key,
        )


_SCALES = (*PRODUCTS, "divide", "cast", "reduce_mean", "square", "power", "negative")


def second_derivative(call: GradientCall, position: int) -> Cause | None:
    """As above, where the gradient of a gradient is None: nothing of the slope depends on the source at all."""
    question = _Asked(call, position)
    question.opening = question.opening.replace("is zero everywhere", "is None")
    return question.second_derivative("none")


def one_class(record: Record) -> bool:
    """Whether a softmax is taken over an axis of length one."""
    shape = record.inputs[-1].shape
    axis = record.attributes.get("axis", -1)
    return bool(shape) and isinstance(axis, int) and shape[axis] == 1


# -- a target whose elements always add up to the same --


def _cancelled(call: GradientCall, position: int, gradient: Any) -> Cause | None:
    """gradient() sums the elements of the target, and their sum does not change: what is left is rounding error."""
    target = call.targets[0]
    if len(call.targets) != 1 or target.shape.num_elements() in (1, 0):
        return None
    if gradient.shape != tuple(call.sources[position].shape):
        return None  # a jacobian: nothing was summed
    key = call.key_of(target)
    history = History(call.tape.records, ())
    maker = None if key is None else _constant_sum(history, key)
    if maker is None:
        return None
    size = float(np.max(np.abs(array_of(target))))
    if not is_finite(gradient) or float(np.max(np.abs(gradient))) > 1e-5 * max(1.0, size):
        return None
    targets, sources = names_of(call)
    record, sum_of = maker
    return Cause(
        "non-scalar-target-summed",
        "zero",
        f"the gradient of {quoted(targets[0])} with respect to {quoted(sources[position])} is zero: gradient() sums the "
        f"{target.shape.num_elements()} elements of the target, and {sum_of}",
        (site(call.code, call.instruction, "summed here"), site(record.code, record.instruction, "made here")),
        f"ask for tape.jacobian({targets[0]}, {sources[position]}), or for one element of {quoted(targets[0])}",
        {targets[0]: described(target)},
    )


def _constant_sum(history: History, key: Key) -> tuple[Record, str] | None:
    """The op that made a value whose sum is always the same, and why it is; back through what only scales or moves it."""
    while isinstance(record := history.made_by.get(key), Record):
        name, inputs = record.plan.primitive.name, record.inputs
        if name == "softmax":
            return record, "probabilities always add up to 1"
        if name in ("divide", "subtract"):
            reducer = history.made_by.get(inputs[1])
            wanted = {"divide": "reduce_sum", "subtract": "reduce_mean"}[name]
            if isinstance(reducer, Record) and reducer.plan.primitive.name == wanted and reducer.inputs[0] is inputs[0]:
                sums = {
                    "divide": "shares always add up to 1",
                    "subtract": "differences from their mean always add up to 0",
                }
                return record, sums[name]
        moves = name in ("reshape", "squeeze", "expand_dims", "transpose", "identity", "negative")
        scaled = [k for k in inputs if k.shape == key.shape] if name in ("multiply", "divide") else []
        if moves:
            key = inputs[0]
        elif len(scaled) == 1 and all(not k.shape for k in inputs if k is not scaled[0]):
            key = scaled[0]
        else:
            return None
    return None
