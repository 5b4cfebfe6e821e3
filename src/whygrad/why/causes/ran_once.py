"""What Python did once, while a function was traced, though the program calls the function again: counts, lists, random numbers."""

from __future__ import annotations

import ast
import collections
import random
from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import Any

import numpy as np

from whygrad.compile.trace_listeners import RepeatedCall
from whygrad.runtime.call_sites import is_ours
from whygrad.why.cause import Cause
from whygrad.why.source import syntax
from whygrad.why.source.sites import site_of
from whygrad.why.source.wording import quoted

_MISSING = object()
_ADDING = ("append", "appendleft", "extend", "add", "insert")
_CONDITIONS = (ast.If, ast.While, ast.Try, ast.IfExp, ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_MOST_FUNCTIONS = 32  # that a compiled function calls, and that are looked at
_RANDOM = (np.random.Generator, np.random.RandomState, random.Random)


def side_effects(call: RepeatedCall) -> Iterator[Cause]:
    """A count or list outside of the function that every call is meant to change."""
    code, body = _source_of(call.function)
    for node in _unconditional(body):
        changed = _changed(node)
        if changed is None:
            continue
        value = _value_of(changed, call)
        counts = isinstance(node, ast.AugAssign) and isinstance(value, int | float)
        collects = isinstance(node, ast.Call) and isinstance(value, list | set | collections.deque)
        is_read = (counts or collects) and _is_read(changed, code.co_filename)
        if is_read or (counts and _is_shown(changed, code.co_filename, body)):
            name, function = ast.unparse(changed), quoted(call.name)
            yield Cause(
                "python-side-effect",
                "wrong_value",
                f"{quoted(ast.unparse(node))} ran once, while {function} was traced: later calls do not run Python, and {quoted(name)} "
                "stays as it is",
                (site_of(node, code.co_filename, "ran once"),),  # type: ignore[arg-type]
                f"do this where {function} is called, or keep {quoted(name)} in a tf.Variable: {name}.assign_add(1)"
                if counts
                else f"return what is added from {function}, and put it into {quoted(name)} where {function} is called",
                likely=not is_read,
            )


def frozen_draws(call: RepeatedCall) -> Iterator[Cause]:
    """A random number from Python or NumPy that every call is meant to draw again."""
    for called in _with_called_functions(call):
        yield from _draws_in(called)


def _with_called_functions(call: RepeatedCall) -> Iterator[RepeatedCall]:
    """A call, and those of the program's own functions that run in it whenever it runs."""
    pending, seen = [call], {call.function}
    while pending and len(seen) <= _MOST_FUNCTIONS:
        each = pending.pop(0)
        yield each
        for node in _unconditional(_source_of(each.function)[1]):
            function = _value_of(node.func, each) if isinstance(node, ast.Call) else _MISSING
            plain = getattr(function, "__func__", function)
            if isinstance(plain, FunctionType) and not is_ours(plain.__code__.co_filename) and plain not in seen:
                seen.add(plain)
                owner = getattr(function, "__self__", None)
                pending.append(RepeatedCall(call.name, plain, () if owner is None else (owner,)))


def _draws_in(call: RepeatedCall) -> Iterator[Cause]:
    """The random numbers that the text of one function draws."""
    code, body = _source_of(call.function)
    flow = syntax.Flow([code.co_filename]) if body is not None else None
    for node in _unconditional(body):
        if not isinstance(node, ast.Call) or flow is None:
            continue
        drawn = _value_of(node.func, call)
        if not isinstance(getattr(drawn, "__self__", None), _RANDOM):
            continue
        if not any(isinstance(each, ast.BinOp | ast.Return | ast.Call) for each in flow.reached_from(node) - {node}):
            continue  # only shown
        text, function = ast.unparse(node), quoted(call.name)
        yield Cause(
            "function-baked-python-value",
            "wrong_value",
            f"{quoted(text)} ran once, while {function} was traced: every call uses the numbers that it gave then",
            (site_of(node, code.co_filename, "ran once"),),
            f"draw with tf.random, which draws at each call, or pass the numbers to {function} as a tensor",
        )


def _source_of(function: Any) -> tuple[CodeType, Any]:
    code: CodeType = getattr(function, "__func__", function).__code__
    return code, syntax.function_of(code)


def _unconditional(body: Any) -> Iterator[ast.AST]:
    """The parts of a function that run whenever it does."""
    pending: list[ast.AST] = list(getattr(body, "body", ())) if isinstance(body, ast.FunctionDef) else []
    while pending:
        node = pending.pop(0)
        if not isinstance(node, _CONDITIONS):
            yield node
            pending += ast.iter_child_nodes(node)


def _changed(node: ast.AST) -> ast.expr | None:
    """What a statement adds to."""
    if isinstance(node, ast.AugAssign):
        return node.target
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _ADDING:
        return node.func.value
    return None


def _value_of(node: ast.expr, call: RepeatedCall) -> Any:
    """The value of a name, attribute or item that outlives a call; `_MISSING` for anything else."""
    if isinstance(node, ast.Name):
        return _outer_value(node.id, call)
    if isinstance(node, ast.Attribute):
        found = _value_of(node.value, call)
        return found if found is _MISSING else getattr(found, node.attr, _MISSING)
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        found = _value_of(node.value, call)
        try:
            return _MISSING if found is _MISSING else found[node.slice.value]
        except Exception:  # of the program's own class
            return _MISSING
    return _MISSING


def _outer_value(name: str, call: RepeatedCall) -> Any:
    function = getattr(call.function, "__func__", call.function)
    code = function.__code__
    if name in code.co_freevars:
        try:
            return (function.__closure__ or ())[code.co_freevars.index(name)].cell_contents
        except ValueError:  # not set yet
            return _MISSING
    if name in code.co_varnames:  # an object that is passed in, mostly `self`
        position = code.co_varnames.index(name)
        return call.args[position] if position < min(len(call.args), code.co_argcount) else _MISSING
    return function.__globals__.get(name, _MISSING)


def _is_read(changed: ast.expr, file: str) -> bool:
    """Whether the program uses a count or list for more than to print it or to see that the function was traced."""
    name = syntax.last_name(changed)
    for tree in syntax.Flow([file]).trees:
        for node in ast.walk(tree):
            if syntax.last_name(node) != name or not isinstance(getattr(node, "ctx", None), ast.Load):
                continue
            method = syntax.parent(node)
            if isinstance(method, ast.Attribute) and method.attr in _ADDING:
                continue
            if not any(_only_shows(each) for each in syntax.around(node)):
                return True
    return False


def _is_shown(changed: ast.expr, file: str, body: Any) -> bool:
    """Whether the program prints a count elsewhere with a text that does not call it the number of traces."""
    name = syntax.last_name(changed)
    for tree in syntax.Flow([file]).trees:
        for node in ast.walk(tree):
            if syntax.last_name(node) != name or not isinstance(getattr(node, "ctx", None), ast.Load):
                continue
            shown = next(filter(syntax.shows, syntax.around(node)), None)
            if shown is not None and body not in syntax.around(node):
                texts = [each.value for each in ast.walk(shown) if isinstance(each, ast.Constant)]
                return bool(texts) and "trac" not in ast.unparse(syntax.statement_of(node)).lower()  # type: ignore[arg-type]
    return False


def _only_shows(node: ast.AST) -> bool:
    return isinstance(node, ast.Assert | ast.Global | ast.Nonlocal) or syntax.shows(node)
