"""Sparse tensors in another order or shape, their parts, and several of them as one."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.ops import shaping as dense
from whygrad.ops.arguments import integer
from whygrad.ops.indexing import gather
from whygrad.ops.primitive import Primitive, apply
from whygrad.sparse.tensor import (
    Array,
    SparseTensor,
    as_sparse,
    chosen,
    from_arrays,
    order_of,
    positions_of,
    sizes_of,
)
from whygrad.values import dtypes
from whygrad.values.conversion import convert
from whygrad.values.errors import OpTypeError, OpValueError, invalid
from whygrad.values.faults import DtypesDiffer
from whygrad.values.indexed_slices import IndexedSlices
from whygrad.values.tensor import Tensor, value_of, wrap


@export("sparse.reorder")
def reorder(sp_input: Any, name: str | None = None) -> SparseTensor:
    """The same elements in row-major order, which many functions expect.

    >>> import whygrad as tf
    >>> tf.sparse.reorder(tf.SparseTensor([[1, 0], [0, 3]], [1, 2], [2, 4])).values.numpy()
    array([2, 1], dtype=int32)
    """
    value = as_sparse(sp_input)
    return in_order(positions_of(value), value.values, sizes_of(value))


def in_order(positions: Array, values: Tensor, sizes: Sequence[int]) -> SparseTensor:
    """A sparse tensor of these elements, in row-major order."""
    order = order_of(positions)
    if (order == np.arange(len(order))).all():
        return from_arrays(positions, values, sizes)
    return from_arrays(positions[order], chosen(values, order), sizes)


@export("sparse.reshape")
def reshape(sp_input: Any, shape: Any, name: str | None = None) -> SparseTensor:
    """The elements at the positions that they have in a tensor of another shape; one size may be -1.

    >>> import whygrad as tf
    >>> tf.sparse.reshape(tf.SparseTensor([[0, 1], [1, 2]], [1, 2], [2, 3]), [3, -1]).indices.numpy().tolist()
    [[0, 1], [2, 1]]
    """
    value = as_sparse(sp_input)
    wanted = [int(each) for each in value_of(convert(shape, None)).tolist()]
    sizes = sizes_of(value)
    total = int(np.prod(sizes, dtype=object))
    if wanted.count(-1) > 1:
        raise invalid(f"only one output dimension may be -1, not both in {wanted} [Op:SparseReshape]")
    if -1 in wanted:
        others = int(np.prod([each for each in wanted if each != -1], dtype=object))
        if others == 0 or total % others:
            raise invalid(
                f"Input to reshape is a SparseTensor with {total} dense values, but the requested shape requires a multiple of "
                f"{others} [Op:SparseReshape]"
            )
        wanted[wanted.index(-1)] = total // others
    if int(np.prod(wanted, dtype=object)) != total:
        raise invalid(
            f"Input to reshape is a tensor with {total} dense values, but the requested shape has {np.prod(wanted, dtype=object)}: "
            f"{list(sizes)} to {wanted} [Op:SparseReshape]"
        )
    positions = positions_of(value)
    if not len(positions):
        return from_arrays(np.zeros((0, len(wanted)), np.int64), value.values, wanted)
    places = positions @ _strides(sizes) if len(sizes) else np.zeros(len(positions), np.int64)
    columns = [places // step % size for step, size in zip(_strides(wanted), wanted)]
    return from_arrays(np.array(columns, np.int64).reshape(len(wanted), -1).T, value.values, wanted)


def _strides(sizes: Sequence[int]) -> Array:
    """How many elements lie between neighbours along each axis."""
    return np.array([int(np.prod(sizes[i + 1 :], dtype=object)) for i in range(len(sizes))], np.int64)


@export("sparse.transpose")
def transpose(sp_input: Any, perm: Any = None, name: str | None = None) -> SparseTensor:
    """The axes in another order: the opposite one, or that of `perm`.

    >>> import whygrad as tf
    >>> tf.sparse.transpose(tf.SparseTensor([[0, 1], [1, 0]], [1, 2], [2, 3])).indices.numpy().tolist()
    [[0, 1], [1, 0]]
    """
    value = as_sparse(sp_input)
    positions, sizes = positions_of(value), sizes_of(value)
    rank = len(sizes)
    if perm is None:
        order = list(range(rank))[::-1]
    else:
        order = value_of(convert(perm, None)).tolist()
        if len(order) != rank:
            raise OpValueError(f"perm {order} has a number for each of the {rank} axes")
        if any(not 0 <= each < rank for each in order):
            raise invalid(f"perm {order} must be a permutation of 0 to {rank - 1} [Op:GatherV2]")
    return in_order(positions[:, order], value.values, [sizes[each] for each in order])


@export("sparse.expand_dims")
def expand_dims(sp_input: Any, axis: Any = None, name: str | None = None) -> SparseTensor:
    """A new axis of size 1, by default the last one.

    >>> import whygrad as tf
    >>> tf.sparse.expand_dims(tf.SparseTensor([[0, 1]], [1], [2, 3]), 0).shape
    TensorShape([1, 2, 3])
    """
    value = as_sparse(sp_input)
    rank = len(value.shape)
    at = -1 if axis is None else integer(axis, "axis")
    if not -rank - 1 <= at <= rank:
        raise invalid(f"axis {at} must be from {-rank - 1} to {rank}")
    at = at + rank + 1 if at < 0 else at
    positions = np.insert(positions_of(value), at, 0, axis=1)
    return from_arrays(positions, value.values, [*sizes_of(value)[:at], 1, *sizes_of(value)[at:]])


# TensorFlow registers this op as not differentiable: a gradient through it is None here, too.
_concat_values = Primitive(
    "sparse_concat",
    lambda xp, x: x,
    no_gradient="SparseConcat has no gradient in TensorFlow: add up the sums or products of the parts instead of concatenating them, "
    "or concatenate dense tensors",
    op_name="SparseConcat",
    register=False,
)


@export("sparse.concat")
def concat(axis: Any, sp_inputs: Any, expand_nonconcat_dims: bool = False, name: str | None = None) -> SparseTensor:
    """Several sparse tensors, one after the other along an axis.

    With `expand_nonconcat_dims` they may differ in the other sizes: the result has the largest.

    >>> import whygrad as tf
    >>> parts = [tf.SparseTensor([[1, 1]], [1], [2, 3]), tf.SparseTensor([[0, 0]], [2], [2, 1])]
    >>> tf.sparse.concat(axis=1, sp_inputs=parts).indices.numpy().tolist()
    [[0, 3], [1, 1]]
    """
    if not isinstance(sp_inputs, list | tuple):
        raise OpTypeError(f"Inputs must be a list of SparseTensors, not {type(sp_inputs).__name__}")
    parts = [as_sparse(each) for each in sp_inputs]
    if not parts:
        raise invalid("List argument 'indices' to 'SparseConcat' Op with length 0 shorter than minimum length 1.")
    if len(parts) == 1:
        return parts[0]
    for position, part in enumerate(parts):
        if part.dtype is not parts[0].dtype:
            raise invalid(DtypesDiffer(wanted=parts[0].dtype, dtype=part.dtype, position=position, op="SparseConcat"))
    all_sizes = [list(sizes_of(each)) for each in parts]
    rank = len(all_sizes[0])
    at = integer(axis, "axis")
    if not -rank <= at < rank:
        raise invalid(f"Concat dimension must be in range [{-rank}, {rank}), got {at} [Op:SparseConcat]")
    at %= rank
    if any(len(each) != rank for each in all_sizes):
        raise invalid(f"Ranks of all input tensors must match: {all_sizes} [Op:SparseConcat]")
    if expand_nonconcat_dims:
        sizes = np.max(all_sizes, axis=0).tolist()
    else:
        sizes = all_sizes[0]
        for each in all_sizes:
            if [*each[:at], *each[at + 1 :]] != [*sizes[:at], *sizes[at + 1 :]]:
                raise invalid(
                    f"Input shapes must match but for axis {at}: {all_sizes}; expand_nonconcat_dims=True fills them up "
                    "[Op:SparseConcat]"
                )
    starts = np.cumsum([0, *[each[at] for each in all_sizes]])
    sizes = [*sizes[:at], int(starts[-1]), *sizes[at + 1 :]]
    moved = []
    for start, part in zip(starts, parts):
        positions = positions_of(part).copy()
        positions[:, at] += start
        moved.append(positions)
    values = dense.concat([each.values for each in parts], 0)
    return in_order(np.concatenate(moved), apply(_concat_values, values), sizes)


def stacked(values: Sequence[SparseTensor]) -> SparseTensor:
    """Sparse tensors along a new first axis, each as large as the largest."""
    return concat(0, [expand_dims(each, 0) for each in values], expand_nonconcat_dims=True)


@export("sparse.split")
def split(sp_input: Any = None, num_split: Any = None, axis: Any = None, name: str | None = None) -> list[SparseTensor]:
    """A sparse tensor in `num_split` parts along an axis; the first ones are larger by one where it does not divide evenly.

    >>> import whygrad as tf
    >>> [part.shape.as_list() for part in tf.sparse.split(tf.SparseTensor([[0, 2]], [1], [2, 7]), 2, axis=1)]
    [[2, 4], [2, 3]]
    """
    for argument, given in (("num_split", num_split), ("sp_input", sp_input), ("axis", axis)):
        if given is None:
            raise OpValueError(f"{argument} is required")
    value = as_sparse(sp_input)
    sizes = list(sizes_of(value))
    count, at = integer(num_split, "num_split"), integer(axis, "axis")
    if not -len(sizes) <= at < len(sizes):
        raise invalid(f"Input axis should be in range [{-len(sizes)}, {len(sizes)}), got {at} [Op:SparseSplit]")
    at %= len(sizes)
    if not 1 <= count <= sizes[at]:
        raise invalid(f"Input num_split should be between 1 and the size of axis {at} ({sizes[at]}), got {count}")
    quotient, rest = divmod(sizes[at], count)
    ends = np.cumsum([0] + [quotient + (i < rest) for i in range(count)])
    return [_part(value, at, int(start), int(end)) for start, end in itertools.pairwise(ends)]


def _part(value: SparseTensor, axis: int, start: int, end: int) -> SparseTensor:
    sizes = sizes_of(value)
    first, last = [0] * len(sizes), list(sizes)
    first[axis], last[axis] = start, end
    return within(value, np.array(first), np.array(last))


def within(value: SparseTensor, start: Array, end: Array) -> SparseTensor:
    """The elements from a position up to another one, which begin at 0."""
    positions = positions_of(value)
    kept = ((positions >= start) & (positions < end)).all(axis=1)
    return from_arrays(positions[kept] - start, chosen(value.values, np.flatnonzero(kept)), np.maximum(end - start, 0))


@export("sparse.slice")
def slice_(sp_input: Any, start: Any, size: Any, name: str | None = None) -> SparseTensor:
    """The part of these sizes that begins at `start`, as far as the tensor reaches.

    >>> import whygrad as tf
    >>> tf.sparse.slice(tf.SparseTensor([[0, 2], [1, 6]], [1, 2], [2, 7]), [0, 0], [2, 4]).values.numpy()
    array([1], dtype=int32)
    """
    value = as_sparse(sp_input)
    first, wanted = [value_of(convert(each, dtypes.int64)) for each in (start, size)]
    sizes = np.array(sizes_of(value), np.int64)
    for given, argument in ((first, "start"), (wanted, "size")):
        if given.shape != sizes.shape:
            raise invalid(
                f"Expected {argument} to be a vector of length {len(sizes)}, but got shape {list(given.shape)} [Op:SparseSlice]"
            )
    return within(value, first, np.minimum(first + wanted, sizes))


@export("sparse.retain")
def retain(sp_input: Any, to_retain: Any) -> SparseTensor:
    """The elements for which `to_retain` is true.

    >>> import whygrad as tf
    >>> tf.sparse.retain(tf.sparse.from_dense([[1, 0], [2, 3]]), [True, False, True]).values.numpy()
    array([1, 3], dtype=int32)
    """
    value = as_sparse(sp_input)
    kept = value_of(convert(to_retain, None))
    if kept.shape != value.values._array.shape:
        raise OpValueError(
            f"Shapes {value.values.shape} and {kept.shape} are incompatible: `to_retain` has a boolean for each element"
        )
    places = np.flatnonzero(kept)
    return from_arrays(positions_of(value)[places], gather(value.values, wrap(places)), sizes_of(value))


@export("sparse.fill_empty_rows")
def fill_empty_rows(sp_input: Any, default_value: Any, name: str | None = None) -> tuple[SparseTensor, Tensor]:
    """The sparse tensor with `default_value` at the beginning of each row that has no element, and which rows these are.

    >>> import whygrad as tf
    >>> filled, is_empty = tf.sparse.fill_empty_rows(tf.SparseTensor([[0, 2]], [5], [2, 3]), -1)
    >>> filled.values.numpy(), is_empty.numpy()
    (array([ 5, -1], dtype=int32), array([False,  True]))
    """
    value = as_sparse(sp_input)
    default = convert(default_value, value.dtype)
    positions, sizes = positions_of(value), sizes_of(value)
    rows = positions[:, 0]
    if rows.size and (rows.min() < 0 or rows.max() >= sizes[0]):
        at = int(((rows < 0) | (rows >= sizes[0])).argmax())
        raise invalid(f"indices({at}, 0) is invalid: {rows[at]} >= {sizes[0]} [Op:SparseFillEmptyRows]")
    is_empty = np.ones(sizes[0], bool)
    is_empty[rows] = False
    empty = np.flatnonzero(is_empty)
    if not len(empty):
        order = np.argsort(rows, kind="stable")
        return from_arrays(positions[order], chosen(value.values, order), sizes), wrap(is_empty)
    added = np.zeros((len(empty), len(sizes)), np.int64)
    added[:, 0] = empty
    filler = gather(dense.reshape(default, [1]), wrap(np.zeros(len(empty), np.int64)))
    order = np.argsort(np.concatenate([rows, empty]), kind="stable")
    together = dense.concat([value.values, filler], 0)
    filled = from_arrays(np.concatenate([positions, added])[order], chosen(together, order), sizes)
    return filled, wrap(is_empty)


@export("sparse.mask")
def mask(a: Any, mask_indices: Any, name: str | None = None) -> IndexedSlices:
    """An `IndexedSlices` without the rows at `mask_indices`.

    >>> import whygrad as tf
    >>> rows = tf.IndexedSlices(tf.constant([1.0, 2.0, 3.0]), tf.constant([4, 6, 8]), tf.constant([10]))
    >>> tf.sparse.mask(rows, [6]).indices.numpy()
    array([4, 8], dtype=int32)
    """
    if not isinstance(a, IndexedSlices):
        raise OpTypeError(
            f"tf.sparse.mask takes an IndexedSlices, not {type(a).__name__}: tf.sparse.retain takes a SparseTensor"
        )
    masked = value_of(convert(mask_indices, None))
    kept = wrap(np.flatnonzero(~np.isin(value_of(a.indices), masked)))
    return IndexedSlices(gather(a.values, kept), gather(a.indices, kept), a.dense_shape)
