"""`tf.sparse.bincount`: counts of numbers as a sparse tensor."""

from __future__ import annotations

from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.ops.elementwise import cast
from whygrad.sparse.tensor import Array, SparseTensor, from_arrays, grouped, positions_of, sizes_of
from whygrad.values import dtypes
from whygrad.values.composite import TensorLikeComposite
from whygrad.values.conversion import convert
from whygrad.values.errors import OpValueError, invalid
from whygrad.values.tensor import Tensor, value_of, wrap


@export("sparse.bincount")
def bincount(
    values: Any,
    weights: Any = None,
    axis: Any = 0,
    minlength: Any = None,
    maxlength: Any = None,
    binary_output: bool = False,
    name: str | None = None,
) -> SparseTensor:
    """How often each number appears, or the sum of the weights of its appearances; `axis=-1` counts row by row.

    >>> import whygrad as tf
    >>> counts = tf.sparse.bincount([[1, 3, 3], [0, 1, 1]], axis=-1)
    >>> counts.indices.numpy().tolist(), counts.values.numpy()
    ([[0, 1], [0, 3], [1, 0], [1, 1]], array([1, 2, 1, 2], dtype=int32))
    """
    if weights is not None and binary_output:
        raise OpValueError("Arguments `binary_output` and `weights` are mutually exclusive. Please specify only one.")
    if axis not in (None, 0, -1):
        raise OpValueError(f"Unsupported value for argument axis={axis}. Only 0 and -1 are currently supported.")
    numbers = _sparse_or_dense(values)
    if not numbers.dtype.is_integer:
        numbers = cast(numbers, dtypes.int64)
    heavy = None if weights is None else _weights(numbers, _sparse_or_dense(weights))
    rows, flat = _rows_and_numbers(numbers)
    dtype = numbers.dtype if heavy is None else heavy.dtype
    if flat.size and flat.min() < 0:
        raise invalid(f"Input values must all be non-negative, but one is {flat.min()}")
    by_row = axis == -1 and len(numbers.shape) == 2
    if axis == -1 and len(numbers.shape) > 2:
        raise invalid(f"Input must be a 1 or 2-dimensional tensor. Got: {len(numbers.shape)}")
    if maxlength is not None and (limit := _number(maxlength)) > 0:
        size = limit
    else:
        size = max(int(flat.max(initial=0)) + 1, 0 if minlength is None else _number(minlength))
    kept = flat < size
    keys = np.column_stack([rows, flat])[kept] if by_row else flat[kept].reshape(-1, 1)
    groups, ids = grouped(keys.astype(np.int64))
    amounts = np.ones(len(ids), dtype.numpy_dtype) if heavy is None else value_of(heavy).reshape(-1)[kept]
    counts = np.zeros(len(groups), dtype.numpy_dtype)
    np.add.at(counts, ids, amounts)
    if binary_output:
        counts = np.ones_like(counts)
    return from_arrays(groups, wrap(counts), [numbers.shape[0], size] if by_row else [size])


def _sparse_or_dense(value: Any) -> Any:
    if isinstance(value, TensorLikeComposite) and not isinstance(value, SparseTensor):
        return value.to_sparse()  # type: ignore[attr-defined]  # a ragged one
    return value if isinstance(value, SparseTensor) else convert(value, None)


def _number(value: Any) -> int:
    return int(value_of(convert(value, None)))


def _weights(numbers: Any, weights: Any) -> Tensor:
    """The weights of the numbers, which are sparse where those are."""
    if isinstance(numbers, SparseTensor) != isinstance(weights, SparseTensor):
        raise OpValueError("Argument `weights` must be a SparseTensor if `values` is one, and else a Tensor.")
    if not isinstance(weights, SparseTensor):
        if weights.shape != numbers.shape:
            raise OpValueError(
                f"`weights` has shape {weights.shape}, and `values` {numbers.shape}: one weight for each"
            )
        return weights  # type: ignore[no-any-return]
    if sizes_of(weights) != sizes_of(numbers) or not np.array_equal(positions_of(weights), positions_of(numbers)):
        raise invalid("'weights' and 'values' must have the same dense shape and the same indices.")
    return weights.values


def _rows_and_numbers(value: Any) -> tuple[Array, Array]:
    if isinstance(value, SparseTensor):
        return positions_of(value)[:, 0], value_of(value.values)
    array = value_of(value)
    rows = np.repeat(np.arange(len(array)), array[0].size if len(array) else 0) if array.ndim else np.zeros(1, np.int64)
    return rows, array.reshape(-1)
