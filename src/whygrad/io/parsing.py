"""`tf.io.parse_example` and its kin: the features of serialized examples as tensors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from whygrad._public import export
from whygrad.io import wire
from whygrad.io.examples import Example, Feature
from whygrad.io.traced import computed
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


@export("io.RaggedFeature")
class RaggedFeature:
    """A feature of a variable number of values, which becomes a ragged tensor.

    >>> import whygrad as tf
    >>> tf.io.RaggedFeature(tf.int64).dtype
    tf.int64
    """

    def __init__(
        self,
        dtype: Any,
        value_key: str | None = None,
        partitions: Any = (),
        row_splits_dtype: Any = dtypes.int32,
        validate: bool = False,
    ) -> None:
        if partitions:
            raise OpNotImplementedError("RaggedFeature takes no partitions here: reshape the values after parsing")
        self.dtype = dtype
        self.value_key = value_key
        self.row_splits_dtype = row_splits_dtype


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
    _check(features)
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
    _check(features)
    given = convert(serialized, dtypes.string)
    if state.context is not None:
        return _traced(given, features, single=given.ndim == 0)
    if not value_of(given).shape:
        return _parsed([value_of(given).item()], features, single=True)
    return _parsed(value_of(given).reshape(-1).tolist(), features, single=False)


def _check(features: Mapping[str, Any]) -> None:
    if not features:
        raise OpValueError("Argument `features` cannot be None.")
    for key, feature in features.items():
        if not isinstance(feature, FixedLenFeature | FixedLenSequenceFeature | VarLenFeature | RaggedFeature):
            raise OpValueError(f"Unsupported FixedLenFeature {feature} for feature {key!r}.")
        if _dtype(feature).name not in _LISTS:
            raise OpTypeError(
                f"feature {key!r} is of {_dtype(feature).name}: an example holds tf.float32, tf.int64 and tf.string"
            )


def _dtype(feature: Any) -> DType:
    return dtypes.as_dtype(feature.dtype)


def _traced(given: Tensor, features: Mapping[str, Any], single: bool) -> dict[str, Any]:
    """Inside a trace: one op for each feature, of a known spec."""
    found = {}
    for key, feature in features.items():
        shape = list(feature.shape) if isinstance(feature, FixedLenFeature) else None
        if shape is not None and not single:
            shape = [given.shape[0], *shape]
        spec = None if shape is None else TensorSpec(shape, _dtype(feature))

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
    return {key: _COLUMNS[type(feature)](key, feature, examples, single) for key, feature in sorted(features.items())}


def _values(feature: Feature | None, dtype: DType, key: str) -> list[Any] | None:
    """The values of a feature; None where it is missing."""
    if feature is None or (kind := feature.WhichOneof("kind")) is None:
        return None
    if kind != _LISTS[dtype.name]:
        have = {"float_list": "float", "int64_list": "int64", "bytes_list": "string"}[kind]
        raise invalid(
            f"Key: {key}.  Data types don't match. Data type: {have} but expected type: {dtype.cxx_name[3:].lower()}"
        )
    return list(getattr(feature, kind).value)


def _array(values: list[Any], dtype: DType) -> Array:
    if dtype is dtypes.string:
        made = np.empty(len(values), object)
        made[:] = values
        return made
    return np.array(values, dtype.numpy_dtype)


def _fixed(key: str, feature: FixedLenFeature, examples: list[Any], single: bool) -> Any:
    dtype = _dtype(feature)
    shape = tuple(int(each) for each in ([feature.shape] if isinstance(feature.shape, int) else feature.shape))
    size = int(np.prod(shape, dtype=np.int64))
    rows = []
    for number, example in enumerate(examples):
        values = _values(example.get(key), dtype, key)
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
        rows.append(_array(values, dtype).reshape(shape))
    return wrap(rows[0] if single else np.stack(rows) if rows else np.zeros((0, *shape), dtype.numpy_dtype))


def _sequence(key: str, feature: FixedLenSequenceFeature, examples: list[Any], single: bool) -> Any:
    if not feature.allow_missing:
        raise OpValueError(
            f"Unsupported: FixedLenSequenceFeature requires allow_missing to be True. Received feature={feature!r} for key {key!r}."
        )
    dtype = _dtype(feature)
    shape = tuple(int(each) for each in feature.shape)
    size = int(np.prod(shape, dtype=np.int64))
    rows = []
    for number, example in enumerate(examples):
        values = _values(example.get(key), dtype, key) or []
        if len(values) % size:
            raise invalid(
                f"Key: {key}, Index: {number}.  Number of values {len(values)} is not a multiple of the size of {list(shape)}"
            )
        rows.append(_array(values, dtype).reshape(-1, *shape))
    if single:
        return wrap(rows[0])
    default = b"" if dtype is dtypes.string else 0
    fill = default if feature.default_value is None else value_of(convert(feature.default_value, dtype))[()]
    made = np.full((len(rows), max((len(each) for each in rows), default=0), *shape), fill, dtype.numpy_dtype)
    for i, each in enumerate(rows):
        made[i, : len(each)] = each
    return wrap(made)


def _ragged(key: str, feature: RaggedFeature, examples: list[Any], single: bool) -> Any:
    from whygrad.ragged.tensor import RaggedTensor

    dtype, name = _dtype(feature), feature.value_key or key
    rows = [_values(example.get(name), dtype, name) or [] for example in examples]
    values = wrap(_array([each for row in rows for each in row], dtype))
    if single:
        return values
    lengths = np.array([len(row) for row in rows], dtypes.as_dtype(feature.row_splits_dtype).numpy_dtype)
    return RaggedTensor.from_row_lengths(values, wrap(lengths))


def _sparse(key: str, feature: VarLenFeature, examples: list[Any], single: bool) -> Any:
    raise OpNotImplementedError(
        f"VarLenFeature gives sparse tensors, which whygrad has not: parse {key!r} with tf.io.RaggedFeature, or with "
        "tf.io.FixedLenSequenceFeature(..., allow_missing=True)"
    )


_COLUMNS: dict[type, Callable[..., Any]] = {
    FixedLenFeature: _fixed,
    FixedLenSequenceFeature: _sequence,
    RaggedFeature: _ragged,
    VarLenFeature: _sparse,
}
