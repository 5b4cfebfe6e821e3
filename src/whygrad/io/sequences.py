"""`tf.io.parse_sequence_example`: examples with features for the whole and lists of features for its steps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.io import wire
from whygrad.io.examples import SequenceExample
from whygrad.io.parsing import (
    FixedLenSequenceFeature,
    RaggedFeature,
    VarLenFeature,
    array_of,
    check,
    columns_of,
    dtype_of,
    values_of,
)
from whygrad.values import dtypes
from whygrad.values.conversion import convert
from whygrad.values.errors import OpTypeError, OpValueError, invalid
from whygrad.values.faults import StringsComputed
from whygrad.values.recorders import state
from whygrad.values.tensor import Tensor, value_of, wrap

Steps = list[list[Any]]  # the values of each step


@export("io.parse_single_sequence_example")
def parse_single_sequence_example(
    serialized: Any,
    context_features: Mapping[str, Any] | None = None,
    sequence_features: Mapping[str, Any] | None = None,
    example_name: Any = None,
    name: str | None = None,
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The features of one serialized `tf.train.SequenceExample`: those of the whole, and those of its steps.

    >>> import whygrad as tf
    >>> steps = [tf.train.Feature(int64_list=tf.train.Int64List(value=[n])) for n in (3, 1)]
    >>> lists = tf.train.FeatureLists(feature_list={"t": tf.train.FeatureList(feature=steps)})
    >>> record = tf.train.SequenceExample(feature_lists=lists).SerializeToString()
    >>> features = {"t": tf.io.FixedLenSequenceFeature([], tf.int64)}
    >>> tf.io.parse_single_sequence_example(record, sequence_features=features)[1]["t"].numpy()
    array([3, 1])
    """
    strings = _strings(serialized, context_features, sequence_features)
    if strings.shape:
        raise OpValueError(f"Input serialized must be a scalar, not of shape {list(strings.shape)}")
    context, steps, _ = _parsed([strings.item()], context_features or {}, sequence_features or {}, single=True)
    return context, steps


@export("io.parse_sequence_example")
def parse_sequence_example(
    serialized: Any,
    context_features: Mapping[str, Any] | None = None,
    sequence_features: Mapping[str, Any] | None = None,
    example_names: Any = None,
    name: str | None = None,
) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """The same of a batch of them, and the numbers of steps of the dense features, which are padded to the longest.

    >>> import whygrad as tf
    >>> steps = [tf.train.Feature(int64_list=tf.train.Int64List(value=[n])) for n in (3, 1)]
    >>> lists = tf.train.FeatureLists(feature_list={"t": tf.train.FeatureList(feature=steps)})
    >>> record = tf.train.SequenceExample(feature_lists=lists).SerializeToString()
    >>> features = {"t": tf.io.FixedLenSequenceFeature([], tf.int64)}
    >>> tf.io.parse_sequence_example([record], sequence_features=features)[2]["t"].numpy()
    array([2])
    """
    strings = _strings(serialized, context_features, sequence_features)
    if strings.ndim != 1:
        raise OpValueError(f"Input serialized must be a vector of strings, not of shape {list(strings.shape)}")
    return _parsed(strings.tolist(), context_features or {}, sequence_features or {}, single=False)


def _strings(serialized: Any, context: Mapping[str, Any] | None, steps: Mapping[str, Any] | None) -> Any:
    if not context and not steps:
        raise OpValueError("Both context_features and sequence_features are None, but at least one should have values.")
    for features in (context, steps):
        if features:
            check(features)
    for key, feature in (steps or {}).items():
        if not isinstance(feature, FixedLenSequenceFeature | VarLenFeature | RaggedFeature):
            raise OpValueError(f"Unsupported feature for {key!r}, which is a list of features: {feature}")
    if state.context is not None:
        raise OpTypeError(StringsComputed(what="tf.io.parse_sequence_example computes with them"))
    return value_of(convert(serialized, dtypes.string))


def _parsed(
    serialized: list[bytes], context_features: Mapping[str, Any], sequence_features: Mapping[str, Any], single: bool
) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    contexts, lists = [], []
    for each in serialized:
        try:
            example = SequenceExample.FromString(each)
        except wire.DecodeError as error:
            raise invalid(f"Could not parse example input, value: {each[:40]!r} ({error})") from None
        contexts.append(example.context.feature)
        lists.append(example.feature_lists.feature_list)
    found: dict[str, Any] = {}
    lengths: dict[str, Any] = {}
    sparse_first = sorted(sequence_features.items(), key=lambda each: (not isinstance(each[1], VarLenFeature), each[0]))
    for key, feature in sparse_first:
        column = [_steps(key, feature, each) for each in lists]
        if isinstance(feature, FixedLenSequenceFeature):
            found[key] = _dense(key, feature, column, single)
            lengths[key] = wrap(np.array([len(steps) for steps in column], np.int64))
        elif isinstance(feature, VarLenFeature):
            found[key] = _sparse(feature, column, single)
        else:
            found[key] = _ragged(feature, column, single)
    return columns_of(contexts, context_features, single), found, lengths


def _steps(key: str, feature: Any, lists: Any) -> Steps:
    name = getattr(feature, "value_key", None) or key
    found = lists.get(name)
    if found is None:
        if isinstance(feature, FixedLenSequenceFeature) and not feature.allow_missing:
            raise invalid(
                f"Name: <unknown>, Feature list '{name}' is required but could not be found. Did you mean to include it in "
                "feature_list_dense_missing_assumed_empty (allow_missing=True)?"
            )
        return []
    return [values_of(each, dtype_of(feature), name) or [] for each in found.feature]


def _dense(key: str, feature: FixedLenSequenceFeature, column: list[Steps], single: bool) -> Tensor:
    dtype = dtype_of(feature)
    shape = tuple(int(each) for each in feature.shape)
    size = int(np.prod(shape, dtype=np.int64))
    longest = max((len(steps) for steps in column), default=0)
    made = np.full((len(column), longest, *shape), b"" if dtype is dtypes.string else 0, dtype.numpy_dtype)
    for row, steps in enumerate(column):
        for at, values in enumerate(steps):
            if len(values) != size:
                raise invalid(
                    f"Feature list: {key}, Index: {at}. Number of values != expected. Values size: {len(values)} but output shape: "
                    f"{list(shape)}"
                )
            made[row, at] = array_of(values, dtype).reshape(shape)
    return wrap(made[0] if single else made)


def _sparse(feature: VarLenFeature, column: list[Steps], single: bool) -> Any:
    from whygrad.sparse.tensor import from_arrays

    positions = [
        (row, at, place)
        for row, steps in enumerate(column)
        for at, values in enumerate(steps)
        for place in range(len(values))
    ]
    flat = [value for steps in column for values in steps for value in values]
    sizes = [
        len(column),
        max((len(steps) for steps in column), default=0),
        max((len(values) for steps in column for values in steps), default=0),
    ]
    first = 1 if single else 0
    places = np.array(positions, np.int64).reshape(len(positions), 3)[:, first:]
    return from_arrays(places, wrap(array_of(flat, dtype_of(feature))), sizes[first:])


def _ragged(feature: RaggedFeature, column: list[Steps], single: bool) -> Any:
    from whygrad.ragged.tensor import RaggedTensor

    splits_dtype = dtypes.as_dtype(feature.row_splits_dtype).numpy_dtype
    inner = np.array([len(values) for steps in column for values in steps], splits_dtype)
    flat = wrap(array_of([value for steps in column for values in steps for value in values], dtype_of(feature)))
    rows = RaggedTensor.from_row_lengths(flat, wrap(inner))
    if single:
        return rows
    return RaggedTensor.from_row_lengths(rows, wrap(np.array([len(steps) for steps in column], splits_dtype)))
