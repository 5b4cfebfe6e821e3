"""What cannot be compiled: Python that asks a symbolic tensor for its value, and shapes that depend on values.

A function that is being compiled runs once, on tensors that have shapes and dtypes and no values. What to write instead is
said with the user's own expressions.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from typing import Any

from whygrad.values.tensor import SymbolicTensor
from whygrad.why.causes.explanation import Explanations, Refusal
from whygrad.why.evidence.failed_op import FailedOp, Operand
from whygrad.why.source import syntax
from whygrad.why.source.wording import listed, quoted

EXPLANATIONS = Explanations()

_LONGEST = 90  # characters of a piece of code that a help writes out; what is longer is sketched


# -- a truth value --


@EXPLANATIONS.of(r"as a Python `bool` is not allowed: inside `(.*)`, which is being compiled")
def _branch(op: FailedOp, match: re.Match[str]) -> Refusal | None:
    """An `if`, a `while`, an `and` or `or`, an `assert`, or a function of Python's that needs to know what is true."""
    (value,) = op.arrays[:1] or (None,)
    asking, word = _asking(op.node)
    if asking is None or value is None:
        return Refusal(
            "python-branch-on-symbolic",
            f"Python asks whether a tensor is true that has no value while `{match.group(1)}` is being compiled",
            "tf.where chooses between two values, tf.cond runs one of two functions, tf.while_loop repeats one",
        )
    if isinstance(asking, ast.Call):
        what, cannot = f"what {quoted(ast.unparse(asking))} compares", "Python's function cannot decide by it"
    else:
        what = value.quoted if value.node is not None else f"a part of {quoted(ast.unparse(asking))}"
        cannot = f"a Python {word} cannot {'repeat' if word == '`while`' else 'decide'} by it"
    return Refusal(
        "python-branch-on-symbolic",
        f"{what} has no value while `{match.group(1)}` is being compiled: {cannot}",
        (_passed_as_bool(op, value, match.group(1)) or "") + _instead(asking, value),
    )


def _passed_as_bool(op: FailedOp, value: Operand, function: str) -> str | None:
    """What to do about a switch that is a parameter of the function, and that was given as a tensor."""
    if not isinstance(value.node, ast.Name) or value.value.dtype.name != "bool":
        return None
    return _passed_as(op, value.text, function, "Python's True or False")


def _asking(node: Any) -> tuple[Any, str]:
    """The statement or expression that asks whether an expression is true, and what it is called."""
    while node is not None:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            return node, ""
        above = syntax.parent(node)
        if isinstance(above, ast.If | ast.While | ast.IfExp | ast.Assert) and above.test is node:
            names = {ast.While: "`while`", ast.Assert: "`assert`"}
            return above, names.get(type(above), "`if`")
        if isinstance(above, ast.comprehension):
            return above, "`if`"
        outer = above if isinstance(above, ast.BoolOp) or _is_not(above) else None
        if outer is None:
            if isinstance(above, ast.BoolOp | ast.UnaryOp):
                return None, ""
            words = {ast.BoolOp: "`and` or `or`", ast.UnaryOp: "`not`", ast.Compare: "comparison of this form"}
            return (node, words[type(node)]) if type(node) in words else (None, "")
        node = outer
    return None, ""


def _is_not(node: Any) -> bool:
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)


def _instead(asking: Any, value: Operand) -> str:
    if isinstance(asking, ast.Call):
        return _function(asking)
    if isinstance(asking, ast.While):
        return _loop(asking)
    if isinstance(asking, ast.Assert):
        test = _as_tensors(asking.test)
        return (
            f"check outside of the function what it returns, or leave it to tf.debugging.Assert({test}, [...]) and its kin, "
            "which check where the function runs as Python"
        )
    if isinstance(asking, ast.If) and len(asking.orelse) == 1 and isinstance(asking.orelse[0], ast.If):
        first, second = _condition(asking.test, value), _as_tensors(asking.orelse[0].test)
        return f"write tf.case([({first}, lambda: ...), ({second}, lambda: ...)], default=lambda: ...), or tf.where within tf.where"
    if isinstance(asking, ast.IfExp):
        test, yes, no = _condition(asking.test, value), ast.unparse(asking.body), ast.unparse(asking.orelse)
        return _choose(test, "", yes, no)
    if isinstance(asking, ast.If):
        test = _condition(asking.test, value)
        return _choose(test, *(_two_values(asking) or ("", "...", "...")))
    if isinstance(asking, ast.comprehension):
        return f"keep all elements, and weight or replace those that are not meant: tf.where({value.text}, x, 0.0)"
    return f"write {_as_tensors(asking)}, which is a tensor itself"


def _condition(test: ast.expr, value: Operand) -> str:
    """A condition as ops take it: of dtype bool."""
    written = _as_tensors(test)
    return f"{written} != 0" if value.node is test and value.value.dtype.name != "bool" else written


def _choose(test: str, name: str, yes: str, no: str) -> str:
    chosen = f"{name}tf.cond({test}, lambda: {yes}, lambda: {no})"
    if len(chosen) > _LONGEST:
        chosen = f"{name}tf.cond({test}, lambda: ..., lambda: ...)"
    both = f"tf.where({test}, {yes}, {no})"
    if yes == "..." or len(both) > _LONGEST:
        both = "tf.where"
    return f"write {chosen}, which runs one of the two, or {both}, which computes both and chooses element by element"


def _two_values(statement: ast.If) -> tuple[str, str, str] | None:
    """What an `if` gives where it is true and where it is not, and what it gives that to: `return ` or `y = `."""
    if len(statement.body) != 1:
        return None
    yes = statement.body[0]
    no = statement.orelse[0] if len(statement.orelse) == 1 else None if statement.orelse else _next(statement)
    if isinstance(yes, ast.Return) and isinstance(no, ast.Return) and yes.value is not None and no.value is not None:
        return "return ", ast.unparse(yes.value), ast.unparse(no.value)
    target = _target(yes)
    if target is not None and isinstance(yes, ast.Assign):
        if not statement.orelse:
            return f"{target} = ", ast.unparse(yes.value), target
        if isinstance(no, ast.Assign) and _target(no) == target:
            return f"{target} = ", ast.unparse(yes.value), ast.unparse(no.value)
    return None


def _target(statement: Any) -> str | None:
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1 and isinstance(statement.targets[0], ast.Name):
        return statement.targets[0].id
    return None


def _next(statement: ast.stmt) -> Any:
    """The statement after one, in the same block."""
    block = getattr(syntax.parent(statement), "body", [])
    if not isinstance(block, list) or statement not in block:
        return None
    after = block.index(statement) + 1
    return block[after] if after < len(block) else None


def _loop(loop: ast.While) -> str:
    names: list[str] = []
    for part in loop.body:
        for node in ast.walk(part):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id not in names:
                names.append(node.id)
    if not names:
        return "write tf.while_loop(cond, body, loop_vars), with what the loop changes as loop_vars"
    given = ", ".join(names)
    written = f"tf.while_loop(lambda {given}: {_as_tensors(loop.test)}, lambda {given}: (...), ({given}{',' * (len(names) == 1)}))"
    return (
        f"write {written}: what the loop changes, {listed(names)}, goes in and comes out; maximum_iterations= bounds the steps, "
        "which a gradient through the loop needs"
    )


def _function(call: ast.Call) -> str:
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    given = ", ".join(ast.unparse(each) for each in call.args)
    if name in ("max", "min") and len(call.args) == 2:
        return f"write tf.{name}imum({given})"
    if any(isinstance(each, ast.GeneratorExp | ast.ListComp) for each in call.args):
        return f"compute it of the whole tensor, with tf.reduce_{name} of what the comprehension compares"
    ops = {"max": "reduce_max", "min": "reduce_min", "all": "reduce_all", "any": "reduce_any", "sorted": "sort"}
    if name in ops:
        return f"write tf.{ops[name]}({given if len(call.args) == 1 else f'[{given}]'})"
    if name == "bool":
        return f"leave out bool(): {given} is a tensor that tf.cond and tf.where take as it is"
    return "tf.where chooses between two values, tf.cond runs one of two functions"


def _as_tensors(node: Any) -> str:
    """A condition with ops in the place of `and`, `or`, `not`, `in` and `a < b < c`."""
    if isinstance(node, ast.BoolOp):
        name = "logical_and" if isinstance(node.op, ast.And) else "logical_or"
        return _joined(name, [_as_tensors(each) for each in node.values])
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return f"tf.logical_not({_as_tensors(node.operand)})"
    if isinstance(node, ast.Compare) and len(node.ops) > 1:
        sides = [node.left, *node.comparators]
        pairs = [
            ast.unparse(ast.Compare(left, [op], [right])) for left, op, right in zip(sides, node.ops, node.comparators)
        ]
        return _joined("logical_and", pairs)
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In):
        return f"tf.reduce_any({ast.unparse(node.comparators[0])} == {ast.unparse(node.left)})"
    return ast.unparse(node)


def _joined(name: str, parts: list[str]) -> str:
    text = parts[-1]
    for part in reversed(parts[:-1]):
        text = f"tf.{name}({part}, {text})"
    return text


# -- a value --


@EXPLANATIONS.of(
    r"(?:no attribute 'numpy'|to a Python number|to a numpy array): inside `(.*)`, which is being compiled, it has"
)
def _value(op: FailedOp, match: re.Match[str]) -> Refusal | None:
    """`.numpy()`, `float()`, `np.sin(t)`, `range(t)`, a format: Python or NumPy takes the value out."""
    given = [each for each in op.arrays if isinstance(each.value, SymbolicTensor)][:1] or op.arrays[:1]
    written = _taken_from(op)
    name = given[0].text if given and given[0].node is not None else None
    if written is not None and (name is None or op.name in ("__array__", "__index__", "__format__")):
        name = written
    if name is None or _is_taken_elsewhere(op):
        name = "the tensor"
    spoken = name if name == "the tensor" else f"`{name}`"
    return Refusal(
        "value-needed-while-compiling",
        f"{spoken} has no value while `{match.group(1)}` is being compiled: it gets one each time the compiled function runs",
        _without_value(op, name, match.group(1)),
    )


def _is_taken_elsewhere(op: FailedOp) -> bool:
    """Whether the call at the place is not the one that takes the value, but has it called: `list(map(float, x))`."""
    takes = {"__float__": "float", "__int__": "int", "__complex__": "complex", "__round__": "round"}.get(op.name)
    return takes is not None and isinstance(op.node, ast.Call) and syntax.called_name(op.node) != takes


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
    if isinstance(node, ast.JoinedStr):
        formatted = [each.value for each in node.values if isinstance(each, ast.FormattedValue) and each.format_spec]
        symbolic = [each for each in formatted if isinstance(op.looked_up(each), SymbolicTensor)]
        (found,) = (symbolic or formatted)[:1] or (None,)
        return None if found is None else ast.unparse(found)
    return None


def _without_value(op: FailedOp, name: str, function: str) -> str:
    node = op.node
    outside = f"return it from `{function}`, and take its value outside"
    if name == "the tensor":
        return f"ops take tensors as they are: work on the whole tensor with them; or {outside}"
    if any(isinstance(each, ast.Call) and syntax.called_name(each) == "print" for each in _around(node)):
        return f"tf.print({name}) prints the value each time the function runs"
    if op.name == "numpy":
        return f"leave out .numpy(), as ops take {name} itself; or {outside}; tf.print({name}) prints it"
    if op.name == "__format__":
        return f"tf.print({name}) prints the value each time the function runs; or {outside}"
    if op.name == "__array__":
        return f"{_numpy_function(node)}; or {outside}"
    if op.name in ("__float__", "__int__", "__complex__", "__round__"):
        return f"{_number(op.name, name)}; or {outside}"
    called = syntax.called_name(node) if isinstance(node, ast.Call) else None
    if called == "range":
        passed = _passed_as_number(op, name, function)
        return (passed or "") + (
            f"loop with tf.while_loop, with the count among its loop_vars, or over a number that is known, and weight the steps "
            f"beyond {name} with zero"
        )
    if isinstance(node, ast.Subscript):
        return f"tf.gather({ast.unparse(node.value)}, {name}) takes an element at a place that is computed"
    return f"pass it to the function as a Python number, or {outside}"


def _around(node: Any) -> Iterator[Any]:
    """The expressions around one, and it itself."""
    while isinstance(node, ast.expr | ast.keyword):
        yield node
        node = syntax.parent(node)


def _number(method: str, name: str) -> str:
    if method == "__round__":
        return f"write tf.round({name})"
    word, dtype = {
        "__float__": ("float", "tf.float32"),
        "__int__": ("int", "tf.int32"),
        "__complex__": ("complex", "tf.complex64"),
    }[method]
    return f"leave out {word}(), as ops take {name} itself, or write tf.cast({name}, {dtype}) for another dtype"


_REDUCTIONS = {"mean", "sum", "max", "min", "prod", "all", "any"}


def _numpy_function(node: Any) -> str:
    """The function of TensorFlow's for one of NumPy's."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        name, given = node.func.attr, ", ".join(ast.unparse(each) for each in (*node.args, *node.keywords))
        if name in _REDUCTIONS:
            return f"write tf.reduce_{name}({given})"
        if name in ("array", "asarray"):
            if node.args and isinstance(node.args[0], ast.List | ast.Tuple):
                return f"write tf.stack({ast.unparse(node.args[0])})"
            return f"leave out {ast.unparse(node.func)}(), as ops take {given} itself"
        ours = f"tf.{name} or " if hasattr(sys.modules.get("whygrad"), name) else ""
        return f"write the op in the place of NumPy's function, {ours}tf.experimental.numpy.{name}"
    return "write an op in the place of NumPy's function: tf.experimental.numpy has NumPy's names"


def _passed_as_number(op: FailedOp, name: str, function: str) -> str | None:
    return _passed_as(op, name, function, "a Python number")


def _passed_as(op: FailedOp, name: str, function: str, what: str) -> str | None:
    """What to do about a parameter of the function that is compiled, and that was given as a tensor."""
    code = op.code
    parameters = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    if name not in parameters or code.co_name != function:
        return None
    return f"pass `{name}` as {what}, for each of which `{function}` is compiled once; or "


# -- a shape --


@EXPLANATIONS.of(
    r"The value of a symbolic tf\.Tensor .* is needed to compile `(.*?)`|depends on values|is not known while a function is being"
    r"|A value is needed.* that is not known yet: inside `(.*?)`"
)
def _shape(op: FailedOp, match: re.Match[str]) -> Refusal | None:
    """A result whose shape only values decide."""
    symbolic = [each for each in op.operands if _is_symbolic(each.value)]
    symbolic = [each for each in symbolic if each.node is not None] or symbolic
    function = next((each for each in match.groups() if each), "")
    decisive = _deciding(op, symbolic)
    if decisive is None or not (_says_shape(match) or op.name in _CHOOSING or _parameter(decisive) in _SIZES):
        return _value_of_argument(op, decisive, function)
    what = f"how many elements {_called(op)} gives" if op.name in _CHOOSING else f"the shape that {_called(op)} gives"
    by = (
        f" by the values of {decisive.quoted}," if decisive is not None and decisive.node is not None else " by values,"
    )
    return Refusal(
        "shape-depends-on-values",
        f"{what} is decided{by} which are not known while the function is being compiled; shapes must be",
        _advice_in(match.string) or _other_shape(op, decisive, function),
    )


def _advice_in(message: str) -> str | None:
    """What the op itself says to do instead (`depends_on_values`)."""
    said = re.search(r"shapes must be known\. (.+)\.$", message)
    return None if said is None else said.group(1)[0].lower() + said.group(1)[1:]


def _says_shape(match: re.Match[str]) -> bool:
    """Whether the message itself says that it is the shape that is not known."""
    return "depends on values" in match.string or match.string.startswith("How many")


def _parameter(operand: Operand) -> str:
    """The op's name for an operand, or for the list that it stands in."""
    return operand.parameter.partition("[")[0]


def _value_of_argument(op: FailedOp, argument: Operand | None, function: str) -> Refusal:
    """An argument, other than a size, that must be known when the op is called."""
    if argument is None or argument.node is None:
        what = f"a value that {_called(op)} needs is not known while a function is being compiled"
    elif _parameter(argument) in ("axis", "axes", "perm"):
        what = f"{argument.quoted} says which axis, and has no value while the function is being compiled"
    else:
        what = (
            f"{_called(op)} needs the value of {argument.quoted}, which has none while the function is being compiled"
        )
    passed = None if argument is None else _passed_as_number(op, argument.text, function or op.code.co_name)
    help = "give a Python number, or what is known from shapes" if passed is None else passed.removesuffix("; or ")
    return Refusal("value-needed-while-compiling", what, help)


# The parameters of ops that say how large a result is.
_SIZES = {
    "shape", "size", "sizes", "dims", "multiples", "start", "limit", "delta", "num", "num_rows", "num_columns", "depth",
    "repeats", "lengths", "maxlen", "paddings", "num_or_size_splits", "k", "begin", "end", "key", "batch_shape", "output_shape",
    "minlength", "maxlength", "num_segments", "num_classes", "crop_size", "num_partitions", "new_height", "new_width",
}  # fmt: skip
_CHOOSING = ("boolean_mask", "where", "unique", "unique_with_counts", "dynamic_partition")


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
    name = "n" if decisive is None else decisive.text
    if op.name == "boolean_mask" or (op.name == "getitem" and decisive is not None and _is_mask(decisive.value)):
        of = next((each.text for each in op.arrays if each is not decisive), "x")
        return (
            f"keep the shape: tf.where({name}, {of}, 0.0), with sums over all of it, and for a mean the number that counts, "
            f"tf.reduce_sum(tf.cast({name}, {of}.dtype)); or select before the function is called"
        )
    if op.name == "where":
        return (
            f"work with the mask itself: tf.where({name}, a, b) chooses element by element, and tf.cast({name}, tf.float32) "
            "weights; or find the places before the function is called"
        )
    if op.name == "dynamic_partition":
        return "tf.math.unsorted_segment_sum and its kin combine rows by numbers that are computed"
    passed = None if decisive is None else _passed_as_number(op, name, function or op.code.co_name)
    above = syntax.parent(op.node) if op.node is not None else None
    if op.name in ("range", "range_") and isinstance(above, ast.For) and above.iter is op.node:
        return (passed or "") + "loop with tf.while_loop, with the count among its loop_vars"
    if op.name in ("range", "range_"):
        return (passed or "") + f"take a number that is known, and a mask: tf.range(most) < {name}"
    if op.name == "getitem":
        return (
            "keep the whole axis and mask what lies outside of the slice, or take tf.slice(x, begin, size): its begin may be "
            "computed, but its size is a number that is known"
        )
    if op.name == "sequence_mask":
        return "give maxlen, the longest length that there can be"
    known = "take sizes from shapes, as x.shape[0], or from Python numbers"
    return (passed or "") + (f"{known}; -1 stands for one of them" if op.name == "reshape" else known)


@EXPLANATIONS.of(r"Python functions must return zero or more Tensors")
def _returned(op: FailedOp, match: re.Match[str]) -> Refusal | None:
    return Refusal(
        "invalid-argument",
        "",
        "return tensors, numbers, None, or lists, tuples and dicts of those; what is no tensor is known outside as well",
    )


def _is_mask(value: Any) -> bool:
    return isinstance(value, SymbolicTensor) and value.dtype.name == "bool"
