"""Segment reductions: the sum, product, mean, maximum or minimum of the rows with the same segment id.

`segment_*` take sorted ids; `unsorted_segment_*` take any, and drop rows with a negative id.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.ops.elementwise import maximum, sqrt
from whygrad.ops.index_checks import check_index_dtype
from whygrad.ops.primitive import Primitive, apply, check_dtype
from whygrad.ops.shaping import reshape
from whygrad.ops.traits import Batching, Selects, Traits
from whygrad.values import dtypes
from whygrad.values.conversion import convert
from whygrad.values.errors import InvalidArgumentError, OpValueError, depends_on_values, invalid, shape_text
from whygrad.values.faults import RankTooLow, SparseAsDense
from whygrad.values.indexed_slices import IndexedSlices
from whygrad.values.tensor import Tensor, are_known, wrap

_segment_sum = Primitive(
    "segment_sum",
    lambda xp, data, segment_ids, *, num_segments: xp.segment_sum(data, segment_ids, num_segments=num_segments),
    vjp=(lambda xp, g, segment_ids: xp.segment_spread(g, segment_ids), None),
    traits=Traits(selects=Selects.PLACES, batching=Batching.ROWS),
)
segment_spread = Primitive(
    "segment_spread",
    lambda xp, values, segment_ids: xp.segment_spread(values, segment_ids),
    vjp=(
        lambda xp, g, segment_ids, values_shape: xp.segment_sum(g, segment_ids, num_segments=values_shape[0]),
        None,
    ),
    traits=Traits(selects=Selects.PLACES, batching=Batching.ROWS),
)


def segment_prod_vjp(xp: Any, g: Any, data: Any, segment_ids: Any, num_segments: int, data_dtype: Any) -> Any:
    """The product of the other elements, without dividing by zero: 0 unless the element is the only zero."""
    zero = xp.astype(data == 0, data_dtype)
    zeros = xp.segment_spread(xp.segment_sum(zero, segment_ids, num_segments=num_segments), segment_ids)
    others = data + zero
    product = xp.segment_prod(others, segment_ids, num_segments=num_segments)
    reached = xp.astype(zeros == zero, data_dtype)
    return reached * xp.segment_spread(g * product, segment_ids) / others


_segment_prod = Primitive(
    "segment_prod",
    lambda xp, data, segment_ids, *, num_segments: xp.segment_prod(data, segment_ids, num_segments=num_segments),
    vjp=(segment_prod_vjp, None),
    traits=Traits(selects=Selects.PLACES),
)


def segment_extreme_vjp(
    xp: Any, g: Any, data: Any, segment_ids: Any, y: Any, num_segments: int, data_dtype: Any
) -> Any:
    """Ties share the gradient evenly."""
    chosen = xp.astype(data == xp.segment_spread(y, segment_ids), data_dtype)
    count = xp.segment_sum(chosen, segment_ids, num_segments=num_segments)
    empty = xp.astype(count == 0, data_dtype)
    return chosen * xp.segment_spread(g / (count + empty), segment_ids)


_segment_extreme = Primitive(
    "segment_extreme",
    lambda xp, data, segment_ids, *, num_segments, how, empty: xp.segment_extreme(
        data, segment_ids, num_segments=num_segments, how=how, empty=empty
    ),
    vjp=(segment_extreme_vjp, None),
    traits=Traits(selects=Selects.PLACES),
)

# -- sorted --


@export("math.segment_sum")
def segment_sum(data: Any, segment_ids: Any, name: str | None = None) -> Tensor:
    """The sum of the rows of each segment; `segment_ids` are sorted.

    >>> import whygrad as tf
    >>> tf.math.segment_sum([1.0, 2.0, 4.0], [0, 0, 1]).numpy()
    array([3., 4.], dtype=float32)
    """
    x, ids, count = _sorted_arguments(data, segment_ids, "SegmentSum", "number")
    return apply(_segment_sum, x, ids, num_segments=count)


@export("math.segment_mean")
def segment_mean(data: Any, segment_ids: Any, name: str | None = None) -> Tensor:
    """The mean of the rows of each segment, 0 for an empty segment; `segment_ids` are sorted.

    >>> import whygrad as tf
    >>> tf.math.segment_mean([1.0, 2.0, 4.0], [0, 0, 1]).numpy()
    array([1.5, 4. ], dtype=float32)
    """
    x, ids, count = _sorted_arguments(data, segment_ids, "SegmentMean", "number")
    total = apply(_segment_sum, x, ids, num_segments=count)
    sizes = segment_sizes(x, ids, count)
    if x.dtype.is_integer:  # rounded towards zero, as in TensorFlow
        return wrap(np.trunc(np.divide(total._array, sizes._array)).astype(total._array.dtype))
    return total / sizes


@export("math.segment_prod")
def segment_prod(data: Any, segment_ids: Any, name: str | None = None) -> Tensor:
    """The product of the rows of each segment, 1 for an empty segment; `segment_ids` are sorted.

    >>> import whygrad as tf
    >>> tf.math.segment_prod([2.0, 3.0, 4.0], [0, 0, 1]).numpy()
    array([6., 4.], dtype=float32)
    """
    x, ids, count = _sorted_arguments(data, segment_ids, "SegmentProd", "number")
    return apply(_segment_prod, x, ids, num_segments=count)


@export("math.segment_max")
def segment_max(data: Any, segment_ids: Any, name: str | None = None) -> Tensor:
    """The maximum of the rows of each segment, 0 for an empty segment; `segment_ids` are sorted.

    >>> import whygrad as tf
    >>> tf.math.segment_max([1.0, 2.0, 4.0], [0, 0, 1]).numpy()
    array([2., 4.], dtype=float32)
    """
    x, ids, count = _sorted_arguments(data, segment_ids, "SegmentMax", "real")
    return apply(_segment_extreme, x, ids, num_segments=count, how="maximum", empty=0)


@export("math.segment_min")
def segment_min(data: Any, segment_ids: Any, name: str | None = None) -> Tensor:
    """The minimum of the rows of each segment, 0 for an empty segment; `segment_ids` are sorted.

    >>> import whygrad as tf
    >>> tf.math.segment_min([1.0, 2.0, 4.0], [0, 0, 1]).numpy()
    array([1., 4.], dtype=float32)
    """
    x, ids, count = _sorted_arguments(data, segment_ids, "SegmentMin", "real")
    return apply(_segment_extreme, x, ids, num_segments=count, how="minimum", empty=0)


# -- unsorted --


@export("math.unsorted_segment_sum")
def unsorted_segment_sum(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Tensor:
    """The sum of the rows of each of `num_segments` segments.

    >>> import whygrad as tf
    >>> tf.math.unsorted_segment_sum([1.0, 2.0, 4.0], [1, -1, 1], 3).numpy()
    array([0., 5., 0.], dtype=float32)
    """
    x, ids, count = _unsorted_arguments(data, segment_ids, num_segments, "UnsortedSegmentSum", "number")
    return apply(_segment_sum, x, ids, num_segments=count)


@export("math.unsorted_segment_mean")
def unsorted_segment_mean(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Tensor:
    """The mean of the rows of each of `num_segments` segments, 0 for an empty one.

    >>> import whygrad as tf
    >>> tf.math.unsorted_segment_mean([1.0, 2.0, 4.0], [1, -1, 1], 3).numpy()
    array([0. , 2.5, 0. ], dtype=float32)
    """
    x, ids, count = _unsorted_arguments(data, segment_ids, num_segments, "UnsortedSegmentSum", "number")
    check_dtype(x, "real", "Maximum")
    return apply(_segment_sum, x, ids, num_segments=count) / segment_sizes(x, ids, count)


@export("math.unsorted_segment_sqrt_n")
def unsorted_segment_sqrt_n(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Tensor:
    """The sum of the rows of each of `num_segments` segments, divided by the square root of their number.

    >>> import whygrad as tf
    >>> tf.math.unsorted_segment_sqrt_n([1.0, 3.0, 1.0, 1.0], [0, 1, 0, 1], 2).numpy()
    array([1.4142135, 2.828427 ], dtype=float32)
    """
    x, ids, count = _unsorted_arguments(data, segment_ids, num_segments, "UnsortedSegmentSum", "number")
    check_dtype(x, "real", "Maximum")
    return apply(_segment_sum, x, ids, num_segments=count) / sqrt(segment_sizes(x, ids, count))


@export("math.unsorted_segment_prod")
def unsorted_segment_prod(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Tensor:
    """The product of the rows of each of `num_segments` segments, 1 for an empty one.

    >>> import whygrad as tf
    >>> tf.math.unsorted_segment_prod([2.0, 3.0, 4.0], [1, -1, 1], 3).numpy()
    array([1., 8., 1.], dtype=float32)
    """
    x, ids, count = _unsorted_arguments(data, segment_ids, num_segments, "UnsortedSegmentProd", "number")
    return apply(_segment_prod, x, ids, num_segments=count)


@export("math.unsorted_segment_max")
def unsorted_segment_max(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Tensor:
    """The maximum of the rows of each of `num_segments` segments, the dtype's lowest number for an empty one.

    >>> import whygrad as tf
    >>> tf.math.unsorted_segment_max([1, 2, 4], [1, 0, 1], 3).numpy()
    array([          2,           4, -2147483648], dtype=int32)
    """
    x, ids, count = _unsorted_arguments(data, segment_ids, num_segments, "UnsortedSegmentMax", "real")
    return apply(_segment_extreme, x, ids, num_segments=count, how="maximum", empty=None)


@export("math.unsorted_segment_min")
def unsorted_segment_min(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Tensor:
    """The minimum of the rows of each of `num_segments` segments, the dtype's highest number for an empty one.

    >>> import whygrad as tf
    >>> tf.math.unsorted_segment_min([1, 2, 4], [1, 0, 1], 3).numpy()
    array([         2,          1, 2147483647], dtype=int32)
    """
    x, ids, count = _unsorted_arguments(data, segment_ids, num_segments, "UnsortedSegmentMin", "real")
    return apply(_segment_extreme, x, ids, num_segments=count, how="minimum", empty=None)


# -- arguments --


def _sorted_arguments(data: Any, segment_ids: Any, op_name: str, allowed: str) -> tuple[Tensor, Tensor, int]:
    """The rows and their sorted segment ids, checked, and the number of segments."""
    x, ids = convert(data, None), convert(segment_ids, None)
    check_dtype(x, allowed, op_name)
    check_index_dtype(ids, op_name, allowed=(dtypes.int32, dtypes.int64))
    array = ids._array
    if not x.ndim:
        wording = "input must be at least rank {at_least}"
        raise invalid(RankTooLow(shape=(), at_least=1, op=op_name, wording=wording))
    if array.ndim != 1:
        raise invalid(f"segment_ids should be a vector. [Op:{op_name}]")
    if array.size != len(x):
        raise invalid(f"segment_ids should be the same size as dimension 0 of input. [Op:{op_name}]")
    return x, ids, number_of_segments(ids, op_name)


def number_of_segments(ids: Tensor, op_name: str, given: int | None = None) -> int:
    """The number of segments of a vector of sorted ids, or the `given` number, which must be large enough for them."""
    array = ids._array
    if not array.size:
        return given or 0
    if given is not None and not are_known(ids):
        return given
    if not are_known(ids):
        raise depends_on_values(
            "the last of segment_ids says how many segments there are",
            "Use an op such as tf.math.unsorted_segment_sum, which takes num_segments",
        )
    count = int(array[-1]) + 1
    if count < 1:
        raise invalid(f"segment ids must be >= 0 [Op:{op_name}]")
    if given is not None and count > given:
        raise invalid(f"segment ids must be < num_segments [Op:{op_name}]")
    if array[0] < 0 or (array[1:] < array[:-1]).any():
        raise _not_sorted(array, count, op_name)
    return count if given is None else given


def _not_sorted(array: Any, count: int, op_name: str) -> InvalidArgumentError:
    """The error for the first id that is followed by a smaller one, or is out of range."""
    ends = np.append(np.flatnonzero(array[1:] != array[:-1]), array.size - 1)
    for number, following in zip(array[ends], array[np.minimum(ends + 1, array.size - 1)]):
        if following < number:
            return invalid(f"segment ids are not increasing [Op:{op_name}]")
        if not 0 <= number < count:
            break
    return invalid(
        f"Segment id {number} out of range [0, {count}), possibly because 'segment_ids' input is not sorted. "
        f"[Op:{op_name}]"
    )


def _unsorted_arguments(
    data: Any, segment_ids: Any, num_segments: Any, op_name: str, allowed: str
) -> tuple[Tensor, Tensor, int]:
    """The rows and their segment ids, checked, and the number of segments."""
    x, ids, total = convert(data, None), convert(segment_ids, None), convert(num_segments, None)
    check_dtype(x, allowed, op_name)
    check_index_dtype(ids, op_name)
    check_index_dtype(total, op_name, "Tnumsegments", (dtypes.int32, dtypes.int64))
    if total.ndim:
        raise invalid(f"num_segments should be a scalar, not shape {shape_text(total.shape)} [Op:{op_name}]")
    count, array = int(total._array), ids._array
    if x._array.shape[: array.ndim] != array.shape:
        raise invalid(
            f"data.shape = {shape_text(x.shape)} does not start with segment_ids.shape = {shape_text(array.shape)} "
            f"[Op:{op_name}]"
        )
    if count < 0:
        raise invalid(f"Input num_segments == {count} must not be negative. [Op:{op_name}]")
    if are_known(ids) and array.size and array.max() >= count:
        at = np.unravel_index(np.argmax(array >= count), array.shape)
        place = f"[{','.join(str(i) for i in at)}]" if array.shape else ""
        raise invalid(f"segment_ids{place} = {array[at]} is out of range [0, {count}) [Op:{op_name}]")
    return x, ids, count


def segment_sizes(x: Tensor, ids: Tensor, count: int) -> Tensor:
    """The number of rows of each segment, at least 1, with the shape and dtype for dividing its sum."""
    if not are_known(ids):
        ones = wrap(np.ones(ids._array.size, x._array.dtype))
        counted = maximum(unsorted_segment_sum(ones, reshape(ids, [-1]), count), wrap(np.ones((), x._array.dtype)))
        return reshape(counted, [count] + [1] * (x.ndim - ids.ndim))
    flat = ids._array.reshape(-1)
    sizes = np.maximum(np.bincount(flat[flat >= 0], minlength=count), 1)
    return wrap(sizes.astype(x._array.dtype).reshape(count, *[1] * (x.ndim - ids.ndim)))


# -- IndexedSlices as a dense tensor: its indices are segment ids --


def dense(value: IndexedSlices, dtype: dtypes.DType | None = None) -> Tensor:
    """Convert an IndexedSlices to a dense tensor."""
    if dtype is not None and dtype is not value.dtype:
        message = (
            f"Incompatible tensor conversion requested to `dtype` {dtype.name} for IndexedSlices ({value}) with dtype "
            f"{value.dtype.name}"
        )
        raise OpValueError(SparseAsDense(message=message))
    if value._dense_shape is None:
        message = f"Tensor conversion requested for IndexedSlices for argument `value` without dense_shape: {value}"
        raise OpValueError(SparseAsDense(message=message))
    return unsorted_segment_sum(value.values, value.indices, int(value.shape[0]))
