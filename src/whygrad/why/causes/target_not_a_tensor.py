"""A target of a gradient that is not a tensor: None, a number, a function, or several tensors."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

import numpy as np

from whygrad.tape.gradient_calls import FailedCall
from whygrad.values import nest
from whygrad.values.faults import NotATarget
from whygrad.why.cause import Cause
from whygrad.why.evidence.trace import current
from whygrad.why.source import syntax
from whygrad.why.source.edits import Repair, replaced
from whygrad.why.source.names import gradient_names
from whygrad.why.source.sites import Site, argument_node, expression_of, site, site_of, tree_of
from whygrad.why.source.tensor_functions import as_tensors, called_in
from whygrad.why.source.wording import quoted


def explain(call: FailedCall, fault: NotATarget, asked: Site) -> Cause:
    """The cause of a call of `gradient` or `jacobian` whose target cannot be differentiated."""
    targets, _ = gradient_names(call.code, call.instruction, 1, 1)
    if nest.is_nested(fault.value):
        return Cause(
            "target-not-a-tensor", "exception", f"{quoted(targets[0])} holds several tensors, and a jacobian is that of one",
            (asked,), "ask for each of them, on a tape that is persistent=True, or join them with tf.concat",
        )  # fmt: skip
    given = _target_value(call) if fault.value is None else None
    if given is not None and syntax.differentiates(given):
        return _a_gradient_that_is_none(targets[0], site_of(given, call.code.co_filename, "None here"), asked)
    made = _not_returned(call) if fault.value is None else _left_at(call, fault.value)
    if fault.value is None:
        what, repair = "None", Repair("return the loss from the function that computes it")
    elif callable(fault.value):
        what, repair = "a function", Repair(f"call it: {targets[0]}()")
    else:
        what, repair = _kind_of(fault.value), _kept_a_tensor(made)
    return Cause(
        "target-not-a-tensor", "exception",
        f"{quoted(targets[0])} is {what}, not a tensor: there is nothing to differentiate",
        (asked,) if made is None else (made, asked), repair.help, edits=repair.edits,
    )  # fmt: skip


def _kept_a_tensor(made: Site | None) -> Repair:
    """How the target stays a tensor: the expression without what makes a number of it, where that is all around it."""
    node = None if made is None else expression_of(made)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _GIVE_NUMBERS:
        model = ast.unparse(node.func.value)
        return Repair(
            f"{model}.{node.func.attr} gives plain numbers: call the model itself inside the tape, {model}(x), and compute the loss from that"
        )
    inner = node
    while isinstance(inner, ast.Call) and _leaves(inner):
        function: Any = inner.func
        if isinstance(function, ast.Name) and len(inner.args) == 1:
            inner = inner.args[0]
        elif function.attr in ("numpy", "item") and not inner.args:
            inner = function.value
        else:
            break
    if made is None or inner is node or any(map(_leaves, ast.walk(inner))):  # type: ignore[arg-type]
        return Repair(f"keep the target a tensor: {_with_tensors(node)}")
    text = ast.unparse(inner)  # type: ignore[arg-type]
    return Repair(f"keep the target a tensor: {text}", (replaced(made.file, node, text),))


def _with_tensors(node: Any) -> str:
    """What to write so that an expression gives a tensor."""
    functions = () if node is None else called_in(ast.walk(node))
    if not any(each.startswith(("np.", "math.")) for each in functions):
        return "leave out .numpy(), float() and np.*"
    return as_tensors("", functions) + (" and leave out .numpy()" if ".numpy" in functions else "")


# Methods of a model that give numbers or arrays.
_GIVE_NUMBERS = ("test_on_batch", "train_on_batch", "evaluate", "fit", "predict", "predict_on_batch")


def _a_gradient_that_is_none(name: str, taken: Site, asked: Site) -> Cause:
    """The target is a gradient that is None: for the reason that a trace has found, if there is one."""
    trace = current()
    for cause in trace.findings if trace is not None else ():
        if cause.symptom == "none" and (cause.sites[-1].file, cause.sites[-1].line) == (taken.file, taken.line):
            return cause
    return Cause(
        "target-not-a-tensor", "exception",
        f"{quoted(name)} is None, not a tensor: it is the gradient of line {taken.line}, and that is None", (taken, asked),
        f"fix the None at line {taken.line} first: the warning at that line says why the gradient is None",
    )  # fmt: skip


def _kind_of(value: Any) -> str:
    """What something is that is not a tensor."""
    if isinstance(value, np.ndarray):
        return "a NumPy array"
    name = type(value).__name__
    if isinstance(value, np.generic):
        return f"a NumPy {name}"
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def _target_value(call: FailedCall) -> Any:
    """The expression that the target got its value from, in the function that asks for the gradient."""
    node = argument_node(call.code, call.instruction, 0, "target")
    if isinstance(node, ast.Name | ast.Attribute):
        found = syntax.assignment_before(syntax.scope_of(node), ast.unparse(node), node.lineno)
        node = None if found is None else found[1]
    return node


def _returns_of(call: FailedCall, value: Any) -> Iterator[tuple[Any, list[ast.Return]]]:
    """The functions that an expression may call, with their return statements."""
    tree = tree_of(call.code.co_filename)
    for function in (
        syntax.functions_named(tree, syntax.called_name(value) or "") if isinstance(value, ast.Call) else ()
    ):
        yield function, [n for n in ast.walk(function) if isinstance(n, ast.Return) and syntax.scope_of(n) is function]


def _not_returned(call: FailedCall) -> Site | None:
    """Where the function that should have returned the target ends without a return."""
    for function, returns in _returns_of(call, _target_value(call)):
        if not any(each.value is not None for each in returns):
            last = function.body[-1]
            return site_of(getattr(last, "value", None) or last, call.code.co_filename, "not returned")
    return None


def _left_at(call: FailedCall, given: Any) -> Site | None:
    """Where the target became a number: in the function that returned it, or where it got its name."""
    value = _target_value(call)
    for _, returns in _returns_of(call, value):
        for each in returns:
            if each.value is not None and any(map(_leaves, ast.walk(each.value))):
                return site_of(each.value, call.code.co_filename, "becomes a number here")
    left = _left_as(given)
    if left is not None:
        return left
    return None if value is None else site_of(value, call.code.co_filename, "made here")


def _leaves(node: ast.AST) -> bool:
    """Whether an expression takes a value out of TensorFlow: `.numpy()`, `.item()`, `float()`, `int()`, `np.mean()`."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr in ("numpy", "item") or getattr(node.func.value, "id", "") == "np"
    return isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("float", "int")


def _left_as(number: Any) -> Site | None:
    """Where a tensor of this very value last left for Python or NumPy, if a trace saw it."""
    trace = current()
    for event in reversed(trace.events) if trace is not None and isinstance(number, float | np.floating) else ():
        made = trace.numerics.made(event.source) if trace is not None and event.kind == "left" else None
        if made is not None and made.output.shape == () and made.output == number:
            return site(event.code, event.instruction, "becomes a number here")
    return None
