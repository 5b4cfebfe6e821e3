"""Small things that programs import."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any


def func(f: Any) -> Any:
    """A method as the function that it is."""
    return f


def subvals(x: Sequence[Any], ivs: Iterable[tuple[int, Any]]) -> tuple[Any, ...]:
    """A sequence as a tuple, with other values at some positions."""
    found = list(x)
    for index, value in ivs:
        found[index] = value
    return tuple(found)


def subval(x: Sequence[Any], i: int, v: Any) -> tuple[Any, ...]:
    """A sequence as a tuple, with another value at one position."""
    return subvals(x, [(i, v)])


def toposort(end_node: Any, parents: Callable[[Any], Iterable[Any]] = operator.attrgetter("parents")) -> Iterator[Any]:
    """A node and all that it depends on, each after everything that depends on it."""
    waiting: dict[Any, int] = {}  # for each node, how many that depend on it are still to come
    stack = [end_node]
    while stack:
        node = stack.pop()
        if node not in waiting:
            waiting[node] = 0
            stack.extend(parents(node))
        waiting[node] += 1
    ready = [end_node]
    while ready:
        node = ready.pop()
        yield node
        for parent in parents(node):
            waiting[parent] -= 1
            if not waiting[parent]:
                ready.append(parent)
