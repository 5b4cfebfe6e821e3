"""Expressions with an exponential in them that a function of the library computes without overflow: `log(1 + exp(x))` is `softplus(x)`."""

from __future__ import annotations

import ast
from typing import Any

from whygrad.why.source import syntax
from whygrad.why.source.wording import grouped


def stable_form(exponential: ast.AST | None) -> tuple[ast.expr, str] | None:
    """The expression around an exponential that has a stable form, and that form; None where it is no known one."""
    if not isinstance(exponential, ast.Call) or not exponential.args:
        return None
    x = exponential.args[0]
    above: Any = syntax.parent(exponential)
    if syntax.called_name(exponential) == "cosh" and isinstance(above, ast.Call) and syntax.called_name(above) == "log":
        x_text = grouped(ast.unparse(x))
        return above, f"{x_text} + tf.nn.softplus(-2.0 * {x_text}) - tf.math.log(2.0)"
    if syntax.called_name(exponential) != "exp":
        return None
    if isinstance(above, ast.BinOp) and isinstance(above.op, ast.Add) and _is_one(_other(above, exponential)):
        return _of_one_plus(above, x)
    if isinstance(above, ast.Call) and syntax.called_name(above) == "log1p":
        return above, f"tf.nn.softplus({ast.unparse(x)})"
    if isinstance(above, ast.Call) and syntax.called_name(above) == "reduce_sum" and above.args[0] is exponential:
        outer = syntax.parent(above)
        rest = [ast.unparse(each) for each in (*above.args[1:], *above.keywords)]
        if isinstance(outer, ast.Call) and syntax.called_name(outer) == "log":
            return outer, f"tf.reduce_logsumexp({', '.join([ast.unparse(x), *rest])})"
    return None


def _of_one_plus(sum_: ast.BinOp, x: ast.expr) -> tuple[ast.expr, str] | None:
    """The form of an expression around `1 + exp(x)`."""
    above: Any = syntax.parent(sum_)
    if isinstance(above, ast.Call) and syntax.called_name(above) == "log":
        return above, f"tf.nn.softplus({ast.unparse(x)})"
    if isinstance(above, ast.BinOp) and isinstance(above.op, ast.Div) and above.right is sum_:
        if _is_one(above.left):
            return above, f"tf.sigmoid({_negative(x)})"
        left = above.left
        if isinstance(left, ast.Call) and syntax.called_name(left) == "exp" and ast.dump(left.args[0]) == ast.dump(x):
            return above, f"tf.sigmoid({ast.unparse(x)})"
    return None


def _other(sum_: ast.BinOp, operand: ast.expr) -> ast.expr:
    return sum_.right if sum_.left is operand else sum_.left


def _is_one(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == 1


def _negative(x: ast.expr) -> str:
    """`-x`, without a second sign."""
    if _is_minus(x):
        return ast.unparse(x.operand)  # type: ignore[attr-defined]
    if isinstance(x, ast.BinOp) and isinstance(x.op, ast.Mult | ast.Div) and _is_minus(x.left):
        return ast.unparse(ast.BinOp(x.left.operand, x.op, x.right))  # type: ignore[attr-defined]
    return f"-({ast.unparse(x)})" if isinstance(x, ast.BinOp) else f"-{ast.unparse(x)}"


def _is_minus(x: ast.expr) -> bool:
    return isinstance(x, ast.UnaryOp) and isinstance(x.op, ast.USub)
