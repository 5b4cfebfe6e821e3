"""Find the Python values that a function reads but does not receive as arguments: `tf.function` freezes them at its first call.

They are found in the source: names and attributes (`beta`, `self.beta`, `config["beta"]`), in the function and in the Python
functions that it calls.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from whygrad.runtime.call_sites import is_ours
from whygrad.runtime.syntax_trees import parse
from whygrad.values.tensor import Tensor

ABSENT: Any = object()  # the value cannot be looked up, or is not a plain value
_PLAIN = bool | int | float | complex | str | None
_MOST_ELEMENTS = 10_000  # larger arrays are not compared
_MOST_CALLS = 4  # how many levels of calls are followed

Step = tuple[bool, Any]  # (True, attribute name) or (False, item key)
Place = tuple[str, int, int, int]  # file, line, column, end column


class Read:
    """A value that a function reads: where, and how to look it up."""

    def __init__(self, scope: _Scope, root: str, steps: list[Step], text: str, place: Place) -> None:
        self._scope, self._root, self._steps = scope, root, steps
        self.text = text
        self.place = place

    def value(self, args: tuple[Any, ...]) -> Any:
        """Return a copy of the current value, or ABSENT."""
        return _copy(self._scope.lookup(self._root, self._steps, args))


class _Scope:
    """A function whose names are looked up: the traced one, or one that it calls."""

    def __init__(self, find: Callable[[tuple[Any, ...]], Any], outermost: bool) -> None:
        self.find = find  # returns the function, given the arguments of the outermost one
        self._outermost = outermost

    def lookup(self, root: str, steps: list[Step], args: tuple[Any, ...]) -> Any:
        function = self.find(args)
        code = getattr(function, "__code__", None)
        if code is None:
            return ABSENT
        found = self._root(function, code, root, steps, args)
        for is_attribute, name in steps:
            found = _attribute(found, name) if is_attribute else _item(found, name)
        return found

    def _root(self, function: Any, code: types.CodeType, root: str, steps: list[Step], args: tuple[Any, ...]) -> Any:
        if root in code.co_freevars:
            try:
                return function.__closure__[code.co_freevars.index(root)].cell_contents
            except ValueError:  # a cell that is still empty
                return ABSENT
        if root not in code.co_varnames:
            return function.__globals__.get(root, ABSENT)
        bound = [function.__self__] if isinstance(function, types.MethodType) else []
        # TensorFlow already retraces for arguments and for the contents of list and dict arguments.
        given = [*bound, *(args if self._outermost else ())] if steps and steps[0][0] else []
        position = code.co_varnames.index(root)
        return given[position] if position < min(len(given), code.co_argcount) else ABSENT


def _attribute(found: Any, name: str) -> Any:
    if found is ABSENT:
        return ABSENT
    value = inspect.getattr_static(found, name, ABSENT)  # does not run user code
    if isinstance(value, property):
        return types.MethodType(value.fget, found) if value.fget is not None else ABSENT
    if isinstance(value, types.FunctionType):
        return value if isinstance(found, types.ModuleType | type) else types.MethodType(value, found)
    return value.__func__ if isinstance(value, staticmethod) else value


def _item(found: Any, key: Any) -> Any:
    if isinstance(found, dict):
        return found.get(key, ABSENT)
    if isinstance(found, list | tuple) and isinstance(key, int) and -len(found) <= key < len(found):
        return found[key]
    return ABSENT


def _copy(value: Any) -> Any:
    """Return a copy that later mutations do not affect; ABSENT if the value is not a plain one."""
    if isinstance(value, _PLAIN):
        return value
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, Tensor):
        value = value._array
    if isinstance(value, np.ndarray):
        return value.copy() if value.size <= _MOST_ELEMENTS and value.dtype != object else ABSENT
    if isinstance(value, list | tuple) and len(value) <= _MOST_ELEMENTS:
        return tuple(value) if all(isinstance(each, _PLAIN) for each in value) else ABSENT
    return ABSENT


def same(one: Any, other: Any) -> bool:
    """Return whether two copies are equal; NaN equals NaN."""
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        one, other = np.asarray(one), np.asarray(other)
        return bool(one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes())
    return bool(one == other or (one != one and other != other))


def values_read(find: Callable[[], Any], args: tuple[Any, ...]) -> list[Read]:
    """Return what the function that `find` gives, called with these arguments, reads from the enclosing scopes."""
    return list(_reads_in(_Scope(lambda args: find(), outermost=True), args, _MOST_CALLS, set()))


def _reads_in(scope: _Scope, args: tuple[Any, ...], depth: int, seen: set[types.CodeType]) -> Iterator[Read]:
    function = scope.find(args)
    code = getattr(function, "__code__", None)
    if code is None or code in seen or is_ours(code.co_filename):
        return
    seen.add(code)
    try:
        lines, first = inspect.getsourcelines(function)
        tree: ast.AST = parse(textwrap.dedent("".join(lines)))
    except (OSError, TypeError, SyntaxError, ValueError):
        return
    indent = len(lines[0]) - len(lines[0].lstrip())
    own = _own_names(tree)
    for node in _loads(tree, is_lambda=code.co_name == "<lambda>"):
        chain = _chain(node)
        if chain is None or (chain[0] in own and chain[0] not in code.co_varnames[: code.co_argcount]):
            continue
        root, steps = chain
        found = scope.lookup(root, steps, args)
        called = _called(found)
        if called is not None and depth:
            yield from _reads_in(_callee(scope, root, steps), args, depth - 1, seen)
        elif called is None:
            end = (node.end_col_offset or node.col_offset) + indent
            place = (code.co_filename, node.lineno + first - 1, node.col_offset + indent, end)
            yield Read(scope, root, steps, ast.unparse(node), place)


def _callee(scope: _Scope, root: str, steps: list[Step]) -> _Scope:
    return _Scope(lambda args: _called(scope.lookup(root, steps, args)), outermost=False)


def _called(found: Any) -> Any:
    """Return the Python function that runs when a value is called; None if there is none."""
    if isinstance(found, types.FunctionType | types.MethodType):
        return found
    method = inspect.getattr_static(type(found), "__call__", None)
    return types.MethodType(method, found) if isinstance(method, types.FunctionType) else None


def _own_names(tree: ast.AST) -> set[str]:
    """Return the names that a function binds itself, including nested functions and comprehensions."""
    stored = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
    stored |= {n.arg for n in ast.walk(tree) if isinstance(n, ast.arg)}
    others = {name for n in ast.walk(tree) if isinstance(n, ast.Global | ast.Nonlocal) for name in n.names}
    return stored - others


def _loads(tree: ast.AST, is_lambda: bool) -> Iterator[Any]:
    """Yield the longest chains of names, attributes and items that are read, except to be printed."""
    pending: list[ast.AST] = [n for n in ast.walk(tree) if isinstance(n, ast.Lambda)] if is_lambda else [tree]
    while pending:
        node = pending.pop(0)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print":
            continue
        if _chain(node) is not None and isinstance(getattr(node, "ctx", None), ast.Load):
            yield node
        else:
            pending.extend(ast.iter_child_nodes(node))


def _chain(node: Any) -> tuple[str, list[Step]] | None:
    """Split `self.config["beta"]` into its first name and the steps from there."""
    if isinstance(node, ast.Name):
        return node.id, []
    step: Step
    if isinstance(node, ast.Attribute):
        start, step = _chain(node.value), (True, node.attr)
    elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        start, step = _chain(node.value), (False, node.slice.value)
    else:
        return None
    return None if start is None else (start[0], [*start[1], step])
