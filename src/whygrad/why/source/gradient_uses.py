"""What the program does with the gradients of a call: whether it expects a None among them."""

from __future__ import annotations

import ast
from types import CodeType

from whygrad.why.source import syntax
from whygrad.why.source.sites import node_at


def handles_none(code: CodeType, instruction: int) -> bool:
    """Whether the program looks for None among the gradients of a call, and skips or replaces it."""
    asked = node_at(code, instruction)
    if asked is None:
        return False
    reached = syntax.Flow([code.co_filename]).reached_from(asked)
    return any(isinstance(syntax.parent(node), ast.Compare) and _skips(syntax.parent(node)) for node in reached)


def _skips(comparison: ast.Compare) -> bool:
    """Whether `g is None` or `g is not None` decides what is done with g, and not only what is printed or raised."""
    against = comparison.comparators[0]
    if not (isinstance(comparison.ops[0], ast.Is | ast.IsNot) and isinstance(against, ast.Constant)):
        return False
    above = syntax.parent(comparison)
    if isinstance(above, ast.comprehension):
        return comparison in above.ifs
    if isinstance(above, ast.IfExp):
        instead = above.body if isinstance(comparison.ops[0], ast.Is) else above.orelse
        return comparison is above.test and isinstance(instead, ast.Call)
    return isinstance(above, ast.If) and not any(isinstance(part, ast.Raise) for part in ast.walk(above))
