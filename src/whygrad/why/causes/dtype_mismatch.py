"""Ops that refused the dtype of an operand: two that differ, or one that the op does not take."""

from __future__ import annotations

import ast
import re
from typing import Any

import numpy as np

from whygrad.values import dtypes
from whygrad.values.variable import Variable
from whygrad.why.causes.explanation import Explanations, Refusal
from whygrad.why.evidence.failed_op import FailedOp, Operand

EXPLANATIONS = Explanations()

_MIXED = (
    r"was expected to be a (\w+) tensor but is a (\w+) tensor|must have the same dtype, got"
    r"|Tensor conversion requested dtype (?P<asked>\w+)"
)


@EXPLANATIONS.of(_MIXED)
def _mixed(op: FailedOp, match: re.Match[str]) -> Refusal | None:
    condition = op.array("condition")
    if condition is not None and _dtype(condition).name != "bool":
        return Refusal(
            "dtype-mismatch",
            f"the condition {condition.quoted} is {_dtype(condition).name}, not bool",
            f"compare it with something, such as {condition.primary} > 0, or use tf.cast({condition.text}, tf.bool)",
            condition,
        )
    met = [each for each in op.arrays if each is not condition and each.parameter not in ("axis", "axes", "shape")]
    first = met[0] if met else None
    other = next((each for each in met[1:] if _dtype(each) != _dtype(met[0])), None)
    if first is not None and other is None and match.group("asked") is not None:
        asked = match.group("asked")
        return Refusal(
            "dtype-mismatch",
            f"{first.quoted} is {_dtype(first).name}, and {asked} is asked for",
            f"convert it with tf.cast({first.text}, tf.{asked}): there is no silent promotion",
            first,
        )
    if first is None or other is None:
        return Refusal("dtype-mismatch", "", "bring both to one dtype with tf.cast: there is no silent promotion")
    # What is written to a variable takes the variable's dtype.
    change, keep = (other, first) if op.name.startswith("assign") else _odd_one(first, other)
    sentence = f"{first.quoted} is {_dtype(first).name} and {other.quoted} is {_dtype(other).name}"
    return Refusal("dtype-mismatch", sentence, _cast(change, keep), change)


def _dtype(operand: Operand) -> dtypes.DType:
    return dtypes.as_dtype(operand.value.dtype)


def _odd_one(a: Operand, b: Operand) -> tuple[Operand, Operand]:
    """Which of two operands to change, and the one to bring it to."""
    if _dtype(a).is_floating and _dtype(b).is_floating and _is_followed(a) != _is_followed(b):
        return (b, a) if _is_followed(a) else (a, b)  # what is trained has the dtype that the program is meant to have
    order = [_rank(_dtype(each)) for each in (a, b)]
    return (a, b) if order[0] < order[1] else (b, a)


def _is_followed(operand: Operand) -> bool:
    """Whether an operand is a variable, or a tape followed it: it was computed from what is trained."""
    key = getattr(operand.value, "_key", None)
    return isinstance(operand.value, Variable) or (key is not None and key.mark is not None)


def _rank(dtype: dtypes.DType) -> tuple[int, float]:
    """What is brought to what: bools to numbers, integers to floats, floats to complex; float64 to a narrower float."""
    if dtype.is_floating:
        return 2, -dtype.size
    kind = 0 if dtype.is_bool else 1 if dtype.is_integer else 3 if dtype.is_complex else -1
    return kind, dtype.size


def _cast(change: Operand, keep: Operand) -> str:
    have, want = _dtype(change), _dtype(keep)
    cast = f"tf.cast({change.text}, tf.{want.name})"
    if have.name == "float64":
        if isinstance(change.value, np.ndarray):
            return f"give {change.quoted} the dtype of {keep.quoted}: {change.primary}.astype({want.name!r})"
        return (
            f"bring {change.quoted} to {want.name}: {cast}. float64 often comes from a NumPy array, which "
            f".astype({want.name!r}) mends"
        )
    if have.is_integer and want.is_floating:
        return f"bring {change.quoted} to {want.name}: {cast}, or write 1.0 for 1 where it is made"
    if want.name == "float64":
        return f"bring {change.quoted} to float64: {cast}, or give dtype=tf.float64 where it is made"
    return f"bring {change.quoted} to {want.name}: {cast}"


@EXPLANATIONS.of(r"Cannot convert .* to EagerTensor of dtype (\w+)")
def _fraction(op: FailedOp, match: re.Match[str]) -> Refusal | None:
    """A Python value that has no place in the dtype of what it stands beside."""
    beside = next((each for each in op.arrays if _dtype(each).is_integer), None)
    given = next((each for each in op.operands if not each.is_array and _is_fraction(each.value)), None)
    if beside is not None and given is not None and given is not beside:
        return Refusal(
            "dtype-mismatch",
            f"{beside.quoted} is {_dtype(beside).name} and takes no fractions such as {given.quoted}",
            f"make {beside.quoted} a float tensor: tf.cast({beside.text}, tf.float32), or write 1.0 for 1 where it is made",
            beside,
        )
    if match.group(1).startswith(("int", "uint")):
        return Refusal(
            "dtype-mismatch", "", "an integer tensor takes no fractions: leave the dtype out, or give a float one"
        )
    return Refusal("dtype-mismatch", "", "give it values of the dtype that it is to have, or another dtype")


def _is_fraction(value: Any) -> bool:
    return isinstance(value, float | np.floating) or (
        isinstance(value, list | tuple) and any(_is_fraction(each) for each in value)
    )


@EXPLANATIONS.of(r"Value for attr '(\w+)' of (\w+) is not in the list of allowed values: ([\w, ]+)")
def _not_taken(op: FailedOp, match: re.Match[str]) -> Refusal | None:
    """A dtype that the op does not take at all."""
    attribute, refused_dtype, allowed = match.group(1), match.group(2), match.group(3).split(", ")
    found = op.operand(*_BY_ATTRIBUTE.get(attribute, ()))
    if found is None:
        found = next((each for each in op.operands if each.is_array and _dtype(each).cxx_name == refused_dtype), None)
    if found is None:
        return None
    name = {"float": "float32", "double": "float64", "half": "float16"}.get(refused_dtype, refused_dtype)
    sentence = f"{found.quoted} is {name}, which {_named(op, match)} does not take"
    if found.is_number and "float" in allowed and name.startswith("int"):
        return Refusal("invalid-argument", sentence, f"write it as a float: {found.text}.0")
    if "float" in allowed:
        help = f"bring it to floats: tf.cast({found.text}, tf.float32)"
        if name.startswith("int"):
            help += ", or write 1.0 for 1 where it is made"
    elif "int32" in allowed:
        help = f"it takes integers: tf.cast({found.text}, tf.int32)"
    elif "bool" in allowed:
        help = f"it takes bools: compare with something, such as {found.primary} > 0"
    else:
        help = ""
    return Refusal("invalid-argument", sentence, help, found if found.is_array else None)


# Which operand an op's type attribute is the dtype of, where that is not the first.
_BY_ATTRIBUTE = {"Tlabels": ("labels",), "Tindices": ("indices", "ids"), "TI": ("indices",)}


def _named(op: FailedOp, match: re.Match[str]) -> str:
    """The op as the user called it."""
    node = op.node
    if isinstance(node, ast.Call):
        return f"{ast.unparse(node.func)}"
    tail = match.string[match.end() :]
    named = re.search(r"\[Op:(\w+)\]", tail)
    return named.group(1) if named else "the op"
