"""Element by element: map, filter, scan, and the parts of a dataset that take, skip, shard and repeat choose."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from whygrad.data.functions import ElementFunction
from whygrad.data.options import INFINITE_CARDINALITY, UNKNOWN_CARDINALITY, Options
from whygrad.data.stage import Cursor, CursorOf, Of, Run, Stage, State
from whygrad.data.structure import (
    Element,
    Flat,
    as_element,
    as_returned,
    children_of,
    flat_of,
    flatten,
    map_structure,
    same_structure,
    spec_of,
)
from whygrad.engines.philox import Stream
from whygrad.ops.random_streams import StreamsOfFunction
from whygrad.values import dtypes
from whygrad.values.errors import FailedPreconditionError, OpError, OpTypeError, OpValueError
from whygrad.values.spec import TensorSpec
from whygrad.values.tensor import Tensor, value_of


class WithOptions(Of):
    """The same elements with other options."""

    name = "_OptionsDataset"

    def __init__(self, source: Stage, options: Options) -> None:
        super().__init__(source)
        self.options = source.options.merge(options)

    def cursor(self, run: Run) -> Cursor:
        """An iteration over the source."""
        return self.source.cursor(run)


class OfFunction(Of):
    """A stage that calls a user's function on each element."""

    method = ""

    def __init__(self, source: Stage, function: Callable[..., Any]) -> None:
        super().__init__(source)
        self.function = ElementFunction(function, source, self.method)


class FunctionCursor(CursorOf):
    """A cursor that calls a function on the elements of another one."""

    def __init__(self, stage: OfFunction, run: Run) -> None:
        super().__init__(stage.source.cursor(run))
        self.call = stage.function.caller(run)
        self.streams = run.streams(stage.function)

    def save(self) -> State:
        return {"source": self.source.save(), "streams": saved_streams(self.streams)}

    def restore(self, state: State) -> None:
        self.source.restore(state["source"])
        restore_streams(self.streams, state["streams"])


def saved_streams(streams: StreamsOfFunction) -> State:
    """The random numbers of a function, as a part of a state."""
    return [[str(each.key), str(each.position)] for each in streams.streams]


def restore_streams(streams: StreamsOfFunction, state: State) -> None:
    """Set the random numbers of a function to what was saved."""
    streams.streams = [Stream(int(key), int(position)) for key, position in state]


class Mapped(OfFunction):
    """What a function returns for each element."""

    name = "_MapDataset"
    method = "map"

    def cursor(self, run: Run) -> Cursor:
        """An iteration that calls the function."""
        return _MapCursor(self, run)

    @property
    def spec(self) -> Any:
        """The specs of what the function returns."""
        return self.function.spec


class _MapCursor(FunctionCursor):
    def __next__(self) -> Flat:
        return flat_of(self.call(next(self.source)))


class Filtered(OfFunction):
    """The elements for which a function returns True."""

    name = "_FilterDataset"
    method = "filter"

    def __init__(self, source: Stage, function: Callable[..., Any]) -> None:
        super().__init__(source, function)
        known = self.function.known
        if known is not None and not _is_bool(known):
            raise OpValueError(
                "Invalid `predicate`. `predicate` must return a `tf.bool` scalar tensor, but its return type is "
                f"{known}."
            )

    def cursor(self, run: Run) -> Cursor:
        """An iteration that calls the function."""
        return _FilterCursor(self, run)

    @property
    def size(self) -> int:
        """Not known."""
        return UNKNOWN_CARDINALITY


def _is_bool(spec: Any) -> bool:
    return isinstance(spec, TensorSpec) and spec.dtype is dtypes.bool_ and spec.shape.rank in (0, None)


class _FilterCursor(FunctionCursor):
    def __next__(self) -> Flat:
        for flat in self.source:
            if _truth(self.call(flat)):
                return flat
        raise StopIteration


def _truth(result: Any) -> bool:
    return bool(value_of(result)) if isinstance(result, Tensor) else bool(result)


class TakenWhile(Filtered):
    """The elements before the first for which a function returns False."""

    name = "_TakeWhileDataset"
    method = "take_while"

    def cursor(self, run: Run) -> Cursor:
        """An iteration that calls the function."""
        return _TakeWhileCursor(self, run)


class _TakeWhileCursor(FunctionCursor):
    _is_over = False

    def __next__(self) -> Flat:
        if not self._is_over:
            flat = next(self.source)
            if _truth(self.call(flat)):
                return flat
            self._is_over = True
        raise StopIteration


class Scanned(Of):
    """What a function of a running state and each element returns."""

    name = "_ScanDataset"

    def __init__(self, source: Stage, initial: Any, function: Callable[..., Any], method: str = "scan") -> None:
        super().__init__(source)
        self.initial = as_element(initial)
        state = spec_of(self.initial)
        self.function = ElementFunction(function, source, method, (state,))
        known = self.function.known
        if known is not None:
            self._check(state, known)

    def _check(self, state: Any, returned: Any) -> None:
        if not isinstance(returned, tuple) or len(returned) != 2:
            raise OpTypeError(
                "Invalid `scan_func`. `scan_func` should return a pair consisting of new state and the output value but its "
                f"return type is {returned}."
            )
        check_state(state, returned[0])

    def cursor(self, run: Run) -> Cursor:
        """An iteration from the initial state."""
        return _ScanCursor(self, run)

    @property
    def spec(self) -> Any:
        """The specs of the second thing that the function returns."""
        if self.function.known is None and self.function.seen is None:
            for _ in self.cursor(Run(peeks=True)):
                break
        return self.function.spec[1]


def check_state(state: Any, new: Any) -> None:
    """Raise TypeError where a new state has other dtypes than the first one."""
    if not same_structure(state, new):
        raise OpTypeError(
            f"The element structure for the new state must match the initial state. Expected {state} but got {new}."
        )
    for old, made in zip(flatten(state), flatten(new)):
        if isinstance(old, TensorSpec) and isinstance(made, TensorSpec) and old.dtype is not made.dtype:
            raise OpTypeError(
                f"The element types for the new state must match the initial state. Expected {old.dtype!r} but got {made.dtype!r}."
            )


class _ScanCursor(CursorOf):
    def __init__(self, stage: Scanned, run: Run) -> None:
        super().__init__(stage.source.cursor(run))
        self._call = stage.function.caller(run)
        self._streams = run.streams(stage.function)
        self._state = stage.initial

    def __next__(self) -> Flat:
        flat = next(self.source)
        self._state, output = self._call(flat, self._state)
        return flat_of(as_returned(output))

    def save(self) -> State:
        streams = saved_streams(self._streams)
        return {"source": self.source.save(), "state": list(flat_of(self._state)), "streams": streams}

    def restore(self, state: State) -> None:
        self.source.restore(state["source"])
        restore_streams(self._streams, state["streams"])
        rest = iter(state["state"])
        self._state = as_element(map_structure(lambda _: next(rest), self._state))


class Part(Of):
    """Some elements by their position: from `first` on, at most `count`, every `step`-th."""

    def __init__(self, source: Stage, name: str, first: int, count: int | None, step: int = 1) -> None:
        super().__init__(source)
        self.name = name  # type: ignore[misc]
        self.first, self.count, self.step = first, count, step

    def cursor(self, run: Run) -> Cursor:
        """An iteration over these elements."""
        return _PartCursor(self, self.source.cursor(run))

    @property
    def size(self) -> int:
        """What is left of the source."""
        size = self.source.size
        if self.count is not None:
            return (
                self.count
                if size == INFINITE_CARDINALITY or not self.count
                else size
                if size < 0
                else min(size, self.count)
            )
        return size if size < 0 else max(0, -(-(size - self.first) // self.step))


class _PartCursor(CursorOf):
    def __init__(self, stage: Part, source: Cursor) -> None:
        super().__init__(source)
        self._to_skip = stage.first
        self._left = stage.count
        self._step = stage.step

    def __next__(self) -> Flat:
        if self._left == 0:
            raise StopIteration
        if self._to_skip and self.source.skip(self._to_skip) < self._to_skip:
            self._left = 0
            raise StopIteration
        self._to_skip = 0
        found = next(self.source)
        self._to_skip = self._step - 1
        if self._left is not None:
            self._left -= 1
        return found

    def block(self, count: int) -> tuple[Flat, int]:
        if self._step != 1:
            return super().block(count)
        if self._to_skip:
            self.source.skip(self._to_skip)
            self._to_skip = 0
        count = count if self._left is None else min(count, self._left)
        found, number = self.source.block(count) if count else ((), 0)
        if self._left is not None:
            self._left -= number
        return found, number

    def save(self) -> State:
        return {"source": self.source.save(), "skip": self._to_skip, "left": self._left}

    def restore(self, state: State) -> None:
        self.source.restore(state["source"])
        self._to_skip, self._left = state["skip"], state["left"]


class Repeated(Of):
    """A dataset several times."""

    name = "_RepeatDataset"

    def __init__(self, source: Stage, times: int) -> None:
        super().__init__(source)
        self.times = times

    def cursor(self, run: Run) -> Cursor:
        """An iteration that begins the source again at its end."""
        return _RepeatCursor(self, run)

    @property
    def size(self) -> int:
        """The number of elements, times the number of repetitions."""
        size = self.source.size
        if self.times < 0:
            return size if size == 0 else INFINITE_CARDINALITY
        return size if size < 0 and self.times else size * self.times


class _RepeatCursor(Cursor):
    def __init__(self, stage: Repeated, run: Run) -> None:
        self._stage = stage
        self._run = run
        self._begun = int(stage.times != 0)
        self._source: Cursor | None = stage.source.cursor(run) if stage.times else None
        self._is_empty = True

    def _begin(self) -> Cursor:
        if self._source is None:
            if self._begun == self._stage.times or (self._begun and self._is_empty):
                raise StopIteration
            self._begun += 1
            self._is_empty = True
            self._source = self._stage.source.cursor(self._run)
        return self._source

    def __next__(self) -> Flat:
        while True:
            source = self._begin()
            try:
                found = next(source)
            except StopIteration:
                self._source = None
                continue
            self._is_empty = False
            return found

    def block(self, count: int) -> tuple[Flat, int]:
        parts: list[Flat] = []
        found = 0
        while found < count:
            try:
                source = self._begin()
            except StopIteration:
                break
            part, number = source.block(count - found)
            if number:
                self._is_empty = False
                parts.append(part)
                found += number
            else:
                self._source = None
        return joined(parts), found

    def save(self) -> State:
        source = None if self._source is None else self._source.save()
        return {"begun": self._begun, "empty": self._is_empty, "source": source}

    def restore(self, state: State) -> None:
        self._begun, self._is_empty = state["begun"], state["empty"]
        self._source = None
        if state["source"] is not None:
            self._source = self._stage.source.cursor(self._run)
            self._source.restore(state["source"])


def joined(parts: list[Flat]) -> Flat:
    """Blocks, one after the other, as one block."""
    if len(parts) == 1:
        return parts[0]
    return tuple([_joined(column) for column in zip(*parts)])


def _joined(column: tuple[Any, ...]) -> Any:
    if isinstance(column[0], np.ndarray):
        shapes = {each.shape[1:] for each in column}
        if len(shapes) == 1:
            return np.concatenate(column)
        from whygrad.data.structure import stack

        return stack([row for each in column for row in each])
    return None


class Unique(Of):
    """Each element once."""

    name = "_UniqueDataset"

    def __init__(self, source: Stage) -> None:
        super().__init__(source)
        spec = source.spec
        if children_of(spec) is not None:
            raise OpTypeError(f"`tf.data.Dataset.unique()` is not supported for the element structure {spec}.")
        if spec.dtype.name not in ("int32", "int64", "string"):
            raise OpTypeError(
                f"`tf.data.Dataset.unique()` only supports `tf.int32`, `tf.int64`, or `tf.string` type for elements. Got {spec.dtype!r}."
            )

    def cursor(self, run: Run) -> Cursor:
        """An iteration that remembers what it gave."""
        return _UniqueCursor(self.source.cursor(run))

    @property
    def size(self) -> int:
        """Not known."""
        return UNKNOWN_CARDINALITY


class _UniqueCursor(CursorOf):
    def __init__(self, source: Cursor) -> None:
        super().__init__(source)
        self._seen: dict[Any, None] = {}

    def __next__(self) -> Flat:
        for flat in self.source:
            value = flat[0]
            key = value.item() if not value.shape else (value.shape, tuple(value.ravel().tolist()))
            if key not in self._seen:
                self._seen[key] = None
                return flat
        raise StopIteration


class ErrorsIgnored(Of):
    """A dataset without the elements that raise an error."""

    name = "_IgnoreErrorsDataset"

    def __init__(self, source: Stage, log_warning: bool) -> None:
        super().__init__(source)
        self.log_warning = log_warning

    def cursor(self, run: Run) -> Cursor:
        """An iteration that passes over errors."""
        return _IgnoreErrorsCursor(self.source.cursor(run), self.log_warning)

    @property
    def size(self) -> int:
        """Not known."""
        return self.source.size if self.source.size == INFINITE_CARDINALITY else UNKNOWN_CARDINALITY


class _IgnoreErrorsCursor(CursorOf):
    def __init__(self, source: Cursor, log_warning: bool) -> None:
        super().__init__(source)
        self._log_warning = log_warning

    def __next__(self) -> Flat:
        while True:
            try:
                return next(self.source)
            except (OpError, ValueError, TypeError, ArithmeticError, LookupError) as error:
                if self._log_warning:
                    import logging

                    logging.getLogger("whygrad").warning("Error raised with error message %s", error)


class CardinalityAsserted(Of):
    """A dataset that is known to have this many elements."""

    name = "_AssertCardinalityDataset"

    def __init__(self, source: Stage, expected: int) -> None:
        super().__init__(source)
        self.expected = expected

    def cursor(self, run: Run) -> Cursor:
        """An iteration that counts."""
        return _AssertCardinalityCursor(self.source.cursor(run), self.expected)

    @property
    def size(self) -> int:
        """The number that was given."""
        return self.expected


class _AssertCardinalityCursor(CursorOf):
    def __init__(self, source: Cursor, expected: int) -> None:
        super().__init__(source)
        self._expected = expected
        self._found = 0

    def __next__(self) -> Flat:
        try:
            flat = next(self.source)
        except StopIteration:
            if self._expected == INFINITE_CARDINALITY or self._found < self._expected:
                wanted = "an infinite number of" if self._expected == INFINITE_CARDINALITY else self._expected
                raise FailedPreconditionError(
                    None,
                    None,
                    f"Input dataset was expected to contain {_elements(wanted)} but contained only {_elements(self._found)}.",
                ) from None
            raise
        self._found += 1
        if 0 <= self._expected < self._found:
            raise FailedPreconditionError(
                None,
                None,
                f"Input dataset was expected to contain {_elements(self._expected)} but contained at least {_elements(self._found)}.",
            )
        return flat

    def save(self) -> State:
        return {"source": self.source.save(), "found": self._found}

    def restore(self, state: State) -> None:
        self.source.restore(state["source"])
        self._found = state["found"]


def _elements(count: Any) -> str:
    return f"{count} element{'' if count == 1 else 's'}"


def reduced(source: Stage, initial: Any, function: Callable[..., Any]) -> Element:
    """What is left of all elements: `function(state, element)` for each of them in turn."""
    state = as_element(initial)
    specs = spec_of(state)
    called = ElementFunction(function, source, "reduce", (specs,))
    if called.known is not None:
        check_state(specs, called.known)
    run = Run()
    call = called.caller(run)
    for flat in source.cursor(run):
        state = call(flat, state)
    return state
