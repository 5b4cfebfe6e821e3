"""Constants: tensors made from Python values, filled, or counted."""

from __future__ import annotations

from typing import Any

import numpy as np

from whygrad.ops.shaping import reshape, static_shape
from whygrad.values import dtypes
from whygrad.values.conversion import convert
from whygrad.values.tensor import Tensor, wrap
from whygrad.values.variable import Variable


def constant(value: Any, dtype: Any = None, shape: Any = None, name: str = "Const") -> Tensor:
    """A tensor with this value; a tensor itself is passed through, and stays on its tape's path.

    >>> import whygrad as tf
    >>> tf.constant([[1.0, 2.0], [3.0, 4.0]])
    <tf.Tensor: shape=(2, 2), dtype=float32, numpy=
    array([[1., 2.],
           [3., 4.]], dtype=float32)>
    """
    wanted = None if dtype is None else dtypes.as_dtype(dtype)
    if isinstance(value, Tensor) and wanted not in (None, value.dtype):
        raise TypeError(f"Expected tensor {value.numpy()} with dtype {wanted!r}, but got dtype {value.dtype!r}.")
    tensor = convert(value, wanted)
    if shape is None:
        return tensor
    wanted_shape = static_shape(shape)
    if wanted_shape == tuple(tensor.shape):
        return tensor
    count = int(np.prod(wanted_shape))
    if tensor.shape.num_elements() == count:
        return reshape(tensor, wanted_shape)
    if tensor.shape.num_elements() == 1:
        return wrap(np.full(wanted_shape, tensor._array.reshape(()), tensor._array.dtype))
    raise TypeError(
        f"Eager execution of tf.constant with unsupported shape. Tensor {tensor!r} (converted from {value}) has "
        f"{tensor.shape.num_elements()} elements, but got `shape` {wanted_shape} with {count} elements)."
    )


def ones(shape: Any, dtype: Any = dtypes.float32, name: str | None = None, layout: Any = None) -> Tensor:
    """A tensor of ones.

    >>> import whygrad as tf
    >>> tf.ones((2,)).numpy()
    array([1., 1.], dtype=float32)
    """
    return wrap(np.ones(static_shape(shape), dtypes.as_dtype(dtype).numpy_dtype))


def zeros(shape: Any, dtype: Any = dtypes.float32, name: str | None = None, layout: Any = None) -> Tensor:
    """A tensor of zeros.

    >>> import whygrad as tf
    >>> tf.zeros((2,)).numpy()
    array([0., 0.], dtype=float32)
    """
    return wrap(np.zeros(static_shape(shape), dtypes.as_dtype(dtype).numpy_dtype))


def is_tensor(x: Any) -> bool:
    """Whether x is a Tensor, Variable or IndexedSlices.

    >>> import whygrad as tf
    >>> tf.is_tensor(tf.ones(2)), tf.is_tensor([1.0])
    (True, False)
    """
    from whygrad.values.indexed_slices import IndexedSlices

    return isinstance(x, Tensor | Variable | IndexedSlices)
