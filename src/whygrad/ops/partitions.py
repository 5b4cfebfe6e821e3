"""Ops that deal rows out to several tensors and put them together again, and lookups in a table of several parts."""

from __future__ import annotations

from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.ops.advice import shape_by_values
from whygrad.ops.arguments import check_fits, integer, items
from whygrad.ops.index_checks import check_index_dtype, first_outside, place_of
from whygrad.ops.indexing import gather, gather_primitive, write_nd_primitive
from whygrad.ops.primitive import Primitive, apply
from whygrad.ops.shaping import concat, reshape
from whygrad.values import dtypes
from whygrad.values.conversion import convert
from whygrad.values.errors import OpNotImplementedError, OpTypeError, OpValueError, invalid, shape_text
from whygrad.values.faults import DtypesDiffer, IndexOutOfRange, ShapeDependsOnValues
from whygrad.values.tensor import Tensor, are_known, value_of, wrap
from whygrad.values.variable import Variable


@shape_by_values(chooses=True, instead="ops such as tf.math.unsorted_segment_sum combine rows by computed numbers")
@export("dynamic_partition")
def dynamic_partition(data: Any, partitions: Any, num_partitions: int, name: str | None = None) -> list[Tensor]:
    """Split `data` into `num_partitions` tensors: `data[i]` goes to number `partitions[i]`, in order.

    >>> import whygrad as tf
    >>> [part.numpy().tolist() for part in tf.dynamic_partition([10, 20, 30], [1, 0, 1], 2)]
    [[20], [10, 30]]
    """
    x = convert(data, None)
    numbers_ = convert(partitions, None if isinstance(partitions, Tensor | Variable) else dtypes.int32)
    if numbers_.dtype is not dtypes.int32:
        raise invalid(DtypesDiffer(wanted=dtypes.int32, dtype=numbers_.dtype, op="DynamicPartition"))
    count = integer(num_partitions, "num_partitions")
    check_fits((count, 512), np.dtype(np.int8), "DynamicPartition")  # about as many bytes as the tensors take
    if count < 1:
        raise invalid(f"Value for attr 'num_partitions' of {count} must be at least minimum 1 [Op:DynamicPartition]")
    if not are_known(numbers_):
        wording = (
            "How many rows go to each partition is not known while a function is being compiled, if the numbers of the "
            "partitions are symbolic. Ops such as tf.math.unsorted_segment_sum combine rows by such numbers."
        )
        raise OpNotImplementedError(ShapeDependsOnValues(wording=wording))
    dealt = value_of(numbers_)
    shape = x._array.shape
    if shape[: dealt.ndim] != dealt.shape:
        raise invalid(
            f"data.shape must start with partitions.shape, got data.shape = {shape_text(shape)}, partitions.shape = "
            f"{shape_text(dealt.shape)} [Op:DynamicPartition]"
        )
    if (at := first_outside(dealt, count)) is not None:
        raise invalid(f"partitions{place_of(at)} = {dealt[at]} is not in [0, {count}) [Op:DynamicPartition]")
    flat = dealt.reshape(-1)
    # One lookup orders all rows by partition; the partitions are slices of the result.
    order = wrap(np.argsort(flat, kind="stable"))
    rows = apply(gather_primitive, reshape(x, (flat.size, *shape[dealt.ndim :])), order, axis=0, batch_dims=0)
    ends = np.cumsum(np.bincount(flat, minlength=count)).tolist()
    return [rows[start:end] for start, end in zip([0, *ends], ends)]


@export("dynamic_stitch")
def dynamic_stitch(indices: Any, data: Any, name: str | None = None) -> Tensor:
    """Merge tensors into one: `data[m][i]` goes to row `indices[m][i]`; for duplicate indices the last one wins.

    >>> import whygrad as tf
    >>> tf.dynamic_stitch([[0, 2], [1]], [[1.0, 3.0], [2.0]]).numpy()
    array([1., 2., 3.], dtype=float32)
    """
    places = [convert(each, dtypes.int32) for each in items(indices, "indices")]
    parts = _in_one_dtype(items(data, "data"))
    if len(places) != len(parts):
        raise OpValueError(
            f"List argument 'data' to 'dynamic_stitch' Op with length {len(parts)} must match length {len(places)} of "
            "argument 'indices'."
        )
    if not places:
        raise invalid("DynamicStitch needs at least one tensor [Op:DynamicStitch]")
    tails = []
    for m, (place, part) in enumerate(zip(places, parts)):
        if part._array.shape[: place.ndim] != place._array.shape:
            raise invalid(
                f"data[{m}].shape = {shape_text(part.shape)} does not start with indices[{m}].shape = "
                f"{shape_text(place.shape)} [Op:DynamicStitch]"
            )
        tails.append(part._array.shape[place.ndim :])
        if tails[m] != tails[0]:
            raise invalid(
                f"Need data[0].shape[{places[0].ndim}:] = data[{m}].shape[{place.ndim}:], got data[0].shape = "
                f"{shape_text(parts[0].shape)}, data[{m}].shape = {shape_text(part.shape)}, indices[0].shape = "
                f"{shape_text(places[0].shape)}, indices[{m}].shape = {shape_text(place.shape)} [Op:DynamicStitch]"
            )
    rows = np.concatenate([value_of(place).reshape(-1) for place in places])
    if (rows < 0).any():
        wording = f"indices[{int(np.argmax(rows < 0))}] is out of range"
        raise invalid(IndexOutOfRange(op="DynamicStitch", wording=wording))
    values = concat([reshape(part, (place._array.size, *tails[0])) for place, part in zip(places, parts)], 0)
    empty = np.zeros((int(rows.max(initial=-1)) + 1, *tails[0]), values._array.dtype)
    return apply(write_nd_primitive, wrap(empty), wrap(rows.reshape(-1, 1)), values)


def _in_one_dtype(values: list[Any]) -> list[Tensor]:
    """Convert values to Tensors of one dtype: other values take the dtype of the tensors."""
    dtype = next((value.dtype for value in values if isinstance(value, Tensor | Variable)), None)
    tensors = [convert(value, dtype) for value in values]
    for tensor in tensors[1:]:
        if tensor.dtype is not tensors[0].dtype:
            raise OpTypeError(
                f"Tensors in list passed to 'data' of 'DynamicStitch' Op have types {[t.dtype.name for t in tensors]} "
                "that don't all match."
            )
    return tensors


@export("nn.embedding_lookup")
def embedding_lookup(params: Any, ids: Any, max_norm: Any = None, name: str | None = None) -> Tensor:
    """The rows `ids` of the table `params`, each scaled down to norm `max_norm` if it is longer.

    `params` may be a list of tables that together hold the rows. The gradient of a table is an `IndexedSlices`.

    >>> import whygrad as tf
    >>> tf.nn.embedding_lookup(tf.constant([[1.0, 2.0], [3.0, 4.0]]), [1, 1, 0]).numpy()
    array([[3., 4.],
           [3., 4.],
           [1., 2.]], dtype=float32)
    """
    if params is None:
        raise OpValueError("params must be specified")
    tables = params if isinstance(params, list) else [params]
    if not tables:
        raise OpValueError("params should not be empty: Length of params is currently 0. Need at least one param.")
    where = convert(ids, None)
    found = gather(tables[0], where) if len(tables) == 1 else _lookup_in_parts(tables, where)
    if max_norm is None:
        return found
    from whygrad.ops.clipping import clip_by_norm  # imports matrix decompositions, which few programs need

    clipped: Tensor = clip_by_norm(found, max_norm, axes=list(range(where.ndim, found.ndim)))
    return clipped


def _lookup_in_parts(tables: list[Any], ids: Tensor) -> Tensor:
    """Look up rows of a table in parts, of which the first ones may be one row longer than the others."""
    parts = [convert(table, None) for table in tables]
    if not are_known(ids) or not ids.dtype.is_integer:  # `gather` refuses the latter
        return gather(concat(parts, 0), ids)  # it is unknown which part holds which id
    flat = value_of(ids).reshape(-1)
    each, longer = divmod(sum(len(part) for part in parts), len(parts))
    part_of = np.maximum(flat // (each + 1), (flat - longer) // max(each, 1)).astype(np.int32)
    row = np.where(part_of < longer, flat % (each + 1), (flat - longer) % max(each, 1)).astype(flat.dtype)
    rows_of = dynamic_partition(row, wrap(part_of), len(parts))
    places = dynamic_partition(np.arange(flat.size, dtype=np.int32), wrap(part_of), len(parts))
    found = dynamic_stitch(places, [gather(part, rows) for part, rows in zip(parts, rows_of)])
    return reshape(found, (*ids._array.shape, *parts[0]._array.shape[1:]))


_invert_permutation = Primitive(
    "invert_permutation",
    lambda xp, x: xp.argsort(x).astype(x.dtype),
    no_gradient="invert_permutation takes and gives integers: they do not change under a small step",
)


@export("math.invert_permutation")
def invert_permutation(x: Any, name: str | None = None) -> Tensor:
    """The inverse of the permutation `x`. It has no gradient: it consists of integers.

    >>> import whygrad as tf
    >>> tf.math.invert_permutation([2, 0, 1]).numpy()
    array([1, 2, 0], dtype=int32)
    """
    order = convert(x, None)
    check_index_dtype(order, "InvertPermutation", attribute="T", allowed=(dtypes.int32, dtypes.int64))
    if order.ndim != 1:
        raise invalid("invert_permutation expects a 1D vector. [Op:InvertPermutation]")
    if not are_known(order):
        return apply(_invert_permutation, order)
    array, size = value_of(order), order._array.size
    outside = (array < 0) | (array >= size)
    if outside.any():
        raise invalid(f"{array[np.argmax(outside)]} is not between 0 and {size} [Op:InvertPermutation]")
    counts = np.bincount(array, minlength=size)
    if (counts > 1).any():
        raise invalid(f"{np.argmax(counts > 1)} is duplicated in the input. [Op:InvertPermutation]")
    return apply(_invert_permutation, order)
