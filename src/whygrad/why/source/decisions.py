"""What a value is used for: whether it only decides, or is shown, or whether something is computed with it."""

from __future__ import annotations

import ast

from whygrad.why.source import syntax
from whygrad.why.source.syntax import Flow

# Functions that measure what a decision is made by.
_MEASURES = {
    "abs", "fabs", "absolute", "max", "min", "amax", "amin", "norm", "any", "all", "isfinite", "isnan", "isclose", "allclose", "bool", "float",
    "asarray", "array", "item", "round", "len", "logical_and", "logical_or", "logical_not",
}  # fmt: skip


def only_decides(start: ast.expr, file: str) -> bool:
    """Whether all that is done with a value is to compare and to show it: a step size is chosen by it, or a mask made."""
    flow = Flow([file])
    compared = {node for tree in flow.trees for node in ast.walk(tree) if isinstance(node, ast.Compare)}
    reached = flow.reached_from(start, without=compared)
    decides = any(_decides(node) for node in reached)
    return decides and not any(_computes(node, flow) for node in reached if node is not start)


def is_shown(start: ast.expr, file: str) -> bool:
    """Whether the program prints a value or logs it, or something computed from it."""
    for node in Flow([file]).reached_from(start):
        above = syntax.parent(node)
        call = syntax.parent(above) if isinstance(above, ast.keyword | ast.Starred) else above
        if isinstance(above, ast.FormattedValue) or (isinstance(call, ast.Call) and syntax.only_shows(call)):
            return True
    return False


def is_only_shown(start: ast.expr, file: str) -> bool:
    """Whether all that comes of the result of a check is that the program prints it, as such or counted."""
    flow = Flow([file])
    return is_shown(start, file) and not any(_has_effect(node, flow) for node in flow.reached_from(start))


def _has_effect(node: ast.AST, flow: Flow) -> bool:
    """Whether the program does something because of a value, or hands it on to where that is not known."""
    above = syntax.parent(node)
    if isinstance(above, ast.If | ast.While | ast.IfExp | ast.Assert | ast.AugAssign | ast.comprehension):
        return True
    if isinstance(above, ast.Return):
        return not any(flow.calls_of(syntax.scope_of(above)))
    if isinstance(above, ast.Subscript):
        return above.slice is node
    return isinstance(node, ast.Call) and not _counts(syntax.called_name(node) or "") and not syntax.only_shows(node)


def _counts(name: str) -> bool:
    """Whether a function counts or measures what a check found, as NumPy or TensorFlow calls it: `any`, `reduce_any`."""
    name = name.removeprefix("reduce_").replace("_", "")
    return name in _MEASURES or name in ("isinf", "sum", "mean", "countnonzero", "numpy", "int", "tolist", "cast")


def is_noted(start: ast.expr) -> bool:
    """Whether a value is only put into a list outside of the function, which does not read it: a history of the values."""
    node: ast.AST | None = start
    while isinstance(node, ast.expr | ast.comprehension | ast.keyword) and not _is_note(node):
        node = syntax.parent(node)
    if not isinstance(node, ast.Call):
        return False
    function = syntax.scope_of(start)
    kept: ast.expr = node.func.value  # type: ignore[attr-defined]
    name: ast.expr = kept
    while isinstance(name, ast.Attribute | ast.Subscript):
        name = name.value
    if not isinstance(name, ast.Name) or isinstance(function, ast.Module):
        return False
    given = {each.id for each in ast.walk(function) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
    if name.id in given:
        return False
    text = ast.unparse(kept)
    return not any(
        isinstance(each, ast.expr) and ast.unparse(each) == text and not _is_note(syntax.parent(syntax.parent(each)))
        for each in ast.walk(function)
    )


def _is_note(node: ast.AST | None) -> bool:
    """Whether this is a statement such as `history.append(value)`."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    return isinstance(syntax.parent(node), ast.Expr) and node.func.attr in _NOTES


_NOTES = ("append", "extend")


def _decides(node: ast.AST) -> bool:
    above = syntax.parent(node)
    return isinstance(above, ast.Compare) or (isinstance(above, ast.If | ast.While | ast.IfExp) and above.test is node)


def _computes(node: ast.AST, flow: Flow) -> bool:
    """Whether an expression makes a number of the value that may be differentiated, or hands it on to where that is not known."""
    above = syntax.parent(node)
    if isinstance(node, ast.BinOp):
        return not isinstance(node.op, ast.BitAnd | ast.BitOr)
    if isinstance(above, ast.Return):
        return not any(flow.calls_of(syntax.scope_of(above)))
    if isinstance(above, ast.AugAssign):
        return True
    is_statement = isinstance(above, ast.Expr)
    return isinstance(node, ast.Call) and not is_statement and syntax.called_name(node) not in _MEASURES
