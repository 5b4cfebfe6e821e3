"""Ops that refused what an operand is or holds: a None, a label, a matrix without an inverse, a tensor as a truth value."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from whygrad.values import nest
from whygrad.values.indexed_slices import IndexedSlices
from whygrad.values.tensor import Tensor
from whygrad.values.variable import Variable
from whygrad.why.causes.explanation import Explanations, Refusal
from whygrad.why.evidence.failed_op import FailedOp

EXPLANATIONS = Explanations()


@EXPLANATIONS.of(r"Attempt to convert a value \(None\)")
def _none(op: FailedOp, match: re.Match[str]) -> Refusal | None:
    given = [each for each in op.operands if each.value is None and each.node is not None]
    if not given:
        return None
    return Refusal(
        "invalid-argument",
        "None is no tensor" if given[0].text == "None" else f"{given[0].quoted} is None, not a tensor",
        "where it should be a gradient, the warning before this error says why there is none; where a function made it, "
        "see that the function returns it",
    )


@EXPLANATIONS.of(r"Argument `sources` should")
def _source(op: FailedOp, match: re.Match[str]) -> Refusal | None:
    """A source of a gradient that is neither a tensor nor a variable."""
    given = [each for each in op.operands if each.parameter.startswith("source") and not _can_be_a_source(each.value)]
    if not given:
        return None
    source, tape = given[0], "tape" if op.owner is None else op.owner.primary
    if isinstance(source.value, list | tuple | dict) and nest.flatten(source.value):
        wrong = next((each for each in nest.flatten(source.value) if not _can_be_a_source(each)), None)
        return Refusal(
            "source-not-a-tensor",
            f"{source.quoted} holds {_kind_of(wrong)}: a gradient is taken for variables and tensors",
            "give variables, or tensors that the tape watches",
        )
    name = "the source" if source.text == "None" else source.quoted
    if isinstance(source.value, int | float | np.ndarray | np.generic):
        what = "a NumPy array" if isinstance(source.value, np.ndarray) else "a number"
        help = f"make it a tf.Variable, or a tensor that is watched before it is used: {tape}.watch(tf.constant({source.text}))"
    else:
        what = _kind_of(source.value)
        help = "give variables, or tensors that the tape watches"
    return Refusal("source-not-a-tensor", f"{name} is {what}: a gradient is taken for variables and tensors", help)


def _kind_of(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return "a NumPy array"
    return "None" if value is None else f"a {type(value).__name__}"


def _can_be_a_source(value: Any) -> bool:
    return isinstance(value, Tensor | Variable | IndexedSlices)


@EXPLANATIONS.of(r"Unknown value for unconnected_gradients")
def _unconnected(op: FailedOp, match: re.Match[str]) -> Refusal | None:
    return Refusal("invalid-argument", "", 'it is "none", or "zero" for zeros in the place of None')


@EXPLANATIONS.of(r"Passed in object .* of type '\w+', not tf\.Tensor")
def _watched(op: FailedOp, match: re.Match[str]) -> Refusal | None:
    given = op.operand("tensor")
    if given is None:
        return None
    return Refusal(
        "invalid-argument",
        f"{given.quoted} is no tensor, and only what is computed of tensors can be followed",
        f"make it a tensor first, and compute with that: x = tf.constant({given.text})",
    )


@EXPLANATIONS.of(r"Tape is not recording|stop recording a tape which is not recording")
def _at_rest(op: FailedOp, match: re.Match[str]) -> Refusal | None:
    return Refusal("invalid-argument", "", "do it inside the tape's with block")


@EXPLANATIONS.of(r"Tape is still recording")
def _entered_twice(op: FailedOp, match: re.Match[str]) -> Refusal | None:
    return Refusal("invalid-argument", "", "a tape is entered once at a time: make another with tf.GradientTape()")


@EXPLANATIONS.of(r"Received a label value of (-?\d+) which is outside the valid range of \[0, (\d+)\)")
def _label(op: FailedOp, match: re.Match[str]) -> Refusal | None:
    label, count = int(match.group(1)), int(match.group(2))
    labels, logits = op.operand("labels"), op.operand("logits")
    named = "the labels" if labels is None else labels.quoted
    scores = "the logits" if logits is None else logits.quoted
    sentence = f"the class id {label} in {named} lies outside 0 to {count - 1}: {scores} has {count} classes"
    if label == count:
        help = f"labels that count from 1 need one less: {'labels' if labels is None else labels.primary} - 1; or widen the last layer"
    elif label < 0:
        help = "shift the labels, or leave out the rows whose label stands for none: class ids run from 0"
    else:
        help = f"class ids run from 0 to the number of classes less one: shift the labels, or widen the last layer to {label + 1}"
    return Refusal("label-out-of-range", sentence, help)


@EXPLANATIONS.of(r"`var(?:iable)? ([-+*/@%]+)= value`")
def _in_place(op: FailedOp, match: re.Match[str]) -> Refusal | None:
    owner = op.owner
    name = "variable" if owner is None else owner.primary
    methods = {"-": "assign_sub", "+": "assign_add"}
    change = methods.get(match.group(1), "assign")
    return Refusal(
        "variable-overwritten-by-tensor",
        "",
        f"change the variable's value with {name}.{change}(...): {match.group(1)}= would rebind the name to a tensor",
    )


@EXPLANATIONS.of(r"Input is not invertible|Input matrix is not invertible|not positive definite")
def _singular(op: FailedOp, match: re.Match[str]) -> Refusal | None:
    return Refusal("singular-matrix", "", "add a small multiple of the identity to the diagonal")


@EXPLANATIONS.of(r"truth value of an array with more than one element")
def _truth(op: FailedOp, match: re.Match[str]) -> Refusal | None:
    (value,) = op.arrays[:1] or (None,)
    if value is None:
        return None
    return Refusal(
        "invalid-argument",
        f"{value.quoted} has shape {value.shape}: whether it is true is not one question but one for each element",
        f"say which: tf.reduce_all({value.text}) or tf.reduce_any({value.text})",
    )


@EXPLANATIONS.of(
    r"only (?:0-dimensional|size-1|length-1|one-element) arrays can be converted|only integer scalar arrays"
)
def _number(op: FailedOp, match: re.Match[str]) -> Refusal | None:
    (value,) = op.arrays[:1] or (None,)
    if value is None or not value.shape:
        return None
    return Refusal(
        "invalid-argument",
        f"{value.quoted} has shape {value.shape}: it is no single number",
        f"reduce it first, as tf.reduce_mean({value.text}) does, or take one element of it",
    )


@EXPLANATIONS.of(r"Scalar tensor has no `len\(\)`|Cannot iterate over a scalar tensor")
def _scalar(op: FailedOp, match: re.Match[str]) -> Refusal | None:
    (value,) = op.arrays[:1] or (None,)
    if value is None:
        return None
    return Refusal(
        "invalid-argument",
        f"{value.quoted} is a scalar, shape (): it has no elements to go through or to count",
        f"see where its axes were summed over or indexed away, or make it a vector: tf.reshape({value.text}, [1])",
    )


@EXPLANATIONS.of(r"Value for attr '(\w+)' of \"(\w+)\" is not in the list of allowed values: (.*?) \[Op:")
def _word(op: FailedOp, match: re.Match[str]) -> Refusal | None:
    """A word that is none of an argument's words."""
    given, allowed = match.group(2), re.findall(r'"(\w+)"', match.group(3))
    meant = [each for each in allowed if each.lower() == given.lower()]
    return Refusal(
        "invalid-argument",
        "",
        f'write it "{meant[0]}"' if meant else f"{match.group(1)} is one of {', '.join(allowed)}",
    )
