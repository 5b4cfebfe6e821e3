"""Python or NumPy that takes the value of a symbolic tensor, which has none while its function is being compiled."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from whygrad._public import is_public
from whygrad.values.faults import (
    CompositeReturned,
    QueueUsed,
    StringsComputed,
    SymbolicArray,
    SymbolicNumber,
    SymbolicNumpy,
    SymbolicValue,
)
from whygrad.values.tensor import SymbolicTensor
from whygrad.why.causes.explanation import Explanation, explains
from whygrad.why.evidence.failed_op import FailedOp
from whygrad.why.source import syntax


@explains(SymbolicValue)
def _value(op: FailedOp, fault: SymbolicValue) -> Explanation | None:
    """`.numpy()`, `float()`, `np.sin(t)`, `range(t)`, a format: Python or NumPy takes the value out."""
    given = [each for each in op.arrays if isinstance(each.value, SymbolicTensor)][:1] or op.arrays[:1]
    written = _taken_from(op)
    name = given[0].text if given and given[0].node is not None else None
    wanted = fault.wanted if isinstance(fault, SymbolicNumber) else ""
    if written is not None and (name is None or isinstance(fault, SymbolicArray) or wanted in ("index", "format")):
        name = written
    if name is None or _is_taken_elsewhere(op, wanted):
        name = "the tensor"
    spoken = name if name == "the tensor" else f"`{name}`"
    return Explanation(
        "value-needed-while-compiling",
        f"{spoken} has no value while `{fault.function}` is being compiled: it gets one each time the compiled function runs",
        _without_value(op, name, fault),
    )


@explains(StringsComputed)
def _strings(op: FailedOp, fault: StringsComputed) -> Explanation:
    """Strings that XLA would have to compute."""
    return Explanation(
        "value-needed-while-compiling",
        f"strings are constants in a compiled function, but {fault.what}",
        "compute strings outside of the function, or leave out jit_compile=True: the function then runs as Python",
    )


@explains(CompositeReturned)
def _composite(op: FailedOp, fault: CompositeReturned) -> Explanation:
    """A ragged tensor that XLA would have to return."""
    return Explanation(
        "value-needed-while-compiling",
        f"a compiled function returns dense tensors, and this is a {fault.kind}",
        "return its flat_values, or to_tensor(), or leave out jit_compile=True: the function then runs as Python",
    )


@explains(QueueUsed)
def _queue(op: FailedOp, fault: QueueUsed) -> Explanation:
    """A queue in a function that XLA would have to compile."""
    return Explanation(
        "value-needed-while-compiling",
        "a compiled function cannot use a queue, which returns other elements at each call",
        "use the queue outside of the function, or leave out jit_compile=True: the function then runs as Python",
    )


def _is_taken_elsewhere(op: FailedOp, wanted: str) -> bool:
    """Whether the call at the place is not the one that takes the value, but has it called: `list(map(float, x))`."""
    return wanted in _NUMBERS and isinstance(op.node, ast.Call) and syntax.called_name(op.node) != wanted


def _taken_from(op: FailedOp) -> str | None:
    """What a call, an index or a format takes the value of, where the traceback does not hold it under its name."""
    node = op.node
    if isinstance(node, ast.Call) and len(node.args) == 1 and not isinstance(node.args[0], ast.Starred):
        return ast.unparse(node.args[0])
    if isinstance(node, ast.Call):
        given = [each for each in node.args if isinstance(op.looked_up(each), SymbolicTensor)]
        return ast.unparse(given[0]) if given else None
    if isinstance(node, ast.Subscript):
        return ast.unparse(node.slice)
    if isinstance(node, ast.FormattedValue):  # since Python 3.12
        return ast.unparse(node.value)
    if isinstance(node, ast.JoinedStr):
        formatted = [each.value for each in node.values if isinstance(each, ast.FormattedValue) and each.format_spec]
        symbolic = [each for each in formatted if isinstance(op.looked_up(each), SymbolicTensor)]
        (found,) = (symbolic or formatted)[:1] or (None,)
        return None if found is None else ast.unparse(found)
    return None


def _without_value(op: FailedOp, name: str, fault: SymbolicValue) -> str:
    """What to do instead."""
    node, function = op.node, fault.function
    wanted = fault.wanted if isinstance(fault, SymbolicNumber) else ""
    outside = f"return it from `{function}`, and take its value outside"
    if name == "the tensor":
        return f"ops take tensors as they are: work on the whole tensor with them; or {outside}"
    if any(isinstance(each, ast.Call) and syntax.called_name(each) == "print" for each in _around(node)):
        return f"tf.print({name}) prints the value each time the function runs"
    if isinstance(fault, SymbolicNumpy):
        return f"leave out .numpy(), as ops take {name} itself; or {outside}; tf.print({name}) prints it"
    if wanted == "format":
        return f"tf.print({name}) prints the value each time the function runs; or {outside}"
    if isinstance(fault, SymbolicArray):
        return f"{_numpy_function(node)}; or {outside}"
    if wanted in _NUMBERS:
        return f"{_NUMBERS[wanted].format(name)}; or {outside}"
    called = syntax.called_name(node) if isinstance(node, ast.Call) else None
    if called == "range":
        passed = passed_as_number(op, name, function)
        return (passed or "") + (
            f"loop with tf.while_loop, with the count among its loop_vars, or over a number that is known, and weight the steps "
            f"beyond {name} with zero"
        )
    if isinstance(node, ast.Subscript):
        return f"tf.gather({ast.unparse(node.value)}, {name}) takes an element at a place that is computed"
    return f"pass it to the function as a Python number, or {outside}"


def _around(node: Any) -> Iterator[Any]:
    """An expression and those around it."""
    while isinstance(node, ast.expr | ast.keyword):
        yield node
        node = syntax.parent(node)


# What to write in place of the functions of Python that make a number of a tensor.
_NUMBERS = {"round": "write tf.round({0})"} | {
    name: f"leave out {name}(), as ops take {{0}} itself, or write tf.cast({{0}}, tf.{dtype}) for another dtype"
    for name, dtype in {"float": "float32", "int": "int32", "complex": "complex64"}.items()
}


_REDUCTIONS = {"mean", "sum", "max", "min", "prod", "all", "any"}


def _numpy_function(node: Any) -> str:
    """The TensorFlow function that does what a NumPy function does."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        name, given = node.func.attr, ", ".join(ast.unparse(each) for each in (*node.args, *node.keywords))
        if name in _REDUCTIONS:
            return f"write tf.reduce_{name}({given})"
        if name in ("array", "asarray"):
            if node.args and isinstance(node.args[0], ast.List | ast.Tuple):
                return f"write tf.stack({ast.unparse(node.args[0])})"
            return f"leave out {ast.unparse(node.func)}(), as ops take {given} itself"
        ours = f"tf.{name} or " if is_public(name) else ""
        return f"write the op instead of NumPy's function, {ours}tf.experimental.numpy.{name}"
    return "write an op instead of NumPy's function: tf.experimental.numpy has NumPy's names"


def passed_as_number(op: FailedOp, name: str, function: str) -> str | None:
    return passed_as(op, name, function, "a Python number")


def passed_as(op: FailedOp, name: str, function: str, what: str) -> str | None:
    """What to do about a parameter of the function that is compiled, and that was given as a tensor."""
    code = op.code
    parameters = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    if name not in parameters or code.co_name != function:
        return None
    return f"pass `{name}` as {what}, for each of which `{function}` is compiled once; or "
