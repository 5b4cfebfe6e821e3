"""function-retraced: which argument changed from call to call, so that a function is traced again and again."""

from __future__ import annotations

import linecache
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from types import CodeType, FunctionType
from typing import Any

from whygrad.compile.signature import Same
from whygrad.values.indexed_slices import IndexedSlices
from whygrad.values.nest import shown_key
from whygrad.why.cause import Cause
from whygrad.why.source import syntax
from whygrad.why.source.sites import Site, site, site_of
from whygrad.why.source.wording import quoted

_MOST = 3  # arguments that are named


def explain(
    name: str,
    function: Callable[..., Any],
    kinds: list[dict[str, Any]],
    made_each_call: bool,
    called: tuple[CodeType, int],
) -> Cause | None:
    """The cause of many traces: what the calls differ in, or that `tf.function` makes a new function each time."""
    here = site(*called, "called here")
    defined = _definition(function)
    places = (here,) if defined is None else (here, defined)
    if made_each_call:
        return Cause(
            "function-retraced",
            "slow",
            f"tf.function makes a new {quoted(name)} each time, and each is traced and compiled for a single call",
            places,
            "call tf.function once, outside the loop or the function that repeats, and keep its result: a compiled function keeps "
            "its compiled versions",
        )
    changed = list(_changes(kinds))
    if not changed:
        return None
    said = "; ".join(what for _, what, _ in changed[:_MOST])
    helps = list(dict.fromkeys(help for _, _, help in changed[:_MOST]))
    return Cause(
        "function-retraced",
        "slow",
        f"{quoted(name)} was traced and compiled again in each of {len(kinds)} calls, because {said}",
        places,
        "; ".join(helps),
        dict(_shapes(kinds[-1])),
    )


def _definition(function: Any) -> Site | None:
    """Where the Python function begins."""
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    node = None if code is None else syntax.function_of(code)
    if code is None or node is None:
        return None
    place = site_of(node, code.co_filename, "defined here")
    line = linecache.getline(place.file, place.line).rstrip()
    end = place.end_column if place.end_line == place.line else len(line)
    return replace(place, end_line=place.line, end_column=end, text=line[place.column : end])


def _changes(kinds: list[dict[str, Any]]) -> Iterator[tuple[str, str, str]]:
    """Each part of the arguments that differs between the traces: its name, its values, and a help."""
    leaves = [dict(part for name, kind in each.items() for part in _leaves(name, kind)) for each in kinds]
    for path in dict.fromkeys(path for each in leaves for path in each):
        seen = [each[path] for each in leaves if path in each]
        if len(seen) == len(leaves) and len(set(seen)) > 1:  # a list that grew has changed in its length
            what, help = _change(path, seen)
            yield path, what, help


def _shapes(kinds: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for name, kind in kinds.items():
        for path, part in _leaves(name, kind):
            if _is_tensor(part):
                yield path, f"{part[1]} {part[0]}"


def _leaves(path: str, kind: Any) -> Iterator[tuple[str, Any]]:
    """The parts of an argument's kind that are no structures."""
    if not isinstance(kind, tuple) or not isinstance(kind[0], type) or kind[0] is IndexedSlices:
        yield path, kind
    elif isinstance(kind[1], tuple) and issubclass(kind[0], Mapping):
        yield f"the keys of {quoted(path)}", (tuple, kind[1])
        for key, child in zip(kind[1], kind[2:]):
            yield from _leaves(f"{path}[{shown_key(key)}]", child)
    elif len(kind) > 2 or issubclass(kind[0], list | tuple):
        yield f"len({path})", (int, kind[1])
        for i, child in enumerate(kind[2:]):
            yield from _leaves(f"{path}[{i}]", child)
    else:
        yield path, kind


def _is_tensor(kind: Any) -> bool:
    return isinstance(kind, tuple) and isinstance(kind[0], tuple)


def _change(path: str, seen: list[Any]) -> tuple[str, str]:
    """How a part changed, and what to do about it."""
    name = path if path.startswith("the keys") else quoted(path)
    if all(_is_tensor(each) for each in seen):
        if len({each[1] for each in seen}) > 1:
            return (
                f"{name} was {_spoken([str(each[1]) for each in seen])}",
                f"give {name} one dtype: tf.cast({path}, tf.float32)",
            )
        return (
            f"{name} had shape {_spoken([str(each[0]) for each in seen])}",
            f"pad {name} to one shape, or drop what does not fill it, as a dataset's batch(..., drop_remainder=True) does",
        )
    if all(isinstance(each, Same) for each in seen):
        objects = [each.object for each in seen]
        if any(isinstance(each, FunctionType) for each in objects):
            return f"{name} was a different function each time", f"define {name} once, outside of the loop"
        kind = next((type(each).__name__ for each in reversed(objects) if each is not None), "object")
        return (
            f"{name} was a different object each time (of class {kind})",
            f"make {name} once, outside of the loop, or pass the tensors in it",
        )
    if all(isinstance(each, tuple) and len(each) == 2 and isinstance(each[0], type) for each in seen):
        was = f"{name} was {_spoken([_number(each[1]) for each in seen])}"
        if all(each[0] in (int, float, complex) for each in seen) and not path.startswith("len("):
            return was, f"{_as_tensor(path, seen)}: a Python number is part of what is compiled"
        if path.startswith("len("):
            return was, f"pass one tensor instead of {quoted(path[4:-1])}, or keep its length"
        return was, f"call it with few values of {name}: a Python value is part of what is compiled"
    return f"{name} had a different type each time", f"give {name} the same type of value at each call"


def _as_tensor(path: str, seen: list[Any]) -> str:
    """How to pass a Python number as a tensor. An integer tensor cannot be multiplied by 0.1, which a Python integer can."""
    if any(each[0] is not int for each in seen):
        return f"pass {quoted(path)} as a tensor, tf.constant({path})"
    return f"pass {quoted(path)} as a tensor, tf.constant({path}), or tf.constant({path}, tf.float32) where it meets floats"


def _number(value: Any) -> str:
    return f"{value:.6g}" if type(value) is float else repr(value)


def _spoken(values: list[str]) -> str:
    distinct = list(dict.fromkeys(values))
    return ", ".join(distinct[:4]) + (", ..." if len(distinct) > 4 else "")
