"""Stages of a pipeline, and cursors over them.

A dataset is described by a `Stage`: what its elements are made of, their specs and their number. An iteration makes a `Cursor` of it,
which has the position: the cursor of a stage has the cursors of the stages that it reads from. Elements are flat between stages
(see `whygrad.data.structure`).
"""

from __future__ import annotations

import functools
import itertools
import threading
import weakref
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from whygrad.data.options import INFINITE_CARDINALITY, UNKNOWN_CARDINALITY, Options
from whygrad.data.structure import Flat, Layout, stacked
from whygrad.ops.random_streams import StreamsOfFunction
from whygrad.values.errors import FailedPreconditionError, OpValueError

State = Any  # numbers, strings, bytes, arrays, and lists and dicts of them


class Unknown(OpValueError):
    """The specs are not known before there is an element."""

    def __init__(self) -> None:
        super().__init__(
            "the specs of an empty dataset are not known, because the function that makes its elements cannot be traced"
        )


class _Peeking(threading.local):
    """Whether this thread may look at elements for their specs."""

    is_allowed = True


_peeking = _Peeking()


class Run:
    """One iteration over a dataset: what its stages share.

    TensorFlow traces the functions of `map` and similar methods: their random ops have numbers in that function, and each continues its own
    numbers from call to call. A new iterator starts from the beginning. A run that `peeks` looks at elements for their specs alone: the
    next one has the order that it would have had.
    """

    def __init__(self, peeks: bool = False) -> None:
        if peeks and not _peeking.is_allowed:
            raise Unknown
        self.peeks = peeks
        self._streams: weakref.WeakKeyDictionary[Any, StreamsOfFunction] = weakref.WeakKeyDictionary()

    def streams(self, owner: Any) -> StreamsOfFunction:
        """The random numbers of the function of a stage."""
        return self._streams.setdefault(owner, StreamsOfFunction())


class Stage:
    """A step of a pipeline: where elements come from, or what is done with those of other stages."""

    name: ClassVar[str] = "Dataset"  # TensorFlow's class, as `repr` shows it
    options = Options()

    @property
    def spec(self) -> Any:
        """The specs of the elements, in their structure."""
        raise NotImplementedError

    @property
    def size(self) -> int:
        """The number of elements, INFINITE_CARDINALITY or UNKNOWN_CARDINALITY."""
        return UNKNOWN_CARDINALITY

    @property
    def layout(self) -> Layout:
        """How elements are put together."""
        return _layout_of(self)

    def cursor(self, run: Run) -> Cursor:
        """Begin an iteration."""
        raise NotImplementedError


def _layout_of(stage: Stage) -> Layout:
    spec = stage.spec
    found: Layout | None = stage.__dict__.get("_layout")
    if found is None or found.spec is not spec:
        found = stage.__dict__["_layout"] = Layout(spec)
    return found


def known_spec(stage: Stage) -> Any:
    """The specs of a stage's elements; None where only its first element would tell."""
    before, _peeking.is_allowed = _peeking.is_allowed, False
    try:
        return stage.spec
    except Unknown:
        return None
    finally:
        _peeking.is_allowed = before


class Of(Stage):
    """A stage that reads from another one, with its options, specs and number of elements unless it says otherwise."""

    def __init__(self, source: Stage) -> None:
        self.source = source
        self.options = source.options

    @property
    def spec(self) -> Any:
        """The specs of the source."""
        return self.source.spec

    @property
    def size(self) -> int:
        """The number of elements of the source."""
        return self.source.size


class Cursor:
    """A position in a stage: an iterator over its flat elements."""

    def __iter__(self) -> Cursor:
        return self

    def __next__(self) -> Flat:
        raise NotImplementedError

    def block(self, count: int) -> tuple[Flat, int]:
        """The next elements, at most `count`, stacked, and how many there are: 0 at the end."""
        elements = list(itertools.islice(self, count))
        return (stacked(elements) if elements else ()), len(elements)

    def skip(self, count: int) -> int:
        """Pass over elements, at most `count`; returns how many there were."""
        passed = 0
        for _ in itertools.islice(self, count):
            passed += 1
        return passed

    def save(self) -> State:
        """The position, for `restore` on a cursor of an equal stage."""
        raise FailedPreconditionError(
            None,
            None,
            f"an iterator over {type(self).__name__} cannot be saved: its position is known to Python alone. Save it before this "
            "stage, or cache the elements",
        )

    def restore(self, state: State) -> None:
        """Take a saved position."""
        raise NotImplementedError


class CursorOf(Cursor):
    """A cursor that reads from one other cursor."""

    def __init__(self, source: Cursor) -> None:
        self.source = source

    def save(self) -> State:
        """The position of the source."""
        return self.source.save()

    def restore(self, state: State) -> None:
        """Take the position of the source."""
        self.source.restore(state)


def sum_of_sizes(sizes: list[int]) -> int:
    """The number of elements of datasets one after the other."""
    if INFINITE_CARDINALITY in sizes:
        return INFINITE_CARDINALITY
    return UNKNOWN_CARDINALITY if UNKNOWN_CARDINALITY in sizes else sum(sizes)


def least_size(sizes: list[int]) -> int:
    """The number of elements of datasets side by side."""
    if UNKNOWN_CARDINALITY in sizes:
        return UNKNOWN_CARDINALITY
    return min([each for each in sizes if each != INFINITE_CARDINALITY], default=INFINITE_CARDINALITY)


def number(value: Any, dtype: Any = np.int64) -> np.ndarray[Any, Any]:
    """A number as a component."""
    return np.asarray(value, dtype)


def saved_elements(elements: Any) -> list[list[Any]]:
    """Flat elements as a part of a state."""
    return [list(each) for each in elements]


cached = functools.cached_property
Function = Callable[..., Any]
