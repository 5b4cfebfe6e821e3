"""Python's state around a function: kept before its Python runs once more, and restored afterwards.

What is kept is found from the function: the names that it uses, what it closes over, its arguments, and from there the contents of
containers and the attributes of objects. The nearest come first, and there are at most `_MOST_OBJECTS`.
"""

from __future__ import annotations

import collections
import contextlib
import random
from collections.abc import Callable, Iterable, Iterator
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from whygrad.runtime.call_sites import is_ours

_MOST_OBJECTS = 20_000
_MOST_ELEMENTS = 10_000_000  # arrays with more are not copied
_MOST_LEVELS = 8
_WITHOUT_STATE = ("tensorflow.", "whygrad.")  # packages whose objects a program does not set attributes of
_PLAIN = (
    bool,
    int,
    float,
    complex,
    str,
    bytes,
    type(None),
    type,
    ModuleType,
    BuiltinFunctionType,
    np.generic,
    np.dtype,
)


@contextlib.contextmanager
def restored(function: Any, arguments: Any) -> Iterator[None]:
    """Undo, after the block, its changes to lists, dicts, attributes, names and random states around a function."""
    undo = [_numpys_random_state(), _pythons_random_state(), *_snapshots(function, arguments)]
    try:
        yield
    finally:
        for each in reversed(undo):
            with contextlib.suppress(Exception):  # an object that refuses its own contents stays as it is
                each()


def _numpys_random_state() -> Callable[[], None]:
    state = np.random.get_state()
    return lambda: np.random.set_state(state)


def _pythons_random_state() -> Callable[[], None]:
    state = random.getstate()
    return lambda: random.setstate(state)


def _snapshots(function: Any, arguments: Any) -> Iterator[Callable[[], None]]:
    """What restores each object around a function."""
    pending: collections.deque[tuple[Any, int]] = collections.deque([(function, 0), (arguments, 0)])
    met: dict[int, Any] = {}  # holds what it names, so that no number is used twice
    while pending and len(met) < _MOST_OBJECTS:
        value, level = pending.popleft()
        if isinstance(value, _PLAIN) or id(value) in met:
            continue
        met[id(value)] = value
        undo, inside = _look_into(value)
        if undo is not None:
            yield undo
        if level < _MOST_LEVELS:
            pending.extend((each, level + 1) for each in inside)


def _look_into(value: Any) -> tuple[Callable[[], None] | None, Iterable[Any]]:
    """How a value is restored, and what it holds."""
    if isinstance(value, list | collections.deque):
        return _contents(value, list(value), value.extend), list(value)
    if isinstance(value, set):
        return _contents(value, set(value), value.update), list(value)
    if isinstance(value, dict):
        return _contents(value, dict(value), value.update), list(value.values())
    if isinstance(value, tuple | frozenset):
        return None, value
    if isinstance(value, np.ndarray):
        if not value.flags.writeable or value.size > _MOST_ELEMENTS:
            return None, ()
        before = value.copy()
        return lambda: np.copyto(value, before), ()
    if isinstance(value, np.random.Generator):
        state = value.bit_generator.state
        return lambda: setattr(value.bit_generator, "state", state), ()
    if isinstance(value, random.Random):
        python_state = value.getstate()
        return lambda: value.setstate(python_state), ()
    if isinstance(value, MethodType):
        return None, (value.__func__, value.__self__)
    if isinstance(value, FunctionType):
        return _function(value)
    return _attributes(value)


def _contents(value: Any, before: Any, fill: Callable[[Any], None]) -> Callable[[], None]:
    def undo() -> None:
        if not _is_as_before(value, before):
            value.clear()
            fill(before)

    return undo


def _is_as_before(value: Any, before: Any) -> bool:
    """Whether a container holds the very same objects, in the same order."""
    if len(value) != len(before):
        return False
    if isinstance(value, dict):
        return all(a is c and b is d for (a, b), (c, d) in zip(value.items(), before.items()))
    return all(a is b for a, b in zip(value, before)) if not isinstance(value, set) else value == before


def _function(function: FunctionType) -> tuple[Callable[[], None] | None, Iterable[Any]]:
    """The names that a function uses: those of its module by themselves, since a module also holds what the function does not use."""
    if is_ours(function.__code__.co_filename):
        return None, [value for _, value in _filled(function.__closure__)]
    names = function.__globals__
    used = {name: names[name] for name in _names_in(function.__code__) if name in names}
    cells = list(_filled(function.__closure__))

    def undo() -> None:
        names.update(used)
        for cell, value in cells:
            cell.cell_contents = value

    return undo, [*used.values(), *(value for _, value in cells), *(function.__defaults__ or ())]


def _names_in(code: Any) -> set[str]:
    """The names of its module that a function may use, nested functions included."""
    return set(code.co_names).union(*(_names_in(each) for each in code.co_consts if hasattr(each, "co_names")))


def _filled(cells: Iterable[Any] | None) -> Iterator[tuple[Any, Any]]:
    """The cells of a closure that hold something, with what they hold."""
    for cell in cells or ():
        with contextlib.suppress(ValueError):
            yield cell, cell.cell_contents


def _attributes(value: Any) -> tuple[Callable[[], None] | None, Iterable[Any]]:
    """The attributes of an object, without its own way of setting them: that may compute, or refuse."""
    own = getattr(value, "__dict__", None)
    if not isinstance(own, dict) or type(value).__module__.startswith(_WITHOUT_STATE):
        return None, ()
    return _contents(own, dict(own), own.update), list(own.values())


def iterators_in(function: Any) -> bool:
    """Whether a function takes from an iterator around it: what is taken is gone."""
    inner = getattr(function, "__func__", function)
    code = getattr(inner, "__code__", None)
    if code is None:
        return False
    around = [value for _, value in _filled(inner.__closure__)]
    around += [inner.__globals__[name] for name in code.co_names if name in inner.__globals__]
    return any(hasattr(type(each), "__next__") for each in around)
