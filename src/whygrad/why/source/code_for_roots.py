"""Code to suggest for a root or a norm of 0: the same with a small constant inside."""

from __future__ import annotations

import ast

from whygrad.ops.primitive import Record
from whygrad.why.source import syntax
from whygrad.why.source.sites import node_at
from whygrad.why.source.wording import spoken


def with_small_constant(record: Record, operand: str) -> str:
    """The root as the program writes it, with a small constant added to its operand."""
    node = node_at(record.code, record.instruction)
    if isinstance(node, ast.Call) and spoken(record).endswith("norm"):
        return f"tf.sqrt(tf.reduce_sum(tf.square({operand}){_axes_of(node)}) + 1e-12)"
    if isinstance(node, ast.BinOp):
        return f"({operand} + 1e-12) ** {ast.unparse(node.right)}"
    return f"{spoken(record)}({operand} + 1e-12)"


def _axes_of(norm: ast.Call) -> str:
    """The arguments of a norm that a sum of squares needs too."""
    order = ("input_tensor", "axis", "keepdims") if syntax.called_name(norm) != "norm" else ("", "", "axis", "keepdims")
    given = dict(zip(order, norm.args)) | {each.arg: each.value for each in norm.keywords}
    return "".join(f", {name}={ast.unparse(given[name])}" for name in ("axis", "keepdims") if name in given)
