"""`ragged[...]`, and rows chosen by their positions."""

from __future__ import annotations

from typing import Any

import numpy as np

from whygrad.ops.indexing import gather
from whygrad.ops.shaping import expand_dims
from whygrad.ragged.tensor import Array, RaggedTensor, Values, from_splits, splits_of
from whygrad.values.errors import OpIndexError, OpTypeError, OpValueError
from whygrad.values.tensor import Tensor, value_of, wrap
from whygrad.values.variable import Variable


def getitem(value: RaggedTensor, key: Any) -> Values:
    """The rows or elements that a key chooses: integers, slices, `...` and `tf.newaxis`, as for a tensor.

    An integer may not choose from an inner ragged axis, along which some rows could be too short.
    """
    keys = [_as_key(each) for each in (key if isinstance(key, tuple) else (key,))]
    if Ellipsis in keys:
        if keys.count(Ellipsis) > 1:
            raise OpValueError(f"At most one ellipsis may be used in an index of a ragged tensor, not {keys}")
        at = keys.index(Ellipsis)
        missing = len(value.shape) - sum(each is not None for each in keys) + 1
        keys[at : at + 1] = [slice(None)] * missing
    return _outer(value, keys)


def _as_key(key: Any) -> Any:
    if key is None or key is Ellipsis:
        return key
    if isinstance(key, slice):
        return slice(*[None if bound is None else _as_int(bound) for bound in (key.start, key.stop, key.step)])
    return _as_int(key)


def _as_int(key: Any) -> int:
    if isinstance(key, Tensor | Variable) and not len(key.shape) and key.dtype.is_integer:
        return int(value_of(key.read_value() if isinstance(key, Variable) else key))
    if isinstance(key, int | np.integer) and not isinstance(key, bool):
        return int(key)
    raise OpTypeError(
        "Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar tf.int32/tf.int64 tensors are valid "
        f"indices, got {key!r}"
    )


def _outer(value: Values, keys: list[Any]) -> Values:
    """What keys choose, of which the first is for axis 0."""
    if not keys:
        return value
    if isinstance(value, Tensor):
        return value[tuple(keys)]
    first, rest = keys[0], keys[1:]
    if first is None:
        return with_outer_axis(_outer(value, rest))
    count = value._count()
    if isinstance(first, int):
        if not -count <= first < count:
            raise OpIndexError(f"Row key {first} out of bounds: the ragged tensor has {count} rows")
        start, end = value._split_array()[[first % count, first % count + 1]].tolist()
        return _outer(value.values[start:end], rest)
    return _inner(rows_at(value, _chosen(first, count)), rest)


def _inner(value: Values, keys: list[Any]) -> Values:
    """What keys choose, of which the first is for axis 1."""
    if not keys:
        return value
    if isinstance(value, Tensor):
        return value[(slice(None), *keys)]
    first, rest = keys[0], keys[1:]
    if first is None:
        return with_inner_axis(_inner(value, rest))
    if isinstance(first, int):
        length = value._uniform
        if length is None:
            raise OpValueError(
                "Cannot index into an inner ragged dimension: a row may be too short. Choose a slice, such as [:, :1], or pad "
                "the rows first, with to_tensor()."
            )
        if not -length <= first < length:
            raise OpIndexError(f"Column key {first} out of bounds: the rows have {length} elements")
        return _inner(taken(value.values, value._split_array()[:-1] + first % length), rest)
    if first != slice(None):
        value = _sliced_rows(value, first)
    return from_splits(_inner(value.values, rest), value._split_array(), value._uniform) if rest else value


def _chosen(rows: slice, count: int) -> Array:
    try:
        return np.arange(*rows.indices(count))
    except ValueError:
        raise OpValueError(f"slice step cannot be zero: {rows}") from None


def _sliced_rows(value: RaggedTensor, part: slice) -> RaggedTensor:
    """Each row cut to a slice of it."""
    splits = value._split_array()
    if not part.step and part.start is None and part.stop is not None and part.stop >= 0:
        lengths = np.minimum(np.diff(splits), part.stop)  # the commonest: the beginnings of the rows
        firsts, step = splits[:-1], 1
    else:
        ranges = [range(*part.indices(length)) for length in np.diff(splits).tolist()]
        lengths = np.array([len(each) for each in ranges], np.int64)
        firsts = splits[:-1] + np.array([each.start for each in ranges], np.int64)
        step = part.step or 1
    uniform = None if value._uniform is None else len(range(*part.indices(value._uniform)))
    made = splits_of(lengths, splits.dtype)
    return from_splits(taken(value.values, within(firsts, lengths, step)), made, uniform)


def within(firsts: Array, lengths: Array, step: int = 1) -> Array:
    """The positions of the values of rows that begin at `firsts`."""
    ends = np.cumsum(lengths)
    return np.repeat(firsts - step * (ends - lengths), lengths) + step * np.arange(ends[-1] if len(ends) else 0)


def rows_at(value: RaggedTensor, rows: Array) -> RaggedTensor:
    """A ragged tensor of the rows at these positions."""
    splits = value._split_array()
    lengths = (splits[1:] - splits[:-1])[rows]
    return from_splits(
        taken(value.values, within(splits[:-1][rows], lengths)), splits_of(lengths, splits.dtype), value._uniform
    )


def taken(values: Values, positions: Array) -> Values:
    """The values at these positions along axis 0; a slice, where they are in one piece."""
    count = len(positions)
    total = values._count() if isinstance(values, RaggedTensor) else values._array.shape[0]
    if count and positions[-1] - positions[0] == count - 1 and (np.diff(positions) == 1).all():
        if count == total:
            return values
        if isinstance(values, Tensor):
            return values[int(positions[0]) : int(positions[-1]) + 1]
    if isinstance(values, RaggedTensor):
        return rows_at(values, positions)
    return gather(values, wrap(positions.astype(np.int64))) if count else values[:0]


def with_outer_axis(value: Values) -> Values:
    """A tensor or ragged tensor as the only row."""
    if isinstance(value, Tensor):
        return expand_dims(value, 0)
    count = value._count()
    return from_splits(value, np.array([0, count], value._split_array().dtype), count)


def with_inner_axis(value: Values) -> Values:
    """A tensor or ragged tensor with an axis of size 1 after the first."""
    if isinstance(value, Tensor):
        return expand_dims(value, 1)
    return from_splits(value, np.arange(value._count() + 1, dtype=value._split_array().dtype), 1)
