"""How a checkpoint finds variables: through attributes, lists, tuples and dicts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from whygrad.ops.random import Generator
from whygrad.values import nest
from whygrad.values.errors import OpValueError
from whygrad.values.variable import Variable


class Trackable:
    """An object whose attributes a checkpoint follows.

    `_restoring` holds the saved values of attributes that do not exist yet: a variable created later is restored when it becomes
    an attribute.
    """

    _UNTRACKED = frozenset(["_restoring"])

    def __setattr__(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)
        restoring = self.__dict__.get("_restoring")
        if restoring is not None and is_trackable(value):
            restoring(name, value)

    def _tracked(self) -> Iterator[tuple[str, Any]]:
        """The attributes that a checkpoint follows, in the order of their first assignment."""
        for name, value in self.__dict__.items():
            if name not in self._UNTRACKED and is_trackable(value):
                yield name, value


def is_trackable(value: Any) -> bool:
    """Whether a checkpoint can find variables in the value."""
    return isinstance(value, Variable | Trackable | Generator | dict | list | tuple)


def children(value: Any) -> Iterator[tuple[str, Any]]:
    """The objects inside a value, with the names under which they are saved."""
    if isinstance(value, Trackable):
        yield from value._tracked()
    elif isinstance(value, Generator):
        yield "_state_var", value.state
    elif isinstance(value, dict):
        for key, each in value.items():
            if is_trackable(each):
                if not isinstance(key, str):
                    raise OpValueError(
                        f"Unable to save the dict {value!r}: its key {key!r} is not a string, and names in a checkpoint are strings."
                    )
                yield key, each
    elif isinstance(value, list | tuple):
        names = getattr(value, "_fields", None) or range(len(value))
        yield from [(str(name), each) for name, each in zip(names, value) if is_trackable(each)]


def contents(value: Any) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """The leaves of a nested structure, each with its path, in the order of `tf.nest`."""
    if not nest.is_nested(value):
        yield (), value
        return
    if isinstance(value, Mapping):
        names: Any = sorted(value)
        parts = [value[name] for name in names]
    else:
        names = getattr(value, "_fields", None) or range(len(value))
        parts = list(value)
    for name, part in zip(names, parts):
        for path, leaf in contents(part):
            yield (name, *path), leaf
