"""Python that asks whether a symbolic tensor is true: an `if`, a `while`, an `and`, an `assert`.

A function that is being compiled runs once, on tensors that have shapes and dtypes and no values. What to write instead is
said with the user's own expressions.
"""

from __future__ import annotations

import ast
from typing import Any

from whygrad.values.faults import SymbolicTruth
from whygrad.why.causes.explanation import Explanation, explains
from whygrad.why.causes.value_needed_while_compiling import passed_as
from whygrad.why.evidence.failed_op import FailedOp, Operand
from whygrad.why.source import syntax
from whygrad.why.source.wording import listed, quoted

_LONGEST = 90  # characters of a piece of code that a help writes out; what is longer is sketched


@explains(SymbolicTruth)
def _branch(op: FailedOp, fault: SymbolicTruth) -> Explanation | None:
    """An `if`, a `while`, an `and` or `or`, an `assert`, or a built-in function that needs a truth value."""
    (value,) = op.arrays[:1] or (None,)
    asking, word = _asking(op.node)
    if asking is None or value is None:
        return Explanation(
            "python-branch-on-symbolic",
            f"Python tests the truth of a tensor that has no value while `{fault.function}` is being compiled",
            "tf.where chooses between two values, tf.cond runs one of two functions, tf.while_loop repeats one",
        )
    if isinstance(asking, ast.Call):
        what, cannot = f"what {quoted(ast.unparse(asking))} compares", "so Python cannot compare it"
    else:
        what = value.quoted if value.node is not None else f"a part of {quoted(ast.unparse(asking))}"
        cannot = f"so a Python {word} cannot test it"
    return Explanation(
        "python-branch-on-symbolic",
        f"{what} has no value while `{fault.function}` is being compiled, {cannot}",
        (_passed_as_bool(op, value, fault.function) or "") + _instead(asking, value),
    )


def _passed_as_bool(op: FailedOp, value: Operand, function: str) -> str | None:
    """What to do about a switch that is a parameter of the function, and that was given as a tensor."""
    if not isinstance(value.node, ast.Name) or value.value.dtype.name != "bool":
        return None
    return passed_as(op, value.text, function, "Python's True or False")


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
            f"check outside of the function what it returns, or leave it to "
            f"tf.debugging.Assert({test}, [...]), which checks where the function runs as Python"
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
        return f"compute it on the whole tensor, with tf.reduce_{name} of what the comprehension compares"
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
