"""`tf.data.experimental`: transformations for `Dataset.apply`, and older names of what `Dataset` has as methods."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from whygrad._public import export
from whygrad.data import sources, transforms
from whygrad.data.dataset import Dataset
from whygrad.data.functions import ElementFunction
from whygrad.data.iterator import Iterator
from whygrad.data.optional import Optional
from whygrad.data.options import AUTOTUNE, UNKNOWN_CARDINALITY
from whygrad.data.stage import Cursor, CursorOf, Of, Run, Stage
from whygrad.data.structure import Flat, as_element, as_returned, common_spec, flat_of, spec_of
from whygrad.io.file_errors import path_of
from whygrad.io.records import TFRecordOptions
from whygrad.io.records import TFRecordWriter as RecordWriter
from whygrad.ops.arguments import integer
from whygrad.values import dtypes
from whygrad.values.errors import OpTypeError, OpValueError
from whygrad.values.spec import TensorSpec
from whygrad.values.tensor import Tensor, value_of, wrap

Transformation = Callable[[Dataset], Dataset]


@export("data.experimental.assert_cardinality")
def assert_cardinality(expected_cardinality: Any) -> Transformation:
    """Say how many elements a dataset has. An iteration that finds another number raises FailedPreconditionError.

    >>> import whygrad as tf
    >>> dataset = tf.data.Dataset.range(4).filter(lambda x: x < 2).apply(tf.data.experimental.assert_cardinality(2))
    >>> len(dataset)
    2
    """
    expected = integer(expected_cardinality, "expected_cardinality")
    return lambda dataset: Dataset(transforms.CardinalityAsserted(dataset._stage, expected))


@export("data.experimental.cardinality")
def cardinality(dataset: Dataset) -> Tensor:
    """The number of elements, like `dataset.cardinality()`.

    >>> import whygrad as tf
    >>> tf.data.experimental.cardinality(tf.data.Dataset.range(42)).numpy()
    np.int64(42)
    """
    return dataset.cardinality()


@export("data.experimental.get_structure")
def get_structure(dataset_or_iterator: Any) -> Any:
    """The specs of the elements of a dataset or iterator.

    >>> import whygrad as tf
    >>> tf.data.experimental.get_structure(tf.data.Dataset.range(3))
    TensorSpec(shape=(), dtype=tf.int64, name=None)
    """
    if not hasattr(dataset_or_iterator, "element_spec"):
        raise OpTypeError(
            f"Invalid `dataset_or_iterator`. It must be a dataset or an iterator but is {type(dataset_or_iterator)}."
        )
    return dataset_or_iterator.element_spec


@export("data.experimental.get_single_element")
def get_single_element(dataset: Dataset) -> Any:
    """The element of a dataset that has one.

    >>> import whygrad as tf
    >>> tf.data.experimental.get_single_element(tf.data.Dataset.from_tensors(5)).numpy()
    np.int32(5)
    """
    return dataset.get_single_element()


@export("data.experimental.get_next_as_optional")
def get_next_as_optional(iterator: Iterator) -> Optional:
    """The next element of an iterator as an optional.

    >>> import whygrad as tf
    >>> bool(tf.data.experimental.get_next_as_optional(iter(tf.data.Dataset.range(1))).has_value())
    True
    """
    return iterator.get_next_as_optional()


@export("data.experimental.Counter")
def Counter(start: Any = 0, step: Any = 1, dtype: Any = dtypes.int64) -> Dataset:
    """Numbers without an end, like `Dataset.counter`.

    >>> import whygrad as tf
    >>> [int(x) for x in tf.data.experimental.Counter(start=2, step=3).take(3)]
    [2, 5, 8]
    """
    return Dataset.counter(start, step, dtype)


@export("data.experimental.RandomDataset")
class RandomDataset(Dataset):
    """Random numbers, like `Dataset.random`.

    >>> import whygrad as tf
    >>> [x.dtype.name for x in tf.data.experimental.RandomDataset(seed=4).take(2)]
    ['int64', 'int64']
    """

    def __init__(self, seed: Any = None, rerandomize_each_iteration: bool | None = None) -> None:
        super().__init__(sources.Random(seed, bool(rerandomize_each_iteration)))


@export("data.experimental.from_list")
def from_list(elements: Sequence[Any], name: str | None = None) -> Dataset:
    """A dataset of the elements of a list, of equal structure.

    >>> import whygrad as tf
    >>> [(int(a), b.numpy()) for a, b in tf.data.experimental.from_list([(1, "a"), (2, "b")])]
    [(1, b'a'), (2, b'b')]
    """
    made = [as_element(each) for each in elements]
    if not made:
        raise OpValueError("Invalid `elements`. `elements` should not be empty.")
    spec = spec_of(made[0])
    for each in made[1:]:
        spec = common_spec(spec, spec_of(each))
    return Dataset(sources.Elements([flat_of(each) for each in made], spec))


def _method(name: str) -> Callable[..., Transformation]:
    def transformation(*args: Any, **kwargs: Any) -> Transformation:
        return lambda dataset: getattr(dataset, name)(*args, **kwargs)

    return transformation


@export("data.experimental.unbatch")
def unbatch() -> Transformation:
    """`Dataset.unbatch` for `apply`.

    >>> import whygrad as tf
    >>> [int(x) for x in tf.data.Dataset.from_tensors([1, 2]).apply(tf.data.experimental.unbatch())]
    [1, 2]
    """
    return _method("unbatch")()


@export("data.experimental.unique")
def unique() -> Transformation:
    """`Dataset.unique` for `apply`.

    >>> import whygrad as tf
    >>> [int(x) for x in tf.data.Dataset.from_tensor_slices([1, 2, 1]).apply(tf.data.experimental.unique())]
    [1, 2]
    """
    return _method("unique")()


@export("data.experimental.ignore_errors")
def ignore_errors(log_warning: bool = False) -> Transformation:
    """`Dataset.ignore_errors` for `apply`.

    >>> import whygrad as tf
    >>> tf.data.Dataset.range(2).apply(tf.data.experimental.ignore_errors()).element_spec
    TensorSpec(shape=(), dtype=tf.int64, name=None)
    """
    return _method("ignore_errors")(log_warning)


@export("data.experimental.enumerate_dataset")
def enumerate_dataset(start: Any = 0) -> Transformation:
    """`Dataset.enumerate` for `apply`.

    >>> import whygrad as tf
    >>> [(int(i), int(x)) for i, x in tf.data.Dataset.range(5, 7).apply(tf.data.experimental.enumerate_dataset())]
    [(0, 5), (1, 6)]
    """
    return _method("enumerate")(start)


@export("data.experimental.take_while")
def take_while(predicate: Callable[..., Any]) -> Transformation:
    """`Dataset.take_while` for `apply`.

    >>> import whygrad as tf
    >>> [int(x) for x in tf.data.Dataset.range(9).apply(tf.data.experimental.take_while(lambda x: x < 2))]
    [0, 1]
    """
    return _method("take_while")(predicate)


@export("data.experimental.scan")
def scan(initial_state: Any, scan_func: Callable[..., Any]) -> Transformation:
    """`Dataset.scan` for `apply`.

    >>> import numpy as np, whygrad as tf
    >>> sums = tf.data.experimental.scan(np.int64(0), lambda total, x: (total + x, total + x))
    >>> [int(x) for x in tf.data.Dataset.range(4).apply(sums)]
    [0, 1, 3, 6]
    """
    return _method("scan")(initial_state, scan_func)


@export("data.experimental.group_by_window")
def group_by_window(
    key_func: Callable[..., Any],
    reduce_func: Callable[..., Any],
    window_size: Any = None,
    window_size_func: Callable[..., Any] | None = None,
) -> Transformation:
    """`Dataset.group_by_window` for `apply`.

    >>> import whygrad as tf
    >>> grouped = tf.data.experimental.group_by_window(lambda x: x % 2, lambda key, group: group.batch(5), window_size=5)
    >>> [x.numpy().tolist() for x in tf.data.Dataset.range(5).apply(grouped)]
    [[0, 2, 4], [1, 3]]
    """
    return _method("group_by_window")(key_func, reduce_func, window_size, window_size_func)


@export("data.experimental.bucket_by_sequence_length")
def bucket_by_sequence_length(
    element_length_func: Callable[..., Any],
    bucket_boundaries: Sequence[int],
    bucket_batch_sizes: Sequence[int],
    padded_shapes: Any = None,
    padding_values: Any = None,
    pad_to_bucket_boundary: bool = False,
    no_padding: bool = False,
    drop_remainder: bool = False,
) -> Transformation:
    """`Dataset.bucket_by_sequence_length` for `apply`.

    >>> import whygrad as tf
    >>> buckets = tf.data.experimental.bucket_by_sequence_length(lambda x: tf.shape(x)[0], [3], [2, 2])
    >>> [x.shape for x in tf.data.Dataset.from_tensors([1, 2]).apply(buckets)]
    [TensorShape([1, 2])]
    """
    return _method("bucket_by_sequence_length")(
        element_length_func, bucket_boundaries, bucket_batch_sizes, padded_shapes, padding_values, pad_to_bucket_boundary,
        no_padding, drop_remainder,
    )  # fmt: skip


@export("data.experimental.dense_to_ragged_batch")
def dense_to_ragged_batch(
    batch_size: Any, drop_remainder: bool = False, row_splits_dtype: Any = dtypes.int64
) -> Transformation:
    """`Dataset.ragged_batch` for `apply`.

    >>> import whygrad as tf
    >>> tf.data.Dataset.range(2).apply(tf.data.experimental.dense_to_ragged_batch(2)).get_single_element().numpy()
    array([0, 1])
    """
    return _method("ragged_batch")(batch_size, drop_remainder, row_splits_dtype)


@export("data.experimental.dense_to_sparse_batch")
def dense_to_sparse_batch(batch_size: Any, row_shape: Any) -> Transformation:
    """`Dataset.sparse_batch` for `apply`.

    >>> import whygrad as tf
    >>> to_sparse = tf.data.experimental.dense_to_sparse_batch(2, [3])
    >>> tf.data.Dataset.from_tensors([5, 6]).apply(to_sparse).get_single_element().shape
    TensorShape([1, 3])
    """
    return _method("sparse_batch")(batch_size, row_shape)


@export("data.experimental.map_and_batch")
def map_and_batch(
    map_func: Callable[..., Any],
    batch_size: Any,
    num_parallel_batches: Any = None,
    drop_remainder: bool = False,
    num_parallel_calls: Any = None,
) -> Transformation:
    """`map` and then `batch`.

    >>> import whygrad as tf
    >>> dataset = tf.data.Dataset.range(3).apply(tf.data.experimental.map_and_batch(lambda x: x * 2, 3))
    >>> dataset.get_single_element().numpy()
    array([0, 2, 4])
    """
    return lambda dataset: dataset.map(map_func, num_parallel_calls).batch(batch_size, drop_remainder)


@export("data.experimental.parallel_interleave")
def parallel_interleave(
    map_func: Callable[..., Any],
    cycle_length: Any,
    block_length: Any = 1,
    sloppy: bool | None = False,
    buffer_output_elements: Any = None,
    prefetch_input_elements: Any = None,
) -> Transformation:
    """`Dataset.interleave` with threads, for `apply`.

    >>> import whygrad as tf
    >>> twice = tf.data.experimental.parallel_interleave(lambda x: tf.data.Dataset.from_tensors(x).repeat(2), cycle_length=2)
    >>> [int(x) for x in tf.data.Dataset.range(2).apply(twice)]
    [0, 1, 0, 1]
    """
    return lambda dataset: dataset.interleave(map_func, cycle_length, block_length, num_parallel_calls=AUTOTUNE)


@export("data.experimental.shuffle_and_repeat")
def shuffle_and_repeat(buffer_size: Any, count: Any = None, seed: Any = None) -> Transformation:
    """`shuffle` and then `repeat`.

    >>> import whygrad as tf
    >>> len(tf.data.Dataset.range(3).apply(tf.data.experimental.shuffle_and_repeat(3, count=2)))
    6
    """
    return lambda dataset: dataset.shuffle(buffer_size, seed).repeat(count)


@export("data.experimental.rejection_resample")
def rejection_resample(
    class_func: Callable[..., Any], target_dist: Any, initial_dist: Any = None, seed: Any = None
) -> Transformation:
    """`Dataset.rejection_resample` for `apply`.

    >>> import whygrad as tf
    >>> resample = tf.data.experimental.rejection_resample(lambda x: x, target_dist=[0.5, 0.5], initial_dist=[0.5, 0.5])
    >>> [(int(c), int(x)) for c, x in tf.data.Dataset.from_tensor_slices([0, 1]).apply(resample)]
    [(0, 0), (1, 1)]
    """
    return _method("rejection_resample")(class_func, target_dist, initial_dist, seed)


@export("data.experimental.snapshot")
def snapshot(
    path: Any,
    compression: str | None = "AUTO",
    reader_func: Callable[..., Any] | None = None,
    shard_func: Callable[..., Any] | None = None,
) -> Transformation:
    """`Dataset.snapshot` for `apply`.

    >>> import tempfile, whygrad as tf
    >>> [int(x) for x in tf.data.Dataset.range(2).apply(tf.data.experimental.snapshot(tempfile.mkdtemp()))]
    [0, 1]
    """
    return _method("snapshot")(path, compression, reader_func, shard_func)


@export("data.experimental.prefetch_to_device")
def prefetch_to_device(device: Any, buffer_size: Any = None) -> Transformation:
    """`Dataset.prefetch`: elements are in main memory, and functions take them from there.

    >>> import whygrad as tf
    >>> [int(x) for x in tf.data.Dataset.range(2).apply(tf.data.experimental.prefetch_to_device("/cpu:0"))]
    [0, 1]
    """
    return _method("prefetch")(buffer_size)


@export("data.experimental.copy_to_device")
def copy_to_device(target_device: Any, source_device: Any = "/cpu:0") -> Transformation:
    """The same dataset: elements are in main memory, and functions take them from there.

    >>> import whygrad as tf
    >>> [int(x) for x in tf.data.Dataset.range(2).apply(tf.data.experimental.copy_to_device("/cpu:0"))]
    [0, 1]
    """
    return lambda dataset: dataset


@export("data.experimental.choose_from_datasets")
def choose_from_datasets(
    datasets: Sequence[Dataset], choice_dataset: Dataset, stop_on_empty_dataset: bool = False
) -> Dataset:
    """`Dataset.choose_from_datasets`, which goes on when a dataset is empty.

    >>> import whygrad as tf
    >>> numbers = [tf.data.Dataset.range(2), tf.data.Dataset.range(10, 12)]
    >>> choice = tf.data.Dataset.from_tensor_slices(tf.constant([1, 0, 0], tf.int64))
    >>> [int(x) for x in tf.data.experimental.choose_from_datasets(numbers, choice)]
    [10, 0, 1]
    """
    return Dataset.choose_from_datasets(datasets, choice_dataset, stop_on_empty_dataset)


@export("data.experimental.sample_from_datasets")
def sample_from_datasets(
    datasets: Sequence[Dataset], weights: Any = None, seed: Any = None, stop_on_empty_dataset: bool = False
) -> Dataset:
    """`Dataset.sample_from_datasets`.

    >>> import whygrad as tf
    >>> numbers = [tf.data.Dataset.range(2), tf.data.Dataset.range(10, 12)]
    >>> sorted(int(x) for x in tf.data.experimental.sample_from_datasets(numbers, seed=1))
    [0, 1, 10, 11]
    """
    return Dataset.sample_from_datasets(datasets, weights, seed, stop_on_empty_dataset)


@export("data.experimental.save")
def save(
    dataset: Dataset,
    path: Any,
    compression: str | None = None,
    shard_func: Callable[..., Any] | None = None,
    checkpoint_args: Any = None,
) -> None:
    """`Dataset.save`.

    >>> import tempfile, whygrad as tf
    >>> folder = tempfile.mkdtemp()
    >>> tf.data.experimental.save(tf.data.Dataset.range(2), folder)
    >>> [int(x) for x in tf.data.experimental.load(folder)]
    [0, 1]
    """
    dataset.save(path, compression, shard_func, checkpoint_args)


@export("data.experimental.load")
def load(
    path: Any, element_spec: Any = None, compression: str | None = None, reader_func: Callable[..., Any] | None = None
) -> Dataset:
    """`Dataset.load`.

    >>> import tempfile, whygrad as tf
    >>> folder = tempfile.mkdtemp()
    >>> tf.data.Dataset.range(2).save(folder)
    >>> tf.data.experimental.load(folder).element_spec
    TensorSpec(shape=(), dtype=tf.int64, name=None)
    """
    return Dataset.load(path, element_spec, compression, reader_func)


@export("data.experimental.TFRecordWriter")
class TFRecordWriter:
    """Write a dataset of strings to a TFRecord file.

    >>> import os, tempfile, whygrad as tf
    >>> path = os.path.join(tempfile.mkdtemp(), "words")
    >>> tf.data.experimental.TFRecordWriter(path).write(tf.data.Dataset.from_tensor_slices(["ant", "bee"]))
    >>> [word.numpy() for word in tf.data.TFRecordDataset(path)]
    [b'ant', b'bee']
    """

    def __init__(self, filename: Any, compression_type: str | None = None) -> None:
        self._path = path_of(filename)
        self._options = TFRecordOptions(compression_type)

    def write(self, dataset: Dataset) -> None:
        """Write all elements."""
        spec = dataset.element_spec
        if not isinstance(spec, TensorSpec) or spec.dtype is not dtypes.string:
            raise OpTypeError(
                f"Invalid `dataset`. `dataset` must produce scalar `tf.string` tensors, but its spec is {spec}."
            )
        with RecordWriter(self._path, self._options) as file:
            for element in dataset:
                file.write(element)


@export("data.experimental.Reducer")
class Reducer:
    """What `group_by_reducer` does with each group: an initial state, a step and an end.

    >>> import whygrad as tf
    >>> sums = tf.data.experimental.Reducer(lambda key: 0, lambda total, x: total + x, lambda total: total)
    >>> sums.init_func(0)
    0
    """

    def __init__(
        self, init_func: Callable[..., Any], reduce_func: Callable[..., Any], finalize_func: Callable[..., Any]
    ):
        self.init_func = init_func
        self.reduce_func = reduce_func
        self.finalize_func = finalize_func


@export("data.experimental.group_by_reducer")
def group_by_reducer(key_func: Callable[..., Any], reducer: Reducer) -> Transformation:
    """Put elements together by their key, and reduce each group.

    >>> import numpy as np, whygrad as tf
    >>> sums = tf.data.experimental.Reducer(lambda key: np.int64(0), lambda total, x: total + x, lambda total: total)
    >>> [int(x) for x in tf.data.Dataset.range(5).apply(tf.data.experimental.group_by_reducer(lambda x: x % 2, sums))]
    [6, 4]
    """
    return lambda dataset: Dataset(_Reduced(dataset._stage, key_func, reducer))


class _Reduced(Of):
    name = "_GroupByReducerDataset"

    def __init__(self, source: Stage, key_func: Callable[..., Any], reducer: Reducer) -> None:
        super().__init__(source)
        self.key = ElementFunction(key_func, source, "group_by_reducer")
        self.step = ElementFunction(reducer.reduce_func, source, "group_by_reducer", (None,))
        self.reducer = reducer

    def cursor(self, run: Run) -> Cursor:
        return _ReducedCursor(self, run)

    @property
    def spec(self) -> Any:
        run = Run(peeks=True)
        for flat in self.source.cursor(run):
            key = self.key.caller(run)(flat)
            return spec_of(as_returned(self.reducer.finalize_func(as_returned(self.reducer.init_func(key)))))
        return self.source.spec

    @property
    def size(self) -> int:
        return UNKNOWN_CARDINALITY


class _ReducedCursor(CursorOf):
    def __init__(self, stage: _Reduced, run: Run) -> None:
        super().__init__(stage.source.cursor(run))
        self._stage = stage
        self._call = stage.key.caller(run)
        self._step = stage.step.caller(run)
        self._groups: list[Any] | None = None

    def __next__(self) -> Flat:
        if self._groups is None:
            found: dict[int, Any] = {}
            for flat in self.source:
                key = value_of(self._call(flat))
                if int(key) not in found:
                    found[int(key)] = as_returned(self._stage.reducer.init_func(wrap(key)))
                found[int(key)] = self._step(flat, found[int(key)])
            self._groups = [found[key] for key in sorted(found)]
        if not self._groups:
            raise StopIteration
        return flat_of(as_returned(self._stage.reducer.finalize_func(self._groups.pop(0))))

    save = Cursor.save
    restore = Cursor.restore
