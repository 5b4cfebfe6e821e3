"""Code to suggest for an op at a point where its value or its slope is not finite: the user's own call, made safe.

All arguments stay as they are written. A function that computes several ops, such as `tf.math.reduce_std`, is made safe as a whole.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable
from typing import Any

from whygrad.ops.primitive import Record
from whygrad.why.source import syntax
from whygrad.why.source.sites import node_at
from whygrad.why.source.wording import grouped, spoken

_SMALL = "1e-12"


def with_small_constant(record: Record, operand: str) -> str:
    """A root, norm or power as the program writes it, with a small constant added to what it is taken of."""
    node = node_at(record.code, record.instruction)
    if isinstance(node, ast.Call):
        whole = safe_composite(record)
        return whole or _replaced(node, operand, f"{operand} + {_SMALL}") or f"{spoken(record)}({operand} + {_SMALL})"
    if isinstance(node, ast.BinOp):
        return f"({operand} + {_SMALL}) ** {grouped(ast.unparse(node.right))}"
    return f"{spoken(record)}({operand} + {_SMALL})"


def safe_composite(record: Record) -> str:
    """The safe form of a function that computes several ops; "" where the op's line calls none that has one."""
    node = node_at(record.code, record.instruction)
    form = _COMPOSITES.get(syntax.called_name(node) or "") if isinstance(node, ast.Call) else None
    return "" if form is None else form(node)


def guarded_call(record: Record, function: str, operands: list[str]) -> str:
    """Another function called with the op's operands; only its name where the program does not write all of them."""
    written = len(operands) == len(record.inputs) and not any(each.startswith("*") for each in operands)
    return f"{function}({', '.join(operands)})" if written else function


def on_the_diagonal(matrix: str, size: int, amount: str, dtype: str) -> str:
    """A matrix with a small number added to its diagonal."""
    of_dtype = "" if dtype == "float32" else f", dtype=tf.{dtype}"
    return f"{grouped(matrix)} + {amount} * tf.eye({size}{of_dtype})"


def _replaced(node: ast.Call, old: str, new: str) -> str:
    """A call with one argument replaced; "" where it has no such argument."""
    found = copy.deepcopy(node)
    value = ast.parse(new, mode="eval").body
    for i, each in enumerate(found.args):
        if ast.unparse(each) == old:
            found.args[i] = value
            return ast.unparse(found)
    for keyword in found.keywords:
        if ast.unparse(keyword.value) == old:
            keyword.value = value
            return ast.unparse(found)
    return ""


# -- functions that compute several ops --


def _norm(node: ast.Call) -> str:
    is_norm = syntax.called_name(node) == "norm"
    given = _arguments(node, ("tensor", "ord", "axis", "keepdims") if is_norm else ("input_tensor", "axis", "keepdims"))
    x, order = next(iter(given.values())), given.get("ord", "2")
    axes = "".join(f", {name}={given[name]}" for name in ("axis", "keepdims") if name in given)
    if order in ("2", "2.0", "'euclidean'", "'fro'"):
        return f"tf.sqrt(tf.reduce_sum(tf.square({x}){axes}) + {_SMALL})"
    return f"(tf.reduce_sum(tf.abs({x}) ** {order}{axes}) + {_SMALL}) ** (1 / {order})"


def _std(node: ast.Call) -> str:
    given = ", ".join(
        [*map(ast.unparse, node.args), *[f"{each.arg}={ast.unparse(each.value)}" for each in node.keywords]]
    )
    if syntax.called_name(node) == "reduce_std":
        return f"tf.sqrt(tf.math.reduce_variance({given}) + {_SMALL})"
    module = ast.unparse(node.func).rpartition(".")[0]
    return f"{module}.sqrt({module}.var({given}) + {_SMALL})"


def _with_argument(name: str, position: int, value: str) -> Callable[[ast.Call], str]:
    """The same call with another value of one parameter."""

    def form(node: ast.Call) -> str:
        found = copy.deepcopy(node)
        new = ast.parse(value, mode="eval").body
        if position < len(found.args):
            found.args[position] = new
        else:
            found.keywords = [each for each in found.keywords if each.arg != name] + [ast.keyword(name, new)]
        return ast.unparse(found)

    return form


def _arguments(node: ast.Call, parameters: tuple[str, ...]) -> dict[str, str]:
    given: dict[str, Any] = dict(zip(parameters, node.args)) | {each.arg or "": each.value for each in node.keywords}
    return {name: ast.unparse(value) for name, value in given.items()}


_COMPOSITES: dict[str, Callable[[ast.Call], str]] = {
    "norm": _norm,
    "reduce_euclidean_norm": _norm,
    "reduce_std": _std,
    "std": _std,
    "l2_normalize": _with_argument("epsilon", 2, _SMALL),
    "batch_normalization": _with_argument("variance_epsilon", 5, "1e-3"),
}
