"""`tf.sets`: the values along the last axis as sets."""

from __future__ import annotations

from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.sparse.tensor import Array, SparseTensor, as_sparse, from_arrays, grouped, positions_of, sizes_of
from whygrad.values.conversion import convert
from whygrad.values.dtypes import DType
from whygrad.values.errors import OpTypeError, invalid
from whygrad.values.tensor import Tensor, value_of, wrap

_ALLOWED = ("int8", "int16", "int32", "int64", "uint8", "uint16", "string")


@export("sets.intersection")
def intersection(a: Any, b: Any, validate_indices: bool = True) -> SparseTensor:
    """The values that both sets have, in their order, for the sets along the last axis of two dense or sparse tensors.

    >>> import whygrad as tf
    >>> tf.sets.intersection([[1, 2, 3]], [[3, 9, 2]]).values.numpy()
    array([2, 3], dtype=int32)
    """
    return _combined(a, b, lambda in_a, in_b: in_a & in_b)


@export("sets.union")
def union(a: Any, b: Any, validate_indices: bool = True) -> SparseTensor:
    """The values that either set has, in their order, for the sets along the last axis of two dense or sparse tensors.

    >>> import whygrad as tf
    >>> tf.sets.union([[1, 2, 3]], [[3, 9, 2]]).values.numpy()
    array([1, 2, 3, 9], dtype=int32)
    """
    return _combined(a, b, lambda in_a, in_b: in_a | in_b)


@export("sets.difference")
def difference(a: Any, b: Any, aminusb: bool = True, validate_indices: bool = True) -> SparseTensor:
    """The values that only the first set has, or with `aminusb=False` only the second.

    >>> import whygrad as tf
    >>> tf.sets.difference([[1, 2, 3]], [[3, 9, 2]]).values.numpy()
    array([1], dtype=int32)
    """
    return _combined(a, b, lambda in_a, in_b: (in_a & ~in_b) if aminusb else (in_b & ~in_a))


@export("sets.size")
def size(a: Any, validate_indices: bool = True) -> Tensor:
    """The number of different values in each set along the last axis of a sparse tensor.

    >>> import whygrad as tf
    >>> tf.sets.size(tf.SparseTensor([[0, 0], [0, 1], [1, 0]], [1, 1, 3], [2, 2])).numpy()
    array([1, 1], dtype=int32)
    """
    value = as_sparse(a)
    _check_dtype(value.dtype)
    outer, values, sizes = _parts(value)
    members, _ = grouped(np.column_stack([outer, np.unique(values, return_inverse=True)[1]]))
    counts = np.zeros(sizes, np.int32)
    np.add.at(counts, tuple(members[:, :-1].T), 1)
    return wrap(counts)


def _combined(a: Any, b: Any, is_chosen: Any) -> SparseTensor:
    one, other = [each if isinstance(each, SparseTensor) else convert(each, None) for each in (a, b)]
    if one.dtype is not other.dtype:
        raise OpTypeError(f"Types of the two sets differ: {one.dtype.name} and {other.dtype.name}")
    _check_dtype(one.dtype)
    (outer_a, values_a, sizes), (outer_b, values_b, other_sizes) = _parts(one), _parts(other)
    if sizes != other_sizes:
        raise invalid(f"Mismatched group dimensions: the sets have the shapes {list(sizes)} and {list(other_sizes)}")
    different, codes = np.unique(np.concatenate([values_a, values_b]), return_inverse=True)
    members, numbers = grouped(np.column_stack([np.concatenate([outer_a, outer_b]), codes]))
    in_a, in_b = [
        np.bincount(each, minlength=len(members)) > 0 for each in (numbers[: len(values_a)], numbers[len(values_a) :])
    ]
    members = members[is_chosen(in_a, in_b)]
    outer, values = members[:, :-1], different[members[:, -1]]
    groups, numbers = grouped(outer)
    counts = np.bincount(numbers, minlength=len(groups))
    places = np.arange(len(outer)) - (np.cumsum(counts) - counts)[numbers]
    return from_arrays(np.column_stack([outer, places]), wrap(values), [*sizes, int(counts.max(initial=0))])


def _check_dtype(dtype: DType) -> None:
    if dtype.name not in _ALLOWED:
        raise OpTypeError(f"{dtype.name} is not one of the types of sets: {', '.join(_ALLOWED)}")


def _parts(value: Any) -> tuple[Array, Array, tuple[int, ...]]:
    """For each value the position of its set; the values; and the shape without the last axis."""
    if len(value.shape) < 2:
        raise invalid(f"Input must have rank 2 at least: sets along the last axis, not shape {value.shape}")
    if isinstance(value, SparseTensor):
        return positions_of(value)[:, :-1], value_of(value.values), sizes_of(value)[:-1]
    array = value_of(value)
    outer = np.indices(array.shape).reshape(array.ndim, -1).T[:, :-1]
    return outer, array.reshape(-1), array.shape[:-1]
