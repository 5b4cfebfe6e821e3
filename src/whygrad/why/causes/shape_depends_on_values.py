"""Shapes, axes and sizes that only values decide, while a function is being compiled."""

from __future__ import annotations

import ast
from typing import Any

from whygrad.ops.advice import ShapeByValues
from whygrad.values.faults import ResultShapeUnknown, ShapeDependsOnValues, ValueDecides
from whygrad.values.tensor import SymbolicTensor
from whygrad.why.causes.explanation import Explanation, explains
from whygrad.why.causes.value_needed_while_compiling import passed_as_number
from whygrad.why.evidence.failed_op import FailedOp, Operand
from whygrad.why.source import syntax


@explains(ValueDecides)
def _shape(op: FailedOp, fault: ValueDecides) -> Explanation | None:
    """A result whose shape only values decide."""
    symbolic = [each for each in op.operands if _is_symbolic(each.value)]
    symbolic = [each for each in symbolic if each.node is not None] or symbolic
    function = fault.function
    says_shape = isinstance(fault, ShapeDependsOnValues)
    decisive = _deciding(op, symbolic)
    chooses = op.shape_by_values is not None and op.shape_by_values.chooses
    if decisive is None or not (says_shape or chooses or _parameter(decisive) in _SIZES):
        return _value_of_argument(op, decisive, function)
    what = f"how many elements {_called(op)} gives" if chooses else f"the shape that {_called(op)} gives"
    deciding = "values" if decisive is None or decisive.node is None else f"the values of {decisive.quoted}"
    return Explanation(
        "shape-depends-on-values",
        f"{deciding} decide {what}, and are not known while the function is being compiled",
        _advice_of(fault) or _other_shape(op, decisive, function),
    )


@explains(ResultShapeUnknown)
def _result_of_python(op: FailedOp, fault: ResultShapeUnknown) -> Explanation:
    """A Python function inside a compiled one, without the shape of its result."""
    return Explanation(
        "shape-depends-on-values",
        f"the shape of what `{fault.name}` returns is not known while the function is being compiled",
        f"give its shape with the dtype: Tout=tf.TensorSpec(shape, {fault.dtype!r}), with all sizes",
    )


def _advice_of(fault: ValueDecides) -> str | None:
    """What the op itself says to do instead."""
    said = fault.instead if isinstance(fault, ShapeDependsOnValues) else ""
    return said[0].lower() + said[1:] if said else None


def _parameter(operand: Operand) -> str:
    """The op's name for an operand, or for the list that it stands in."""
    return operand.parameter.partition("[")[0]


def _value_of_argument(op: FailedOp, argument: Operand | None, function: str) -> Explanation:
    """An argument, other than a size, that must be known when the op is called."""
    if argument is None or argument.node is None:
        what = f"a value that {_called(op)} needs is not known while a function is being compiled"
    elif _parameter(argument) in ("axis", "axes", "perm"):
        what = f"{argument.quoted} says which axis, and has no value while the function is being compiled"
    else:
        what = (
            f"{_called(op)} needs the value of {argument.quoted}, which has none while the function is being compiled"
        )
    passed = None if argument is None else passed_as_number(op, argument.text, function or op.code.co_name)
    help = "give a Python number, or what is known from shapes" if passed is None else passed.removesuffix("; or ")
    return Explanation("value-needed-while-compiling", what, help)


# The parameters of ops that say how large a result is.
_SIZES = {
    "shape", "size", "sizes", "dims", "multiples", "start", "limit", "delta", "num", "num_rows", "num_columns", "depth",
    "repeats", "lengths", "maxlen", "paddings", "num_or_size_splits", "k", "begin", "end", "key", "batch_shape", "output_shape",
    "minlength", "maxlength", "num_segments", "num_classes", "crop_size", "num_partitions", "new_height", "new_width",
}  # fmt: skip


def _called(op: FailedOp) -> str:
    node = op.node
    if isinstance(node, ast.Call):
        return f"`{ast.unparse(node.func)}`"
    return f"`{ast.unparse(node)}`" if isinstance(node, ast.expr) else f"`{op.name}`"


def _is_symbolic(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return any(_is_symbolic(each) for each in value)
    if isinstance(value, slice):
        return any(_is_symbolic(each) for each in (value.start, value.stop, value.step))
    return isinstance(value, SymbolicTensor)


def _deciding(op: FailedOp, symbolic: list[Operand]) -> Operand | None:
    """The operand whose values decide."""
    for name in ("mask", "condition", "key", "shape", "dims", "limit", "repeats", "partitions", "size", "num"):
        found = next((each for each in symbolic if _parameter(each) == name), None)
        if found is not None:
            return found
    return symbolic[-1] if symbolic else None


def _other_shape(op: FailedOp, decisive: Operand | None, function: str) -> str:
    """What to write instead: as the op declares it (`ShapeByValues`), in the program's names."""
    name = "n" if decisive is None else decisive.text
    of = next((each.text for each in op.arrays if each is not decisive), "x")
    advice = op.shape_by_values or _GENERAL
    above = syntax.parent(op.node) if op.node is not None else None
    if advice.for_mask and decisive is not None and _is_mask(decisive.value):
        instead = advice.for_mask
    elif advice.for_loop and isinstance(above, ast.For) and above.iter is op.node:
        instead = advice.for_loop
    else:
        instead = advice.instead or _GENERAL.instead
    passed = None
    if advice.takes_numbers and decisive is not None:
        passed = passed_as_number(op, name, function or op.code.co_name)
    return (passed or "") + instead.format(name, of)


_GENERAL = ShapeByValues("take sizes from shapes, as x.shape[0], or from Python numbers", takes_numbers=True)


def _is_mask(value: Any) -> bool:
    return isinstance(value, SymbolicTensor) and value.dtype.name == "bool"
