"""Reductions of sparse tensors: only the elements that they have count."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.ops import reductions as dense
from whygrad.ops.arguments import flag
from whygrad.ops.creation import zeros
from whygrad.ops.indexing import gather, scatter_nd, tensor_scatter_nd_update
from whygrad.ops.primitive import check_dtype
from whygrad.ops.segments import unsorted_segment_max, unsorted_segment_sum
from whygrad.ops.shaping import reshape
from whygrad.sparse.tensor import SparseTensor, as_sparse, from_arrays, grouped, positions_of, sizes_of
from whygrad.values.conversion import convert
from whygrad.values.errors import invalid
from whygrad.values.tensor import Tensor, value_of, wrap

BySegment = Callable[[Tensor, Tensor, int], Tensor]  # of the values, their segment ids and the number of segments


@export("sparse.reduce_sum")
def reduce_sum(
    sp_input: Any,
    axis: Any = None,
    keepdims: bool | None = None,
    output_is_sparse: bool = False,
    name: str | None = None,
) -> Any:
    """The sum along an axis, several, or all of them: dense, or sparse if `output_is_sparse`.

    >>> import whygrad as tf
    >>> st = tf.SparseTensor([[0, 0], [0, 2], [1, 1]], [1.0, 2.0, 3.0], [2, 3])
    >>> tf.sparse.reduce_sum(st, axis=1).numpy(), tf.sparse.reduce_sum(st).numpy()
    (array([3., 3.], dtype=float32), np.float32(6.0))
    """
    value = as_sparse(sp_input)
    check_dtype(value.values, "number", "SparseReduceSum")
    kept = _kept_axes(value, axis, "SparseReduceSum")
    keeps = flag(keepdims, "keepdims")
    if output_is_sparse:
        return _sparse(value, kept, keeps, unsorted_segment_sum)
    if not kept:
        return _with_axes(dense.reduce_sum(value.values), value, kept, keeps)
    # Added at their positions without those along the reduced axes, which need not be known now.
    at = gather(value.indices, wrap(np.array(kept)), axis=1)
    sums = scatter_nd(at, value.values, wrap(np.array([sizes_of(value)[each] for each in kept], np.int64)))
    return _with_axes(sums, value, kept, keeps)


@export("sparse.reduce_max")
def reduce_max(
    sp_input: Any,
    axis: Any = None,
    keepdims: bool | None = None,
    output_is_sparse: bool = False,
    name: str | None = None,
) -> Any:
    """The largest of the elements along an axis, several, or all of them; 0 where there are none.

    >>> import whygrad as tf
    >>> st = tf.SparseTensor([[0, 0], [0, 2], [1, 1]], [1.0, 2.0, -3.0], [3, 3])
    >>> tf.sparse.reduce_max(st, axis=1).numpy()
    array([ 2., -3.,  0.], dtype=float32)
    """
    value = as_sparse(sp_input)
    check_dtype(value.values, "real", "SparseReduceMax")
    kept = _kept_axes(value, axis, "SparseReduceMax")
    keeps = flag(keepdims, "keepdims")
    found = _sparse(value, kept, keeps and output_is_sparse, unsorted_segment_max)
    if output_is_sparse:
        return found
    if not kept:
        whole = reshape(found.values, ()) if len(found.values) else zeros((), value.dtype)
        return _with_axes(whole, value, kept, keeps)
    filled = tensor_scatter_nd_update(zeros(sizes_of(found), value.dtype), found.indices, found.values)
    return _with_axes(filled, value, kept, keeps)


def _kept_axes(value: SparseTensor, axis: Any, op_name: str) -> list[int]:
    """The axes that are not reduced."""
    rank = len(value.shape)
    if axis is None:
        return []
    axes = np.atleast_1d(value_of(convert(axis, None))).tolist()
    for each in axes:
        if not -rank <= each < rank:
            raise invalid(f"Invalid reduction dimension {each}, for input with {rank} dimensions. [Op:{op_name}]")
    reduced = {each % rank for each in axes}
    return [each for each in range(rank) if each not in reduced]


def _with_axes(result: Tensor, value: SparseTensor, kept: list[int], keepdims: bool) -> Tensor:
    """The result with the reduced axes, of size 1, if they stay."""
    if not keepdims:
        return result
    sizes = result._array.shape
    ones = [1] * len(value.shape)
    for at, size in zip(kept, sizes):
        ones[at] = size
    return reshape(result, ones)


def _sparse(value: SparseTensor, kept: list[int], keepdims: bool, by_segment: BySegment) -> SparseTensor:
    """The reduction as a sparse tensor: an element for each position that has any."""
    positions, sizes = positions_of(value), sizes_of(value)
    groups, numbers = grouped(positions[:, kept])
    values = by_segment(value.values, wrap(numbers), len(groups))
    if not keepdims:
        return from_arrays(groups, values, [sizes[each] for each in kept])
    full = np.zeros((len(groups), len(sizes)), np.int64)
    full[:, kept] = groups
    return from_arrays(full, values, [size if at in kept else 1 for at, size in enumerate(sizes)])
