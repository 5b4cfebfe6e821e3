"""Where elements come from: tensors, their rows, numbers, Python generators and random numbers."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from whygrad.data.options import INFINITE_CARDINALITY
from whygrad.data.randomness import Draws, SeedSource
from whygrad.data.stage import Cursor, Run, Stage, State, cached, number
from whygrad.data.structure import (
    Element,
    Flat,
    children_of,
    component_of,
    flat_of,
    flatten,
    map_structure,
    row_of,
    rows_in,
    same_structure,
    spec_of,
    without_batch_axis,
)
from whygrad.tape.python_function import as_op_error
from whygrad.values import dtypes
from whygrad.values.conversion import convert
from whygrad.values.errors import OpTypeError
from whygrad.values.spec import TensorSpec
from whygrad.values.tensor import value_of


class Tensors(Stage):
    """One element."""

    name = "_TensorDataset"

    def __init__(self, element: Element) -> None:
        self._element = element
        self._flat = flat_of(element)

    def cursor(self, run: Run) -> Cursor:
        """An iteration over the one element."""
        return _ElementsCursor([self._flat])

    @cached
    def spec(self) -> Any:
        """The specs of the element."""
        return spec_of(self._element)

    @property
    def size(self) -> int:
        """One."""
        return 1


class Elements(Stage):
    """Elements that exist already, such as those of a window."""

    name = "_VariantDataset"

    def __init__(self, elements: list[Flat], spec: Any) -> None:
        self._elements = elements
        self._spec = spec

    def cursor(self, run: Run) -> Cursor:
        """An iteration over the elements."""
        return _ElementsCursor(self._elements)

    @property
    def spec(self) -> Any:
        """The specs of the elements."""
        return self._spec

    @property
    def size(self) -> int:
        """Their number."""
        return len(self._elements)


class _ElementsCursor(Cursor):
    def __init__(self, elements: list[Flat]) -> None:
        self._elements = elements
        self._at = 0

    def __next__(self) -> Flat:
        if self._at == len(self._elements):
            raise StopIteration
        self._at += 1
        return self._elements[self._at - 1]

    def save(self) -> State:
        return self._at

    def restore(self, state: State) -> None:
        self._at = state


class Slices(Stage):
    """The rows of tensors."""

    name = "_TensorSliceDataset"

    def __init__(self, element: Element) -> None:
        self._element = element
        self.rows = rows_in(element)
        self.columns: list[Any] = [component_of(each) for each in flatten(element)]

    def cursor(self, run: Run) -> Cursor:
        """An iteration over the rows."""
        return RowsCursor(self, 0, self.rows)

    @cached
    def spec(self) -> Any:
        """The specs of a row."""
        return without_batch_axis(spec_of(self._element))

    @property
    def size(self) -> int:
        """The number of rows."""
        return self.rows

    def row(self, index: int) -> Flat:
        """One row."""
        return tuple([row_of(each, index) for each in self.columns])

    def gathered(self, indices: list[int]) -> Flat | None:
        """Some rows, stacked; None where the columns are not all arrays."""
        if not all(isinstance(each, np.ndarray) for each in self.columns):
            return None
        return tuple([each[indices] for each in self.columns])

    def sliced(self, start: int, end: int) -> Flat | None:
        """Rows that follow each other, stacked."""
        if not all(isinstance(each, np.ndarray) for each in self.columns):
            return None
        return tuple([each[start:end] for each in self.columns])


class RowsCursor(Cursor):
    """A position in rows that can be read in any order."""

    def __init__(self, stage: Slices, at: int, end: int) -> None:
        self._stage = stage
        self._at = at
        self._end = end

    def __next__(self) -> Flat:
        at = self._at
        if at >= self._end:
            raise StopIteration
        self._at = at + 1
        return self._stage.row(at)

    def block(self, count: int) -> tuple[Flat, int]:
        start, end = self._at, min(self._at + count, self._end)
        if start == end:
            return (), 0
        found = self._stage.sliced(start, end)
        if found is None:
            return super().block(count)
        self._at = end
        return found, end - start

    def skip(self, count: int) -> int:
        passed = min(count, self._end - self._at)
        self._at += passed
        return passed

    def save(self) -> State:
        return self._at

    def restore(self, state: State) -> None:
        self._at = state


class Range(Stage):
    """The numbers of Python's `range`."""

    name = "_RangeDataset"

    def __init__(self, numbers: builtins.range, dtype: dtypes.DType) -> None:
        self.numbers = numbers
        self.dtype = dtype

    def cursor(self, run: Run) -> Cursor:
        """An iteration over the numbers."""
        return _RangeCursor(self.numbers, self.dtype.numpy_dtype)

    @cached
    def spec(self) -> Any:
        """Scalars."""
        return TensorSpec((), self.dtype)

    @property
    def size(self) -> int:
        """How many numbers there are."""
        return builtins.max(0, -(-(self.numbers.stop - self.numbers.start) // self.numbers.step))


class _RangeCursor(Cursor):
    def __init__(self, numbers: builtins.range, dtype: np.dtype[Any]) -> None:
        self._dtype = dtype
        self._next, self._end, self._step = numbers.start, numbers.stop, numbers.step

    def _left(self) -> int:
        return max(0, -(-(self._end - self._next) // self._step))

    def __next__(self) -> Flat:
        at = self._next
        if at >= self._end if self._step > 0 else at <= self._end:
            raise StopIteration
        self._next = at + self._step
        return (np.array(at, self._dtype),)

    def block(self, count: int) -> tuple[Flat, int]:
        count = min(count, self._left())
        start = self._next
        self._next = end = start + count * self._step
        return ((np.arange(start, end, self._step, dtype=self._dtype),) if count else ()), count

    def skip(self, count: int) -> int:
        count = min(count, self._left())
        self._next += count * self._step
        return count

    def save(self) -> State:
        return self._next

    def restore(self, state: State) -> None:
        self._next = state


class Counter(Range):
    """Numbers without an end."""

    name = "_ScanDataset"

    def __init__(self, start: int, step: int, dtype: dtypes.DType) -> None:
        end = 2**63 - 1 if step >= 0 else -(2**63)
        super().__init__(builtins.range(start, end, step or 1), dtype)

    @property
    def size(self) -> int:
        """They have no end."""
        return INFINITE_CARDINALITY


class Random(Stage):
    """Random numbers of 32 bits, as int64."""

    name = "_RandomDataset"

    def __init__(self, seed: Any, again: bool) -> None:
        self._seeds = SeedSource(seed, again)

    def cursor(self, run: Run) -> Cursor:
        """The numbers of the next iteration."""
        return _RandomCursor(self._seeds, run.peeks)

    @cached
    def spec(self) -> Any:
        """Scalars of int64."""
        return TensorSpec((), dtypes.int64)

    @property
    def size(self) -> int:
        """They have no end."""
        return INFINITE_CARDINALITY


class _RandomCursor(Cursor):
    def __init__(self, seeds: SeedSource, peeks: bool) -> None:
        self._seeds = seeds
        self._draws = seeds.draws(peeks)

    def __next__(self) -> Flat:
        return (number(self._draws()),)

    def save(self) -> State:
        return [self._draws.save(), self._seeds.save()]

    def restore(self, state: State) -> None:
        self._draws = Draws.restored(state[0])
        self._seeds.restore(state[1])


class Generated(Stage):
    """What a Python generator yields."""

    name = "_FlatMapDataset"

    def __init__(self, generator: Callable[..., Any], args: tuple[Any, ...], spec: Any) -> None:
        self._generator = generator
        self._args = args
        self._spec = spec

    def cursor(self, run: Run) -> Cursor:
        """Call the generator function."""
        args = [value_of(convert(each, None))[()] for each in self._args]
        return GeneratorCursor(lambda: iter(self._generator(*args)), self._spec)

    @property
    def spec(self) -> Any:
        """The signature that was given."""
        return self._spec


class GeneratorCursor(Cursor):
    """A position in a Python generator."""

    def __init__(self, begin: Callable[[], Iterator[Any]], spec: Any) -> None:
        self._begin = begin
        self._spec = spec
        self._values: Iterator[Any] | None = None

    def __next__(self) -> Flat:
        try:
            if self._values is None:
                self._values = self._begin()
            values = next(self._values)
            return self._checked(values)
        except StopIteration:
            raise
        except Exception as error:
            raise as_op_error(error) from error

    def _checked(self, values: Any) -> Flat:
        values = _as_tuples(self._spec, values)
        if not same_structure(self._spec, values):
            expected = map_structure(lambda spec: getattr(spec, "dtype", spec), self._spec)
            raise OpTypeError(
                f"`generator` yielded an element that did not match the expected structure. The expected structure was "
                f"{expected}, but the yielded element was {values}."
            )
        if children_of(self._spec) is None:
            return (_of_spec(self._spec, values),)
        return tuple([_of_spec(*each) for each in zip(flatten(self._spec), flatten(values))])


def _as_tuples(spec: Any, values: Any) -> Any:
    """A list in the place of a tuple of specs counts as a tuple, and a tuple in the place of one tensor as a list of numbers."""
    if isinstance(spec, TensorSpec) and type(values) is tuple:
        return list(values)
    if isinstance(spec, tuple) and isinstance(values, list | tuple) and len(spec) == len(values):
        return tuple(_as_tuples(*each) for each in zip(spec, values))
    return values


def _of_spec(spec: Any, value: Any) -> Any:
    if not isinstance(spec, TensorSpec):
        if spec is not None and not spec.is_compatible_with(value):
            raise OpTypeError(f"`generator` yielded an element of {value!r} where an element of {spec!r} was expected.")
        return value
    try:
        array = value_of(convert(value, spec.dtype))
    except (TypeError, ValueError):
        raise OpTypeError(
            f"`generator` yielded an element that could not be converted to the expected type. The expected type was "
            f"{spec.dtype.name}, but the yielded element was {value}."
        ) from None
    if not spec.shape.is_compatible_with(array.shape):
        raise OpTypeError(
            f"`generator` yielded an element of shape {array.shape} where an element of shape {spec.shape} was expected."
        )
    return array
