"""Which of the calls in which a value was made keeps it: functions that return a value only pass it on."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterator, Sequence
from types import CodeType
from typing import Any

from whygrad.why.source import syntax
from whygrad.why.source.sites import node_at


def kept_at(stack: Sequence[tuple[CodeType, int]]) -> tuple[CodeType, int] | None:
    """Of the calls in which a value was made, the innermost that keeps the value: not code without a text, such as a dataclass's."""
    last: tuple[CodeType, int] | None = None
    for code, instruction in stack:
        if last is not None and code.co_filename == "<string>" and not _has_text(code):
            return last
        last = code, instruction
        node = node_at(code, instruction)
        if node is None or not is_returned(node):
            return code, instruction
    return stack[-1] if stack else None


def _has_text(code: CodeType) -> bool:
    """Whether the text that is known as "<string>" is that of this code: there is one for a program given with `python -c`."""
    lines = linecache.getlines(code.co_filename)
    begin = code.co_firstlineno - 1
    return bool(lines) and (
        code.co_name.startswith("<") or any(code.co_name in each for each in lines[begin : begin + 5])
    )


def is_returned(node: Any) -> bool:
    """Whether the function around an expression returns its value."""
    scope = syntax.scope_of(node)
    if isinstance(scope, ast.Lambda):
        return True
    if syntax.cache_of(scope) is not None:
        return False
    statement = syntax.statement_of(node)
    if any(syntax.differentiates(each) for each in syntax.around(node)):
        return False  # an argument of `gradient`: the statement keeps or returns the gradient
    above = syntax.parent(node)
    if isinstance(above, ast.Dict) and any(
        isinstance(k, ast.Constant) for k, v in zip(above.keys, above.values) if v is node
    ):
        is_attribute = any(isinstance(target, ast.Attribute) for target, _ in syntax.bindings(statement))
        return not is_attribute and _is_called_repeatedly(scope)  # else kept under its key, wherever the dict goes
    if isinstance(statement, ast.Return):
        return True
    names = {ast.unparse(target) for target, _ in syntax.bindings(statement)}
    return isinstance(scope, ast.FunctionDef) and any(
        isinstance(each, ast.Return)
        and any(isinstance(part, ast.Name) and part.id in names for part in _returned(each.value))
        for each in ast.walk(scope)
    )


def _is_called_repeatedly(function: Any) -> bool:
    """Whether several expressions call a function, so that its results are distinguished by them."""
    module = next((each for each in syntax.around(function) if isinstance(each, ast.Module)), None)
    calls = [each for each in ast.walk(module) if isinstance(each, ast.Call)] if module is not None else []
    return sum(syntax.called_name(each) == getattr(function, "name", None) for each in calls) > 1


def _returned(value: ast.expr | None) -> Iterator[ast.expr]:
    """The expressions that a return statement returns unchanged, alone or in a collection."""
    if isinstance(value, ast.Tuple | ast.List):
        for each in value.elts:
            yield from _returned(each)
    elif isinstance(value, ast.Dict):
        for each in value.values:
            yield from _returned(each)
    elif value is not None:
        yield value
