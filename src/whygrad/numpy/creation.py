"""Tensors made from nothing but a shape, and constants. NumPy's defaults: float64, and int64 for counting."""

from __future__ import annotations

from typing import Any

import numpy as np
import whygrad as tf
from whygrad.numpy.promotion import as_dtype, number, numpy_dtype, refuse, static_shape, tensor
from whygrad.values.conversion import convert
from whygrad.values.tensor import Tensor, wrap

__all__ = [
    "arange",
    "asarray",
    "eye",
    "full",
    "full_like",
    "ones",
    "ones_like",
    "zeros",
    "zeros_like",
]


def asarray(
    a: Any, dtype: Any = None, order: Any = None, *, device: Any = None, copy: bool | None = None, like: Any = None
) -> Tensor:
    """`a` as a Tensor; a Tensor stays on its tape's path."""
    x = tensor(a)
    return x if dtype is None else as_dtype(x, numpy_dtype(dtype))


def zeros(shape: Any, dtype: Any = float, order: str = "C", *, device: Any = None, like: Any = None) -> Tensor:
    """Zeros."""
    return wrap(np.zeros(static_shape(shape), numpy_dtype(dtype, float)))


def ones(shape: Any, dtype: Any = float, order: str = "C", *, device: Any = None, like: Any = None) -> Tensor:
    """Ones."""
    return wrap(np.ones(static_shape(shape), numpy_dtype(dtype, float)))


def full(
    shape: Any, fill_value: Any, dtype: Any = None, order: str = "C", *, device: Any = None, like: Any = None
) -> Tensor:
    """`fill_value` everywhere."""
    value = tensor(fill_value)
    if dtype is not None:
        value = as_dtype(value, numpy_dtype(dtype))
    return tf.broadcast_to(value, static_shape(shape))


def zeros_like(
    a: Any, dtype: Any = None, order: str = "K", subok: bool = True, shape: Any = None, *, device: Any = None
) -> Tensor:
    """Zeros in the shape and dtype of `a`."""
    x = tensor(a)._array
    return wrap(np.zeros(x.shape if shape is None else static_shape(shape), numpy_dtype(dtype, x.dtype)))


def ones_like(
    a: Any, dtype: Any = None, order: str = "K", subok: bool = True, shape: Any = None, *, device: Any = None
) -> Tensor:
    """Ones in the shape and dtype of `a`."""
    x = tensor(a)._array
    return wrap(np.ones(x.shape if shape is None else static_shape(shape), numpy_dtype(dtype, x.dtype)))


def full_like(
    a: Any,
    fill_value: Any,
    dtype: Any = None,
    order: str = "K",
    subok: bool = True,
    shape: Any = None,
    *,
    device: Any = None,
) -> Tensor:
    """`fill_value` in the shape and dtype of `a`."""
    x = tensor(a)._array
    return full(x.shape if shape is None else shape, fill_value, numpy_dtype(dtype, x.dtype))


def arange(
    start: Any, stop: Any = None, step: Any = 1, dtype: Any = None, *, device: Any = None, like: Any = None
) -> Tensor:
    """Numbers from `start` up to `stop`, `step` apart; from 0 if only one number is given."""
    numbers = [number(each) for each in (start, stop, step)]
    begin, end = (0, numbers[0]) if stop is None else numbers[:2]
    return wrap(np.arange(begin, end, numbers[2], dtype=None if dtype is None else numpy_dtype(dtype)))


def eye(
    N: int,
    M: int | None = None,
    k: int = 0,
    dtype: Any = float,
    order: str = "C",
    *,
    device: Any = None,
    like: Any = None,
) -> Tensor:
    """Ones on the k-th diagonal of a matrix of zeros."""
    return wrap(np.eye(number(N), number(M), number(k), numpy_dtype(dtype, float)))
