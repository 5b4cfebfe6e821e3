"""`tf.io.serialize_sparse` and its inverse: the three parts of a sparse tensor as messages of protocol buffers."""

from __future__ import annotations

from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.io import wire
from whygrad.io.tensor_protos import array_of_message, message_of
from whygrad.sparse.shaping import stacked
from whygrad.sparse.tensor import SparseTensor, as_sparse, from_arrays, row_of, sizes_of
from whygrad.values import dtypes
from whygrad.values.conversion import convert
from whygrad.values.errors import OpNotImplementedError, OpTypeError, invalid
from whygrad.values.faults import StringsComputed
from whygrad.values.recorders import state
from whygrad.values.tensor import Tensor, value_of, wrap


@export("io.serialize_sparse")
def serialize_sparse(sp_input: Any, out_type: Any = dtypes.string, name: str | None = None) -> Tensor:
    """A sparse tensor as three strings: its indices, values and shape.

    >>> import whygrad as tf
    >>> tf.io.serialize_sparse(tf.SparseTensor([[0]], [1], [3])).shape
    TensorShape([3])
    """
    _check(out_type)
    return wrap(_strings(as_sparse(sp_input)))


@export("io.serialize_many_sparse")
def serialize_many_sparse(sp_input: Any, out_type: Any = dtypes.string, name: str | None = None) -> Tensor:
    """The same of each row of a sparse tensor: a matrix of strings.

    >>> import whygrad as tf
    >>> tf.io.serialize_many_sparse(tf.SparseTensor([[0, 0], [1, 1]], [1, 2], [2, 3])).shape
    TensorShape([2, 3])
    """
    _check(out_type)
    value = as_sparse(sp_input)
    if len(value.shape) < 2:
        raise invalid(
            f"Rank of input SparseTensor should be > 1, but saw rank: {len(value.shape)} [Op:SerializeManySparse]"
        )
    rows = [_strings(row_of(value, i)) for i in range(sizes_of(value)[0])]
    return wrap(np.stack(rows) if rows else np.empty((0, 3), object))


@export("io.deserialize_many_sparse")
def deserialize_many_sparse(
    serialized_sparse: Any, dtype: Any, rank: int | None = None, name: str | None = None
) -> SparseTensor:
    """The sparse tensors that `serialize_sparse` or `serialize_many_sparse` made strings of, as rows of one.

    >>> import whygrad as tf
    >>> rows = tf.io.serialize_many_sparse(tf.SparseTensor([[0, 0], [1, 1]], [1, 2], [2, 3]))
    >>> tf.io.deserialize_many_sparse(rows, tf.int32).values.numpy()
    array([1, 2], dtype=int32)
    """
    _check(dtypes.string)
    strings = value_of(convert(serialized_sparse, dtypes.string))
    if strings.ndim != 2 or strings.shape[1] != 3:
        raise invalid(f"Serialized sparse should have 3 columns, but has the shape {list(strings.shape)}")
    wanted = dtypes.as_dtype(dtype)
    rows = []
    for number, (indices, values, shape) in enumerate(strings.tolist()):
        try:
            parts = [
                array_of_message(each, kind)
                for each, kind in ((indices, dtypes.int64), (values, wanted), (shape, dtypes.int64))
            ]
        except wire.DecodeError as error:
            raise invalid(f"Could not parse serialized_sparse[{number}]: {error} [Op:DeserializeSparse]") from None
        rows.append(from_arrays(parts[0], wrap(parts[1]), parts[2]))
    if not rows:
        raise invalid("Must have at least 1 serialized SparseTensor, but input matrix has 0 rows")
    return stacked(rows)


def _strings(value: SparseTensor) -> Any:
    made = np.empty(3, object)
    made[:] = [message_of(value_of(each), each.dtype, strings_apart=False) for each in value._components()]
    return made


def _check(out_type: Any) -> None:
    if state.context is not None:
        raise OpTypeError(
            StringsComputed(what="tf.io.serialize_sparse and tf.io.deserialize_many_sparse compute with them")
        )
    if dtypes.as_dtype(out_type) is not dtypes.string:
        raise OpNotImplementedError("out_type is tf.string here: whygrad has no variant tensors")
