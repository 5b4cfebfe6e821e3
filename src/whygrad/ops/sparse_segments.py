"""Segment reductions of rows that are looked up first: `sparse.segment_sum`, `segment_mean` and `segment_sqrt_n`.

They take sorted segment ids, as `math.segment_sum` does. The gradient is dense unless `sparse_gradient` is set.
"""

from __future__ import annotations

from typing import Any

from whygrad._public import export
from whygrad.ops.elementwise import sqrt
from whygrad.ops.index_checks import check_index_dtype
from whygrad.ops.indexing import gather
from whygrad.ops.primitive import apply, check_dtype
from whygrad.ops.segments import number_of_segments, segment_sizes, segment_spread, unsorted_segment_sum
from whygrad.ops.shaping import integers
from whygrad.values import dtypes
from whygrad.values.conversion import convert
from whygrad.values.errors import invalid, shape_text
from whygrad.values.faults import RankTooLow
from whygrad.values.tensor import Tensor, are_known, value_of


@export("sparse.segment_sum")
def sparse_segment_sum(
    data: Any,
    indices: Any,
    segment_ids: Any,
    num_segments: Any = None,
    name: str | None = None,
    sparse_gradient: bool = False,
) -> Tensor:
    """The sum of the rows `data[indices]` of each segment; `segment_ids` are sorted.

    >>> import whygrad as tf
    >>> data = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    >>> tf.sparse.segment_sum(data, indices=[0, 2], segment_ids=[0, 0]).numpy()
    array([[6., 8.]], dtype=float32)
    """
    rows, ids, count = _arguments(data, indices, segment_ids, num_segments, sparse_gradient, "SparseSegmentSum", "real")
    return unsorted_segment_sum(rows, ids, count)


@export("sparse.segment_mean")
def sparse_segment_mean(
    data: Any,
    indices: Any,
    segment_ids: Any,
    num_segments: Any = None,
    name: str | None = None,
    sparse_gradient: bool = False,
) -> Tensor:
    """The mean of the rows `data[indices]` of each segment, 0 for an empty segment; `segment_ids` are sorted.

    >>> import whygrad as tf
    >>> data = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    >>> tf.sparse.segment_mean(data, indices=[0, 2], segment_ids=[0, 0]).numpy()
    array([[3., 4.]], dtype=float32)
    """
    rows, ids, count = _arguments(
        data, indices, segment_ids, num_segments, sparse_gradient, "SparseSegmentMean", "float"
    )
    return unsorted_segment_sum(rows, ids, count) / segment_sizes(rows, ids, count)


@export("sparse.segment_sqrt_n")
def sparse_segment_sqrt_n(
    data: Any,
    indices: Any,
    segment_ids: Any,
    num_segments: Any = None,
    name: str | None = None,
    sparse_gradient: bool = False,
) -> Tensor:
    """The sum of the rows `data[indices]` of each segment, divided by the square root of their number.

    >>> import whygrad as tf
    >>> data = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    >>> tf.sparse.segment_sqrt_n(data, indices=[0, 1, 1, 2], segment_ids=[0, 0, 0, 0]).numpy()
    array([[6., 8.]], dtype=float32)
    """
    rows, ids, count = _arguments(
        data, indices, segment_ids, num_segments, sparse_gradient, "SparseSegmentSqrtN", "float"
    )
    return unsorted_segment_sum(rows, ids, count) / sqrt(segment_sizes(rows, ids, count))


def _arguments(
    data: Any, indices: Any, segment_ids: Any, num_segments: Any, sparse_gradient: bool, op_name: str, allowed: str
) -> tuple[Tensor, Tensor, int]:
    """The rows that are looked up, their segment ids and the number of segments, checked."""
    x = convert(data, None)
    places, ids = _index_vector(indices), _index_vector(segment_ids)
    if num_segments is not None:
        op_name += "WithNumSegments"
    check_dtype(x, allowed, op_name)
    check_index_dtype(places, op_name, "Tidx", (dtypes.int32, dtypes.int64))
    check_index_dtype(ids, op_name, "Tsegmentids", (dtypes.int32, dtypes.int64))
    if not x.ndim:
        wording = "Shape must be at least rank {at_least}"
        raise invalid(RankTooLow(shape=(), at_least=1, op=op_name, wording=wording))
    for tensor, argument in ((places, "indices"), (ids, "segment_ids")):
        if tensor.ndim != 1:
            raise invalid(f"{argument} should be a vector. [Op:{op_name}]")
    if len(places) != len(ids):
        raise invalid(f"segment_ids and indices should have same size. [Op:{op_name}]")
    count = None
    if num_segments is not None:
        total = integers(num_segments, op_name, "Tnumsegments")
        if total.ndim:
            raise invalid(f"num_segments should be a scalar, not shape {shape_text(total.shape)} [Op:{op_name}]")
        count = int(total)
        if count < 0:
            raise invalid(f"segment ids must be >= 0 [Op:{op_name}]")
    count = number_of_segments(ids, op_name, count)
    if are_known(places):
        for i, place in enumerate(value_of(places).tolist()):
            if not 0 <= place < len(x):
                raise invalid(f"Bad: indices[{i}] == {place} out of range [0, {len(x)}) [Op:{op_name}]")
    rows = gather(x, places) if sparse_gradient else apply(segment_spread, x, places)
    return rows, ids, count


def _index_vector(value: Any) -> Tensor:
    """Indices as a tensor; an empty list is one of integers."""
    return convert(value, dtypes.int32 if isinstance(value, list | tuple) and not value else None)
