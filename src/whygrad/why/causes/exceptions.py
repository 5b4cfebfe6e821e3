"""Why something raised: the user's line, and the kind of mistake, from what was raised and where."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator
from dataclasses import replace
from types import TracebackType
from typing import Any

import numpy as np

from whygrad.ops.primitive import Record
from whygrad.ops.traits import Draws
from whygrad.runtime.call_sites import is_ours
from whygrad.tape.gradient_tape import FailedCall
from whygrad.values import nest
from whygrad.values.errors import Explained
from whygrad.values.indexed_slices import IndexedSlices
from whygrad.why.cause import Cause, with_imported_name
from whygrad.why.causes import leaked_tensor, refused_operands, wrong_axis
from whygrad.why.evidence.failed_op import failed_op
from whygrad.why.evidence.history import History
from whygrad.why.evidence.trace import current
from whygrad.why.source import syntax
from whygrad.why.source.call_site import CallSite
from whygrad.why.source.gradient_functions import returned_at
from whygrad.why.source.names import gradient_names
from whygrad.why.source.sites import Site, argument_node, node_at, site, site_of, tree_of
from whygrad.why.source.wording import counted, described, quoted


def causes_of(error: BaseException) -> list[Cause]:
    """The causes of an exception; an empty list if it is not ours to explain."""
    known = error.__dict__.get("causes")
    if known is not None:
        return list(known)
    frame = _users_frame(error.__traceback__)
    if frame is None:
        return []
    found = _sparse(error, frame) or _item(error, frame) or leaked_tensor.explain(error, frame)
    if found is None and isinstance(error, Explained) and _is_ours(error.__traceback__):
        found = _refused(error, frame)
    return [] if found is None else [with_imported_name(found)]


def _refused(error: BaseException, frame: TracebackType) -> Cause | None:
    """The cause of an error of an op; None where it is what a None led to that has its own."""
    trace = current()
    if trace is not None and "(None)" in str(error) and any(each.symptom == "none" for each in trace.findings):
        return None
    found = refused_operands.explain(error, frame)
    return found if trace is None else wrong_axis.explain(found, frame, trace) or found


def _users_frame(trace: TracebackType | None) -> TracebackType | None:
    """The innermost frame of a traceback that is the user's; one of the standard library only if there is no other."""
    found = library = None
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if file.startswith(_LIBRARY) and "-packages" not in file:
            library = trace
        elif not is_ours(file):
            found = trace
        trace = trace.tb_next
    return found or library


_LIBRARY = os.path.dirname(os.__file__) + os.sep


def _is_ours(trace: TracebackType | None) -> bool:
    """Whether an exception was raised in whygrad."""
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is not None and is_ours(trace.tb_frame.f_code.co_filename)


def _sparse(error: BaseException, frame: TracebackType) -> Cause | None:
    """A refusal to use an IndexedSlices as a dense tensor, by Python or by its class."""
    if not isinstance(error, TypeError | AttributeError | ValueError) or "IndexedSlices" not in str(error):
        return None
    code, instruction = frame.tb_frame.f_code, frame.tb_lasti
    written = site(code, instruction).text
    held = {
        name: described(value)
        for name, value in frame.tb_frame.f_locals.items()
        if isinstance(value, IndexedSlices) and re.search(rf"\b{re.escape(name)}\b", written)
    }
    op = failed_op(frame)
    given = [each for each in op.arrays if isinstance(each.value, IndexedSlices)] if op is not None else []
    shapes = {each.text: described(each.value) for each in given if each.node is not None} or held
    name = next(iter(shapes), "")
    dense = f"tf.convert_to_tensor({name or 'gradient'})"
    primary = next((each.primary for each in given if each.text == name), name) or "gradient"
    return Cause(
        "sparse-gradient-arithmetic",
        "exception",
        f"{quoted(name) if name else 'an operand'} is a tf.IndexedSlices, some rows of the whole, as the gradient of a lookup "
        "is, and no dense tensor",
        (site(code, instruction, "used as a dense tensor here", next(iter(shapes.values()), "")),),
        f"make it dense first, {dense}, or work with {primary}.values and {primary}.indices",
        shapes,
    )


def _item(error: BaseException, frame: TracebackType) -> Cause | None:
    """Python's refusal to assign to an element of a tensor or a variable."""
    kind = re.fullmatch(r"'(\w*Tensor|Variable|UnreadVariable)' object does not support item assignment", str(error))
    place = (frame.tb_frame.f_code, frame.tb_lasti)
    node = node_at(*place)
    if kind is None or not isinstance(error, TypeError) or not isinstance(node, ast.Subscript):
        return None
    name = ast.unparse(node.value)
    if kind.group(1).endswith("Tensor"):
        sentence = f"{quoted(name)} is a tensor, and the elements of a tensor never change"
        help = (
            f"make a new one, with tf.tensor_scatter_nd_update({name}, indices, updates) or tf.where; collect elements in a list "
            "and join them with tf.stack"
        )
    else:
        sentence = f"{quoted(name)} is a variable: its elements are changed by assign"
        help = f"write {ast.unparse(node)}.assign(...)"
    return Cause("invalid-argument", "exception", sentence, (site(*place, "assigned to here"),), help)


# -- errors of gradient(): told with the call that failed --


def explain_failure(call: FailedCall, error: BaseException) -> Cause | None:
    """The cause of an exception that left `tape.gradient`."""
    found = _failure(call, error)
    return None if found is None else with_imported_name(found)


_IN_A_SECOND_TAPE = (
    "for a second derivative, open a second tape around the first, take the gradient inside of its block, and ask the second: "
    "outer.gradient(g, x) (after outer.watch(x), if x is a plain tensor)"
)


def _gave_a_target(call: FailedCall) -> bool:
    """Whether what is to be differentiated is a gradient that this tape gave: a second derivative is meant."""
    last = call.tape.last_call()
    return last is not None and any(target is each for target in call.targets for each in last.gradients)


def _failure(call: FailedCall, error: BaseException) -> Cause | None:
    asked = site(call.code, call.instruction, "asked here")
    message = str(error)
    if call.reason == "spent":
        first = [site(*call.tape.first_use, "used up here")] if call.tape.first_use else []
        made = CallSite(call.code, call.instruction).tape_made_at("tape made here")
        return Cause(
            "tape-used-twice", "exception", "this tape has given its one set of gradients already",
            tuple([each for each in (asked, *first, made) if each is not None]),
            _IN_A_SECOND_TAPE if _gave_a_target(call) else "ask for all gradients in one call, "
            "tape.gradient(loss, [a, b]), or make the tape persistent=True",
        )  # fmt: skip
    if call.reason == "never entered":
        made = CallSite(call.code, call.instruction).tape_made_at("made here")
        return Cause(
            "tape-never-entered", "exception", "this tape was never entered, so it recorded nothing",
            (asked,) if made is None else (made, asked),
            "open it with a with statement around the computation: with tf.GradientTape() as tape:",
        )  # fmt: skip
    if call.reason == "target":
        return _not_a_tensor(call, asked)
    if call.reason == "upstream":
        return _upstream(call, asked, message)
    if call.reason == "rule":
        return _rule(call, error, asked)
    return None


def _rule(call: FailedCall, error: BaseException, asked: Site) -> Cause | None:
    """A rule failed: an op without one, or a gradient function that the user wrote."""
    record: Any = call.record
    if record is None:
        return None
    name = record.plan.primitive.name
    called = site(record.code, record.instruction, "called here")
    if isinstance(error, LookupError) and record.traits.draws is Draws.DISCRETE:
        return Cause(
            "discrete-sampling", "exception", f"{name} draws a discrete random sample, which has no derivative: {error}",
            (called, asked),
            "weight the log-probability of the sample with its reward (score function), or use a relaxation such as "
            "Gumbel-softmax",
        )  # fmt: skip
    if isinstance(error, LookupError):
        return Cause(
            "op-without-gradient", "exception", f"{name} has no gradient: {str(error).strip(chr(39))}", (called, asked),
            "use an op that has one in its place, or give it a gradient with tf.custom_gradient",
        )  # fmt: skip
    if not record.plan.primitive.takes_tensors:
        return None
    inside = _users_frame(error.__traceback__)
    if inside is not None and inside.tb_frame.f_code is not call.code:  # raised by an op inside the gradient function
        found = refused_operands.explain(error, inside) if isinstance(error, Explained) else None
        return None if found is None else replace(found, sites=(*found.sites, asked))
    message = str(error).splitlines()[-1].strip()
    made = returned_at(record, "returned here") or called
    shapes = {name: described(record.inputs[0])} if record.inputs else {}
    if "expected to return" in message or "for each variable" in message:
        counts = [int(number) for number in re.findall(r"\d+", message.partition("expected to return")[2])[:2]]
        many = "too few" if len(counts) < 2 or counts[1] < counts[0] else "too many"
        of = "variable that it uses" if len(counts) < 2 else "argument of the function"
        wrong = (
            f"{many} gradients"
            if len(counts) < 2
            else f"{many} gradients, {counts[1]} for {counted(counts[0], 'argument')}"
        )
        return Cause(
            "custom-gradient-wrong-count", "exception",
            f"the gradient function of {quoted(name)} returned {wrong}" + (f": {message}" if len(counts) < 2 else ""),
            (made, asked),
            f"return one gradient for each {of}, in their order", shapes,
        )  # fmt: skip
    met = re.search(r"of shape (\(.*?\)) and dtype (\w+) has shape (\(.*?\)) and dtype (\w+)", message)
    returned = (
        f"something that does not fit its argument: {message}"
        if met is None
        else f"{met[4]} {met[3]} for an argument of {met[2]} {met[1]}"
    )
    if "dtype" in message and (met is None or met[1] == met[3]):
        return Cause(
            "dtype-mismatch", "exception",
            f"the gradient function of {quoted(name)} returned {returned}", (made, asked),
            "return gradients in the dtype of the argument: tf.cast(gradient, upstream.dtype)", shapes,
        )  # fmt: skip
    return Cause(
        "custom-gradient-wrong-shape", "exception",
        f"the gradient function of {quoted(name)} returned {returned}", (made, asked),
        "return one gradient for each argument, of the argument's shape and dtype: upstream times the slope, not its sum",
        shapes,
    )  # fmt: skip


def _not_a_tensor(call: FailedCall, asked: Site) -> Cause:
    targets, _ = gradient_names(call.code, call.instruction, 1, 1)
    if nest.is_nested(call.value):
        return Cause(
            "target-not-a-tensor", "exception", f"{quoted(targets[0])} holds several tensors, and a jacobian is that of one",
            (asked,), "ask for each of them, on a tape that is persistent=True, or join them with tf.concat",
        )  # fmt: skip
    given = _target_value(call) if call.value is None else None
    if isinstance(given, ast.Call) and syntax.called_name(given) == "gradient":
        return _a_gradient_that_is_none(targets[0], site_of(given, call.code.co_filename, "None here"), asked)
    made = _not_returned(call) if call.value is None else _left_at(call)
    if call.value is None:
        what, help = "None", "return the loss from the function that computes it"
    elif callable(call.value):
        what, help = "a function", f"call it: {targets[0]}()"
    else:
        what, help = _kind_of(call.value), "keep the target a tensor: leave out .numpy(), float() and np.*"
    return Cause(
        "target-not-a-tensor", "exception",
        f"{quoted(targets[0])} is {what}, not a tensor: there is nothing to differentiate",
        (asked,) if made is None else (made, asked), help,
    )  # fmt: skip


def _a_gradient_that_is_none(name: str, taken: Site, asked: Site) -> Cause:
    """The target is a gradient that is None: for the reason that a trace has found, if there is one."""
    trace = current()
    for cause in trace.findings if trace is not None else ():
        if cause.symptom == "none" and (cause.sites[-1].file, cause.sites[-1].line) == (taken.file, taken.line):
            return cause
    return Cause(
        "target-not-a-tensor", "exception",
        f"{quoted(name)} is None, not a tensor: it is the gradient of line {taken.line}, and that is None", (taken, asked),
        f"see to it that the gradient of line {taken.line} is not None: the warning at that line says why it is",
    )  # fmt: skip


def _kind_of(value: Any) -> str:
    """What something is that is no tensor."""
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


def _left_at(call: FailedCall) -> Site | None:
    """Where the target became a number: in the function that returned it, or where it got its name."""
    value = _target_value(call)
    for _, returns in _returns_of(call, value):
        for each in returns:
            if each.value is not None and re.search(
                r"\.numpy\(|\bfloat\(|\bint\(|\bnp\.|\.item\(", ast.unparse(each.value)
            ):
                return site_of(each.value, call.code.co_filename, "becomes a number here")
    left = _left_as(call.value)
    if left is not None:
        return left
    return None if value is None else site_of(value, call.code.co_filename, "made here")


def _left_as(number: Any) -> Site | None:
    """Where a tensor of this very value left for Python or NumPy last, as far as somebody traces."""
    trace = current()
    for event in reversed(trace.events) if trace is not None and isinstance(number, float | np.floating) else ():
        made = trace.numerics.made(event.source) if trace is not None and event.kind == "left" else None
        if made is not None and made.output.shape == () and made.output == number:
            return site(event.code, event.instruction, "becomes a number here")
    return None


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
