"""dtype-mismatch: operands whose dtypes differ, and values that an operand's dtype cannot hold."""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from whygrad.values import dtypes
from whygrad.values.faults import ConditionNotBool, ConversionDtype, DtypeMismatch, NotRepresentable
from whygrad.values.variable import Variable
from whygrad.why.causes.explanation import Explanation, explains
from whygrad.why.evidence.failed_op import FailedOp, Operand

KIND = "dtype-mismatch"
_GENERAL = "cast one of them with tf.cast: dtypes are not promoted silently"


@explains(ConditionNotBool)
def _condition(op: FailedOp, fault: ConditionNotBool) -> Explanation | None:
    condition = op.array("condition")
    if condition is None:
        return Explanation(KIND, "", _GENERAL)
    return Explanation(
        KIND,
        f"the condition {condition.quoted} is {fault.dtype.name}, not bool",
        f"compare it with something, such as {condition.primary} > 0, or use tf.cast({condition.text}, tf.bool)",
        condition,
        op.with_operand(condition, "tf.cast({0}, tf.bool)"),
    )


@explains(DtypeMismatch)
def _mixed(op: FailedOp, fault: DtypeMismatch) -> Explanation | None:
    condition = op.array("condition")
    met = [each for each in op.arrays if each is not condition and each.parameter not in ("axis", "axes", "shape")]
    first = met[0] if met else None
    other = next((each for each in met[1:] if _dtype(each) != _dtype(met[0])), None)
    if first is not None and other is None and isinstance(fault, ConversionDtype):
        asked = fault.wanted.name
        return Explanation(
            KIND,
            f"{first.quoted} is {_dtype(first).name}, but {asked} is required",
            f"convert it with tf.cast({first.text}, tf.{asked}): there is no silent promotion",
            first,
            op.with_operand(first, f"tf.cast({{0}}, tf.{asked})"),
        )
    if first is None or other is None:
        return Explanation(KIND, "", _GENERAL)
    change, keep = (other, first) if _is_written_to(op, first) else _odd_one(first, other)
    sentence = f"{first.quoted} is {_dtype(first).name} and {other.quoted} is {_dtype(other).name}"
    return Explanation(
        KIND, sentence, _cast(change, keep), change, op.with_operand(change, _cast_code(change, _dtype(keep)))
    )


def _dtype(operand: Operand) -> dtypes.DType:
    return dtypes.as_dtype(operand.value.dtype)


def _is_written_to(op: FailedOp, operand: Operand) -> bool:
    """Whether the call is a method of this variable, which writes to it: what is written takes the variable's dtype."""
    return isinstance(op.node, ast.Call) and operand is op.owner and isinstance(operand.value, Variable)


def _odd_one(a: Operand, b: Operand) -> tuple[Operand, Operand]:
    """Which of two operands to change, and the one to bring it to."""
    if _dtype(a).is_floating and _dtype(b).is_floating and _is_watched(a) != _is_watched(b):
        return (b, a) if _is_watched(a) else (a, b)  # what is trained has the dtype that the program is meant to have
    order = [_rank(_dtype(each)) for each in (a, b)]
    return (a, b) if order[0] < order[1] else (b, a)


def _is_watched(operand: Operand) -> bool:
    """Whether an operand is a variable, or a tape watched it: it was computed from what is trained."""
    key = getattr(operand.value, "_key", None)
    return isinstance(operand.value, Variable) or (key is not None and key.mark is not None)


def _rank(dtype: dtypes.DType) -> tuple[int, float]:
    """What is brought to what: bools to numbers, integers to floats, floats to complex; float64 to a narrower float."""
    if dtype.is_floating:
        return 2, -dtype.size
    kind = 0 if dtype.is_bool else 1 if dtype.is_integer else 3 if dtype.is_complex else -1
    return kind, dtype.size


def _cast_code(change: Operand, want: dtypes.DType) -> str:
    """A template for an operand in another dtype."""
    if _dtype(change).name == "string":
        return f"tf.strings.to_number({{0}}, tf.{want.name})"
    is_array = isinstance(change.value, np.ndarray) and _dtype(change).name == "float64"
    return f"{{0}}.astype({want.name!r})" if is_array else f"tf.cast({{0}}, tf.{want.name})"


def _cast(change: Operand, keep: Operand) -> str:
    have, want = _dtype(change), _dtype(keep)
    if have.name == "string":
        return f"tf.strings.to_number({change.text}, tf.{want.name}) reads a number, and tf.strings.as_string({keep.text}) writes one"
    cast = f"tf.cast({change.text}, tf.{want.name})"
    if have.name == "float64":
        if isinstance(change.value, np.ndarray):
            return f"give {change.quoted} the dtype of {keep.quoted}: {change.primary}.astype({want.name!r})"
        return (
            f"cast {change.quoted} to {want.name}: {cast}. float64 often comes from a NumPy array, which "
            f".astype({want.name!r}) fixes"
        )
    if have.is_integer and want.is_floating:
        return f"cast {change.quoted} to {want.name}: {cast}, or write 1.0 for 1 where it is made"
    if want.name == "float64":
        return f"cast {change.quoted} to float64: {cast}, or give dtype=tf.float64 where it is made"
    return f"cast {change.quoted} to {want.name}: {cast}"


@explains(NotRepresentable)
def _fraction(op: FailedOp, fault: NotRepresentable) -> Explanation | None:
    """A Python value that has no place in the dtype of what it stands beside."""
    beside = next((each for each in op.arrays if _dtype(each).is_integer), None)
    given = next((each for each in op.operands if not each.is_array and _is_fraction(each.value)), None)
    if beside is not None and given is not None and given is not beside:
        return Explanation(
            KIND,
            f"{beside.quoted} is {_dtype(beside).name} and takes no fractions such as {given.quoted}",
            f"make {beside.quoted} a float tensor: tf.cast({beside.text}, tf.float32), or write 1.0 for 1 where it is made",
            beside,
            op.with_operand(beside, "tf.cast({0}, tf.float32)"),
        )
    if fault.dtype.is_integer:
        return Explanation(KIND, "", "an integer tensor takes no fractions: leave the dtype out, or give a float one")
    return Explanation(KIND, "", "give it values of its dtype, or another dtype")


def _is_fraction(value: Any) -> bool:
    return isinstance(value, float | np.floating) or (
        isinstance(value, list | tuple) and any(_is_fraction(each) for each in value)
    )
