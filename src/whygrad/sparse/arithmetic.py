"""Arithmetic of sparse tensors: sums, products with dense ones, and functions of the values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.ops import elementwise
from whygrad.ops.indexing import gather_nd, tensor_scatter_nd_add
from whygrad.ops.primitive import check_dtype
from whygrad.ops.segments import unsorted_segment_max, unsorted_segment_sum
from whygrad.ops.shaping import concat, reshape, stop_gradient
from whygrad.sparse.tensor import Array, SparseTensor, as_sparse, chosen, from_arrays, grouped, positions_of, sizes_of
from whygrad.values import dtypes, nest
from whygrad.values.conversion import convert
from whygrad.values.errors import InvalidArgumentError, OpTypeError, OpValueError, invalid
from whygrad.values.faults import DtypesDiffer
from whygrad.values.tensor import Tensor, are_known, value_of, wrap

# -- with dense operands --


def times(value: SparseTensor, other: Any) -> SparseTensor:
    """`sparse * dense`, in which the dense operand broadcasts to the sparse one."""
    dense = convert(other, value.dtype)
    return value.with_values(value.values * _at_positions(value, dense, "SparseDenseCwiseMul"))


def divided(value: SparseTensor, other: Any) -> SparseTensor:
    """`sparse / dense`, likewise; the dense operand has no zeros at the positions of the sparse one."""
    divisor = _at_positions(value, convert(other, value.dtype), "SparseDenseCwiseDiv")
    if are_known(divisor) and (value_of(divisor) == 0).any():
        raise invalid(
            "SparseDenseCwiseDiv cannot divide by zero, but input dense tensor contains zero: divide the dense forms "
            "(tf.sparse.to_dense), or replace the zeros with tf.where"
        )
    return value.with_values(elementwise.truediv(value.values, divisor))


def _at_positions(value: SparseTensor, dense: Tensor, op_name: str) -> Tensor:
    """The elements of a dense tensor at the positions of a sparse one, to whose shape it broadcasts."""
    if not dense.ndim:
        return dense
    given = dense._array.shape
    if not are_known(value.indices) and value.shape.is_compatible_with(given):
        return gather_nd(dense, value.indices)
    sizes = sizes_of(value)
    shape = (1,) * (len(sizes) - len(given)) + given
    if len(shape) > len(sizes) or any(have not in (1, wanted) for have, wanted in zip(shape, sizes)):
        raise invalid(
            f"{op_name} broadcasts dense to sparse only; got incompatible shapes: {list(sizes)} vs. {list(given)}"
        )
    positions = positions_of(value)
    _check_inside(positions, sizes)
    places = np.ravel_multi_index(tuple(np.where(np.array(shape) == 1, 0, positions).T), shape)
    return chosen(reshape(dense, [-1]), places)


def _check_inside(positions: Array, sizes: tuple[int, ...]) -> None:
    """Raise InvalidArgumentError unless all positions lie within these sizes."""
    outside = ((positions < 0) | (positions >= np.array(sizes, np.int64))).any(axis=1)
    if outside.any():
        first = int(outside.argmax())
        raise invalid(
            f"indices[{first}] = {positions[first].tolist()} is out of bounds: need 0 <= index < {list(sizes)}"
        )


# -- with other sparse tensors --


@export("sparse.add")
def add(a: Any, b: Any, threshold: Any = 0) -> Any:
    """The sum: sparse if both operands are, else dense.

    Elements that both have, and whose sum is closer to 0 than `threshold`, are left out of a sparse sum.

    >>> import whygrad as tf
    >>> a, b = tf.sparse.from_dense([[0.0, 1.0], [2.0, 0.0]]), tf.sparse.from_dense([[0.0, 5.0], [0.0, 3.0]])
    >>> tf.sparse.add(a, b).values.numpy()
    array([6., 2., 3.], dtype=float32)
    >>> tf.sparse.add(a, tf.ones((2, 2))).numpy()
    array([[1., 2.],
           [3., 1.]], dtype=float32)
    """
    if not isinstance(a, SparseTensor) and not isinstance(b, SparseTensor):
        raise OpTypeError("At least one input should be SparseTensor; do you mean to use tf.add()?")
    if not (isinstance(a, SparseTensor) and isinstance(b, SparseTensor)):
        sparse, dense = (a, b) if isinstance(a, SparseTensor) else (b, a)
        return _add_dense(sparse, convert(dense, sparse.dtype))
    if a.dtype is dtypes.string:
        raise OpTypeError("tf.sparse.add takes numbers, not strings: a threshold of strings makes no sense")
    check_dtype(a.values, "number", "SparseAdd")
    positions, numbers = _union(a, b, "SparseAdd")
    values = unsorted_segment_sum(concat([a.values, b.values], 0), wrap(numbers), len(positions))
    if are_known(values):
        both = np.bincount(numbers, minlength=len(positions)) == 2
        limit = value_of(convert(threshold, None))
        kept = ~both | (limit <= np.abs(value_of(values)))
        if not kept.all():
            positions, values = positions[kept], chosen(values, np.flatnonzero(kept))
    return from_arrays(positions, values, sizes_of(a))


def _add_dense(sparse: SparseTensor, dense: Tensor) -> Tensor:
    if not sparse.shape.is_compatible_with(dense.shape):
        raise invalid(
            f"Dimensions {sparse.shape} and {dense.shape} of the sparse and the dense operand do not match: tf.sparse.add does not "
            "broadcast"
        )
    return tensor_scatter_nd_add(dense, sparse.indices, sparse.values)


def _union(a: SparseTensor, b: SparseTensor, op_name: str) -> tuple[Array, Array]:
    """The positions of two sparse tensors together, and for each element of the first, then the second, the number of its position.

    Where a position occurs several times in both tensors, its elements are paired in their order.
    """
    if a.dtype is not b.dtype:
        raise invalid(DtypesDiffer(wanted=a.dtype, dtype=b.dtype, position=4, op=op_name))
    if sizes_of(a) != sizes_of(b):
        raise invalid(f"Operands' shapes do not match: {list(sizes_of(a))} and {list(sizes_of(b))} [Op:{op_name}]")
    both = [np.column_stack([each, _times_seen(each)]) for each in (positions_of(a), positions_of(b))]
    union, numbers = grouped(np.concatenate(both))
    return union[:, :-1], numbers


def _times_seen(positions: Array) -> Array:
    """How often each position came before."""
    groups, numbers = grouped(positions)
    if len(groups) == len(positions):
        return np.zeros(len(positions), np.int64)
    order = np.argsort(numbers, kind="stable")
    counts = np.bincount(numbers)
    seen = np.empty(len(positions), np.int64)
    seen[order] = np.arange(len(positions)) - np.repeat(np.cumsum(counts) - counts, counts)
    return seen


def _together(sp_a: Any, sp_b: Any, function: Callable[[Any, Any], Any], op_name: str) -> SparseTensor:
    """A function of the elements of two sparse tensors, in which an element that one of them lacks is 0."""
    a, b = as_sparse(sp_a), as_sparse(sp_b)
    positions, numbers = _union(a, b, op_name)
    ours, others = numbers[: len(numbers) - len(b.values)], numbers[len(numbers) - len(b.values) :]
    spread = [unsorted_segment_sum(each.values, wrap(at), len(positions)) for each, at in ((a, ours), (b, others))]
    return from_arrays(positions, function(*spread), sizes_of(a))


@export("sparse.maximum")
def maximum(sp_a: Any, sp_b: Any, name: str | None = None) -> SparseTensor:
    """The larger one of the elements of two sparse tensors, at the positions that either of them has.

    >>> import whygrad as tf
    >>> a, b = tf.sparse.from_dense([7.0, 0.0, 1.0]), tf.sparse.from_dense([0.0, -3.0, 4.0])
    >>> tf.sparse.maximum(a, b).values.numpy()
    array([7., 0., 4.], dtype=float32)
    """
    return _together(sp_a, sp_b, elementwise.maximum, "SparseSparseMaximum")


@export("sparse.minimum")
def minimum(sp_a: Any, sp_b: Any, name: str | None = None) -> SparseTensor:
    """The smaller one of the elements of two sparse tensors, at the positions that either of them has.

    >>> import whygrad as tf
    >>> a, b = tf.sparse.from_dense([7.0, 0.0, 1.0]), tf.sparse.from_dense([0.0, -3.0, 4.0])
    >>> tf.sparse.minimum(a, b).values.numpy()
    array([ 0., -3.,  1.], dtype=float32)
    """
    return _together(sp_a, sp_b, elementwise.minimum, "SparseSparseMinimum")


# -- functions of the values --


@export("sparse.map_values")
def map_values(op: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """The result of `op` on the values of sparse arguments, which have the same positions, at these positions.

    >>> import whygrad as tf
    >>> tf.sparse.map_values(tf.square, tf.sparse.from_dense([0.0, 3.0])).values.numpy()
    array([9.], dtype=float32)
    """
    sparse = [each for each in nest.flatten((args, kwargs)) if isinstance(each, SparseTensor)]
    if not sparse:
        raise OpValueError("No SparseTensor in argument list of map_values")
    first = sparse[0]
    for other in sparse[1:]:
        if sizes_of(other) != sizes_of(first):
            raise invalid(f"Mismatched shapes! {list(sizes_of(first))} and {list(sizes_of(other))}")
        if other.indices is not first.indices and not np.array_equal(positions_of(other), positions_of(first)):
            raise invalid("Mismatched indices! The sparse arguments of map_values have the same positions.")
    flat_args, flat_kwargs = nest.map_structure(
        lambda each: each.values if isinstance(each, SparseTensor) else each, (args, kwargs)
    )
    return first.with_values(op(*flat_args, **flat_kwargs))


@export("sparse.softmax")
def softmax(sp_input: Any, name: str | None = None) -> SparseTensor:
    """The softmax of the elements that each row along the last axis has; the others stay 0.

    >>> import whygrad as tf
    >>> tf.sparse.softmax(tf.sparse.from_dense([[1.0, 0.0, 1.0], [0.0, 5.0, 0.0]])).values.numpy()
    array([0.5, 0.5, 1. ], dtype=float32)
    """
    value = as_sparse(sp_input)
    check_dtype(value.values, "float", "SparseSoftmax")
    rank = value.shape.rank
    if rank is not None and rank < 2:
        raise _rank_too_low(rank)
    groups, numbers = grouped(positions_of(value)[:, :-1])
    ids, count = wrap(numbers), len(groups)
    largest = stop_gradient(unsorted_segment_max(value.values, ids, count))
    powers = elementwise.exp(value.values - chosen(largest, numbers))
    return value.with_values(powers / chosen(unsorted_segment_sum(powers, ids, count), numbers))


def _rank_too_low(rank: int) -> InvalidArgumentError:
    return invalid(f"Input should have rank >= 2, but received shape of rank {rank} [Op:SparseSoftmax]")
