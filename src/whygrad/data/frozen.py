"""A Python function with the names that it reads as they are now.

TensorFlow traces the function that is passed to `map`: what a loop variable or a global is then, it is for all elements. Here its Python runs
for each element, when a loop may have gone on.
"""

from __future__ import annotations

import builtins
import functools
import types
from collections.abc import Callable, Iterator
from typing import Any

from whygrad.runtime.call_sites import is_ours

_OF_MODULES = ("__name__", "__file__", "__package__", "__spec__", "__loader__")


def frozen(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function with the globals and the variables of enclosing functions that it has now; other callables as they are."""
    if isinstance(function, functools.partial):
        return functools.partial(frozen(function.func), *function.args, **function.keywords)
    if isinstance(function, types.MethodType):
        return types.MethodType(frozen(function.__func__), function.__self__)
    if not isinstance(function, types.FunctionType) or is_ours(function.__code__.co_filename):
        return function
    now = function.__globals__
    names = {name for code in _codes(function.__code__) for name in code.co_names}
    kept = {name: now[name] for name in (*_OF_MODULES, *names) if name in now}
    kept["__builtins__"] = now.get("__builtins__", builtins)
    cells = None if function.__closure__ is None else tuple(map(_copied, function.__closure__))
    made = types.FunctionType(function.__code__, kept, function.__name__, function.__defaults__, cells)
    made.__kwdefaults__ = function.__kwdefaults__
    return functools.update_wrapper(made, function)


def _copied(cell: types.CellType) -> types.CellType:
    try:
        return types.CellType(cell.cell_contents)
    except ValueError:  # it is empty: the variable gets its value later
        return cell


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    """A code object and those of the functions that are defined in it."""
    yield code
    for each in code.co_consts:
        if isinstance(each, types.CodeType):
            yield from _codes(each)
