"""A traced function as programs read TensorFlow's graphs: its operations by name, and what each takes from which other."""

from __future__ import annotations

import collections
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from whygrad.values.errors import OpValueError


class Operation(NamedTuple):
    """One step of a traced function."""

    name: str
    type: str
    attributes: Mapping[str, Any] = MappingProxyType({})
    input: tuple[str, ...] = ()  # the names of the operations that compute what it takes

    @property
    def op(self) -> str:
        """The kind of the operation, as in a `GraphDef`."""
        return self.type

    def get_attr(self, name: str) -> Any:
        """Return an attribute of the operation."""
        if name not in self.attributes:
            raise OpValueError(f"Operation '{self.name}' has no attr named '{name}'.")
        return self.attributes[name]


class Computed(NamedTuple):
    """An op of a trace: its kind, and the identities of the values that it takes and gives."""

    kind: str
    takes: Sequence[int]
    gives: Sequence[int]


class Computation(NamedTuple):
    """The ops of a trace in their order, and the identities of what it takes and gives as a whole."""

    takes: Sequence[int]
    ops: Sequence[Computed]
    gives: Sequence[int]

    def nodes(self, names: Iterable[str]) -> list[Operation]:
        """Return the operations: a placeholder of one of these names for each input, the ops, and what the function returns."""
        met: collections.Counter[str] = collections.Counter()
        made_by: dict[int, str] = {}
        found: list[Operation] = []

        def add(name: str, kind: str, takes: Sequence[int], gives: Sequence[int]) -> None:
            numbered = f"{name}_{met[name]}" if met[name] else name
            met[name] += 1
            known = tuple([made_by[each] for each in takes if each in made_by])
            found.append(Operation(numbered, kind, input=known))
            made_by.update(dict.fromkeys(gives, numbered))

        for name, given in zip(names, self.takes):
            add(name, "Placeholder", (), (given,))
        for each in self.ops:
            add(each.kind, each.kind, each.takes, each.gives)
        for result in self.gives:
            add("Identity", "Identity", (result,), ())
        return found
