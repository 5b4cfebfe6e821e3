"""Why something raised: the user's line, and the kind of mistake, from what was raised and where."""

from __future__ import annotations

import ast
import opcode
import re
from types import CodeType, TracebackType
from typing import Any

from whygrad.ops.primitive import Record
from whygrad.tape.gradient_tape import FailedCall
from whygrad.values.errors import OpError
from whygrad.values.recorders import is_ours
from whygrad.why.cause import Cause
from whygrad.why.history import History
from whygrad.why.source import Site, argument_node, operand_names, site, site_of
from whygrad.why.words import described, gradient_names, quoted


def causes_of(error: BaseException) -> list[Cause]:
    """The causes of an exception; an empty list if it is not ours to explain."""
    known = error.__dict__.get("causes")
    if known is not None:
        return list(known)
    place = _users_line(error.__traceback__)
    if place is None:
        return []
    found = _forward(error, site(*place, "failed here"), place)
    return [] if found is None else [found]


def _users_line(trace: TracebackType | None) -> tuple[CodeType, int] | None:
    """The innermost frame of a traceback that is the user's and led into whygrad."""
    place = None
    last_is_ours = False
    while trace is not None:
        code = trace.tb_frame.f_code
        last_is_ours = is_ours(code.co_filename)
        if not last_is_ours:
            place = (code, trace.tb_lasti)
        trace = trace.tb_next
    return place if last_is_ours else None


# -- errors of the forward pass: by the sentence they carry --

_FORWARD = [
    (r"was expected to be a (\w+) tensor but is a (\w+) tensor", "dtype-mismatch",
     "bring both to one dtype with tf.cast: float64 often comes from a NumPy array, which .astype('float32') mends"),
    (r"Cannot convert .* to EagerTensor of dtype", "dtype-mismatch",
     "an integer tensor takes no fractions: make it a float tensor, with tf.cast or by writing 1.0 for 1"),
    (r"Received a label value of (-?\d+)", "label-out-of-range",
     "class ids run from 0 to the number of classes less one: shift the labels, or widen the last layer"),
    (r"Incompatible shapes: (\S+) vs\. (\S+)", "shape-mismatch",
     "bring the operands to shapes that broadcast: look at each axis from the right"),
    (r"Input to reshape is a tensor with", "reshape-count",
     "a reshape keeps the number of elements: write -1 for the size that follows from the others"),
    (r"(Input is not invertible|Input matrix is not invertible|not positive definite)", "singular-matrix",
     "add a small multiple of the identity to the diagonal"),
    (r"(Matrix size-incompatible|In\[0\] (ndims|mismatch)|Dimensions must be equal)", "shape-mismatch",
     "the last axis of the first operand must be as long as the last but one of the second"),
    (r"(slice index|is not in \[0|out of bounds|out of range)", "index-out-of-range",
     "indices run from 0 to the size less one"),
]  # fmt: skip


def _forward(error: BaseException, failed: Site, place: tuple[CodeType, int]) -> Cause | None:
    message = str(error)
    for pattern, kind, help in _FORWARD:
        if re.search(pattern, message):
            operands = operand_names(*place)
            named = f" ({', '.join(quoted(o) for o in operands[:3])})" if operands else ""
            return Cause(kind, "exception", f"{message.splitlines()[0]}{named}", (failed,), help)
    if isinstance(error, OpError):
        return Cause(
            "invalid-argument", "exception", message.splitlines()[0], (failed,), "look at the operands' shapes here"
        )
    return None


# -- errors of gradient(): told with the call that failed --


def explain_failure(call: FailedCall, error: BaseException) -> Cause | None:
    """The cause of an exception that left `tape.gradient`."""
    asked = site(call.code, call.instruction, "asked here")
    message = str(error)
    if call.reason == "spent":
        first = [site(*call.tape.first_use, "used up here")] if call.tape.first_use else []
        return Cause(
            "tape-used-twice", "exception", "this tape has given its one set of gradients already", (asked, *first),
            "ask for all gradients in one call, tape.gradient(loss, [a, b]), or make the tape persistent=True",
        )  # fmt: skip
    if call.reason == "never entered":
        return Cause(
            "tape-never-entered", "exception", "this tape was never entered, so it recorded nothing", (asked,),
            "open it with a with statement around the computation: with tf.GradientTape() as tape:",
        )  # fmt: skip
    if call.reason == "target":
        return _not_a_tensor(call, asked)
    if call.reason == "upstream":
        return _upstream(call, asked, message)
    if call.record is not None and call.record.plan.primitive.takes_tensors:
        name = call.record.plan.primitive.name
        made = _gradient_function(call.record) or site(call.record.code, call.record.instruction, "called here")
        kind = "custom-gradient-wrong-count" if "expected to return" in message else "custom-gradient-wrong-shape"
        return Cause(
            kind, "exception",
            f"the gradient function of {quoted(name)} returned something that does not fit its argument: {message.splitlines()[-1].strip()}",
            (made, asked),
            "return one gradient for each argument, of the argument's shape and dtype: upstream times the slope, not its sum",
            {name: described(call.record.inputs[0])} if call.record.inputs else {},
        )  # fmt: skip
    return None


def _gradient_function(record: Any) -> Site | None:
    """The return statement of the gradient function of a custom gradient."""
    rule = record.plan.primitive.joint
    for cell in rule.__closure__ or ():
        code = getattr(cell.cell_contents, "__code__", None)
        if code is None:
            continue
        returns = [i for i in range(0, len(code.co_code), 2) if code.co_code[i] in _RETURNS]
        if returns:
            return site(code, max(returns[-1] - 2, 0), "returned here")
    return None


_RETURNS = {op for name, op in opcode.opmap.items() if name.startswith("RETURN_VALUE")}


def _not_a_tensor(call: FailedCall, asked: Site) -> Cause:
    targets, _ = gradient_names(call.code, call.instruction, 1, 1)
    sites = [asked]
    if call.value is None:
        found = _missing_return(call, targets[0])
        if found is not None:
            sites.insert(0, found)
    what = "None" if call.value is None else f"a {type(call.value).__name__}"
    return Cause(
        "target-not-a-tensor", "exception",
        f"{quoted(targets[0])} is {what}, not a tensor: there is nothing to differentiate",
        tuple(sites),
        "return the loss from the function that computes it" if call.value is None else "keep the target a tensor: leave out .numpy() and float()",
    )  # fmt: skip


def _missing_return(call: FailedCall, name: str) -> Site | None:
    """Where the function that should have returned the target ends without a return."""
    node: Any = argument_node(call.code, call.instruction, 0, "target")
    module = node
    while module is not None and not isinstance(module, ast.Module):
        module = getattr(module, "parent", None)
    if module is None or not isinstance(node, ast.Name):
        return None
    for assign in ast.walk(module):
        if not (isinstance(assign, ast.Assign) and isinstance(assign.value, ast.Call)):
            continue
        if not any(isinstance(t, ast.Name) and t.id == name for t in assign.targets):
            continue
        called = ast.unparse(assign.value.func).split(".")[-1]
        for function in ast.walk(module):
            if isinstance(function, ast.FunctionDef) and function.name == called and not _returns(function):
                last = function.body[-1]
                end = last.end_lineno or last.lineno, last.end_col_offset or 0
                return Site(
                    call.code.co_filename, last.lineno, last.col_offset, *end, ast.unparse(last), "not returned"
                )
    return None


def _returns(function: ast.FunctionDef) -> bool:
    return any(isinstance(node, ast.Return) and node.value is not None for node in ast.walk(function))


def _upstream(call: FailedCall, asked: Site, message: str) -> Cause:
    """The upstream gradient does not fit its target: both places, both shapes."""
    if call.value is None:
        return Cause(
            "output-gradients-mismatch", "exception", message, (asked,), "give one upstream gradient for each target"
        )
    position, seed = call.value
    names, _ = gradient_names(call.code, call.instruction, len(call.targets), 1)
    name, target = names[position], call.targets[position]
    node = argument_node(call.code, call.instruction, 2, "output_gradients")
    given = asked if node is None else site_of(node, call.code.co_filename, "upstream gradient")
    sites = [given.as_role(given.role, described(seed))]
    made = History(call.tape.records, ()).made_by.get(call.tape._keys(target)[-1]) if call.tape._keys(target) else None
    if isinstance(made, Record):
        sites.append(site(made.code, made.instruction, "target", f"{name}: {described(target)}"))
    shapes = {name: described(target), "output_gradients": described(seed)}
    if seed.dtype != target.dtype:
        return Cause(
            "dtype-mismatch", "exception",
            f"the upstream gradient for {quoted(name)} is {seed.dtype.name}, but {quoted(name)} is {target.dtype.name}",
            tuple(sites), f"give output_gradients the dtype of its target: tf.cast(..., {name}.dtype)", shapes,
        )  # fmt: skip
    return Cause(
        "output-gradients-mismatch", "exception",
        f"the upstream gradient for {quoted(name)} has shape {tuple(seed.shape)}, but {quoted(name)} has shape {tuple(target.shape)}",
        tuple(sites),
        f"output_gradients must have the target's shape. Leave it out to differentiate the sum of {name}, or pass "
        f"tf.ones_like({name}) and scale it.", shapes,
    )  # fmt: skip
