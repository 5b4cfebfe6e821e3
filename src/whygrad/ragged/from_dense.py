"""Ragged tensors from dense and sparse ones, and back."""

from __future__ import annotations

from typing import Any

import numpy as np

from whygrad.ops.shaping import reshape
from whygrad.ragged.indexing import taken, within
from whygrad.ragged.tensor import Array, RaggedTensor, from_splits, splits_of
from whygrad.sparse.tensor import SparseTensor, from_arrays, positions_of, sizes_of
from whygrad.values.conversion import convert, convert_to_tensor
from whygrad.values.dtypes import DType
from whygrad.values.errors import OpTypeError, OpValueError, invalid
from whygrad.values.tensor import Tensor, value_of


def from_tensor(tensor: Any, lengths: Any, padding: Any, ragged_rank: int, splits_dtype: DType) -> RaggedTensor:
    """A tensor as a ragged one: see `RaggedTensor.from_tensor`."""
    if lengths is not None and padding is not None:
        raise OpValueError("Specify argument `lengths` or `padding`, but not both.")
    if not isinstance(ragged_rank, int):
        raise OpTypeError(f"Argument `ragged_rank` must be an int. Received {ragged_rank}.")
    if ragged_rank <= 0:
        raise OpValueError(f"Argument `ragged_rank` must be greater than 0. Received {ragged_rank}.")
    x = convert_to_tensor(tensor)
    if x.ndim < 2:
        raise OpValueError(
            "The rank of a RaggedTensor must be greater than 1, i.e., a list of scalars won't have ragged dimensions. "
            f"Received argument `tensor` with rank {x.ndim}."
        )
    if x.ndim <= ragged_rank:
        raise OpValueError(f"Shape {x.shape} must have rank at least {ragged_rank + 1}")
    shape = x._array.shape
    integers = splits_dtype.numpy_dtype
    if isinstance(lengths, list | tuple) and lengths and not isinstance(lengths[0], int | np.integer):
        if ragged_rank not in (1, len(lengths)):
            raise OpValueError(
                f"If Argument `lengths` is a tuple of row_lengths, argument `ragged_rank` must be {len(lengths)}."
            )
        return _cut_nested(x, lengths, integers)
    if ragged_rank > 1:  # the outer axes are kept whole, and the innermost of them divides the rest
        flat = reshape(x, (-1, *shape[ragged_rank:]))
        made: Any = _innermost(flat, lengths, padding, integers)
        for size, rows in reversed(list(zip(shape[1:ragged_rank], np.cumprod(shape[: ragged_rank - 1])))):
            made = from_splits(made, np.arange(rows + 1, dtype=integers) * size, size)
        return made  # type: ignore[no-any-return]
    return _innermost(x, lengths, padding, integers)


def _innermost(x: Tensor, lengths: Any, padding: Any, integers: Any) -> RaggedTensor:
    """Rows of a tensor, cut to lengths or without padding."""
    rows, size = x._array.shape[:2]
    if padding is not None:
        kept = _without_padding(x, padding)
    elif lengths is not None:
        kept = np.clip(value_of(convert_to_tensor(lengths)), 0, size)
        if kept.shape != (rows,):
            raise OpValueError(f"Shape {kept.shape} must be ({rows},): `lengths` has one length for each row")
    else:
        whole = np.arange(rows + 1, dtype=integers) * size
        return from_splits(reshape(x, (rows * size, *x._array.shape[2:])), whole, size)
    return _cut(x, kept, integers)


def _cut(x: Tensor, lengths: Array, integers: Any) -> RaggedTensor:
    rows, size = x._array.shape[:2]
    positions = np.flatnonzero(np.arange(size) < np.asarray(lengths).reshape(rows, 1))
    flat = reshape(x, (rows * size, *x._array.shape[2:]))
    return from_splits(taken(flat, positions), splits_of(lengths, integers))


def _cut_nested(x: Tensor, lengths: Any, integers: Any) -> RaggedTensor:
    made: RaggedTensor = _innermost(x, lengths[0], None, integers)
    if len(lengths) > 1:
        inner = _cut_nested(made.flat_values, lengths[1:], integers)
        return from_splits(inner, made._split_array())
    return made


def _without_padding(x: Tensor, padding: Any) -> Array:
    """The length of each row without the padding at its end."""
    default = convert(padding, x.dtype)
    inner = x._array.shape[2:]
    if default.ndim and default._array.shape != inner:
        raise OpValueError(
            f"Shapes {inner} and {default.shape} are incompatible: `padding` has the shape of one element"
        )
    differs: Array = np.asarray(value_of(x) != value_of(default)).reshape(*x._array.shape[:2], -1).any(axis=2)
    size = x._array.shape[1]
    last = size - np.argmax(differs[:, ::-1], axis=1) if size else np.zeros(len(differs), np.int64)
    return np.where(differs.any(axis=1), last, 0)


def from_sparse(value: Any, splits_dtype: DType) -> RaggedTensor:
    """A sparse tensor as a ragged one: see `RaggedTensor.from_sparse`."""
    if not isinstance(value, SparseTensor):
        raise OpTypeError(f"Argument `st_input` must be of type SparseTensor, but is of type {type(value).__name__}.")
    sizes = sizes_of(value)
    if len(sizes) != 2:
        raise OpValueError(f"Shape {value.shape} must have rank 2: the rows of a ragged tensor")
    rows, places = positions_of(value).T
    lengths = np.bincount(rows, minlength=sizes[0])
    if (np.diff(rows) < 0).any() or (places != within(np.zeros_like(lengths), lengths)).any():
        raise invalid("SparseTensor is not right-ragged: the elements of each row stand without gaps at its beginning")
    return from_splits(value.values, splits_of(lengths, splits_dtype.numpy_dtype))


def to_sparse(value: RaggedTensor) -> SparseTensor:
    """A ragged tensor as a sparse one: see `RaggedTensor.to_sparse`."""
    flat = value.flat_values
    inner = flat._array.shape[1:]
    outer = np.stack(value._coordinates(), axis=1)
    size = int(np.prod(inner))
    within_inner = np.indices(inner).reshape(len(inner), size).T
    positions = np.column_stack([np.repeat(outer, size, axis=0), np.tile(within_inner, (len(outer), 1))])
    return from_arrays(positions, reshape(flat, [-1]), value_of(value.bounding_shape()))
