"""Sparse tensors from dense ones, and back."""

from __future__ import annotations

from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.compile.output_specs import open_size
from whygrad.ops.arguments import integer
from whygrad.ops.creation import fill, ones, zeros
from whygrad.ops.elementwise import cast
from whygrad.ops.indexing import gather_nd, tensor_scatter_nd_update
from whygrad.ops.shaping import reshape
from whygrad.sparse.tensor import SparseTensor, as_sparse, from_arrays, positions_of, sizes_of
from whygrad.values import dtypes
from whygrad.values.conversion import convert
from whygrad.values.errors import OpValueError, invalid
from whygrad.values.recorders import state
from whygrad.values.tensor import Tensor, are_known, value_of, wrap


@export("sparse.from_dense")
def from_dense(tensor: Any, name: str | None = None) -> SparseTensor:
    """The elements of a dense tensor that are not 0 (of strings: not empty).

    >>> import whygrad as tf
    >>> st = tf.sparse.from_dense([[0, 3], [4, 0]])
    >>> st.indices.numpy().tolist(), st.values.numpy()
    ([[0, 1], [1, 0]], array([3, 4], dtype=int32))
    """
    x = convert(tensor, None)
    if not x.ndim:
        raise invalid("from_dense takes a tensor with axes, not a scalar [Op:GatherNd]")
    sizes = x._array.shape
    traced = _positions_in_trace(x)
    positions = _nonzero(x) if traced is None else traced
    return SparseTensor(positions, gather_nd(x, positions), wrap(np.array(sizes, np.int64)))


def _nonzero(x: Tensor) -> Tensor:
    array = value_of(x)
    return wrap(np.argwhere(array != (b"" if array.dtype == object else 0)))


def _positions_in_trace(x: Tensor) -> Tensor | None:
    """Positions of an unknown number, while the specs of a function are found; None elsewhere."""
    context = state.context
    if are_known(x) or context is None or not context.replays or (size := open_size()) is None:
        return None
    made: list[Tensor] = context.at_each_call(
        lambda given: [_nonzero(given)], (x,), [((size, x.ndim), np.dtype(np.int64))]
    )
    return made[0]


@export("sparse.to_dense")
def to_dense(
    sp_input: Any, default_value: Any = None, validate_indices: bool = True, name: str | None = None
) -> Tensor:
    """The dense tensor, with `default_value` (0) for the elements that the sparse one lacks.

    >>> import whygrad as tf
    >>> tf.sparse.to_dense(tf.SparseTensor([[0], [2]], [5.0, 6.0], [4]), default_value=-1).numpy()
    array([ 5., -1.,  6., -1.], dtype=float32)
    """
    value = as_sparse(sp_input)
    sizes = sizes_of(value)
    default = None if default_value is None else convert(default_value, value.dtype)
    if default is not None and default.ndim:
        raise invalid(f"default_value should be a scalar, not of shape {default.shape} [Op:SparseToDense]")
    if are_known(value.indices):
        _check_positions(value, sizes, bool(validate_indices))
    if not sizes:  # a scalar
        if not len(value.values):
            return zeros((), value.dtype) if default is None else default
        return reshape(value.values[-1:], ())
    base = zeros(sizes, value.dtype) if default is None else fill(sizes, default)
    return tensor_scatter_nd_update(base, value.indices, value.values)


def _check_positions(value: SparseTensor, sizes: tuple[int, ...], is_strict: bool) -> None:
    """Raise InvalidArgumentError for positions outside of the tensor; if strict, also for repeated or unordered positions."""
    positions = positions_of(value)
    if not positions.size:
        return
    inside = ((positions >= 0) & (positions < np.array(sizes, np.int64))).all(axis=1)
    if not inside.all():
        at = int(inside.argmin())
        raise invalid(
            f"indices[{at}] = {positions[at].tolist()} is out of bounds: need 0 <= index < {list(sizes)} [Op:SparseToDense]"
        )
    if is_strict and len(positions) > 1:
        places = np.ravel_multi_index(tuple(positions.T), sizes)
        steps = np.diff(places)
        if (steps <= 0).any():
            at = int((steps <= 0).argmax()) + 1
            fault = "repeated" if steps[at - 1] == 0 else "out of order. Many sparse ops require sorted indices"
            raise invalid(
                f"indices[{at}] = {positions[at].tolist()} is {fault}. tf.sparse.reorder sorts them; `validate_indices=False` takes "
                "them as they are. [Op:SparseToDense]"
            )


@export("sparse.to_indicator")
def to_indicator(sp_input: Any, vocab_size: Any, name: str | None = None) -> Tensor:
    """A dense tensor of booleans, whose last axis tells which of the numbers 0 to `vocab_size - 1` are among the values of a row.

    >>> import whygrad as tf
    >>> tf.sparse.to_indicator(tf.SparseTensor([[0, 0], [0, 1], [1, 0]], [2, 0, 1], [2, 2]), 3).numpy()
    array([[ True, False,  True],
           [False,  True, False]])
    """
    value = as_sparse(sp_input)
    ids = value_of(cast(value.values, dtypes.int64))
    count = integer(vocab_size, "vocab_size")
    if ids.size and (ids.min() < 0 or ids.max() >= count):
        raise invalid(
            f"the values must be numbers from 0 to {count - 1}, not {ids.min()} to {ids.max()} [Op:SparseToDense]"
        )
    found = np.zeros((*sizes_of(value)[:-1], count), bool)
    found[(*positions_of(value)[:, :-1].T, ids)] = True
    return wrap(found)


@export("sparse.eye")
def eye(num_rows: Any, num_columns: Any = None, dtype: Any = dtypes.float32, name: str | None = None) -> SparseTensor:
    """A matrix with ones on its diagonal.

    >>> import whygrad as tf
    >>> tf.sparse.eye(2, 3).indices.numpy().tolist()
    [[0, 0], [1, 1]]
    """
    rows = integer(num_rows, "num_rows")
    columns = rows if num_columns is None else integer(num_columns, "num_columns")
    diagonal = np.arange(min(rows, columns))
    return from_arrays(np.column_stack([diagonal, diagonal]), ones([len(diagonal)], dtype), (rows, columns))


@export("sparse.reset_shape")
def reset_shape(sp_input: Any, new_shape: Any = None) -> SparseTensor:
    """The same elements in a tensor of another shape: the smallest one, or a larger `new_shape`.

    >>> import whygrad as tf
    >>> tf.sparse.reset_shape(tf.SparseTensor([[0, 1], [1, 2]], [1, 2], [4, 5])).shape
    TensorShape([2, 3])
    """
    value = as_sparse(sp_input)
    if new_shape is None:
        positions = positions_of(value)
        smallest = positions.max(axis=0, initial=-1) + 1
        return from_arrays(positions, value.values, smallest)
    sizes = convert(new_shape, dtypes.int64)
    have, wanted = value.shape.as_list(), value_of(sizes).tolist()
    if len(have) != len(wanted):
        raise OpValueError(
            f"Dimensions {len(have)} and {len(wanted)} are not compatible: `new_shape` has the same rank"
        )
    if any(old is not None and new < old for old, new in zip(have, wanted)):
        raise OpValueError(f"Requested dimension sizes {wanted} must be at least those of the sparse tensor, {have}")
    return SparseTensor(value.indices, value.values, sizes)
