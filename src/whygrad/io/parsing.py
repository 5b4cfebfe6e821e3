"""`tf.io.parse_example` and others: the features of serialized examples as tensors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from whygrad._public import export
from whygrad.compile.at_each_call import computed
from whygrad.io import wire
from whygrad.io.examples import Example, Feature
from whygrad.values import dtypes
from whygrad.values.conversion import convert
from whygrad.values.dtypes import DType
from whygrad.values.errors import OpNotImplementedError, OpTypeError, OpValueError, invalid
from whygrad.values.recorders import state
from whygrad.values.spec import TensorSpec
from whygrad.values.tensor import Tensor, value_of, wrap

Array = np.ndarray[Any, Any]
_LISTS = {"float32": "float_list", "int64": "int64_list", "string": "bytes_list"}


@export("io.FixedLenFeature")
class FixedLenFeature(NamedTuple):
    """A feature of a known shape. Without a default it is required.

    >>> import whygrad as tf
    >>> tf.io.FixedLenFeature([2], tf.float32)
    FixedLenFeature(shape=[2], dtype=tf.float32, default_value=None)
    """

    shape: Any
    dtype: Any
    default_value: Any = None


@export("io.FixedLenSequenceFeature")
class FixedLenSequenceFeature(NamedTuple):
    """A feature of a variable number of rows of a known shape, padded to the longest of a batch.

    >>> import whygrad as tf
    >>> tf.io.FixedLenSequenceFeature([], tf.int64, allow_missing=True).allow_missing
    True
    """

    shape: Any
    dtype: Any
    allow_missing: bool = False
    default_value: Any = None


@export("io.VarLenFeature")
class VarLenFeature(NamedTuple):
    """A feature of a variable number of values, which becomes a sparse tensor.

    >>> import whygrad as tf
    >>> tf.io.VarLenFeature(tf.string).dtype
    tf.string
    """

    dtype: Any


@export("io.SparseFeature")
class SparseFeature(NamedTuple):
    """A sparse tensor of two features: the positions along an axis of this size, and the values there.

    Several positions are a list of keys, with a list of sizes.

    >>> import whygrad as tf
    >>> tf.io.SparseFeature(index_key="at", value_key="value", dtype=tf.float32, size=10).size
    10
    """

    index_key: Any
    value_key: str
    dtype: Any
    size: Any
    already_sorted: bool = False


class _RaggedFeature(NamedTuple):
    dtype: Any
    value_key: str | None
    partitions: Any
    row_splits_dtype: Any
    validate: bool


@export("io.RaggedFeature")
class RaggedFeature(_RaggedFeature):
    """A feature of a variable number of values, which becomes a ragged tensor.

    >>> import whygrad as tf
    >>> tf.io.RaggedFeature(tf.int64).dtype
    tf.int64
    """

    def __new__(
        cls,
        dtype: Any,
        value_key: str | None = None,
        partitions: Any = (),
        row_splits_dtype: Any = dtypes.int32,
        validate: bool = False,
    ) -> RaggedFeature:
        if partitions:
            raise OpNotImplementedError("RaggedFeature takes no partitions here: reshape the values after parsing")
        return super().__new__(cls, dtype, value_key, (), row_splits_dtype, validate)


@export("io.parse_single_example")
def parse_single_example(
    serialized: Any, features: Mapping[str, Any], example_names: Any = None, name: str | None = None
) -> dict[str, Any]:
    """The features of one serialized `tf.train.Example`.

    >>> import whygrad as tf
    >>> age = tf.train.Feature(int64_list=tf.train.Int64List(value=[3]))
    >>> record = tf.train.Example(features=tf.train.Features(feature={"age": age})).SerializeToString()
    >>> tf.io.parse_single_example(record, {"age": tf.io.FixedLenFeature([], tf.int64)})["age"].numpy()
    np.int64(3)
    """
    check(features)
    given = convert(serialized, dtypes.string)
    if state.context is not None:
        return _traced(given, features, single=True)
    if value_of(given).shape:
        raise invalid(f"Input serialized must be a scalar, but has shape {list(given.shape)}")
    return _parsed([value_of(given).item()], features, single=True)


@export("io.parse_example")
def parse_example(
    serialized: Any, features: Mapping[str, Any], example_names: Any = None, name: str | None = None
) -> dict[str, Any]:
    """The features of a batch of serialized `tf.train.Example`s.

    >>> import whygrad as tf
    >>> age = tf.train.Feature(int64_list=tf.train.Int64List(value=[3]))
    >>> record = tf.train.Example(features=tf.train.Features(feature={"age": age})).SerializeToString()
    >>> tf.io.parse_example([record, record], {"age": tf.io.FixedLenFeature([], tf.int64)})["age"].numpy()
    array([3, 3])
    """
    check(features)
    given = convert(serialized, dtypes.string)
    if state.context is not None:
        return _traced(given, features, single=given.ndim == 0)
    if not value_of(given).shape:
        return _parsed([value_of(given).item()], features, single=True)
    return _parsed(value_of(given).reshape(-1).tolist(), features, single=False)


def check(features: Mapping[str, Any]) -> None:
    """Raise for features that are not known, or of dtypes that examples do not hold."""
    if not features:
        raise OpValueError("Argument `features` cannot be None.")
    for key, feature in features.items():
        if type(feature) not in _COLUMNS:
            raise OpValueError(f"Unsupported FixedLenFeature {feature} for feature {key!r}.")
        if dtype_of(feature).name not in _LISTS:
            raise OpTypeError(
                f"feature {key!r} is of {dtype_of(feature).name}: an example holds tf.float32, tf.int64 and tf.string"
            )


def dtype_of(feature: Any) -> DType:
    """The dtype of a feature."""
    return dtypes.as_dtype(feature.dtype)


def _traced(given: Tensor, features: Mapping[str, Any], single: bool) -> dict[str, Any]:
    """Inside a trace: one op for each feature, of a known spec."""
    found = {}
    for key, feature in features.items():
        shape = list(feature.shape) if isinstance(feature, FixedLenFeature) else None
        if shape is not None and not single:
            shape = [given.shape[0], *shape]
        spec = None if shape is None else TensorSpec(shape, dtype_of(feature))

        def parse(serialized: Tensor, key: str = key, feature: Any = feature) -> Tensor:
            strings = value_of(serialized).reshape(-1).tolist()
            return _parsed(strings, {key: feature}, single)[key]  # type: ignore[no-any-return]

        found[key] = computed("tf.io.parse_example", parse, [given], dtypes.string, spec)
    return found


def _parsed(serialized: list[bytes], features: Mapping[str, Any], single: bool) -> dict[str, Any]:
    examples = []
    for each in serialized:
        try:
            examples.append(Example.FromString(each).features.feature)
        except wire.DecodeError as error:
            raise invalid(f"Could not parse example input, value: {each[:40]!r} ({error})") from None
    return columns_of(examples, features, single)


def columns_of(examples: list[Any], features: Mapping[str, Any], single: bool) -> dict[str, Any]:
    """The features of parsed examples: first those that are sparse, in the order of their names."""
    ordered = sorted(features.items(), key=lambda each: (_order(each[1]), each[0]))
    return {key: _COLUMNS[type(feature)](key, feature, examples, single) for key, feature in ordered}


def _order(feature: Any) -> int:
    return 0 if isinstance(feature, VarLenFeature | SparseFeature) else 2 if isinstance(feature, RaggedFeature) else 1


def values_of(feature: Feature | None, dtype: DType, key: str) -> list[Any] | None:
    """The values of a feature; None where it is missing."""
    if feature is None or (kind := feature.WhichOneof("kind")) is None:
        return None
    if kind != _LISTS[dtype.name]:
        have = {"float_list": "float", "int64_list": "int64", "bytes_list": "string"}[kind]
        raise invalid(
            f"Key: {key}.  Data types don't match. Data type: {have} but expected type: {dtype.cxx_name[3:].lower()}"
        )
    return list(getattr(feature, kind).value)


def array_of(values: list[Any], dtype: DType) -> Array:
    """Values as an array of a dtype."""
    if dtype is dtypes.string:
        made = np.empty(len(values), object)
        made[:] = values
        return made
    return np.array(values, dtype.numpy_dtype)


def _fixed(key: str, feature: FixedLenFeature, examples: list[Any], single: bool) -> Any:
    dtype = dtype_of(feature)
    shape = tuple(int(each) for each in ([feature.shape] if isinstance(feature.shape, int) else feature.shape))
    size = int(np.prod(shape, dtype=np.int64))
    rows = []
    for number, example in enumerate(examples):
        values = values_of(example.get(key), dtype, key)
        if values is None:
            if feature.default_value is None:
                raise invalid(
                    f"Name: <unknown>, Feature: {key} (data type: {dtype.name}) is required but could not be found."
                )
            default = value_of(convert(feature.default_value, dtype))
            rows.append(np.broadcast_to(default, shape))
            continue
        if len(values) != size:
            raise invalid(
                f"Key: {key}, Index: {number}.  Number of {dtype.name} values != expected.  Values size: {len(values)} but output "
                f"shape: {list(shape)}"
            )
        rows.append(array_of(values, dtype).reshape(shape))
    made = wrap(rows[0] if single else np.stack(rows) if rows else np.zeros((0, *shape), dtype.numpy_dtype))
    made.set_shape(shape if single else (None, *shape))
    return made


def _sequence(key: str, feature: FixedLenSequenceFeature, examples: list[Any], single: bool) -> Any:
    if not feature.allow_missing:
        raise OpValueError(
            f"Unsupported: FixedLenSequenceFeature requires allow_missing to be True. Received feature={feature!r} for key {key!r}."
        )
    dtype = dtype_of(feature)
    shape = tuple(int(each) for each in feature.shape)
    size = int(np.prod(shape, dtype=np.int64))
    rows = []
    for number, example in enumerate(examples):
        values = values_of(example.get(key), dtype, key) or []
        if len(values) % size:
            raise invalid(
                f"Key: {key}, Index: {number}.  Number of values {len(values)} is not a multiple of the size of {list(shape)}"
            )
        rows.append(array_of(values, dtype).reshape(-1, *shape))
    if single:
        only = wrap(rows[0])
        only.set_shape((None, *shape))
        return only
    default = b"" if dtype is dtypes.string else 0
    fill = default if feature.default_value is None else value_of(convert(feature.default_value, dtype))[()]
    made = np.full((len(rows), max((len(each) for each in rows), default=0), *shape), fill, dtype.numpy_dtype)
    for i, each in enumerate(rows):
        made[i, : len(each)] = each
    dense = wrap(made)
    dense.set_shape((None, None, *shape))
    return dense


def _ragged(key: str, feature: RaggedFeature, examples: list[Any], single: bool) -> Any:
    from whygrad.ragged.tensor import RaggedTensor

    dtype, name = dtype_of(feature), feature.value_key or key
    rows = [values_of(example.get(name), dtype, name) or [] for example in examples]
    values = wrap(array_of([each for row in rows for each in row], dtype))
    if single:
        return values
    lengths = np.array([len(row) for row in rows], dtypes.as_dtype(feature.row_splits_dtype).numpy_dtype)
    return RaggedTensor.from_row_lengths(values, wrap(lengths))


def _sparse(key: str, feature: VarLenFeature, examples: list[Any], single: bool) -> Any:
    dtype = dtype_of(feature)
    rows = [values_of(example.get(key), dtype, key) or [] for example in examples]
    return sparse_rows(rows, dtype, single)


def sparse_rows(rows: list[list[Any]], dtype: DType, single: bool) -> Any:
    """Rows of values as a sparse tensor, in which each begins at 0."""
    from whygrad.sparse.tensor import from_arrays

    lengths = np.array([len(row) for row in rows], np.int64)
    values = wrap(array_of([each for row in rows for each in row], dtype))
    if single:
        return from_arrays(np.arange(lengths[0]).reshape(-1, 1), values, lengths)
    places = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    positions = np.column_stack([np.repeat(np.arange(len(rows)), lengths), places])
    return from_arrays(positions, values, [len(rows), int(lengths.max(initial=0))])


def _sparse_at_positions(key: str, feature: SparseFeature, examples: list[Any], single: bool) -> Any:
    from whygrad.sparse.shaping import in_order
    from whygrad.sparse.tensor import from_arrays

    keys = [feature.index_key] if isinstance(feature.index_key, str) else list(feature.index_key)
    sizes = [feature.size] if isinstance(feature.size, int) else list(feature.size)
    if len(keys) != len(sizes):
        raise OpValueError(f"SparseFeature {key!r} has {len(keys)} index keys and {len(sizes)} sizes: one for each")
    dtype = dtype_of(feature)
    positions, values = [], []
    for number, example in enumerate(examples):
        row = values_of(example.get(feature.value_key), dtype, feature.value_key) or []
        columns = [values_of(example.get(each), dtypes.int64, each) or [] for each in keys]
        if any(len(column) != len(row) for column in columns):
            raise OpValueError(
                f"Dimensions {len(columns[0])} and {len(row)} are not compatible: example {number} has as many {feature.index_key!r} "
                f"as {feature.value_key!r}"
            )
        positions += [([] if single else [number]) + list(each) for each in zip(*columns)]
        values += row
    whole = sizes if single else [len(examples), *sizes]
    places = np.array(positions, np.int64).reshape(len(values), len(whole))
    made = from_arrays if feature.already_sorted else in_order
    return made(places, wrap(array_of(values, dtype)), whole)


_COLUMNS: dict[type, Callable[..., Any]] = {
    FixedLenFeature: _fixed,
    FixedLenSequenceFeature: _sequence,
    RaggedFeature: _ragged,
    SparseFeature: _sparse_at_positions,
    VarLenFeature: _sparse,
}
