"""Dataset: a sequence of elements that is described first and computed when an iterator asks for its elements.

Each method makes a dataset from another one. A dataset is a class with three things: `_elements(run)`, a generator; `element_spec`; and
`_size`, the number of elements where it is known without computing them.
"""

from __future__ import annotations

import builtins
import collections
import functools
import itertools
from collections.abc import Callable, Generator, Sequence
from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.compile.function import settings
from whygrad.compile.output_specs import output_specs
from whygrad.data.iterator import Iterator, Run
from whygrad.data.options import INFINITE_CARDINALITY, UNKNOWN_CARDINALITY, Options
from whygrad.data.structure import (
    Element,
    as_element,
    as_specs,
    flatten,
    map_structure,
    row,
    rows_in,
    spec_of,
    stacked,
    with_batch_axis,
    without_batch_axis,
)
from whygrad.ops.arguments import integer
from whygrad.ops.random import Generator as RandomGenerator
from whygrad.values import dtypes
from whygrad.values.conversion import convert
from whygrad.values.errors import OpRuntimeError, OpTypeError, OpValueError
from whygrad.values.recorders import state
from whygrad.values.spec import TensorSpec
from whygrad.values.tensor import Tensor, value_of, wrap

Elements = Generator[Element, None, None]


@export("data.Dataset")
class Dataset:
    """A sequence of elements, each a tensor or a nested tuple or dict of tensors.

    >>> import whygrad as tf
    >>> dataset = tf.data.Dataset.from_tensor_slices([1, 2, 3, 4, 5]).map(lambda x: x * 10).batch(2)
    >>> [batch.numpy().tolist() for batch in dataset]
    [[10, 20], [30, 40], [50]]
    >>> dataset.element_spec
    TensorSpec(shape=(None,), dtype=tf.int32, name=None)
    """

    _options = Options()

    # -- what each kind of dataset has --

    def _elements(self, run: Run) -> Elements:
        raise NotImplementedError

    @property
    def element_spec(self) -> Any:
        """The specs of the elements, in their structure."""
        raise NotImplementedError

    @property
    def _size(self) -> int:
        """The number of elements, INFINITE_CARDINALITY or UNKNOWN_CARDINALITY."""
        return UNKNOWN_CARDINALITY

    # -- where elements come from --

    @staticmethod
    def from_tensors(tensors: Any, name: str | None = None) -> Dataset:
        """A dataset of one element."""
        return _Tensors(as_element(tensors))

    @staticmethod
    def from_tensor_slices(tensors: Any, name: str | None = None) -> Dataset:
        """A dataset of the rows of tensors, which must have equally many."""
        return _Slices(as_element(tensors))

    @staticmethod
    def from_generator(
        generator: Callable[..., Any],
        output_types: Any = None,
        output_shapes: Any = None,
        args: Sequence[Any] | None = None,
        output_signature: Any = None,
        name: str | None = None,
    ) -> Dataset:
        """A dataset of what a Python generator yields. `generator` is a function that returns it, called by each iteration."""
        if not callable(generator):
            raise OpTypeError("`generator` must be a Python callable.")
        if output_signature is None:
            if output_types is None:
                raise OpTypeError(
                    "To specify the output signature you need to provide either the `output_signature` argument or the "
                    "`output_types` argument."
                )
            if output_shapes is None:
                output_signature = map_structure(lambda dtype: TensorSpec(None, dtype), output_types)
            else:
                output_signature = map_structure(
                    lambda dtype, shape: TensorSpec(shape, dtype), output_types, output_shapes
                )
        return _Generated(generator, tuple(args or ()), as_specs(output_signature))

    @staticmethod
    def range(*args: Any, output_type: Any = dtypes.int64, name: str | None = None, **kwargs: Any) -> Dataset:
        """A dataset of the numbers of Python's `range`."""
        return _Range(builtins.range(*[integer(each, "range") for each in args]), dtypes.as_dtype(output_type))

    @staticmethod
    def zip(*args: Any, datasets: Any = None, name: str | None = None) -> Dataset:
        """A dataset of tuples, with one element of each dataset, as long as the shortest."""
        if not args and datasets is None:
            raise OpTypeError("Must pass at least one dataset to `zip`.")
        if datasets is None:
            datasets = args[0] if len(args) == 1 else args
        for each in flatten(datasets):
            if not isinstance(each, Dataset):
                raise OpTypeError(
                    f"Invalid input to `zip`. Inputs are expected to be (nested) structures of `tf.data.Dataset` objects. "
                    f"Encountered object of type {type(each)}."
                )
        return _Zipped(datasets)

    # -- what is done with them --

    def map(
        self,
        map_func: Callable[..., Any],
        num_parallel_calls: Any = None,
        deterministic: bool | None = None,
        synchronous: bool | None = None,
        use_unbounded_threadpool: bool = False,
        name: str | None = None,
    ) -> Dataset:
        """A dataset of what a function returns for each element. It takes the parts of a tuple as separate arguments."""
        return _Mapped(self, map_func)

    def filter(self, predicate: Callable[..., Any], name: str | None = None) -> Dataset:
        """A dataset of the elements for which the function returns True."""
        return _Filtered(self, predicate)

    def flat_map(self, map_func: Callable[..., Any], name: str | None = None) -> Dataset:
        """A dataset of the elements of the datasets that a function returns."""
        return _Interleaved(self, map_func, 1, 1)

    def interleave(
        self,
        map_func: Callable[..., Any],
        cycle_length: int | None = None,
        block_length: int | None = None,
        num_parallel_calls: Any = None,
        deterministic: bool | None = None,
        name: str | None = None,
    ) -> Dataset:
        """Like `flat_map`, but with `cycle_length` datasets at a time, `block_length` elements of each in turn."""
        cycle = 16 if cycle_length is None or cycle_length == -1 else integer(cycle_length, "cycle_length")
        return _Interleaved(self, map_func, cycle, 1 if block_length is None else integer(block_length, "block_length"))

    def batch(
        self,
        batch_size: Any,
        drop_remainder: bool = False,
        num_parallel_calls: Any = None,
        deterministic: bool | None = None,
        name: str | None = None,
    ) -> Dataset:
        """A dataset of batches. The last one may be smaller, unless `drop_remainder`."""
        return _Batched(self, integer(batch_size, "batch_size"), bool(drop_remainder))

    def unbatch(self, name: str | None = None) -> Dataset:
        """A dataset of the rows of each element."""
        return _Unbatched(self)

    def shuffle(
        self, buffer_size: Any, seed: Any = None, reshuffle_each_iteration: bool | None = True, name: str | None = None
    ) -> Dataset:
        """A dataset in random order: each element is drawn from the next `buffer_size` ones."""
        return _Shuffled(self, integer(buffer_size, "buffer_size"), seed, reshuffle_each_iteration is not False)

    def repeat(self, count: Any = None, name: str | None = None) -> Dataset:
        """A dataset repeated `count` times, or endlessly."""
        number = -1 if count is None else integer(count, "count")
        return _Repeated(self, number)

    def take(self, count: Any, name: str | None = None) -> Dataset:
        """A dataset of the first `count` elements; of all for -1."""
        number = integer(count, "count")
        return self if number < 0 else _Part(self, 0, number)

    def skip(self, count: Any, name: str | None = None) -> Dataset:
        """A dataset without the first `count` elements; of none for -1."""
        number = integer(count, "count")
        return _Part(self, 0, 0) if number < 0 else _Part(self, number, None)

    def shard(self, num_shards: Any, index: Any, name: str | None = None) -> Dataset:
        """A dataset of every `num_shards`-th element, from `index` on."""
        return _Part(self, integer(index, "index"), None, integer(num_shards, "num_shards"))

    def concatenate(self, dataset: Dataset, name: str | None = None) -> Dataset:
        """A dataset of these elements and then those of another one."""
        return _Concatenated(self, dataset)

    def enumerate(self, start: Any = 0, name: str | None = None) -> Dataset:
        """A dataset of pairs of a number and an element."""
        first = integer(start, "start")
        return Dataset.zip((Dataset.range(first, 2**63 - 1), self))

    def cache(self, filename: Any = "", name: str | None = None) -> Dataset:
        """A dataset that keeps its elements in memory, once an iteration has computed all of them."""
        if isinstance(filename, Tensor):
            filename = value_of(filename).item().decode()
        if filename:
            raise NotImplementedError("a dataset can be cached in memory only: leave out the file name")
        return _Cached(self)

    def prefetch(self, buffer_size: Any, name: str | None = None) -> Dataset:
        """The same elements."""
        return self

    def with_options(self, options: Options, name: str | None = None) -> Dataset:
        """The same dataset with other options."""
        return _WithOptions(self, options)

    def options(self) -> Options:
        """The options that are set."""
        return self._options

    def apply(self, transformation_func: Callable[[Dataset], Any]) -> Any:
        """What a function returns for this dataset."""
        dataset = transformation_func(self)
        if not isinstance(dataset, Dataset):
            raise OpTypeError(f"`transformation_func` must return a `tf.data.Dataset` object. Got {type(dataset)}.")
        return dataset

    # -- what comes out --

    def cardinality(self, name: str | None = None) -> Tensor:
        """The number of elements; tf.data.INFINITE_CARDINALITY or tf.data.UNKNOWN_CARDINALITY."""
        return convert(np.int64(self._size), None)

    def reduce(self, initial_state: Any, reduce_func: Callable[..., Any], name: str | None = None) -> Any:
        """What is left of all elements: `reduce_func(state, element)` for each of them in turn."""
        result = as_element(initial_state)
        for element in self:
            result = as_element(reduce_func(result, element))
        return result

    def get_single_element(self, name: str | None = None) -> Any:
        """The element of a dataset that has one."""
        found = list(itertools.islice(self, 2))
        if len(found) != 1:
            from whygrad.values.errors import invalid

            raise invalid("Dataset was empty." if not found else "Dataset had more than one element.")
        return found[0]

    def as_numpy_iterator(self) -> Any:
        """An iterator over the elements as NumPy arrays."""
        return (map_structure(_as_numpy, element) for element in self)

    def __iter__(self) -> Iterator:
        if state.context is not None:
            raise OpRuntimeError(
                "`tf.data.Dataset` only supports Python-style iteration in eager mode or within tf.function."
            )
        return Iterator(self)

    def __len__(self) -> int:
        size = self._size
        if size == INFINITE_CARDINALITY:
            raise OpTypeError("The dataset is infinite.")
        if size == UNKNOWN_CARDINALITY:
            raise OpTypeError("The dataset length is unknown.")
        return size

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return f"<{type(self).__name__.removeprefix('_')}Dataset element_spec={self.element_spec!r}>"


def _as_numpy(value: Any) -> Any:
    return value.numpy() if isinstance(value, Tensor) else value


def _call(function: Callable[..., Any], element: Element) -> Any:
    """Call a function on an element: a tuple is several arguments."""
    return function(*element) if type(element) is tuple else function(element)


def _returned_specs(function: Callable[..., Any], spec: Any) -> Any:
    """The specs of what a function of an element returns."""
    leaves = flatten(spec)
    places = [i for i, each in enumerate(leaves) if isinstance(each, TensorSpec)]
    structure: Any = None

    def flat(*tensors: Tensor) -> list[Any]:
        nonlocal structure
        given = dict(zip(places, tensors))
        numbers = itertools.count()
        element = map_structure(lambda leaf: given.get(next(numbers), leaf), spec)
        structure = as_element(_call(function, element))
        return flatten(structure)

    found = iter(output_specs(flat, [leaves[i] for i in places]))
    return map_structure(lambda _: next(found), structure)


# -- where elements come from --


class _Tensors(Dataset):
    def __init__(self, element: Element) -> None:
        self._element = element

    def _elements(self, run: Run) -> Elements:
        yield self._element

    @functools.cached_property
    def element_spec(self) -> Any:
        return spec_of(self._element)

    @property
    def _size(self) -> int:
        return 1


class _Slices(Dataset):
    def __init__(self, element: Element) -> None:
        self._tensors = element
        self._rows = rows_in(element)

    def _elements(self, run: Run) -> Elements:
        for i in range(self._rows):
            yield map_structure(lambda tensor: row(tensor, i), self._tensors)  # noqa: B023

    @functools.cached_property
    def element_spec(self) -> Any:
        return without_batch_axis(spec_of(self._tensors))

    @property
    def _size(self) -> int:
        return self._rows


class _Range(Dataset):
    def __init__(self, numbers: builtins.range, dtype: dtypes.DType) -> None:
        self._numbers = numbers
        self._dtype = dtype

    def _elements(self, run: Run) -> Elements:
        kind = self._dtype.numpy_dtype
        for number in self._numbers:
            yield wrap(np.array(number, kind))

    @property
    def element_spec(self) -> Any:
        return TensorSpec((), self._dtype)

    @property
    def _size(self) -> int:
        return len(self._numbers)


class _Generated(Dataset):
    def __init__(self, generator: Callable[..., Any], args: tuple[Any, ...], spec: Any) -> None:
        self._generator = generator
        self._args = args
        self._spec = spec

    def _elements(self, run: Run) -> Elements:
        args = [value_of(convert(each, None))[()] for each in self._args]
        for values in self._generator(*args):
            yield map_structure(
                _of_spec, self._spec, values if isinstance(self._spec, dict) else _as_tuples(self._spec, values)
            )

    @property
    def element_spec(self) -> Any:
        return self._spec


def _as_tuples(spec: Any, values: Any) -> Any:
    """A list in the place of a tuple of specs counts as a tuple."""
    if isinstance(spec, tuple):
        return tuple(_as_tuples(*each) for each in zip(spec, values))
    return values


def _of_spec(spec: TensorSpec, value: Any) -> Tensor:
    tensor = convert(value, spec.dtype)
    if not spec.shape.is_compatible_with(tensor.shape):
        raise OpTypeError(
            f"`generator` yielded an element of shape {tensor.shape} where an element of shape {spec.shape} was expected."
        )
    return tensor


class _Zipped(Dataset):
    def __init__(self, datasets: Any) -> None:
        self._datasets = datasets

    def _elements(self, run: Run) -> Elements:
        for parts in zip(*[each._elements(run) for each in flatten(self._datasets)]):
            rest = iter(parts)
            yield map_structure(lambda _: next(rest), self._datasets)  # noqa: B023

    @functools.cached_property
    def element_spec(self) -> Any:
        return map_structure(lambda each: each.element_spec, self._datasets)

    @property
    def _size(self) -> int:
        sizes = [each._size for each in flatten(self._datasets)]
        if UNKNOWN_CARDINALITY in sizes:
            return UNKNOWN_CARDINALITY
        return min([each for each in sizes if each != INFINITE_CARDINALITY], default=INFINITE_CARDINALITY)


# -- one dataset of another --


class _Of(Dataset):
    """A dataset made of another one, with its options, specs and number of elements unless it says otherwise."""

    def __init__(self, source: Dataset) -> None:
        self._source = source
        self._options = source._options

    @property
    def element_spec(self) -> Any:
        return self._source.element_spec

    @property
    def _size(self) -> int:
        return self._source._size


class _WithOptions(_Of):
    def __init__(self, source: Dataset, options: Options) -> None:
        super().__init__(source)
        self._options = source._options.merge(options)

    def _elements(self, run: Run) -> Elements:
        return self._source._elements(run)


class _Mapped(_Of):
    def __init__(self, source: Dataset, function: Callable[..., Any]) -> None:
        super().__init__(source)
        self._function = function

    def _elements(self, run: Run) -> Elements:
        function = run.calling(self, self._function)
        for element in self._source._elements(run):
            yield as_element(_call(function, element))

    @functools.cached_property
    def element_spec(self) -> Any:
        return _returned_specs(self._function, self._source.element_spec)


class _Filtered(_Of):
    def __init__(self, source: Dataset, predicate: Callable[..., Any]) -> None:
        super().__init__(source)
        self._predicate = predicate

    def _elements(self, run: Run) -> Elements:
        predicate = run.calling(self, self._predicate)
        for element in self._source._elements(run):
            if _call(predicate, element):
                yield element

    @property
    def _size(self) -> int:
        return UNKNOWN_CARDINALITY


class _Interleaved(_Of):
    def __init__(self, source: Dataset, function: Callable[..., Any], cycle: int, block: int) -> None:
        super().__init__(source)
        self._function = function
        self._cycle = cycle
        self._block = block

    def _elements(self, run: Run) -> Elements:
        function = run.calling(self, self._function)
        made = (self._dataset(_call(function, element))._elements(run) for element in self._source._elements(run))
        current: collections.deque[Elements] = collections.deque(itertools.islice(made, self._cycle))
        while current:
            elements = current.popleft()
            found = list(itertools.islice(elements, self._block))
            yield from found
            if len(found) == self._block:
                current.append(elements)
            else:
                current.extend(itertools.islice(made, 1))

    @staticmethod
    def _dataset(value: Any) -> Dataset:
        if not isinstance(value, Dataset):
            raise OpTypeError(f"`map_func` must return a `tf.data.Dataset` object. Got {type(value)}.")
        return value

    @functools.cached_property
    def element_spec(self) -> Any:
        for element in self._source:
            return self._dataset(_call(self._function, element)).element_spec
        raise OpValueError("the specs of an empty dataset that a function makes are not known")

    @property
    def _size(self) -> int:
        return UNKNOWN_CARDINALITY


class _Batched(_Of):
    def __init__(self, source: Dataset, rows: int, drops: bool) -> None:
        super().__init__(source)
        self._rows = rows
        self._drops = drops

    def _elements(self, run: Run) -> Elements:
        elements = self._source._elements(run)
        while batch := list(itertools.islice(elements, self._rows)):
            if len(batch) == self._rows or not self._drops:
                yield stacked(batch)

    @functools.cached_property
    def element_spec(self) -> Any:
        return with_batch_axis(self._source.element_spec, self._rows if self._drops else None)

    @property
    def _size(self) -> int:
        size = self._source._size
        return size if size < 0 else size // self._rows if self._drops else -(-size // self._rows)


class _Unbatched(_Of):
    def _elements(self, run: Run) -> Elements:
        for element in self._source._elements(run):
            yield from _Slices(element)._elements(run)

    @functools.cached_property
    def element_spec(self) -> Any:
        return without_batch_axis(self._source.element_spec)

    @property
    def _size(self) -> int:
        return UNKNOWN_CARDINALITY


class _Shuffled(_Of):
    def __init__(self, source: Dataset, buffer: int, seed: Any, again: bool) -> None:
        super().__init__(source)
        self._buffer = buffer
        self._seed = seed
        self._again = again
        self._random = (
            RandomGenerator.from_non_deterministic_state() if seed is None else RandomGenerator.from_seed(seed)
        )

    def _elements(self, run: Run) -> Elements:
        order = np.random.default_rng(abs(int(self._random.make_seeds(1)[0, 0])) if self._again else self._seed)
        buffer: list[Element] = []
        for element in self._source._elements(run):
            buffer.append(element)
            if len(buffer) >= self._buffer:
                yield buffer.pop(int(order.integers(len(buffer))))
        while buffer:
            yield buffer.pop(int(order.integers(len(buffer))))


class _Repeated(_Of):
    def __init__(self, source: Dataset, times: int) -> None:
        super().__init__(source)
        self._times = times

    def _elements(self, run: Run) -> Elements:
        for _ in itertools.count() if self._times < 0 else range(self._times):
            is_empty = True
            for element in self._source._elements(run):
                is_empty = False
                yield element
            if is_empty:
                return

    @property
    def _size(self) -> int:
        size = self._source._size
        if self._times < 0:
            return size if size == 0 else INFINITE_CARDINALITY
        return size if size < 0 and self._times else size * self._times


class _Part(_Of):
    def __init__(self, source: Dataset, first: int, count: int | None, step: int = 1) -> None:
        super().__init__(source)
        self._first = first
        self._count = count
        self._step = step

    def _elements(self, run: Run) -> Elements:
        end = None if self._count is None else self._first + self._count
        yield from itertools.islice(self._source._elements(run), self._first, end, self._step)

    @property
    def _size(self) -> int:
        size = self._source._size
        if self._count is not None:
            return self._count if size == INFINITE_CARDINALITY else size if size < 0 else min(size, self._count)
        return size if size < 0 else max(0, -(-(size - self._first) // self._step))


class _Concatenated(_Of):
    def __init__(self, source: Dataset, other: Dataset) -> None:
        super().__init__(source)
        self._other = other

    def _elements(self, run: Run) -> Elements:
        yield from self._source._elements(run)
        yield from self._other._elements(run)

    @functools.cached_property
    def element_spec(self) -> Any:
        return map_structure(
            lambda a, b: a.most_specific_compatible_type(b), self._source.element_spec, self._other.element_spec
        )

    @property
    def _size(self) -> int:
        sizes = self._source._size, self._other._size
        if INFINITE_CARDINALITY in sizes:
            return INFINITE_CARDINALITY
        return UNKNOWN_CARDINALITY if UNKNOWN_CARDINALITY in sizes else sum(sizes)


class _Cached(_Of):
    def __init__(self, source: Dataset) -> None:
        super().__init__(source)
        self._kept: list[Element] | None = None

    def _elements(self, run: Run) -> Elements:
        if self._kept is None:
            found = []
            for element in self._source._elements(run):
                found.append(element)
                yield element
            self._kept = found
        else:
            yield from self._kept


settings.stateful += (Dataset, Iterator)
