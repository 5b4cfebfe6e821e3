"""Dataset: a sequence of elements that is described first and computed when an iterator asks for its elements.

A `Dataset` holds a `Stage` (see `whygrad.data.stage`): its methods make one of another.
"""

from __future__ import annotations

import builtins
import glob
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.compile.function import settings
from whygrad.data import batching, merging, parallel, shuffling, sources, storage, transforms
from whygrad.data.functions import ElementFunction
from whygrad.data.iterator import Iterator, NumpyIterator
from whygrad.data.options import INFINITE_CARDINALITY, UNKNOWN_CARDINALITY, Options
from whygrad.data.stage import Run, Stage
from whygrad.data.structure import Flat, as_element, as_specs, children_of, flatten, map_structure, same_structure
from whygrad.io.file_errors import path_of, paths_of
from whygrad.io.records import compression_kind
from whygrad.ops.arguments import whole
from whygrad.ops.creation import one_hot
from whygrad.ops.elementwise import cast, less, log, maximum, where
from whygrad.ops.indexing import gather
from whygrad.ops.random import stateless_categorical, uniform
from whygrad.ops.reductions import reduce_max, reduce_min, reduce_sum
from whygrad.ops.shaping import concat, expand_dims, reshape, tile
from whygrad.values import dtypes
from whygrad.values.composite import CompositeTensor
from whygrad.values.conversion import convert
from whygrad.values.errors import (
    OpNotImplementedError,
    OpRuntimeError,
    OpTypeError,
    OpValueError,
    invalid,
)
from whygrad.values.faults import Uncompilable
from whygrad.values.recorders import state
from whygrad.values.shapes import TensorShape, as_shape
from whygrad.values.spec import TensorSpec
from whygrad.values.tensor import Tensor, value_of


@export("data.Dataset")
class Dataset(CompositeTensor):
    """A sequence of elements, each a tensor or a nested tuple or dict of tensors.

    >>> import whygrad as tf
    >>> dataset = tf.data.Dataset.from_tensor_slices([1, 2, 3, 4, 5]).map(lambda x: x * 10).batch(2)
    >>> [batch.numpy().tolist() for batch in dataset]
    [[10, 20], [30, 40], [50]]
    >>> dataset.element_spec
    TensorSpec(shape=(None,), dtype=tf.int32, name=None)
    """

    _stage: Stage

    def __init__(self, stage: Stage) -> None:
        if not isinstance(stage, Stage):
            raise OpTypeError(
                "make a dataset with a method such as Dataset.from_tensor_slices, Dataset.from_generator or Dataset.range"
            )
        self._stage = stage

    # -- where elements come from --

    @staticmethod
    def from_tensors(tensors: Any, name: str | None = None) -> Dataset:
        """A dataset of one element."""
        element = as_element(tensors)
        if not flatten(element):
            raise invalid("Dataset.from_tensors needs a tensor at least, but got none [Op:TensorDataset]")
        return Dataset(sources.Tensors(element))

    @staticmethod
    def from_tensor_slices(tensors: Any, name: str | None = None) -> Dataset:
        """A dataset of the rows of tensors, which must have equally many."""
        return Dataset(sources.Slices(as_element(tensors)))

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
                    lambda dtype, shape: TensorSpec(shape, dtype),
                    output_types,
                    _shapes_like(output_types, output_shapes),
                )
        elif output_types is not None or output_shapes is not None:
            which = "output_types" if output_types is not None else "output_shapes"
            raise OpTypeError(f"The `{which}` argument can not be used together with the `output_signature` argument.")
        return Dataset(sources.Generated(generator, tuple(args or ()), as_specs(output_signature)))

    @staticmethod
    def range(*args: Any, output_type: Any = dtypes.int64, name: str | None = None, **kwargs: Any) -> Dataset:
        """A dataset of the numbers of Python's `range`."""
        if not 1 <= len(args) <= 3:
            raise OpValueError(f"Invalid `args`. The length of `args` should be between 1 and 3 but was {len(args)}.")
        numbers = [whole(each, "range") for each in args]
        if len(numbers) == 3 and not numbers[2]:
            raise invalid("step must be a non-zero integer. [Op:RangeDataset]")
        return Dataset(sources.Range(builtins.range(*numbers), dtypes.as_dtype(output_type)))

    @staticmethod
    def counter(start: Any = 0, step: Any = 1, dtype: Any = dtypes.int64, name: str | None = None) -> Dataset:
        """A dataset of numbers without an end."""
        return Dataset(sources.Counter(whole(start, "start"), whole(step, "step"), dtypes.as_dtype(dtype)))

    @staticmethod
    def random(seed: Any = None, rerandomize_each_iteration: bool | None = None, name: str | None = None) -> Dataset:
        """A dataset of random numbers of 32 bits, as int64, without an end."""
        return Dataset(sources.Random(seed, bool(rerandomize_each_iteration)))

    @staticmethod
    def zip(*args: Any, datasets: Any = None, name: str | None = None) -> Dataset:
        """A dataset of tuples, with one element of each dataset, as long as the shortest."""
        if not args and datasets is None:
            raise OpTypeError("Must pass at least one dataset to `zip`.")
        if args and datasets is not None:
            raise OpTypeError("Both `*args` and `datasets` cannot be set.")
        if datasets is None:
            datasets = args[0] if len(args) == 1 else args
        for each in flatten(datasets):
            if not isinstance(each, Dataset):
                expected = "Inputs are expected to be (nested) structures of `tf.data.Dataset` objects."
                if isinstance(each, list):
                    raise OpTypeError(
                        f"Invalid input to `zip`. {expected} Python `list` is not supported and you should use `tuple` instead."
                    )
                raise OpTypeError(f"Invalid input to `zip`. {expected} Encountered object of type {type(each)}.")
        return Dataset(merging.Zipped(map_structure(lambda each: each._stage, datasets)))

    @staticmethod
    def list_files(
        file_pattern: Any, shuffle: bool | None = None, seed: Any = None, name: str | None = None
    ) -> Dataset:
        """A dataset of the names of files that match a pattern, in random order unless `shuffle` is False."""
        patterns = paths_of(file_pattern)
        found = sorted(path for pattern in patterns for path in glob.glob(pattern))
        if not found:
            raise invalid(f"No files matched pattern: {', '.join(patterns)}")
        dataset = Dataset.from_tensor_slices(found)
        return dataset.shuffle(len(found), seed=seed) if shuffle is None or shuffle else dataset

    @staticmethod
    def choose_from_datasets(
        datasets: Sequence[Dataset], choice_dataset: Dataset, stop_on_empty_dataset: bool = True
    ) -> Dataset:
        """A dataset whose elements come from others: each number of `choice_dataset` says which dataset the next element comes from."""
        if not datasets:
            raise OpValueError("Invalid `datasets`. `datasets` should not be empty.")
        if not isinstance(choice_dataset, Dataset):
            raise OpTypeError(
                f"Invalid `choice_dataset`. `choice_dataset` should be a `tf.data.Dataset` but is {type(choice_dataset)}."
            )
        spec = choice_dataset.element_spec
        if not isinstance(spec, TensorSpec) or spec.dtype is not dtypes.int64 or spec.shape.rank not in (0, None):
            raise OpTypeError(
                f"Invalid `choice_dataset`. Elements of `choice_dataset` must be scalar `tf.int64` tensors but are {spec}."
            )
        return _directed(choice_dataset, datasets, stop_on_empty_dataset)

    @staticmethod
    def sample_from_datasets(
        datasets: Sequence[Dataset],
        weights: Any = None,
        seed: Any = None,
        stop_on_empty_dataset: bool = False,
        rerandomize_each_iteration: bool | None = None,
    ) -> Dataset:
        """A dataset whose elements come from others at random, with probabilities `weights`: a list, or a dataset of them."""
        datasets = list(datasets)
        if not datasets:
            raise OpValueError("Invalid `datasets`. `datasets` should not be empty.")
        seeds = Dataset.random(seed, rerandomize_each_iteration).batch(2)
        if isinstance(weights, Dataset):
            logits = weights.map(lambda *p: log(p))
            selector = Dataset.zip((logits, seeds)).map(_drawn)
            return _directed(selector, datasets, stop_on_empty_dataset)
        if weights is None:
            weights = convert([1.0] * len(datasets), dtypes.float32)
            constant = convert([[1.0] * len(datasets)], dtypes.float32)
        else:
            size = len(weights)
            if size != len(datasets):
                raise OpValueError(
                    "Invalid `weights`. `weights` should have the same length as `datasets` but got "
                    f"`len(weights)={size}` vs. `len(datasets)={len(datasets)}`."
                )
            if not isinstance(weights, Tensor):
                kept = [pair for pair in builtins.zip(datasets, weights) if pair[1] > 0]
                datasets, weights = [each for each, _ in kept], [each for _, each in kept]
                if not kept:
                    return datasets[0].take(0) if datasets else Dataset.range(0)
            weights = convert(weights, None)
            if weights.dtype not in (dtypes.float32, dtypes.float64):
                raise OpTypeError(
                    f"Invalid `weights`. `weights` type must be either `tf.float32` or `tf.float64` but is {weights.dtype!r}."
                )
            constant = expand_dims(log(weights), 0)
        if len(datasets) == 1:
            return datasets[0]
        return _directed(seeds.map(lambda pair: _drawn(constant, pair)), datasets, stop_on_empty_dataset)

    @staticmethod
    def load(
        path: Any,
        element_spec: Any = None,
        compression: str | None = None,
        reader_func: Callable[..., Any] | None = None,
        wait: bool = False,
    ) -> Dataset:
        """A dataset that `save` wrote to a folder."""
        folder = path_of(path)
        stored = storage.Stored(folder)
        if element_spec is not None and not same_structure(element_spec, stored.spec):
            raise OpTypeError(f"{folder} has elements of {stored.spec}, not of {element_spec}.")
        if reader_func is None:
            return Dataset(stored)
        return _as_dataset(reader_func(_shards_of(folder, stored)))

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
        """A dataset of what a function returns for each element. It takes the parts of a tuple as separate arguments.

        `num_parallel_calls` threads call it, if that is given; with AUTOTUNE threads begin where a call takes long.
        """
        if num_parallel_calls is None or settings.run_eagerly:
            return Dataset(transforms.Mapped(self._stage, map_func))
        threads = whole(num_parallel_calls, "num_parallel_calls")
        return Dataset(parallel.ParallelMapped(self._stage, map_func, threads, deterministic))

    def filter(self, predicate: Callable[..., Any], name: str | None = None) -> Dataset:
        """A dataset of the elements for which the function returns True."""
        return Dataset(transforms.Filtered(self._stage, predicate))

    def flat_map(self, map_func: Callable[..., Any], name: str | None = None) -> Dataset:
        """A dataset of the elements of the datasets that a function returns."""
        return Dataset(merging.Interleaved(self._stage, map_func, 1, 1, _stage_of, "flat_map"))

    def interleave(
        self,
        map_func: Callable[..., Any],
        cycle_length: Any = None,
        block_length: Any = None,
        num_parallel_calls: Any = None,
        deterministic: bool | None = None,
        name: str | None = None,
    ) -> Dataset:
        """Like `flat_map`, but with `cycle_length` datasets at a time, `block_length` elements of each in turn.

        With `num_parallel_calls` the elements of each are computed ahead by a thread.
        """
        length = 1 if block_length is None else whole(block_length, "block_length")
        cycle = -1 if cycle_length is None else whole(cycle_length, "cycle_length")
        threads = None if num_parallel_calls is None else whole(num_parallel_calls, "num_parallel_calls")
        if cycle == -1:
            cycle = parallel.processors()
            if threads is not None and threads > 0:
                cycle = min(cycle, threads)
                threads = cycle
        if threads is None or settings.run_eagerly:
            return Dataset(merging.Interleaved(self._stage, map_func, cycle, length, _stage_of, "interleave"))
        return Dataset(
            parallel.ParallelInterleaved(self._stage, map_func, cycle, length, _stage_of, "interleave", threads=threads)
        )

    def batch(
        self,
        batch_size: Any,
        drop_remainder: Any = False,
        num_parallel_calls: Any = None,
        deterministic: bool | None = None,
        name: str | None = None,
    ) -> Dataset:
        """A dataset of batches. The last one may be smaller, unless `drop_remainder`."""
        return Dataset(batching.Batched(self._stage, whole(batch_size, "batch_size"), bool(drop_remainder)))

    def padded_batch(
        self,
        batch_size: Any,
        padded_shapes: Any = None,
        padding_values: Any = None,
        drop_remainder: Any = False,
        name: str | None = None,
    ) -> Dataset:
        """A dataset of batches of elements that are padded at the end: to `padded_shapes`, or to the largest of the batch."""
        rows = whole(batch_size, "batch_size")
        return Dataset(batching.PaddedBatched(self._stage, rows, bool(drop_remainder), padded_shapes, padding_values))

    def ragged_batch(
        self,
        batch_size: Any,
        drop_remainder: Any = False,
        row_splits_dtype: Any = dtypes.int64,
        name: str | None = None,
    ) -> Dataset:
        """A dataset of batches in which tensors of different sizes become a RaggedTensor."""
        specs = flatten(self.element_spec)
        if all(isinstance(each, TensorSpec) and each.shape.is_fully_defined() for each in specs):
            return self.batch(batch_size, drop_remainder)
        rows = whole(batch_size, "batch_size")
        return Dataset(
            batching.RaggedBatched(self._stage, rows, bool(drop_remainder), dtypes.as_dtype(row_splits_dtype))
        )

    def unbatch(self, name: str | None = None) -> Dataset:
        """A dataset of the rows of each element."""
        return Dataset(batching.Unbatched(self._stage))

    def rebatch(self, batch_size: Any, drop_remainder: Any = False, name: str | None = None) -> Dataset:
        """A dataset of batches of another size, or of several sizes in turn."""
        if isinstance(batch_size, Tensor):
            batch_size = value_of(batch_size).tolist()
        sizes = [
            whole(each, "batch_size")
            for each in (batch_size if isinstance(batch_size, list | tuple | np.ndarray) else [batch_size])
        ]
        if any(each < 0 for each in sizes) or not any(sizes):
            raise OpValueError(f"Got an invalid `batch_size` argument: {batch_size}. It must be positive.")
        return Dataset(batching.Rebatched(self._stage, sizes, bool(drop_remainder)))

    def window(
        self, size: Any, shift: Any = None, stride: Any = 1, drop_remainder: Any = False, name: str | None = None
    ) -> Dataset:
        """A dataset of windows: each is a dataset of `size` elements, and begins `shift` elements after the last."""
        length = whole(size, "size")
        step = length if shift is None else whole(shift, "shift")
        return Dataset(
            batching.Windows(
                self._stage, length, step, whole(stride, "stride"), bool(drop_remainder), Dataset, DatasetSpec
            )
        )

    def group_by_window(
        self,
        key_func: Callable[..., Any],
        reduce_func: Callable[..., Any],
        window_size: Any = None,
        window_size_func: Callable[..., Any] | None = None,
        name: str | None = None,
    ) -> Dataset:
        """Put elements together by their key, and a function makes a dataset of each group of `window_size`."""
        if (window_size is None) == (window_size_func is None):
            raise OpValueError(
                "Either the `window_size` argument or the `window_size_func` argument must be specified."
            )
        if window_size_func is None:
            fixed = whole(window_size, "window_size")
            window_size_func = lambda key: fixed
        return Dataset(
            merging.Grouped(self._stage, key_func, reduce_func, window_size_func, _stage_of, Dataset, DatasetSpec)
        )

    def bucket_by_sequence_length(
        self,
        element_length_func: Callable[..., Any],
        bucket_boundaries: Sequence[int],
        bucket_batch_sizes: Sequence[int],
        padded_shapes: Any = None,
        padding_values: Any = None,
        pad_to_bucket_boundary: bool = False,
        no_padding: bool = False,
        drop_remainder: bool = False,
        name: str | None = None,
    ) -> Dataset:
        """Batches of elements of about the same length: those between two boundaries are batched together."""
        if len(bucket_batch_sizes) != len(bucket_boundaries) + 1:
            raise OpValueError(
                "`len(bucket_batch_sizes)` must equal `len(bucket_boundaries) + 1` but `len(bucket_batch_sizes)="
                f"{len(bucket_batch_sizes)}` and `len(bucket_boundaries)={len(bucket_boundaries)}`."
            )
        boundaries = list(bucket_boundaries)

        def key_of(*element: Any) -> np.int64:
            length = int(value_of(convert(element_length_func(*element), None)))
            return np.int64(int(np.searchsorted(boundaries, length, side="right")))

        def batched(key: Tensor, group: Dataset) -> Dataset:
            bucket = int(value_of(key))
            rows = bucket_batch_sizes[bucket]
            if no_padding:
                return group.batch(rows, drop_remainder=drop_remainder)
            shapes = padded_shapes
            if pad_to_bucket_boundary:
                if bucket == len(boundaries):
                    raise invalid(
                        "When pad_to_bucket_boundary=True, elements must have length < max(bucket_boundaries)."
                    )
                limit = boundaries[bucket] - 1
                given = (
                    padded_shapes if padded_shapes is not None else map_structure(lambda s: s.shape, group.element_spec)
                )
                shapes = map_structure(
                    lambda spec, shape: TensorShape([limit if each is None else each for each in TensorShape(shape)]),
                    group.element_spec,
                    given,
                )
            return group.padded_batch(rows, shapes, padding_values, drop_remainder=drop_remainder)

        def window(key: Tensor) -> int:
            return int(bucket_batch_sizes[int(value_of(key))])

        return self.group_by_window(key_of, batched, window_size_func=window)

    def shuffle(
        self, buffer_size: Any, seed: Any = None, reshuffle_each_iteration: bool | None = True, name: str | None = None
    ) -> Dataset:
        """A dataset in random order: each element is drawn from the next `buffer_size` ones. The order is TensorFlow's."""
        again = reshuffle_each_iteration is not False
        return Dataset(shuffling.Shuffled(self._stage, whole(buffer_size, "buffer_size"), seed, again))

    def repeat(self, count: Any = None, name: str | None = None) -> Dataset:
        """A dataset repeated `count` times, or endlessly."""
        return Dataset(transforms.Repeated(self._stage, -1 if count is None else whole(count, "count")))

    def take(self, count: Any, name: str | None = None) -> Dataset:
        """A dataset of the first `count` elements; of all for -1."""
        number = whole(count, "count")
        return Dataset(transforms.Part(self._stage, "_TakeDataset", 0, None if number < 0 else number))

    def skip(self, count: Any, name: str | None = None) -> Dataset:
        """A dataset without the first `count` elements; of none for -1."""
        number = whole(count, "count")
        return Dataset(transforms.Part(self._stage, "_SkipDataset", max(number, 0), 0 if number < 0 else None))

    def shard(self, num_shards: Any, index: Any, name: str | None = None) -> Dataset:
        """A dataset of every `num_shards`-th element, from `index` on."""
        shards, first = whole(num_shards, "num_shards"), whole(index, "index")
        if shards < 1:
            raise invalid(
                f"Number of shards must be greater than zero (currently num_shards = {shards}). [Op:ShardDataset]"
            )
        if not 0 <= first < shards:
            raise invalid(f"Index must be between 0 and {shards - 1} (currently index = {first}). [Op:ShardDataset]")
        return Dataset(transforms.Part(self._stage, "_ShardDataset", first, None, shards))

    def concatenate(self, dataset: Dataset, name: str | None = None) -> Dataset:
        """A dataset of these elements and then those of another one."""
        return Dataset(merging.Concatenated(self._stage, dataset._stage))

    def enumerate(self, start: Any = 0, name: str | None = None) -> Dataset:
        """A dataset of pairs of a number and an element."""
        first = whole(start, "start")
        return Dataset.zip((Dataset.range(first, 2**63 - 1), self))

    def scan(self, initial_state: Any, scan_func: Callable[..., Any], name: str | None = None) -> Dataset:
        """A dataset of what `scan_func(state, element)` returns with each new state: it returns both."""
        return Dataset(transforms.Scanned(self._stage, initial_state, scan_func))

    def take_while(self, predicate: Callable[..., Any], name: str | None = None) -> Dataset:
        """A dataset of the elements before the first for which the function returns False."""
        return Dataset(transforms.TakenWhile(self._stage, predicate))

    def unique(self, name: str | None = None) -> Dataset:
        """A dataset with each element once."""
        return Dataset(transforms.Unique(self._stage))

    def ignore_errors(self, log_warning: bool = False, name: str | None = None) -> Dataset:
        """A dataset without the elements that raise an error."""
        return Dataset(transforms.ErrorsIgnored(self._stage, log_warning))

    def cache(self, filename: Any = "", name: str | None = None) -> Dataset:
        """A dataset that keeps its elements once an iteration has computed all of them: in memory, or in a folder of this name."""
        folder = path_of(filename)
        if folder:
            return Dataset(storage.Kept(self._stage, "CacheDataset", f"{folder}.cache"))
        return Dataset(storage.Cached(self._stage))

    def snapshot(
        self,
        path: Any,
        compression: str | None = "AUTO",
        reader_func: Callable[..., Any] | None = None,
        shard_func: Callable[..., Any] | None = None,
        name: str | None = None,
    ) -> Dataset:
        """A dataset whose elements the first complete iteration writes to a folder; later ones, and later programs, read them."""
        folder = path_of(path)
        kind = compression_kind("" if compression in ("AUTO", "SNAPPY") else compression)

        def read(stored: storage.Stored) -> Stage:
            assert reader_func is not None
            return _as_dataset(reader_func(_shards_of(folder, stored)))._stage

        return Dataset(
            storage.Kept(
                self._stage, "_MapDataset", folder, kind, read if reader_func else None, _sharding(self, shard_func)
            )
        )

    def save(
        self,
        path: Any,
        compression: str | None = None,
        shard_func: Callable[..., Any] | None = None,
        checkpoint_args: Any = None,
    ) -> None:
        """Write all elements to a folder, for `load`: all of them or, on an error, none."""
        if checkpoint_args is not None:
            raise OpNotImplementedError("save writes a dataset at once: leave out checkpoint_args")
        storage.save(self._stage, path_of(path), compression_kind(compression), _sharding(self, shard_func))

    def prefetch(self, buffer_size: Any, name: str | None = None) -> Dataset:
        """The same elements, at most `buffer_size` of which a thread computes before they are asked for."""
        buffer = -1 if buffer_size is None else whole(buffer_size, "buffer_size")
        return Dataset(parallel.Prefetched(self._stage, buffer))

    def rejection_resample(
        self,
        class_func: Callable[..., Any],
        target_dist: Any,
        initial_dist: Any = None,
        seed: Any = None,
        name: str | None = None,
    ) -> Dataset:
        """A dataset of pairs of class and element, from which elements are left out so that classes are distributed as `target_dist`."""
        return _resampled(self, class_func, convert(target_dist, None), initial_dist, seed)

    def with_options(self, options: Options, name: str | None = None) -> Dataset:
        """The same dataset with other options."""
        return Dataset(transforms.WithOptions(self._stage, options))

    def options(self) -> Options:
        """The options that are set."""
        return self._stage.options

    def apply(self, transformation_func: Callable[[Dataset], Any]) -> Any:
        """What a function returns for this dataset."""
        dataset = transformation_func(self)
        if not isinstance(dataset, Dataset):
            raise OpTypeError(f"`transformation_func` must return a `tf.data.Dataset` object. Got {type(dataset)}.")
        return dataset

    def sparse_batch(self, batch_size: Any, row_shape: Any, name: str | None = None) -> Dataset:
        """A dataset of sparse batches of tensors that may differ in size, up to `row_shape`.

        >>> import whygrad as tf
        >>> rows = tf.data.Dataset.range(3).map(tf.range).sparse_batch(3, [4])
        >>> rows.get_single_element().indices.numpy().tolist()
        [[1, 0], [2, 0], [2, 1]]
        """
        rows = whole(batch_size, "batch_size")
        return Dataset(batching.SparseBatched(self._stage, rows, as_shape(row_shape)))

    def fingerprint(self) -> Any:
        """Raise NotImplementedError: datasets have no graph to take a fingerprint of."""
        raise OpNotImplementedError(
            "datasets have no graph here, and so no fingerprint: compare element_spec and elements"
        )

    # -- what comes out --

    @property
    def element_spec(self) -> Any:
        """The specs of the elements, in their structure."""
        return self._stage.spec

    @property
    def _type_spec(self) -> DatasetSpec:
        return DatasetSpec(self.element_spec)

    def cardinality(self, name: str | None = None) -> Tensor:
        """The number of elements; tf.data.INFINITE_CARDINALITY or tf.data.UNKNOWN_CARDINALITY."""
        return convert(np.int64(self._stage.size), None)

    def reduce(self, initial_state: Any, reduce_func: Callable[..., Any], name: str | None = None) -> Any:
        """The final state: each element gives the next one, `reduce_func(state, element)`."""
        return transforms.reduced(self._stage, initial_state, reduce_func)

    def get_single_element(self, name: str | None = None) -> Any:
        """The element of a dataset that has one."""
        found = []
        for element in self:
            found.append(element)
            if len(found) == 2:
                break
        if len(found) != 1:
            raise invalid("Dataset was empty." if not found else "Dataset had more than one element.")
        return found[0]

    def as_numpy_iterator(self) -> NumpyIterator:
        """An iterator over the elements as NumPy arrays."""
        return NumpyIterator(iter(self))

    def __iter__(self) -> Iterator:
        if state.context is not None:
            raise OpRuntimeError(Uncompilable(wording="a loop over a dataset takes as many turns as it has elements"))
        return Iterator(self)

    def __len__(self) -> int:
        size = self._stage.size
        if size == INFINITE_CARDINALITY:
            raise OpTypeError("The dataset is infinite.")
        if size == UNKNOWN_CARDINALITY:
            raise OpTypeError("The dataset length is unknown.")
        return size

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return f"<{self._stage.name} element_spec={self.element_spec!r}>"


Dataset.__module__ = "whygrad.data"


@export("data.DatasetSpec")
class DatasetSpec:
    """The spec of a dataset that is an element, such as a window.

    >>> import whygrad as tf
    >>> tf.data.Dataset.range(5).window(2).element_spec
    DatasetSpec(TensorSpec(shape=(), dtype=tf.int64, name=None), TensorShape([]))
    """

    def __init__(self, element_spec: Any, dataset_shape: Any = ()) -> None:
        self._element_spec = element_spec
        self._shape = TensorShape(dataset_shape)

    @property
    def element_spec(self) -> Any:
        """The specs of the elements of the dataset."""
        return self._element_spec

    @property
    def value_type(self) -> type:
        """The class of the values: Dataset."""
        return Dataset

    @staticmethod
    def from_value(value: Dataset) -> DatasetSpec:
        """The spec of a dataset."""
        return DatasetSpec(value.element_spec)

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Whether a dataset, or its spec, has elements of these specs."""
        other = getattr(spec_or_value, "element_spec", None)
        return (
            other is not None
            and same_structure(self._element_spec, other)
            and all(a.is_compatible_with(b) for a, b in builtins.zip(flatten(self._element_spec), flatten(other)))
        )

    def most_specific_compatible_type(self, other: Any) -> DatasetSpec:
        """The spec itself, which must equal the other."""
        if self != other:
            raise OpValueError(f"No TypeSpec is compatible with both {self} and {other}")
        return self

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, DatasetSpec) and self._element_spec == other._element_spec and self._shape == other._shape
        )

    def __hash__(self) -> int:
        return hash(("DatasetSpec", str(self._element_spec)))

    def __repr__(self) -> str:
        return f"DatasetSpec({self._element_spec!r}, {self._shape!r})"


def _stage_of(value: Any) -> Stage | None:
    return value._stage if isinstance(value, Dataset) else None


def _as_dataset(value: Any) -> Dataset:
    if not isinstance(value, Dataset):
        raise OpTypeError(f"`reader_func` must return a `Dataset` object. Got {type(value)}.")
    return value


def _shapes_like(types: Any, shapes: Any) -> Any:
    """Shapes in the structure of dtypes: where a dtype stands, whatever stands there is one shape."""
    parts = children_of(types)
    if parts is None:
        return TensorShape(shapes)
    if isinstance(types, dict):
        return {key: _shapes_like(types[key], shapes[key]) for key in types}
    return tuple([_shapes_like(*each) for each in builtins.zip(parts, shapes)])


def _directed(selector: Dataset, datasets: Sequence[Dataset], stops: bool) -> Dataset:
    return Dataset(merging.Directed(selector._stage, [each._stage for each in datasets], stops))


def _drawn(logits: Any, seed: Any) -> Tensor:
    """The number of a dataset, drawn with these log probabilities."""
    return reshape(stateless_categorical(logits, 1, seed), [])


def _sharding(dataset: Dataset, function: Callable[..., Any] | None) -> Callable[[Flat, int], int] | None:
    """The shard of each element, as the user's function says."""
    if function is None:
        return None
    called = ElementFunction(function, dataset._stage, "save")
    call = called.caller(Run())
    return lambda flat, count: int(value_of(convert(call(flat), None)))


def _shards_of(folder: str, stored: storage.Stored) -> Dataset:
    """A dataset of one dataset for each shard."""
    shards = [(Dataset(storage.Stored(folder, [each])),) for each in stored.shards]
    return Dataset(sources.Elements(shards, DatasetSpec(stored.spec)))


# -- rejection_resample --

_ESTIMATED = 32  # elements between two estimates of how the classes are distributed
_PRIOR = 10  # how often each class counts as seen at the beginning


def _resampled(dataset: Dataset, class_func: Callable[..., Any], target: Tensor, initial: Any, seed: Any) -> Dataset:
    """Elements of the dataset itself, or of one from which classes that are too frequent are left out, in the right proportion."""

    def classes(*element: Any) -> Any:
        return class_func(*element), element[0] if len(element) == 1 else element

    if initial is not None:
        given = convert(initial, None)
        distributions = Dataset.from_tensors(given).repeat()
        share = float(np.min(value_of(target) / value_of(given)))
        if share == 1.0:
            return dataset.map(classes)
    else:
        share = None
        distributions = _estimates(dataset.map(class_func), int(target.shape[0]))
    rates = distributions.map(lambda each: _acceptance(each, target))
    accepted = _accepted(dataset, rates.map(lambda rate, _: rate), class_func, seed).prefetch(3)
    if share == 0.0:
        return accepted
    weights = rates.map(lambda _, original: reshape(concat([[original], [1.0 - original]], 0), [1, 2]))
    seeds = Dataset.random(seed).batch(2)
    selector = Dataset.zip((weights.map(log), seeds)).map(_drawn)
    return _directed(selector, [dataset.map(classes), accepted], stops=True)


def _estimates(classes: Dataset, count: int) -> Dataset:
    """For each element, how the classes seen so far are distributed."""

    def update(seen: Tensor, batch: Tensor) -> tuple[Tensor, Tensor]:
        seen = seen + reduce_sum(one_hot(batch, count, dtype=dtypes.int64), 0)
        estimate = cast(seen / reduce_sum(seen), dtypes.float32)
        return seen, tile(expand_dims(estimate, 0), [_ESTIMATED, 1])

    return classes.batch(_ESTIMATED).scan(np.full(count, _PRIOR, np.int64), update).unbatch()


def _acceptance(initial: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
    """With which probability an element of each class is accepted, and how often the dataset itself is used."""
    tiny = np.finfo(initial.dtype.numpy_dtype).tiny
    ratio = target / (initial + tiny)
    least, most = reduce_min(ratio), reduce_max(ratio)
    spread = most - least
    rate = (ratio - least) / where(less(spread, tiny), maximum(spread, 1.0), spread)
    return rate, least


def _accepted(dataset: Dataset, rates: Dataset, class_func: Callable[..., Any], seed: Any) -> Dataset:
    def with_rate(rate: Tensor, element: Any) -> Any:
        which = class_func(*element) if isinstance(element, tuple) else class_func(element)
        return which, gather(rate, which), element

    def is_accepted(which: Any, rate: Tensor, element: Any) -> Tensor:
        return uniform([], seed=seed, dtype=rate.dtype) < rate

    chosen = Dataset.zip((rates, dataset)).map(with_rate).filter(is_accepted)
    return chosen.map(lambda which, _, element: (which, element))


settings.stateful += (Dataset, Iterator)
