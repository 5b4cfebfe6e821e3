"""NumPy's functions that reduce along axes, or accumulate along one."""

from __future__ import annotations

from typing import Any

import numpy as np
import whygrad as tf
from whygrad.numpy.elementwise import truth
from whygrad.numpy.promotion import as_dtype, floating, normal_axes, normal_axis, numpy_dtype, refuse, tensor
from whygrad.values.tensor import Tensor

__all__ = [
    "all",
    "amax",
    "amin",
    "any",
    "cumprod",
    "cumsum",
    "max",
    "mean",
    "min",
    "prod",
    "sum",
]

_given = np._NoValue


def summed_dtype(x: Tensor, dtype: Any) -> Tensor:
    """`x` in the dtype in which NumPy adds it up: integers narrower than the machine's are widened."""
    given = x._array.dtype
    if dtype is not None:
        return as_dtype(x, numpy_dtype(dtype))
    if given.kind in "fcV" or given.itemsize == 8:
        return x
    return as_dtype(x, np.dtype(np.uint64 if given.kind == "u" else np.int64))


def sum(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = False,
    initial: Any = _given,
    where: Any = _given,
) -> Tensor:
    """The sum over `axis`."""
    x = summed_dtype(tensor(a), dtype)
    refuse("sum", out=out)
    if where is not _given:
        x = tf.where(truth(where), x, tf.zeros((), x.dtype))
    y = tf.reduce_sum(x, normal_axes(axis, x.ndim), bool(keepdims))
    return y if initial is _given else y + initial


def prod(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = False,
    initial: Any = _given,
    where: Any = _given,
) -> Tensor:
    """The product over `axis`."""
    x = summed_dtype(tensor(a), dtype)
    refuse("prod", out=out)
    if where is not _given:
        x = tf.where(truth(where), x, tf.ones((), x.dtype))
    y = tf.reduce_prod(x, normal_axes(axis, x.ndim), bool(keepdims))
    return y if initial is _given else y * initial


def mean(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False, *, where: Any = _given
) -> Tensor:
    """The mean over `axis`."""
    x = floating(a) if dtype is None else as_dtype(tensor(a), numpy_dtype(dtype))
    refuse("mean", out=out, where=where)
    return tf.reduce_mean(x, normal_axes(axis, x.ndim), bool(keepdims))


def max(
    a: Any, axis: Any = None, out: Any = None, keepdims: Any = False, initial: Any = _given, where: Any = _given
) -> Tensor:
    """The largest element over `axis`."""
    x = tensor(a)
    refuse("max", out=out, initial=initial, where=where)
    return tf.reduce_max(x, normal_axes(axis, x.ndim), bool(keepdims))


def min(
    a: Any, axis: Any = None, out: Any = None, keepdims: Any = False, initial: Any = _given, where: Any = _given
) -> Tensor:
    """The smallest element over `axis`."""
    x = tensor(a)
    refuse("min", out=out, initial=initial, where=where)
    return tf.reduce_min(x, normal_axes(axis, x.ndim), bool(keepdims))


amax, amin = max, min


def all(a: Any, axis: Any = None, out: Any = None, keepdims: Any = False, *, where: Any = _given) -> Tensor:
    """Whether all elements over `axis` are true."""
    x = truth(a)
    refuse("all", out=out, where=where)
    return tf.reduce_all(x, normal_axes(axis, x.ndim), bool(keepdims))


def any(a: Any, axis: Any = None, out: Any = None, keepdims: Any = False, *, where: Any = _given) -> Tensor:
    """Whether any element over `axis` is true."""
    x = truth(a)
    refuse("any", out=out, where=where)
    return tf.reduce_any(x, normal_axes(axis, x.ndim), bool(keepdims))


def cumsum(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Tensor:
    """Running sums along `axis`."""
    x = summed_dtype(tensor(a), dtype)
    refuse("cumsum", out=out)
    if axis is None:
        x, axis = tf.reshape(x, (-1,)), 0
    return tf.cumsum(x, normal_axis(axis, x.ndim))


def cumprod(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Tensor:
    """Running products along `axis`."""
    x = summed_dtype(tensor(a), dtype)
    refuse("cumprod", out=out)
    if axis is None:
        x, axis = tf.reshape(x, (-1,)), 0
    return tf.math.cumprod(x, normal_axis(axis, x.ndim))
