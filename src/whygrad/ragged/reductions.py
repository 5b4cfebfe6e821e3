"""Reductions of ragged tensors: the innermost of the axes first, by segments where the axis is ragged."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from whygrad.ragged.indexing import with_inner_axis, with_outer_axis
from whygrad.ragged.tensor import Array, RaggedTensor, Values, from_splits, row_ids, splits_of
from whygrad.values.conversion import convert_to_tensor
from whygrad.values.errors import OpValueError
from whygrad.values.tensor import Tensor, value_of

BySegment = Callable[[Tensor, Array, int], Tensor]  # of the flat values, their segment ids and the number of segments
Dense = Callable[[Tensor, Any, bool], Tensor]  # of a tensor, its axes, and whether they stay, with size 1


def reduced(value: RaggedTensor, axis: Any, keepdims: bool, by_segment: BySegment, dense: Dense) -> Values:
    """A reduction along one axis, several, or all of them.

    by_segment  reduces the values that belong to each of several segments
    dense       reduces a tensor along an axis; along all of them for None
    """
    rank = len(value.shape)
    if axis is None:
        whole = dense(value.flat_values, None, False)
        return dense_with_axes(whole, rank) if keepdims else whole
    axes = sorted({_axis(each, rank) for each in np.atleast_1d(value_of(convert_to_tensor(axis))).tolist()})
    if len(axes) == rank:
        return reduced(value, None, keepdims, by_segment, dense)
    result: Values = value
    for at in reversed(axes):
        result = (
            _along(result, at, keepdims, by_segment, dense)
            if isinstance(result, RaggedTensor)
            else dense(result, at, keepdims)
        )
    return result


def dense_with_axes(tensor: Tensor, rank: int) -> Tensor:
    """A scalar with `rank` axes of size 1."""
    from whygrad.ops.shaping import reshape

    return reshape(tensor, (1,) * rank)


def _axis(axis: int, rank: int) -> int:
    if not -rank <= axis < rank:
        raise OpValueError(f"axis={axis} out of bounds: expected {-rank}<=axis<{rank}")
    return axis % rank


def _along(value: RaggedTensor, axis: int, keepdims: bool, by_segment: BySegment, dense: Dense) -> Values:
    if axis == 0:
        made = _across_rows(value, by_segment)
        return with_outer_axis(made) if keepdims else made
    if axis == 1:
        made = _of_rows(value, by_segment)
        return with_inner_axis(made) if keepdims else made
    inner = value.values
    if isinstance(inner, RaggedTensor):
        result = _along(inner, axis - 1, keepdims, by_segment, dense)
    else:
        result = dense(inner, axis - 1, keepdims)
    return from_splits(result, value._split_array(), value._uniform)


def _of_rows(value: RaggedTensor, by_segment: BySegment) -> Values:
    """The reduction of each row."""
    splits = value._split_array()
    if isinstance(value.values, Tensor):
        return by_segment(value.values, row_ids(splits), value._count())
    return by_segments(value.values, row_ids(splits), value._count(), by_segment)


def _across_rows(value: RaggedTensor, by_segment: BySegment) -> Values:
    """The reduction of all rows to one: elements at the same place of their rows belong together."""
    splits = value._split_array()
    lengths = np.diff(splits)
    longest = int(lengths.max(initial=0))
    places = np.arange(int(splits[-1])) - np.repeat(splits[:-1], lengths)
    if isinstance(value.values, Tensor):
        return by_segment(value.values, places, longest)
    return by_segments(value.values, places, longest, by_segment)


def by_segments(value: RaggedTensor, ids: Array, count: int, by_segment: BySegment) -> Values:
    """The reduction of the rows that belong to each segment, element by element; each result is as long as its longest row."""
    lengths = np.diff(value._split_array())
    longest = np.zeros(count, np.int64)
    np.maximum.at(longest, ids, lengths)
    made = splits_of(longest, value._split_array().dtype)
    places = np.arange(int(lengths.sum())) - np.repeat(value._split_array()[:-1], lengths)
    inner_ids = np.repeat(made[:-1][ids], lengths) + places
    total = int(made[-1])
    if isinstance(value.values, Tensor):
        return from_splits(by_segment(value.values, inner_ids, total), made)
    return from_splits(by_segments(value.values, inner_ids, total, by_segment), made)
