"""`tf.compat.v1`: the names that TensorFlow 2 has too, found where TensorFlow 2 has them.

`version_1_names.py` lists them. The namespaces below (`tf.compat.v1.math`) are made when a program first uses them, unless whygrad
declares names of its own there. Graphs and sessions are not here: their names raise errors that say so.
"""

from __future__ import annotations

import functools
import sys
from types import ModuleType
from typing import Any

from whygrad._public import ABSENT, MissingName


@functools.cache
def _places() -> dict[str, str]:
    """The place in TensorFlow 2 of each name that is the same there: `math.log` of `log`."""
    from whygrad._public.version_1_names import SAME

    places = {}
    for namespace, names in SAME.items():
        for entry in names.split():
            name, _, other = entry.partition("=")
            own = f"{namespace}.{name}".removeprefix(".")
            places[own] = other or own
    return places


@functools.cache
def _namespaces() -> frozenset[str]:
    """All namespaces that have such a name."""
    from whygrad._public.version_1_names import SAME

    return frozenset(SAME) - {""}


def place(name: str) -> str | None:
    """Where TensorFlow 2 has a name of `tf.compat.v1`; None for a name that only TensorFlow 1 has.

    >>> place("log")
    'math.log'
    """
    return _places().get(name)


@functools.cache
def find(name: str) -> Any:
    """What `tf.compat.v1` has under a name, such as `log` or `math.log`; `ABSENT` if nothing."""
    where = place(name)
    if where is not None:
        value: Any = sys.modules["whygrad"]
        for part in where.split("."):
            value = getattr(value, part, ABSENT)
        return value
    return Namespace(name) if name in _namespaces() else ABSENT


class Namespace(ModuleType):
    """A namespace of `tf.compat.v1` that holds names of TensorFlow 2 only."""

    def __init__(self, path: str) -> None:
        super().__init__(f"whygrad.compat.v1.{path}", f"`tf.compat.v1.{path}`: the names that TensorFlow 2 has too.")
        self._path = path

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        value = find(f"{self._path}.{name}")
        if value is ABSENT:
            raise MissingName(name=name, obj=self)
        setattr(self, name, value)
        return value
