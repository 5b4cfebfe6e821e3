"""Ragged tensors from nested lists and ranges, and conversions between the forms of a row partition."""

from __future__ import annotations

from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.ops.creation import constant as dense_constant
from whygrad.ragged.indexing import within
from whygrad.ragged.tensor import Array, RaggedTensor, Values, from_splits, row_ids, splits_of
from whygrad.values import dtypes
from whygrad.values.conversion import as_array, convert, convert_to_tensor
from whygrad.values.dtypes import DType
from whygrad.values.errors import OpTypeError, OpValueError, invalid
from whygrad.values.tensor import Tensor, value_of, wrap


@export("ragged.constant")
def ragged_constant(
    pylist: Any,
    dtype: Any = None,
    ragged_rank: int | None = None,
    inner_shape: Any = None,
    name: str | None = None,
    row_splits_dtype: Any = dtypes.int64,
) -> Values:
    """A ragged tensor of nested lists; a plain tensor if they are nested once at most.

    The axes are ragged but for the innermost lists, which `ragged_rank` or `inner_shape` can make uniform.

    >>> import whygrad as tf
    >>> tf.ragged.constant([[1, 2], [3], [4, 5, 6]])
    <tf.RaggedTensor [[1, 2], [3], [4, 5, 6]]>
    >>> tf.ragged.constant([[[1, 2], [3, 4]], [[5, 6]]], ragged_rank=1).shape
    TensorShape([2, None, 2])
    """
    wanted = None if dtype is None else dtypes.as_dtype(dtype)
    splits_dtype = partition_dtype(row_splits_dtype)
    values = _as_lists(pylist)
    if not isinstance(values, list):
        if ragged_rank:
            raise OpValueError(f"Invalid pylist={values!r}: incompatible with ragged_rank={ragged_rank}")
        if inner_shape:
            raise OpValueError(f"Invalid pylist={values!r}: incompatible with inner_shape={inner_shape}")
        return dense_constant(values, wanted)
    depth = _scalar_depth(values)
    empty_depth = _depth_of_lists(values)
    if depth is not None and empty_depth > depth:
        raise OpValueError(f"Invalid pylist={pylist}: empty list nesting is greater than scalar value nesting")
    if inner_shape is not None and ragged_rank is not None:
        expected = ragged_rank + 1 + len(tuple(np.atleast_1d(inner_shape)))
        if (depth is not None and expected != depth) or (depth is None and expected < empty_depth):
            raise OpValueError(
                f"Invalid pylist={pylist}: incompatible with ragged_rank={ragged_rank} and dim(inner_shape)="
                f"{len(tuple(np.atleast_1d(inner_shape)))}"
            )
    nesting = depth or empty_depth
    shape: tuple[int, ...]
    if ragged_rank is None:
        shape = tuple(int(size) for size in np.atleast_1d(() if inner_shape is None else inner_shape))
        levels = max(nesting - 1 - len(shape), 0)
    else:
        levels = ragged_rank
        if not 0 <= levels < nesting and not (levels == 0 == nesting):
            raise OpValueError(f"Invalid pylist={pylist}: incompatible with ragged_rank={ragged_rank}")
        shape = _inner_shape(values, levels) if inner_shape is None else tuple(np.atleast_1d(inner_shape).tolist())
    lengths: list[list[int]] = []
    rows = values
    for _ in range(levels):
        lengths.append([len(row) for row in rows])
        rows = [each for row in rows for each in row]
    if not lengths:
        return dense_constant(values, wanted, shape=None if not shape else (len(values), *shape))
    flat: Values = wrap(_flat_array(rows, shape, wanted))
    for each in reversed(lengths):
        flat = from_splits(flat, splits_of(np.array(each, np.int64), splits_dtype))
    return flat


def partition_dtype(dtype: Any) -> Any:
    """NumPy's dtype for row splits, int32 or int64."""
    wanted = dtypes.as_dtype(dtype)
    if wanted not in (dtypes.int32, dtypes.int64):
        raise OpValueError(f"`row_splits_dtype` must be tf.int32 or tf.int64, not {wanted!r}")
    return wanted.numpy_dtype


def _flat_array(rows: list[Any], shape: tuple[int, ...], dtype: DType | None) -> Array:
    array = as_array(rows, dtype)
    if not shape:
        return array
    if array.size != len(rows) * int(np.prod(shape)):
        raise OpValueError(f"Invalid pylist: its innermost lists do not have the shape {shape}")
    return array.reshape((len(rows), *shape))


def _as_lists(value: Any) -> Any:
    """Nested tuples, arrays and ranges as lists; a tensor counts as a list where it has axes."""
    if isinstance(value, RaggedTensor):
        raise OpTypeError("pylist may not be a RaggedTensor or RaggedTensorValue.")
    if isinstance(value, np.ndarray) and value.ndim:
        return [_as_lists(each) for each in value]
    if isinstance(value, Tensor) and value.ndim:
        return value.numpy().tolist()
    if isinstance(value, list | tuple | range):
        return [_as_lists(each) for each in value]
    return value.numpy() if isinstance(value, Tensor) else value


def _scalar_depth(value: Any) -> int | None:
    """How deep the scalars are nested; None without any."""
    if not isinstance(value, list):
        return 0
    depths = {depth for depth in map(_scalar_depth, value) if depth is not None}
    if len(depths) > 1:
        raise OpValueError("all scalar values must have the same nesting depth")
    return depths.pop() + 1 if depths else None


def _depth_of_lists(value: Any) -> int:
    return 1 + max(map(_depth_of_lists, value), default=0) if isinstance(value, list) else 0


def _inner_shape(values: list[Any], levels: int) -> tuple[int, ...]:
    """The common shape of what is nested deeper than `levels` lists."""
    rows: Any = values
    for _ in range(levels):
        rows = [each for row in rows for each in row]
    shape: list[int] = []
    while rows and isinstance(rows[0], list):
        sizes = {len(row) for row in rows}
        if len(sizes) > 1:
            raise OpValueError("inner values have inconsistent shape")
        shape.append(sizes.pop())
        rows = [each for row in rows for each in row]
    return tuple(shape)


@export("ragged.range")
def ragged_range(
    starts: Any,
    limits: Any = None,
    deltas: Any = 1,
    dtype: Any = None,
    name: str | None = None,
    row_splits_dtype: Any = dtypes.int64,
) -> RaggedTensor:
    """Row i is `tf.range(starts[i], limits[i], deltas[i])`; scalars count for every row.

    >>> import whygrad as tf
    >>> tf.ragged.range([3, 5, 2])
    <tf.RaggedTensor [[0, 1, 2], [0, 1, 2, 3, 4], [0, 1]]>
    >>> tf.ragged.range([0, 5, 8], [3, 3, 12], 2)
    <tf.RaggedTensor [[0, 2], [], [8, 10]]>
    """
    if limits is None:
        starts, limits = 0, starts
    if dtype is not None:
        hint = dtypes.as_dtype(dtype)
        tensors = [convert(each, hint) for each in (starts, limits, deltas)]
    else:
        tensors = [convert_to_tensor(each) for each in (starts, limits, deltas)]
        order = [dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64]
        for each in tensors:
            if each.dtype not in order:
                raise OpTypeError(f"ragged.range takes int32, int64, float32 and float64, not {each.dtype.name}")
        hint = max((each.dtype for each in tensors), key=order.index)
    arrays = [value_of(each).astype(hint.numpy_dtype) for each in tensors]
    for array, argument in zip(arrays, ("starts", "limits", "deltas")):
        if array.ndim > 1:
            raise invalid(f"{argument} must be a scalar or vector, not of shape {array.shape} [Op:RaggedRange]")
    if len({len(each) for each in arrays if each.ndim}) > 1:
        raise invalid("starts, limits, and deltas must have the same shape [Op:RaggedRange]")
    first, limit, delta = np.broadcast_arrays(*[np.atleast_1d(each) for each in arrays])
    if (delta == 0).any():
        raise invalid("Requires delta != 0 [Op:RaggedRange]")
    span = limit.astype(np.float64 if hint.is_floating else np.int64) - first
    lengths = np.maximum(np.ceil(span / delta) if hint.is_floating else -((-span) // delta), 0).astype(np.int64)
    rows = np.repeat(np.arange(len(lengths)), lengths)
    at = within(np.zeros_like(lengths), lengths).astype(hint.numpy_dtype)
    return from_splits(wrap(first[rows] + at * delta[rows]), splits_of(lengths, partition_dtype(row_splits_dtype)))


@export("ragged.row_splits_to_segment_ids")
def row_splits_to_segment_ids(splits: Any, name: str | None = None, out_type: Any = None) -> Tensor:
    """The row that each value belongs to.

    >>> import whygrad as tf
    >>> tf.ragged.row_splits_to_segment_ids([0, 3, 3, 5]).numpy()
    array([0, 0, 0, 2, 2])
    """
    array = _integers(splits, "splits")
    if not len(array):
        raise OpValueError("Invalid row_splits: []")
    wanted = array.dtype if out_type is None else dtypes.as_dtype(out_type).numpy_dtype
    return wrap(row_ids(array).astype(wanted))


@export("ragged.segment_ids_to_row_splits")
def segment_ids_to_row_splits(
    segment_ids: Any, num_segments: Any = None, out_type: Any = None, name: str | None = None
) -> Tensor:
    """The row splits of values that belong to these rows.

    >>> import whygrad as tf
    >>> tf.ragged.segment_ids_to_row_splits([0, 0, 0, 2, 2]).numpy()
    array([0, 3, 3, 5])
    """
    ids = _integers(segment_ids, "segment_ids")
    count = None if num_segments is None else int(value_of(convert(num_segments, None)))
    if len(ids) and ids.min() < 0:
        raise invalid(f"segment_ids must not be negative, not {ids.min()}")
    found = np.bincount(ids, minlength=count or 0)
    if count is not None and len(found) > count:
        raise invalid(f"segment_ids must be less than num_segments={count}, not {ids.max()}")
    wanted = ids.dtype if out_type is None else dtypes.as_dtype(out_type).numpy_dtype
    return wrap(splits_of(found, wanted))


def _integers(value: Any, argument: str) -> Array:
    array = value_of(convert_to_tensor(value, dtype_hint=dtypes.int64))
    if not array.size:
        array = array.astype(np.int64)
    if array.dtype not in (np.int32, np.int64):
        raise OpValueError(f"{argument} must have dtype int32 or int64, not {array.dtype}")
    if array.ndim != 1:
        raise OpValueError(f"Shape {array.shape} must have rank 1: {argument}")
    return array
