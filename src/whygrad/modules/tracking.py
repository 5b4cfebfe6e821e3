"""How a checkpoint finds variables: through attributes, lists, tuples and dicts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Self, SupportsIndex

from whygrad.ops.random_generators import Generator
from whygrad.runtime.reference_counts import ATTRIBUTE_ALONE, count
from whygrad.values import nest
from whygrad.values.conversion import ActsAsTensor
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

    def _checkpointed(self) -> Iterator[tuple[str, Any]]:
        """The attributes that a checkpoint follows, in the order of their first assignment.

        Not called `_tracked`, which is an attribute of Keras's layers.
        """
        for name, value in self.__dict__.items():
            if name not in self._UNTRACKED and is_trackable(value):
                yield name, value


class Saved:
    """An object that a checkpoint saves as one array, such as the position of an iterator."""

    def _saved_array(self) -> Any:
        """What is saved, an array of bytes."""
        raise NotImplementedError

    def _restore_array(self, array: Any) -> None:
        """Take what was saved."""
        raise NotImplementedError


class RestoringList(list[Any]):
    """A list that a checkpoint has more elements for: what is added is restored, as an attribute is."""

    restoring: Callable[[str, Any], None] | None = None

    def _restore(self) -> None:
        for name, value in children(self) if self.restoring is not None else ():
            self.restoring(name, value)  # type: ignore[misc]

    def append(self, value: Any, /) -> None:
        """Add an element."""
        super().append(value)
        self._restore()

    def extend(self, values: Iterable[Any], /) -> None:
        """Add elements."""
        super().extend(values)
        self._restore()

    def insert(self, position: SupportsIndex, value: Any, /) -> None:
        """Insert an element."""
        super().insert(position, value)
        self._restore()

    def __setitem__(self, position: Any, value: Any, /) -> None:
        super().__setitem__(position, value)
        self._restore()

    def __iadd__(self, values: Iterable[Any], /) -> Self:  # type: ignore[misc]
        super().extend(values)
        self._restore()
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return list, (list(self),)


class RestoringDict(dict[str, Any]):
    """A dict that a checkpoint has more items for: what is added is restored, as an attribute is."""

    restoring: Callable[[str, Any], None] | None = None

    def __setitem__(self, name: str, value: Any, /) -> None:
        super().__setitem__(name, value)
        if self.restoring is not None and is_trackable(value):
            self.restoring(name, value)

    def update(self, *others: Any, **named: Any) -> None:
        """Set several items."""
        for name, value in dict(*others, **named).items():
            self[name] = value

    def setdefault(self, name: str, value: Any = None, /) -> Any:
        """The item of this name, which is set if there is none."""
        if name not in self:
            self[name] = value
        return self[name]

    def __ior__(self, other: Any, /) -> Self:  # type: ignore[override,misc]
        self.update(other)
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (dict(self),)


def make_restorable(owner: Trackable, names: Iterable[str]) -> None:
    """Let the lists and dicts among these attributes tell when something is added.

    They are replaced by others, so only those that nothing else holds: a program that holds the list itself would add to the
    old one.
    """
    attributes = owner.__dict__
    for name in names:
        kind = _RESTORING.get(type(attributes.get(name)))
        if kind is not None and count(attributes[name]) == ATTRIBUTE_ALONE:
            attributes[name] = kind(attributes[name])


_RESTORING: dict[type, Any] = {list: RestoringList, dict: RestoringDict}


def is_trackable(value: Any) -> bool:
    """Whether a checkpoint can find variables in the value."""
    return isinstance(value, Variable | Trackable | Saved | Generator | dict | list | tuple)


def children(value: Any) -> Iterator[tuple[str, Any]]:
    """The objects inside a value, with the names under which they are saved."""
    for name, child in _children(value):
        yield name, child.handle if isinstance(child, ActsAsTensor) else child


def _children(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Trackable):
        yield from value._checkpointed()
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
