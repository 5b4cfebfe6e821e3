"""The path to an object from what a program can name: `history[0]`, `self.cache['h']`."""

from __future__ import annotations

import collections
import itertools
import sys
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from whygrad.runtime.call_sites import is_ours, objects_in_scopes
from whygrad.values.nest import shown_key
from whygrad.values.tensor import Tensor
from whygrad.values.variable import Variable
from whygrad.why.source.stand_ins import resolved

_MOST_OBJECTS = 20_000  # visited
_MOST_ELEMENTS = 256  # visited of each list: the last ones, as what was appended just now stands at the end
_DEEPEST = 6

_NOT_ENTERED = (Tensor, Variable, np.ndarray, np.generic, str, bytes, int, float, complex, type, types.ModuleType)


class ObjectPath(NamedTuple):
    """An object, the expression that leads to it, and the expression for its container."""

    value: Any
    text: str
    container: str  # the list, dict or object that it was put into; "" for a plain name


def object_paths(roots: Iterable[tuple[str, Any]], wanted: Callable[[Any], bool]) -> Iterator[ObjectPath]:
    """The wanted objects that can be reached from named ones, the shortest paths first."""
    waiting = collections.deque((ObjectPath(resolved(value), name, ""), 0) for name, value in roots)
    seen: set[int] = set()
    while waiting and len(seen) < _MOST_OBJECTS:
        here, depth = waiting.popleft()
        if wanted(here.value):
            yield here
            continue
        if id(here.value) in seen or isinstance(here.value, _NOT_ENTERED) or depth == _DEEPEST:
            continue
        seen.add(id(here.value))
        waiting.extend(
            (ObjectPath(resolved(value), text, here.text), depth + 1) for text, value in _parts(here.text, here.value)
        )


def _parts(text: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        last = list(itertools.islice(reversed(value.items()), _MOST_ELEMENTS))
        yield from ((f"{text}[{_key(key)}]", each) for key, each in last)
    elif isinstance(value, list | tuple | collections.deque):
        last = list(itertools.islice(reversed(value), _MOST_ELEMENTS))
        yield from ((f"{text}[{len(value) - 1 - i}]", each) for i, each in enumerate(last))
    elif isinstance(value, set | frozenset):
        yield from ((text, each) for each in list(itertools.islice(value, _MOST_ELEMENTS)))
    elif not isinstance(value, types.FunctionType | types.MethodType) and _is_the_programs(type(value)):
        attributes = getattr(value, "__dict__", None)
        if isinstance(attributes, dict):
            # Of a library's base class, whose own attributes begin with an underscore.
            is_librarys = id(value) in objects_in_scopes
            yield from (
                (f"{text}.{name}", each)
                for name, each in list(attributes.items())
                if not (is_librarys and name.startswith("_"))
            )


def _key(key: Any) -> str:
    return shown_key(key) if isinstance(key, str | int | float | tuple) else "..."


def _is_the_programs(kind: type) -> bool:
    """Whether the program itself defines a class: what library classes hold, the program did not put there."""
    if kind.__module__ == "__main__":  # the file may be that of a launcher, such as pytest
        return True
    file = getattr(sys.modules.get(kind.__module__), "__file__", None) or ""
    return not is_ours(file) and "-packages" not in file


def named_in(function: Any, arguments: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """The names in a function whose values outlive a call: arguments, variables of enclosing functions, globals."""
    function = getattr(function, "__func__", function)
    code = getattr(function, "__code__", None)
    if code is None:
        return list(arguments.items())
    found = dict(arguments)
    for name, cell in zip(code.co_freevars, function.__closure__ or ()):
        try:
            found.setdefault(name, cell.cell_contents)
        except ValueError:  # not set yet
            continue
    for name in _names(code):
        if name in function.__globals__:
            found.setdefault(name, function.__globals__[name])
    return list(found.items())


def _names(code: types.CodeType) -> set[str]:
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            names |= _names(constant)
    return names
