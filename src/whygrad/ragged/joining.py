"""Ragged tensors joined, repeated, turned and taken apart."""

from __future__ import annotations

from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.ops import indexing as dense_indexing
from whygrad.ops import shaping
from whygrad.ragged.indexing import getitem, rows_at, taken, with_inner_axis, with_outer_axis
from whygrad.ragged.tensor import Array, RaggedTensor, Values, from_splits, splits_of
from whygrad.values import dtypes
from whygrad.values.conversion import convert, convert_to_tensor
from whygrad.values.errors import OpValueError, invalid
from whygrad.values.tensor import Tensor, value_of, wrap


def rank_of(value: Values) -> int:
    """The number of axes."""
    return len(value.shape)


def checked_axis(axis: Any, rank: int) -> int:
    """An axis from 0."""
    at = int(value_of(convert(axis, None))) if isinstance(axis, Tensor) else int(axis)
    if not -rank <= at < rank:
        raise OpValueError(f"axis={at} out of bounds: expected {-rank}<=axis<{rank}")
    return at % rank


def as_values(value: Any) -> Values:
    """A ragged tensor as it is; anything else as a tensor."""
    return value if isinstance(value, RaggedTensor) else convert_to_tensor(value)


def as_ragged(value: Values) -> RaggedTensor:
    """A tensor as a ragged one of uniform rows."""
    return value if isinstance(value, RaggedTensor) else RaggedTensor.from_tensor(value)


# -- concat and stack --


def concat(values: Any, axis: Any, name: str = "concat") -> Values:
    """Ragged tensors, and dense ones of the same rank, joined along an axis."""
    items = [as_values(value) for value in (values if isinstance(values, list | tuple) else [values])]
    rank = rank_of(next(item for item in items if isinstance(item, RaggedTensor)))
    for item in items:
        if rank_of(item) != rank:
            raise OpValueError(f"Shape {item.shape} must have rank {rank}")
    return _joined(items, checked_axis(axis, rank))


def _joined(items: list[Values], axis: int) -> Values:
    if all(isinstance(item, Tensor) for item in items):
        return shaping.concat(items, axis)
    if len(items) == 1:
        return items[0]
    ragged = [as_ragged(item) for item in items]
    if axis == 0:
        lengths = np.concatenate([np.diff(item._split_array()) for item in ragged])
        uniform = {item._uniform for item in ragged}
        wide = np.result_type(*[item._split_array() for item in ragged])
        return from_splits(
            _joined([item.values for item in ragged], 0),
            splits_of(lengths, wide),
            uniform.pop() if len(uniform) == 1 else None,
        )
    counts = {item._count() for item in ragged}
    if len(counts) > 1:
        raise invalid(
            f"Input tensors at index 0 (=x) and 1 (=y) have incompatible shapes: numbers of rows {sorted(counts)} differ"
        )
    if axis == 1:
        return _row_by_row(ragged)
    first = ragged[0]._split_array()
    for item in ragged[1:]:
        if not np.array_equal(first, item._split_array()):
            raise invalid("Input tensors have incompatible shapes: the lengths of their rows differ")
    return from_splits(_joined([item.values for item in ragged], axis - 1), first, ragged[0]._uniform)


def _row_by_row(items: list[RaggedTensor]) -> RaggedTensor:
    """Row i of the result is row i of all items, one after the other."""
    below = _joined(list(items), 0)
    rows = np.arange(below._count()).reshape(len(items), -1).T.reshape(-1)
    ordered = rows_at(below, rows)
    return from_splits(ordered.values, ordered._split_array()[:: len(items)].copy())


@export("ragged.stack")
def ragged_stack(values: Any, axis: int = 0, name: str | None = None) -> Values:
    """Tensors of one rank stacked along a new axis; their sizes may differ.

    >>> import whygrad as tf
    >>> tf.ragged.stack([[1, 2], [3], [4, 5, 6]])
    <tf.RaggedTensor [[1, 2], [3], [4, 5, 6]]>
    """
    items = [as_values(value) for value in values]
    if not items:
        raise OpValueError("rt_inputs may not be empty.")
    ranks = {rank_of(item) for item in items}
    if len(ranks) > 1:
        raise OpValueError(f"`values` must have one rank, not {sorted(ranks)}")
    rank = ranks.pop()
    at = checked_axis(axis, rank + 1)
    if all(isinstance(item, Tensor) for item in items) and (rank == 0 or at >= rank):
        return shaping.stack(items, at)
    expanded = [expand_dims(item, at) for item in items]
    if at == 0 and all(isinstance(item, Tensor) for item in expanded):
        expanded = [RaggedTensor.from_tensor(item, ragged_rank=rank) for item in expanded]  # all sizes may differ
    return _joined(expanded, at)


def stack(values: Any, axis: int = 0, name: str = "stack") -> Values:
    """Ragged tensors of one rank stacked along a new axis."""
    return ragged_stack(values, axis)


# -- axes --


def expand_dims(input: Any, axis: Any, name: str | None = None) -> Values:
    """A tensor or ragged tensor with an axis of size 1."""
    value = as_values(input)
    at = checked_axis(axis, rank_of(value) + 1)
    if isinstance(value, Tensor):
        return shaping.expand_dims(value, at)
    if at == 0:
        return with_outer_axis(value)
    if at == 1:
        return with_inner_axis(value)
    return from_splits(expand_dims(value.values, at - 1), value._split_array(), value._uniform)


def squeeze(input: RaggedTensor, axis: Any = None, name: str | None = None) -> Values:
    """A ragged tensor without axes of size 1."""
    if axis is None:
        raise OpValueError("Ragged.squeeze must have an axis argument.")
    axes = [checked_axis(each, rank_of(input)) for each in np.atleast_1d(axis)]
    value: Values = input
    for at in sorted(axes, reverse=True):
        value = _without_axis(value, at)
    return value


def _without_axis(value: Values, axis: int) -> Values:
    if isinstance(value, Tensor):
        return shaping.squeeze(value, axis)
    if axis >= 2:
        return from_splits(_without_axis(value.values, axis - 1), value._split_array(), value._uniform)
    if axis == 0:
        if value._count() != 1:
            raise invalid(f"Can not squeeze dim[0], expected a dimension of 1, got {value._count()}")
        return value.values
    if (np.diff(value._split_array()) != 1).any():
        raise invalid("the given axis (axis = 1) is not squeezable: its rows do not all have one element")
    return value.values


# -- tile and reverse --


def tile(input: RaggedTensor, multiples: Any, name: str | None = None) -> Values:
    """A ragged tensor repeated along each axis."""
    times = value_of(convert_to_tensor(multiples)).tolist()
    if len(times) != rank_of(input):
        raise OpValueError(
            f"Shape ({len(times)},) must be ({rank_of(input)},): `multiples` has one number for each axis"
        )
    return _tiled(input, times)


def _tiled(value: Values, times: list[int]) -> Values:
    if isinstance(value, Tensor):
        return shaping.tile(value, times)
    inner = _tiled(value.values, [1, *times[2:]])
    made = from_splits(inner, value._split_array(), value._uniform)
    if times[1] != 1:
        rows = np.repeat(np.arange(made._count()), times[1])
        repeated = rows_at(made, rows)
        ends = repeated._split_array()[:: times[1]].copy() if times[1] else np.zeros(made._count() + 1, np.int64)
        made = from_splits(repeated.values, ends, None if made._uniform is None else made._uniform * times[1])
    return made if times[0] == 1 else rows_at(made, np.tile(np.arange(made._count()), times[0]))


def reverse(tensor: RaggedTensor, axis: Any, name: str | None = None) -> Values:
    """A ragged tensor in the opposite order along axes."""
    axes = {checked_axis(each, rank_of(tensor)) for each in value_of(convert_to_tensor(axis)).reshape(-1).tolist()}
    return _reversed(tensor, axes)


def _reversed(value: Values, axes: set[int]) -> Values:
    if isinstance(value, Tensor):
        return shaping.reverse(value, sorted(axes)) if axes else value
    inner = _reversed(value.values, {axis - 1 for axis in axes if axis >= 2})
    made: RaggedTensor = from_splits(inner, value._split_array(), value._uniform)
    backwards = slice(None, None, -1)
    if axes & {0, 1}:
        made = getitem(made, (backwards if 0 in axes else slice(None), backwards if 1 in axes else slice(None)))
    return made


def split(
    value: RaggedTensor, num_or_size_splits: Any, axis: Any = 0, num: Any = None, name: str = "split"
) -> list[Values]:
    """The rows of a ragged tensor in several parts."""
    if checked_axis(axis, rank_of(value)):
        raise OpValueError(f"a ragged tensor is split along axis 0, not {axis}: its other axes have no one size")
    given = value_of(convert_to_tensor(num_or_size_splits))
    count = value._count()
    if given.ndim:
        sizes = given.tolist()
        if -1 in sizes:
            sizes[sizes.index(-1)] = count - sum(sizes) - 1
    elif count % int(given):
        raise invalid(f"Cannot exactly split the values dimension {count} into partitions of size {int(given)}")
    else:
        sizes = [count // int(given)] * int(given)
    if sum(sizes) != count:
        raise invalid(f"the sizes {sizes} of the parts must add up to the {count} rows")
    ends = np.cumsum([0, *sizes]).tolist()
    return [value[start:end] for start, end in zip(ends, ends[1:])]  # noqa: RUF007


# -- masks and partitions --


@export("ragged.boolean_mask")
def boolean_mask(data: Any, mask: Any, name: str | None = None) -> Values:
    """The elements where a mask is True; an axis that the mask shortens becomes ragged.

    >>> import whygrad as tf
    >>> tf.ragged.boolean_mask([[1, 2, 3], [4, 5, 6]], [[True, False, True], [False, False, False]])
    <tf.RaggedTensor [[1, 3], []]>
    """
    kept = mask if isinstance(mask, RaggedTensor) else convert(mask, dtypes.bool_)
    if kept.dtype is not dtypes.bool_:
        raise OpValueError(f"mask must have dtype bool, not {kept.dtype.name}")
    value = as_values(data)
    if rank_of(kept) == 0:
        raise OpValueError("mask cannot be scalar.")
    return _masked(value, kept)


def _masked(value: Values, mask: Values) -> Values:
    if rank_of(mask) == 1:
        chosen = value_of(mask)
        count = value._count() if isinstance(value, RaggedTensor) else value._array.shape[0]
        if len(chosen) != count:
            raise OpValueError(f"Shapes ({count},) and ({len(chosen)},) are incompatible")
        return taken(value, np.flatnonzero(chosen))
    if isinstance(value, Tensor) and isinstance(mask, Tensor):
        rank = mask.ndim
        if value._array.shape[:rank] != mask._array.shape:
            raise OpValueError(f"Shapes {value.shape} and {mask.shape} are incompatible")
    rows, of_mask = as_ragged(value), as_ragged(mask)
    if not np.array_equal(rows._split_array(), of_mask._split_array()):
        raise invalid("Inputs must have identical ragged splits: the rows of `data` and `mask` differ in length")
    if rank_of(of_mask.values) > 1:
        return from_splits(_masked(rows.values, of_mask.values), rows._split_array(), rows._uniform)
    chosen = value_of(of_mask.values)
    lengths = np.add.reduceat(np.append(chosen, False), rows._split_array()[:-1]) if rows._count() else np.zeros(0)
    lengths = np.where(np.diff(rows._split_array()) > 0, lengths, 0)
    return from_splits(_masked(rows.values, of_mask.values), splits_of(lengths, rows._split_array().dtype))


@export("ragged.stack_dynamic_partitions")
def stack_dynamic_partitions(data: Any, partitions: Any, num_partitions: Any, name: str | None = None) -> RaggedTensor:
    """Row i holds the elements of `data` whose partition is i.

    >>> import whygrad as tf
    >>> tf.ragged.stack_dynamic_partitions(["a", "b", "c", "d", "e"], [2, 0, 2, 2, 1], 3)
    <tf.RaggedTensor [[b'b'], [b'e'], [b'a', b'c', b'd']]>
    """
    value = as_values(data)
    places = value_of(convert_to_tensor(partitions))
    count = int(value_of(convert(num_partitions, None)))
    if places.size and places.max() >= count:
        raise invalid(f"partitions must be less than num_partitions: {places.max()} of {count}")
    if places.size and places.min() < 0:
        raise invalid(f"partitions must be non-negative, not {places.min()}")
    if places.ndim > 1 and isinstance(value, Tensor):
        value = shaping.reshape(value, (-1, *value._array.shape[places.ndim :]))
    flat = places.reshape(-1)
    order = np.argsort(flat, kind="stable")
    return from_splits(taken(value, order), splits_of(np.bincount(flat, minlength=count)))


def dynamic_partition(
    data: RaggedTensor, partitions: Any, num_partitions: int, name: str | None = None
) -> list[Values]:
    """The rows of a ragged tensor by their partitions."""
    stacked = stack_dynamic_partitions(data, partitions, num_partitions)
    return [stacked[i] for i in range(stacked._count())]


# -- lookups --


def gather(
    params: Any,
    indices: Any,
    validate_indices: Any = None,
    axis: Any = None,
    batch_dims: int = 0,
    name: str | None = None,
) -> Values:
    """The rows, or elements, of a ragged or dense tensor at indices that may be ragged themselves."""
    value, at = as_values(params), as_values(indices)
    batches = batch_dims + rank_of(at) if batch_dims < 0 else batch_dims
    along = batches if axis is None else checked_axis(axis, rank_of(value))
    if along < batches:
        raise OpValueError(f"axis={axis} must not be less than batch_dims={batch_dims}")
    return _gathered(value, at, along, batches)


def _gathered(value: Values, at: Values, axis: int, batches: int) -> Values:
    if isinstance(value, Tensor) and isinstance(at, Tensor):
        return dense_indexing.gather(value, at, axis=axis, batch_dims=batches)
    if batches > 1 or (batches == 1 and axis > 1):
        rows, of_indices = as_ragged(value), as_ragged(at)
        if not np.array_equal(rows._split_array(), of_indices._split_array()):
            raise invalid("batch shape from indices does not match params shape: the lengths of their rows differ")
        return from_splits(_gathered(rows.values, of_indices.values, axis - 1, batches - 1), rows._split_array())
    if batches == 1:
        return _of_any_length(_from_each_row(as_ragged(value), at))
    if axis == 0:
        return _of_any_length(_rows(value, at))
    if isinstance(value, Tensor):
        assert isinstance(at, RaggedTensor), "dense indices were handled above"
        return _along(value, at, axis)
    if axis == 1:
        if not isinstance(at, Tensor):
            raise OpValueError("ragged indices along axis 1 need batch_dims=1: one row of indices for each row")
        repeated = np.broadcast_to(value_of(at), (value._count(), *at._array.shape))
        return _of_any_length(_from_each_row(value, wrap(repeated.copy())))
    return from_splits(_gathered(value.values, at, axis - 1, 0), value._split_array(), value._uniform)


def _of_any_length(value: Values) -> Values:
    """The same rows without a length that all are known to have: TensorFlow does not know it of rows that were chosen."""
    return from_splits(_of_any_length(value.values), value._split_array()) if isinstance(value, RaggedTensor) else value


def _along(value: Tensor, at: RaggedTensor, axis: int) -> RaggedTensor:
    """The elements of a dense tensor along an axis: the rows of `at`, once for each place on the axes before."""
    outer = value._array.shape[:axis]
    copies = int(np.prod(outer))
    chosen = dense_indexing.gather(value, at.flat_values, axis=axis)
    made: Values = shaping.reshape(chosen, (-1, *chosen._array.shape[axis + 1 :]))
    for splits in [value_of(each) for each in at.nested_row_splits][::-1]:
        lengths = np.tile(np.diff(splits), copies)
        made = from_splits(made, splits_of(lengths, splits.dtype))
    size = at._count()
    for index in range(axis - 1, -1, -1):
        made = from_splits(made, np.arange(int(np.prod(outer[: index + 1])) + 1) * size, size)
        size = outer[index]
    assert isinstance(made, RaggedTensor)
    return made


def _rows(value: Values, at: Values) -> Values:
    if isinstance(at, RaggedTensor):
        return at.with_flat_values(_rows(value, at.flat_values))
    if isinstance(value, Tensor):
        return dense_indexing.gather(value, at)
    places = value_of(at)
    _check_range(places.reshape(-1), value._count())
    if not places.shape:
        return value[int(places)]
    made: Values = rows_at(value, places.reshape(-1))
    for axis in range(places.ndim - 1, 0, -1):
        size = places.shape[axis]
        made = from_splits(made, np.arange(int(np.prod(places.shape[:axis])) + 1) * size, size)
    return made


def _check_range(places: Array, count: Any) -> None:
    bad = np.flatnonzero((places < 0) | (places >= count))
    if len(bad):
        limit = np.broadcast_to(count, places.shape)[bad[0]]
        raise invalid(f"indices[{bad[0]}] = {places[bad[0]]} is not in [0, {limit}) [Op:RaggedGather]")


def _from_each_row(value: RaggedTensor, at: Values) -> Values:
    """From each row its own choice."""
    rows = as_ragged(at) if rank_of(at) > 1 else None
    splits = value._split_array()
    if rows is None:  # one index for each row
        places, owners = value_of(at), np.arange(value._count())
    elif isinstance(rows.values, RaggedTensor) or rows.values.ndim > 1:
        raise OpValueError("indices with batch_dims=1 must have rank 1 or 2 here")
    else:
        places, owners = value_of(rows.values), value_of(rows.value_rowids())
    count = len(places) if rows is None else rows._count()
    if count != value._count():
        raise invalid(f"batch shape from indices ({count}) does not match params shape ({value._count()})")
    _check_range(places, np.diff(splits)[owners])
    found = taken(value.values, splits[:-1][owners] + places)
    if rows is None:
        return found
    if isinstance(at, RaggedTensor):
        return at.with_values(found)
    size = at._array.shape[1]
    if isinstance(found, Tensor):
        return shaping.reshape(found, (count, size, *found._array.shape[1:]))
    return from_splits(found, np.arange(count + 1) * size, size)


def gather_nd(
    params: Any, indices: Any, batch_dims: int = 0, name: str | None = None, bad_indices_policy: str = ""
) -> Values:
    """The elements of a ragged tensor at several indices each."""
    if batch_dims:
        raise OpValueError("batch_dims is not supported for ragged gather_nd yet: use tf.gather with batch_dims")
    value = as_values(params)
    if isinstance(indices, RaggedTensor):
        return indices.with_values(gather_nd(value, indices.values))
    places = value_of(convert_to_tensor(indices))
    depth = places.shape[-1]
    if depth == 0 or isinstance(value, Tensor):
        return dense_indexing.gather_nd(value, wrap(places))
    first = places[..., 0]
    if depth == 1:
        return _rows(value, wrap(first))
    flat = first.reshape(-1)
    _check_range(flat, value._count())
    splits = value._split_array()
    second = places[..., 1].reshape(-1)
    _check_range(second, np.diff(splits)[flat])
    inner = np.concatenate([(splits[:-1][flat] + second).reshape(*first.shape, 1), places[..., 2:]], axis=-1)
    return gather_nd(value.values, wrap(inner))
