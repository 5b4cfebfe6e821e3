"""`tf.experimental.numpy.random`: NumPy's older functions for random numbers, with TensorFlow's generator and global seed.

The numbers are those of TensorFlow for the same seed, as Tensors of NumPy's dtypes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from whygrad.numpy.promotion import as_dtype, numpy_dtype, tensor
from whygrad.ops import random as _random
from whygrad.ops.random_streams import set_seed as _set_seed
from whygrad.ops.shapes import broadcast_static_shape
from whygrad.values import dtypes
from whygrad.values.errors import OpValueError
from whygrad.values.shapes import TensorShape
from whygrad.values.tensor import Tensor

__all__ = ["poisson", "rand", "randint", "randn", "random", "seed", "standard_normal", "uniform"]


def seed(s: Any) -> None:
    """Set the global seed, as `tf.random.set_seed` does.

    >>> import whygrad as tf
    >>> tf.experimental.numpy.random.seed(7)
    """
    try:
        whole = int(s)
    except TypeError:
        raise OpValueError(f"Argument `s` got an invalid value {s}. Only integers are supported.") from None
    _set_seed(whole)


def standard_normal(size: Any = None) -> Tensor:
    """Draw from the normal distribution with mean 0 and standard deviation 1, in float64.

    >>> import whygrad as tf
    >>> tf.experimental.numpy.random.standard_normal((2, 3)).shape
    TensorShape([2, 3])
    """
    return _random.normal(_shape(size), dtype=dtypes.float64)


def randn(*args: Any) -> Tensor:
    """Like `standard_normal`, with the sizes as arguments.

    >>> import whygrad as tf
    >>> tf.experimental.numpy.random.randn(2, 3).shape
    TensorShape([2, 3])
    """
    return standard_normal(args)


def uniform(low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Tensor:
    """Draw uniformly from [low, high), in float64; without `size`, one number for each pair of bounds.

    >>> import whygrad as tf
    >>> tf.experimental.numpy.random.uniform(0.0, [1.0, 10.0]).shape
    TensorShape([2])
    """
    first, last = (as_dtype(tensor(bound), np.dtype(np.float64)) for bound in (low, high))
    shape = broadcast_static_shape(TensorShape(first.shape), TensorShape(last.shape)) if size is None else _shape(size)
    return _random.uniform(shape, minval=first, maxval=last, dtype=dtypes.float64)


def random(size: Any = None) -> Tensor:
    """Draw uniformly from [0, 1), in float64.

    >>> import whygrad as tf
    >>> tf.experimental.numpy.random.random(3).shape
    TensorShape([3])
    """
    return uniform(0.0, 1.0, size)


def rand(*size: Any) -> Tensor:
    """Like `random`, with the sizes as arguments.

    >>> import whygrad as tf
    >>> tf.experimental.numpy.random.rand(2, 3).shape
    TensorShape([2, 3])
    """
    return uniform(0.0, 1.0, size)


def poisson(lam: Any = 1.0, size: Any = None) -> Tensor:
    """Draw from the Poisson distribution, in int64; for each rate in `lam`, a sample of shape `size`.

    >>> import whygrad as tf
    >>> tf.experimental.numpy.random.poisson(4.0, 5).dtype
    tf.int64
    """
    return _random.poisson(_shape(size), lam, dtype=dtypes.int64)


def randint(low: Any, high: Any = None, size: Any = None, dtype: Any = np.int64) -> Tensor:
    """Draw integers uniformly from [low, high), or from [0, low) without `high`.

    >>> import whygrad as tf
    >>> bool(tf.reduce_all(tf.experimental.numpy.random.randint(3, size=100) < 3))
    True
    """
    first, last = (0, int(low)) if high is None else (int(low), high)
    wanted = numpy_dtype(dtype)
    if wanted not in (np.int32, np.int64):
        raise OpValueError(
            f"Argument `dtype` got an invalid value {dtype}. Only those convertible to int32 and int64 are supported."
        )
    return _random.uniform(_shape(size), minval=first, maxval=last, dtype=wanted)


def _shape(size: Any) -> Any:
    if size is None:
        return ()
    return (size,) if np.ndim(size) == 0 else size
