"""The functions of dense tensors that also take ragged ones: what each of them then computes.

Functions that compute each element on its own need no entry where they are made by `unary` and `binary`: those hand a ragged operand
to `ragged.elementwise` themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from whygrad.ops import (
    activations,
    control,
    counting,
    creation,
    cumulative,
    debugging,
    elementwise,
    indexing,
    linalg_products,
    normalization,
    partitions,
    segments,
    shapes,
    shaping,
    sorting,
    special,
)
from whygrad.ops import reductions as dense
from whygrad.ragged import joining
from whygrad.ragged import shape as ragged_shape
from whygrad.ragged.elementwise import mapped
from whygrad.ragged.indexing import taken
from whygrad.ragged.reductions import by_segments, reduced
from whygrad.ragged.spec import RaggedTensorSpec
from whygrad.ragged.tensor import Array, RaggedTensor, Values, from_splits, row_ids
from whygrad.runtime.overloads import overload
from whygrad.values import dtypes, nest
from whygrad.values.conversion import convert
from whygrad.values.errors import OpValueError, RaggedGiven, invalid
from whygrad.values.tensor import Tensor, value_of, wrap

# -- of each element --


def _of_first(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function of the flat values of its first argument."""

    def on_ragged(value: Any, *args: Any, **kwargs: Any) -> Any:
        if not isinstance(value, RaggedTensor):
            return NotImplemented
        return value.with_flat_values(function(value.flat_values, *args, **kwargs))

    return on_ragged


def _of_both(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function of the flat values of its first two arguments, one of which may be dense."""

    def on_ragged(x: Any, y: Any, name: str | None = None) -> Any:
        return mapped(function, x, y)

    return on_ragged


def _clip_by_value(t: Any, clip_value_min: Any, clip_value_max: Any, name: str | None = None) -> Any:
    return mapped(elementwise.clip_by_value, t, clip_value_min, clip_value_max)


def _add_n(inputs: Any, name: str | None = None) -> Any:
    return mapped(lambda *flat: elementwise.add_n(list(flat)), *inputs)


def _where(condition: Any, x: Any = None, y: Any = None, name: str | None = None) -> Any:
    if x is not None and y is not None:
        return mapped(_where_of_flat, condition, x, y)
    flat = value_of(condition.flat_values)
    if flat.ndim > 1:
        raise OpValueError("tf.where gives positions for ragged conditions whose innermost axis is ragged")
    return wrap(np.stack([each[flat] for each in condition._coordinates()], axis=1).astype(np.int64))


def _where_of_flat(condition: Tensor, x: Tensor, y: Tensor) -> Tensor:
    return elementwise.where(condition, x, y)


def _softmax(logits: Any, axis: Any = None, name: str | None = None) -> Any:
    rank = len(logits.shape)
    at = rank - 1 if axis is None else joining.checked_axis(axis, rank)
    inner = logits._levels()[-1]
    if at != rank - 1:
        raise OpValueError(f"the softmax of a ragged tensor is along its last axis, not axis {at}")
    if inner.values.ndim > 1:
        return logits.with_flat_values(dense.softmax(inner.values))
    ids, count = wrap(row_ids(inner._split_array()).astype(np.int64)), inner._count()
    largest = shaping.stop_gradient(segments.unsorted_segment_max(inner.values, ids, count))
    powers = elementwise.exp(inner.values - indexing.gather(largest, ids))
    return logits.with_flat_values(powers / indexing.gather(segments.unsorted_segment_sum(powers, ids, count), ids))


def _matmul(a: Any, b: Any, *args: Any, **kwargs: Any) -> Any:
    """The products of the matrices in each row."""
    left, right = joining.as_values(a), joining.as_values(b)
    if len(left.shape) != len(right.shape) or len(left.shape) < 3:
        raise OpValueError(
            f"matmul of ragged tensors takes two of one rank, 3 or more, not {left.shape} and {right.shape}"
        )
    counts = [each._count() if isinstance(each, RaggedTensor) else int(each._array.shape[0]) for each in (left, right)]
    if counts[0] != counts[1]:
        raise invalid(f"a has {counts[0]} matrices and b {counts[1]}: matmul of ragged tensors does not broadcast")
    products = [linalg_products.matmul(left[i], right[i], *args, **kwargs) for i in range(counts[0])]
    return joining.ragged_stack(products)


# -- sizes --


def _size(input: Any, out_type: Any = None, name: str | None = None) -> Tensor:
    return shapes.size(input.flat_values, out_type)


def _rank(input: Any, name: str | None = None) -> Tensor:
    return wrap(np.array(len(input.shape), np.int32))


def _of_flat_values(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda x, name=None: function(x.flat_values)


# -- reductions --


def _by_segment(function: Callable[..., Tensor]) -> Callable[[Tensor, Array, int], Tensor]:
    return lambda values, ids, count: function(values, wrap(ids.astype(np.int64)), count)


def _reduction(of_segments: Callable[..., Tensor], of_dense: Callable[..., Tensor]) -> Callable[..., Any]:
    def on_ragged(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Any:
        return reduced(input_tensor, axis, bool(keepdims), _by_segment(of_segments), of_dense)

    return on_ragged


_sum = _reduction(segments.unsorted_segment_sum, dense.reduce_sum)
_prod = _reduction(segments.unsorted_segment_prod, dense.reduce_prod)
_max = _reduction(segments.unsorted_segment_max, dense.reduce_max)


def _mean(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Any:
    ones = input_tensor.with_flat_values(creation.ones_like(input_tensor.flat_values))
    return _sum(input_tensor, axis, keepdims) / _sum(ones, axis, keepdims)


def _variance(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Any:
    mean = _mean(input_tensor, axis, keepdims)
    return _mean(input_tensor * input_tensor, axis, keepdims) - mean * mean


def _std(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Any:
    return elementwise.sqrt(_variance(input_tensor, axis, keepdims))


def _logsumexp(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Any:
    largest = [shaping.stop_gradient(_max(input_tensor, axis, each)) for each in (True, bool(keepdims))]
    # Where all are -inf, the sum is 0.
    finite = [elementwise.where(elementwise.is_finite(each), each, creation.zeros_like(each)) for each in largest]
    return elementwise.log(_sum(elementwise.exp(input_tensor - finite[0]), axis, keepdims)) + finite[1]


def _truth(reduction: Callable[..., Any]) -> Callable[..., Any]:
    def on_ragged(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Any:
        if input_tensor.dtype is not dtypes.bool_:
            raise invalid(f"`input_tensor` must be bool, not {input_tensor.dtype.name}")
        numbers = input_tensor.with_flat_values(elementwise.cast(input_tensor.flat_values, dtypes.int32))
        return reduction(numbers, axis, keepdims) > 0

    return on_ragged


def _of_segments(function: Callable[..., Tensor]) -> Callable[..., Any]:
    def on_ragged(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Any:
        if not isinstance(data, RaggedTensor) or isinstance(segment_ids, RaggedTensor):
            return NotImplemented
        ids, count = value_of(convert(segment_ids, None)), int(value_of(convert(num_segments, None)))
        if ids.shape != (data._count(),) or (ids.size and not 0 <= ids.min() <= ids.max() < count):
            raise invalid(f"segment_ids must be {data._count()} numbers from 0 to {count - 1}, one for each row")
        return by_segments(data, ids, count, _by_segment(function))

    return on_ragged


def _cumsum(x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None) -> Any:
    rank = len(x.shape)
    inner = x._levels()[-1]
    at = joining.checked_axis(axis, rank)
    if at != len(x._levels()):
        if at > len(x._levels()):
            return x.with_flat_values(
                cumulative.cumsum(x.flat_values, at - len(x._levels()), bool(exclusive), bool(reverse))
            )
        sums = cumulative.cumsum(x.to_tensor(), at, bool(exclusive), bool(reverse))  # what pads the rows adds nothing
        return x.with_flat_values(indexing.gather_nd(sums, wrap(np.stack(x._coordinates(), axis=1).astype(np.int64))))
    flat = inner.values
    totals = shaping.concat([creation.zeros((1, *flat._array.shape[1:]), flat.dtype), cumulative.cumsum(flat, 0)], 0)
    splits = inner._split_array()
    rows = row_ids(splits)
    here = np.arange(len(rows)) + (1 if bool(exclusive) == bool(reverse) else 0)
    if reverse:
        return x.with_flat_values(taken(totals, splits[1:][rows]) - taken(totals, here))
    return x.with_flat_values(taken(totals, here) - taken(totals, splits[:-1][rows]))


def _bincount(
    arr: Any,
    weights: Any = None,
    minlength: Any = None,
    maxlength: Any = None,
    dtype: Any = dtypes.int32,
    name: str | None = None,
    axis: Any = None,
    binary_output: bool = False,
) -> Any:
    if axis not in (None, 0):
        return NotImplemented
    held = weights.flat_values if isinstance(weights, RaggedTensor) else weights
    return counting.bincount(arr.flat_values, held, minlength, maxlength, dtype, name, axis, binary_output)


# -- lookups and loops --


def _embedding_lookup(params: Any, ids: Any, max_norm: Any = None, name: str | None = None) -> Any:
    if not isinstance(ids, RaggedTensor):
        return NotImplemented
    if ids.dtype not in (dtypes.int32, dtypes.int64):
        raise OpValueError(
            f"The values contained by the inputs have type {ids.dtype!r}, but ids are row numbers, of type `int32` or `int64`. "
            "tf.cast(ids, tf.int64) makes them such."
        )
    return ids.with_flat_values(partitions.embedding_lookup(params, ids.flat_values, max_norm))


def _one_hot(
    indices: Any,
    depth: Any,
    on_value: Any = None,
    off_value: Any = None,
    axis: Any = None,
    dtype: Any = None,
    name: str | None = None,
) -> Any:
    if not isinstance(indices, RaggedTensor):
        return NotImplemented
    if axis not in (None, -1, len(indices.shape)):
        raise OpValueError(f"tf.one_hot of a ragged tensor adds the last axis, not axis {axis}")
    return indices.with_flat_values(creation.one_hot(indices.flat_values, depth, on_value, off_value, -1, dtype))


def _map_fn(
    fn: Callable[[Any], Any],
    elems: Any,
    dtype: Any = None,
    parallel_iterations: int | None = None,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    name: str | None = None,
    fn_output_signature: Any = None,
) -> Any:
    signature = fn_output_signature if fn_output_signature is not None else dtype
    flat = [joining.as_values(each) for each in nest.flatten(elems)]
    counts = [each._count() if isinstance(each, RaggedTensor) else int(each._array.shape[0]) for each in flat]
    expected = elems if signature is None else signature
    specs = [
        RaggedTensorSpec.from_value(each) if signature is None and isinstance(each, RaggedTensor) else each
        for each in nest.flatten(expected)
    ]
    results = control.results_of_rows(fn, elems, counts, lambda i: [each[i] for each in flat], expected)
    return nest.pack_sequence_as(expected, [_collected(*each) for each in zip(specs, results)])


def _collected(spec: Any, results: list[Any]) -> Values:
    """The results of all calls, along a new first axis: ragged if the spec says so."""
    values = [joining.as_values(each) for each in results]
    if not isinstance(spec, RaggedTensorSpec):
        return shaping.stack(values)
    if any(not len(value.shape) for value in values):
        raise invalid(
            "Ragged values must have rank >= 1, but fn returned a scalar: give fn_output_signature=, such as tf.float32"
        )
    if not values:
        empty = creation.zeros([0], spec.dtype)
        return from_splits(empty, np.zeros(1, np.int64))
    return joining.ragged_stack(values)


def _maps_to_ragged(*args: Any, **kwargs: Any) -> bool:
    """Whether map_fn's signature says that its results are ragged."""
    signature = kwargs.get("fn_output_signature", args[8] if len(args) > 8 else None)
    return any(isinstance(each, RaggedTensorSpec) for each in nest.flatten(signature))


_OF_FIRST: tuple[Any, ...] = (
    activations.leaky_relu, activations.gelu, activations.silu,
    creation.ones_like, creation.zeros_like, debugging.check_numerics, elementwise.abs, elementwise.angle, elementwise.cast,
    elementwise.conj, elementwise.imag, elementwise.log_sigmoid, elementwise.logical_not, elementwise.real, elementwise.reciprocal_no_nan,
    elementwise.round, elementwise.saturate_cast, elementwise.sign, normalization.dropout, shaping.bitcast, shaping.identity,
    shaping.stop_gradient, special.erfcinv,
)  # fmt: skip
_OF_BOTH: tuple[Any, ...] = (
    elementwise.divide, elementwise.truediv, elementwise.divide_no_nan, elementwise.logical_and,
    elementwise.logical_or, elementwise.logical_xor, elementwise.multiply_no_nan, elementwise.scalar_mul,
)  # fmt: skip
_OTHERS: tuple[tuple[Any, Callable[..., Any]], ...] = (
    (control.map_fn, _map_fn),
    (counting.bincount, _bincount),
    (creation.one_hot, _one_hot),
    (cumulative.cumsum, _cumsum),
    (elementwise.add_n, _add_n),
    (elementwise.clip_by_value, _clip_by_value),
    (elementwise.where, _where),
    (dense.softmax, _softmax),
    (dense.reduce_sum, _sum),
    (dense.reduce_prod, _prod),
    (dense.reduce_max, _max),
    (dense.reduce_logsumexp, _logsumexp),
    (dense.reduce_min, _reduction(segments.unsorted_segment_min, dense.reduce_min)),
    (dense.reduce_mean, _mean),
    (dense.reduce_variance, _variance),
    (dense.reduce_std, _std),
    (dense.reduce_any, _truth(_sum)),
    (dense.reduce_all, _truth(_prod)),
    (linalg_products.matmul, _matmul),
    (partitions.dynamic_partition, joining.dynamic_partition),
    (partitions.embedding_lookup, _embedding_lookup),
    (indexing.gather, joining.gather),
    (indexing.gather_nd, joining.gather_nd),
    (segments.unsorted_segment_sum, _of_segments(segments.unsorted_segment_sum)),
    (segments.unsorted_segment_mean, _of_segments(segments.unsorted_segment_mean)),
    (segments.unsorted_segment_prod, _of_segments(segments.unsorted_segment_prod)),
    (segments.unsorted_segment_max, _of_segments(segments.unsorted_segment_max)),
    (segments.unsorted_segment_min, _of_segments(segments.unsorted_segment_min)),
    (segments.unsorted_segment_sqrt_n, _of_segments(segments.unsorted_segment_sqrt_n)),
    (sorting.is_non_decreasing, _of_flat_values(sorting.is_non_decreasing)),
    (sorting.is_strictly_increasing, _of_flat_values(sorting.is_strictly_increasing)),
    (shaping.concat, joining.concat),
    (shaping.expand_dims, joining.expand_dims),
    (shapes.rank, _rank),
    (shaping.reshape, ragged_shape.reshape),
    (shaping.broadcast_to, ragged_shape.broadcast_to),
    (shaping.reverse, joining.reverse),
    (shapes.shape, ragged_shape.shape),
    (shapes.size, _size),
    (shaping.split, joining.split),
    (shaping.squeeze, joining.squeeze),
    (shaping.stack, joining.stack),
    (shaping.tile, joining.tile),
)


# Where a function takes an argument that only ragged tensors have, its own code is not asked first.
_AT_ONCE: dict[Any, Callable[..., bool]] = {
    control.map_fn: _maps_to_ragged,
    shaping.reshape: ragged_shape.is_given,
    shaping.broadcast_to: ragged_shape.is_given,
}


def install() -> None:
    """Let these functions take ragged tensors, from the first one on: programs without them pay nothing."""
    for function in _OF_FIRST:
        overload(function, _of_first(function), RaggedGiven)
    for function in _OF_BOTH:
        overload(function, _of_both(function), RaggedGiven)
    for function, other in _OTHERS:
        overload(function, other, RaggedGiven, _AT_ONCE.get(function))
