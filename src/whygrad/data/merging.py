"""Several datasets as one: zip, concatenate, interleave, flat_map, choose, sample and groups."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from whygrad.data.frozen import frozen
from whygrad.data.functions import ElementFunction
from whygrad.data.options import UNKNOWN_CARDINALITY
from whygrad.data.sources import Elements
from whygrad.data.stage import Cursor, CursorOf, Of, Run, Stage, State, cached, least_size, saved_elements, sum_of_sizes
from whygrad.data.structure import Flat, common_spec, flatten, map_structure
from whygrad.data.transforms import joined, restore_streams, saved_streams
from whygrad.values.errors import OpTypeError, invalid
from whygrad.values.tensor import Tensor, value_of, wrap

AsStage = Callable[[Any], Stage | None]  # the stage of a dataset; None for anything else


class Zipped(Stage):
    """One element of each dataset at a time."""

    name = "_ZipDataset"

    def __init__(self, stages: Any) -> None:
        self._stages = stages
        self._flat: list[Stage] = flatten(stages)
        for each in self._flat:
            self.options = self.options.merge(each.options)

    def cursor(self, run: Run) -> Cursor:
        """An iteration over all of them, as long as the shortest."""
        return _ZipCursor([each.cursor(run) for each in self._flat])

    @property
    def spec(self) -> Any:
        """The specs, in the structure of the datasets."""
        specs = [each.spec for each in self._flat]
        found = self.__dict__.get("_spec")
        if found is None or any(a is not b for a, b in zip(found[0], specs)):
            found = self.__dict__["_spec"] = specs, map_structure(lambda each: each.spec, self._stages)
        return found[1]

    @property
    def size(self) -> int:
        """The least number of elements."""
        return least_size([each.size for each in self._flat])


class _ZipCursor(Cursor):
    def __init__(self, cursors: list[Cursor]) -> None:
        self._cursors = cursors

    def __next__(self) -> Flat:
        found: list[Any] = []
        for each in self._cursors:
            found += next(each)
        return tuple(found)

    def block(self, count: int) -> tuple[Flat, int]:
        columns: list[Any] = []
        blocks = [each.block(count) for each in self._cursors]
        least = min(number for _, number in blocks)
        for flat, number in blocks:
            if number == least:
                columns += flat
            else:
                columns += [each[:least] for each in flat]
        return tuple(columns), least

    def save(self) -> State:
        return [each.save() for each in self._cursors]

    def restore(self, state: State) -> None:
        for each, saved in zip(self._cursors, state):
            each.restore(saved)


class Concatenated(Of):
    """The elements of one dataset, and then those of another one."""

    name = "_ConcatenateDataset"

    def __init__(self, source: Stage, other: Stage) -> None:
        super().__init__(source)
        self._other = other
        self._spec = common_spec(source.spec, other.spec)
        self.options = source.options.merge(other.options)

    def cursor(self, run: Run) -> Cursor:
        """An iteration over both."""
        return _ConcatenateCursor([self.source, self._other], run)

    @property
    def spec(self) -> Any:
        """The narrowest specs that both fit."""
        return self._spec

    @property
    def size(self) -> int:
        """The sum."""
        return sum_of_sizes([self.source.size, self._other.size])


class _ConcatenateCursor(Cursor):
    def __init__(self, stages: list[Stage], run: Run) -> None:
        self._stages, self._run = stages, run
        self._at = 0
        self._cursor = stages[0].cursor(run)

    def _advance(self) -> bool:
        if self._at + 1 == len(self._stages):
            return False
        self._at += 1
        self._cursor = self._stages[self._at].cursor(self._run)
        return True

    def __next__(self) -> Flat:
        while True:
            try:
                return next(self._cursor)
            except StopIteration:
                if not self._advance():
                    raise

    def block(self, count: int) -> tuple[Flat, int]:
        parts: list[Flat] = []
        found = 0
        while found < count:
            part, number = self._cursor.block(count - found)
            if number:
                parts.append(part)
                found += number
            elif not self._advance():
                break
        return (joined(parts) if parts else ()), found

    def save(self) -> State:
        return [self._at, self._cursor.save()]

    def restore(self, state: State) -> None:
        self._at = state[0]
        self._cursor = self._stages[self._at].cursor(self._run)
        self._cursor.restore(state[1])


class Interleaved(Of):
    """The elements of the datasets that a function makes: of several at a time, some of each in turn."""

    def __init__(
        self, source: Stage, function: Callable[..., Any], cycle: int, block: int, as_stage: AsStage, method: str
    ) -> None:
        super().__init__(source)
        self.name = "_FlatMapDataset" if method == "flat_map" else "_InterleaveDataset"  # type: ignore[misc]
        if cycle < 1:
            raise invalid("`cycle_length` must be > 0")
        if block < 1:
            raise invalid("`block_length` must be > 0")
        self.cycle, self.length = cycle, block
        self._as_stage = as_stage
        self.function = ElementFunction(function, source, method)
        known = self.function.known
        if known is not None and not hasattr(known, "element_spec"):
            raise OpTypeError(f"`map_func` must return a `Dataset` object. Got {known}.")

    def made(self, value: Any) -> Stage:
        """The stage of the dataset that the function returned."""
        stage = self._as_stage(value)
        if stage is None:
            raise OpTypeError(f"`map_func` must return a `Dataset` object. Got {type(value)}.")
        return stage

    def cursor(self, run: Run) -> Cursor:
        """An iteration over the datasets in turn."""
        return InterleaveCursor(self, run)

    @property
    def spec(self) -> Any:
        """The specs of the datasets that the function makes."""
        found = self.function.spec
        element_spec = getattr(found, "element_spec", None)
        if element_spec is None:
            raise OpTypeError(f"`map_func` must return a `Dataset` object. Got {found}.")
        return element_spec

    @property
    def size(self) -> int:
        """Not known."""
        return UNKNOWN_CARDINALITY


class InterleaveCursor(CursorOf):
    def __init__(self, stage: Interleaved, run: Run) -> None:
        super().__init__(stage.source.cursor(run))
        self._stage, self._run = stage, run
        self._call = stage.function.caller(run)
        self._slots: list[tuple[Flat, Cursor] | None] = [None] * stage.cycle
        self._at = self._taken = 0
        self._is_over = False

    def _open(self, flat: Flat) -> Cursor:
        return self._stage.made(self._call(flat)).cursor(self._run)

    def __next__(self) -> Flat:
        idle = 0
        while idle < len(self._slots):
            slot = self._slots[self._at]
            if slot is None and not self._is_over:
                try:
                    flat = next(self.source)
                except StopIteration:
                    self._is_over = True
                else:
                    slot = self._slots[self._at] = flat, self._open(flat)
            if slot is None:
                idle += 1
                self._turn()
                continue
            idle = 0
            try:
                found = next(slot[1])
            except StopIteration:
                self._slots[self._at] = None
                self._turn()
                continue
            self._taken += 1
            if self._taken == self._stage.length:
                self._turn()
            return found
        raise StopIteration

    def _turn(self) -> None:
        self._taken = 0
        self._at = (self._at + 1) % len(self._slots)

    def save(self) -> State:
        slots = [None if each is None else [list(each[0]), each[1].save()] for each in self._slots]
        return {
            "source": self.source.save(),
            "slots": slots,
            "at": self._at,
            "taken": self._taken,
            "over": self._is_over,
        }

    def restore(self, state: State) -> None:
        self.source.restore(state["source"])
        self._at, self._taken, self._is_over = state["at"], state["taken"], state["over"]
        for i, saved in enumerate(state["slots"]):
            if saved is None:
                self._slots[i] = None
            else:
                cursor = self._open(tuple(saved[0]))
                cursor.restore(saved[1])
                self._slots[i] = tuple(saved[0]), cursor


class Directed(Stage):
    """Elements of several datasets: a dataset of numbers says from which one the next element comes."""

    name = "_DirectedInterleaveDataset"

    def __init__(self, selector: Stage, stages: list[Stage], stops: bool) -> None:
        self._selector, self._stages, self._stops = selector, stages, stops
        spec = stages[0].spec
        for each in stages[1:]:
            spec = common_spec(spec, each.spec)
        self._spec = spec

    def cursor(self, run: Run) -> Cursor:
        """An iteration that follows the numbers."""
        return _DirectedCursor(self._selector.cursor(run), [each.cursor(run) for each in self._stages], self._stops)

    @property
    def spec(self) -> Any:
        """The narrowest specs that all fit."""
        return self._spec


class _DirectedCursor(CursorOf):
    def __init__(self, selector: Cursor, cursors: list[Cursor], stops: bool) -> None:
        super().__init__(selector)
        self._cursors: list[Cursor | None] = list(cursors)
        self._stops = stops
        self._is_over = False

    def __next__(self) -> Flat:
        while not self._is_over and any(each is not None for each in self._cursors):
            which = int(next(self.source)[0])
            if not 0 <= which < len(self._cursors):
                raise invalid(f"Selector index out of range: {which} >= {len(self._cursors)}")
            cursor = self._cursors[which]
            if cursor is None:
                continue
            try:
                return next(cursor)
            except StopIteration:
                self._cursors[which] = None
                self._is_over = self._stops
        raise StopIteration

    def save(self) -> State:
        kept = [None if each is None else each.save() for each in self._cursors]
        return {"source": self.source.save(), "cursors": kept, "over": self._is_over}

    def restore(self, state: State) -> None:
        self.source.restore(state["source"])
        self._is_over = state["over"]
        for i, saved in enumerate(state["cursors"]):
            cursor = self._cursors[i]
            if saved is None or cursor is None:
                self._cursors[i] = None
            else:
                cursor.restore(saved)


class Grouped(Of):
    """Elements are put together by a key; a function makes a dataset of each group that is full."""

    name = "_GroupByWindowDataset"

    def __init__(
        self,
        source: Stage,
        key: Callable[..., Any],
        reduce: Callable[..., Any],
        window: Callable[..., Any],
        as_stage: AsStage,
        as_dataset: Callable[[Stage], Any],
        as_spec: Callable[[Any], Any],
    ) -> None:
        super().__init__(source)
        self.key = ElementFunction(key, source, "group_by_window")
        self._reduce, self._window = frozen(reduce), frozen(window)
        self._as_stage, self._as_dataset, self._as_spec = as_stage, as_dataset, as_spec

    def made(self, key: Any, elements: list[Flat]) -> Stage:
        """The stage for a group."""
        group = self._as_dataset(Elements(elements, self.source.spec))
        stage = self._as_stage(self._reduce(wrap(key), group))
        if stage is None:
            raise OpTypeError("`reduce_func` must return a `Dataset` object.")
        return stage

    def window(self, key: Any) -> int:
        """The number of elements of a group with this key."""
        found = self._window(wrap(key))
        size = int(value_of(found)) if isinstance(found, Tensor) else int(found)
        if size < 1:
            raise invalid(f"Window size must be greater than zero, but got {size}.")
        return size

    def cursor(self, run: Run) -> Cursor:
        """An iteration that fills the groups."""
        return _GroupCursor(self, run)

    @cached
    def spec(self) -> Any:
        """The specs of the datasets that `reduce_func` makes."""
        dtype = self.key.spec.dtype.numpy_dtype
        spec = self.made(np.zeros((), dtype), []).spec
        try:  # what depends on the key is not known
            return common_spec(spec, self.made(np.ones((), dtype), []).spec)
        except Exception:  # the user's function may refuse this key
            return spec

    @property
    def size(self) -> int:
        """Not known."""
        return UNKNOWN_CARDINALITY


class _GroupCursor(CursorOf):
    def __init__(self, stage: Grouped, run: Run) -> None:
        super().__init__(stage.source.cursor(run))
        self._stage, self._run = stage, run
        self._call = stage.key.caller(run)
        self._streams = run.streams(stage.key)
        self._groups: dict[int, tuple[Any, int, list[Flat]]] = {}
        self._current: Cursor | None = None  # over the dataset of a group that is full,
        self._reduced: tuple[Any, list[Flat]] | None = None  # and its key and elements
        self._is_over = False

    def __next__(self) -> Flat:
        while True:
            if self._current is not None:
                try:
                    return next(self._current)
                except StopIteration:
                    self._current = None
            if self._is_over:
                if not self._groups:
                    raise StopIteration
                # TensorFlow gives the groups that are left in the order of their keys.
                key = min(self._groups)
                self._begin(key)
                continue
            try:
                flat = next(self.source)
            except StopIteration:
                self._is_over = True
                continue
            found = self._call(flat)
            value = value_of(found)
            key = int(value)
            if key not in self._groups:
                self._groups[key] = value, self._stage.window(value), []
            group = self._groups[key]
            group[2].append(flat)
            if len(group[2]) == group[1]:
                self._begin(key)

    def _begin(self, key: int) -> None:
        value, _, elements = self._groups.pop(key)
        self._reduced = value, elements
        self._current = self._stage.made(value, elements).cursor(self._run)

    def save(self) -> State:
        groups = [[value, size, saved_elements(elements)] for value, size, elements in self._groups.values()]
        current = None
        if self._current is not None and self._reduced is not None:
            current = [self._reduced[0], saved_elements(self._reduced[1]), self._current.save()]
        return {
            "source": self.source.save(), "groups": groups, "over": self._is_over, "current": current,
            "streams": saved_streams(self._streams),
        }  # fmt: skip

    def restore(self, state: State) -> None:
        self.source.restore(state["source"])
        restore_streams(self._streams, state["streams"])
        self._is_over, self._current, self._reduced = state["over"], None, None
        self._groups = {}
        for value, size, elements in state["groups"]:
            self._groups[int(value)] = value, size, [tuple(each) for each in elements]
        if state["current"] is not None:
            value, kept, position = state["current"]
            self._reduced = value, [tuple(each) for each in kept]
            self._current = self._stage.made(*self._reduced).cursor(self._run)
            self._current.restore(position)
