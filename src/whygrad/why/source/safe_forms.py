"""Code to suggest for an op at a point where its value or its slope is not finite: the user's own call, made safe.

All arguments stay as they are written. A function that computes several ops, such as `tf.math.reduce_std`, is made safe as a whole, as
it declares (`ops/advice.py`).
"""

from __future__ import annotations

import ast
import copy

from whygrad.ops.advice import SMALL, SafeForm, WrittenCall, safe_forms, small_for
from whygrad.ops.primitive import Record
from whygrad.runtime.syntax_trees import parse
from whygrad.why.source import syntax
from whygrad.why.source.edits import unparsed
from whygrad.why.source.sites import node_at, unpacks_arguments
from whygrad.why.source.wording import grouped, spoken


def with_small_constant(record: Record, operand: str, usual: str = SMALL) -> str:
    """A root, norm or power as the program writes it, with a small constant added to what it is taken of."""
    node, small = node_at(record.code, record.instruction), small_for(record.inputs[0].dtype, usual)
    if isinstance(node, ast.Call):
        whole = safe_composite(record)
        return whole or _replaced(node, operand, f"{operand} + {small}") or f"{spoken(record)}({operand} + {small})"
    if isinstance(node, ast.BinOp):
        return f"({operand} + {small}) ** {grouped(ast.unparse(node.right))}"
    return f"{spoken(record)}({operand} + {small})"


def safe_composite(record: Record) -> str:
    """The safe form of a function that computes several ops; "" where the op's line calls none that has one."""
    node = node_at(record.code, record.instruction)
    form = safe_forms.get(syntax.called_name(node) or "") if isinstance(node, ast.Call) else None
    if form is None or not isinstance(node, ast.Call) or unpacks_arguments(node):
        return ""
    return form.write(_written(form, node)) if form.write else _with_argument(form, node, *form.argument)


def guarded_call(record: Record, function: str, operands: list[str]) -> str:
    """Another function called with the op's operands; only its name where the program does not write all of them."""
    written = len(operands) == len(record.inputs)
    return f"{function}({', '.join(operands)})" if written else function


def on_the_diagonal(matrix: str, size: int, amount: str, dtype: str) -> str:
    """A matrix with a small number added to its diagonal."""
    of_dtype = "" if dtype == "float32" else f", dtype=tf.{dtype}"
    return f"{grouped(matrix)} + {amount} * tf.eye({size}{of_dtype})"


def _replaced(node: ast.Call, old: str, new: str) -> str:
    """A call with one argument replaced; "" where it has no such argument."""
    found = copy.deepcopy(node)
    value = parse(new, mode="eval").body
    for i, each in enumerate(found.args):
        if ast.unparse(each) == old:
            found.args[i] = value
            return unparsed(found)
    for keyword in found.keywords:
        if ast.unparse(keyword.value) == old:
            keyword.value = value
            return unparsed(found)
    return ""


# -- functions that compute several ops, with the safe forms that they declare --


def _written(form: SafeForm, node: ast.Call) -> WrittenCall:
    """A call as a safe form takes it."""
    found = dict(zip(form.parameters, node.args)) | {each.arg or "": each.value for each in node.keywords}
    given = {name: ast.unparse(found[name]) for name in form.parameters if name in found}
    keywords = [f"{each.arg}={ast.unparse(each.value)}" for each in node.keywords]
    arguments = ", ".join([*map(ast.unparse, node.args), *keywords])
    return WrittenCall(given, arguments, ast.unparse(node.func).rpartition(".")[0])


def _with_argument(form: SafeForm, node: ast.Call, name: str, value: str) -> str:
    """The same call with another value of one parameter."""
    found = copy.deepcopy(node)
    new = parse(value, mode="eval").body
    position = form.parameters.index(name)
    if position < len(found.args):
        found.args[position] = new
    else:
        found.keywords = [each for each in found.keywords if each.arg != name] + [ast.keyword(name, new)]
    return ast.unparse(found)
