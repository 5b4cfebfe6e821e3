"""What the program does with the gradients of a call: whether it expects a None among them, drops one, or asks only once."""

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
    """Whether a test of `g is None` guards a use of g, and does not only print or raise."""
    against = comparison.comparators[0]
    if not (isinstance(comparison.ops[0], ast.Is | ast.IsNot) and isinstance(against, ast.Constant)):
        return False
    above = syntax.parent(comparison)
    if isinstance(above, ast.comprehension):
        return comparison in above.ifs
    if isinstance(above, ast.IfExp):
        instead = above.body if isinstance(comparison.ops[0], ast.Is) else above.orelse
        # A constant in its place is mostly printed.
        return comparison is above.test and isinstance(instead, ast.Call | ast.Name | ast.Attribute | ast.BinOp)
    return isinstance(above, ast.If) and not any(isinstance(part, ast.Raise) for part in ast.walk(above))


def is_dropped(code: CodeType, instruction: int, position: int, count: int) -> bool:
    """Whether the program gives the gradient number `position` of `count` the name `_`, and so does not use it."""
    statement = syntax.parent(node_at(code, instruction))
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return False
    (target,) = statement.targets
    if isinstance(target, ast.Tuple | ast.List) and len(target.elts) == count:
        target = target.elts[position]
    return isinstance(target, ast.Name) and target.id == "_"


def runs_once(code: CodeType, instruction: int) -> bool:
    """Whether a place runs once, by the text of the program: no loop is around it, nor around the one call of its function."""
    node = node_at(code, instruction)
    flow = syntax.Flow([code.co_filename])
    seen: set[ast.AST] = set()
    while node is not None and node not in seen:
        seen.add(node)
        scope = syntax.scope_of(node)
        for each in syntax.around(node):
            if each is scope:
                break
            if isinstance(each, ast.For | ast.AsyncFor | ast.While | syntax.Comprehension):
                return False
        if isinstance(scope, ast.Module):
            return True
        calls = list(flow.calls_of(scope)) if isinstance(scope, syntax.Function) else []
        if not calls:  # `main` or a test, called by what is not in this file, takes no arguments
            return isinstance(scope, ast.FunctionDef) and not any(
                each.arg != "self" for each in (*scope.args.posonlyargs, *scope.args.args)
            )
        node = calls[0] if len(calls) == 1 else None
    return False
