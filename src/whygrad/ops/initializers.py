"""Initializers: callables that create a tensor for a given shape."""

from __future__ import annotations

from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.ops import creation, random
from whygrad.values import dtypes
from whygrad.values.errors import OpTypeError, OpValueError
from whygrad.values.tensor import Tensor

_PARTITION = ("partition_shape", "partition_offset")


class Initializer:
    """Base class of initializers: called with a shape and a dtype, they return a tensor.

    `partition_shape` and `partition_offset` select a part of a larger, partitioned variable.
    """

    def get_config(self) -> dict[str, Any]:
        """The arguments that create the same initializer."""
        return {}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Any:
        """The initializer for a configuration returned by `get_config`."""
        return cls(**{name: value for name, value in config.items() if name != "dtype"})


def _shape(initializer: Initializer, shape: Any, partition: dict[str, Any], supported: bool = True) -> Any:
    """The shape to create: that of the partition, if one is given."""
    for name in partition:
        if name not in _PARTITION:
            raise OpTypeError(f"Keyword argument should be one of {list(_PARTITION)}. Received: {name}")
        if not supported:
            kind = type(initializer).__name__
            raise OpValueError(f"{kind} initializer doesn't support partition-related arguments")
    return partition.get("partition_shape", shape)


def _numeric(dtype: Any) -> dtypes.DType:
    wanted = dtypes.as_dtype(dtype)
    if wanted is dtypes.string:
        raise OpValueError(f"Argument `dtype` expected to be numeric or boolean. Received {wanted!s}.")
    return wanted


@export("zeros_initializer")
class Zeros(Initializer):
    """Zeros.

    >>> import whygrad as tf
    >>> tf.zeros_initializer()(shape=(2,)).numpy()
    array([0., 0.], dtype=float32)
    """

    def __call__(self, shape: Any, dtype: Any = dtypes.float32, **kwargs: Any) -> Tensor:
        return creation.zeros(_shape(self, shape, kwargs), _numeric(dtype))


@export("ones_initializer")
class Ones(Initializer):
    """Ones.

    >>> import whygrad as tf
    >>> tf.ones_initializer()(shape=(2,), dtype=tf.int32).numpy()
    array([1, 1], dtype=int32)
    """

    def __call__(self, shape: Any, dtype: Any = dtypes.float32, **kwargs: Any) -> Tensor:
        return creation.ones(_shape(self, shape, kwargs), _numeric(dtype))


@export("constant_initializer")
class Constant(Initializer):
    """A given value: one number for all elements, or one for each.

    >>> import whygrad as tf
    >>> tf.constant_initializer([0, 1, 2, 3])(shape=(2, 2), dtype=tf.float32).numpy()
    array([[0., 1.],
           [2., 3.]], dtype=float32)
    """

    def __init__(self, value: Any = 0, support_partition: bool = False) -> None:
        if not (np.isscalar(value) or isinstance(value, list | tuple | np.ndarray)):
            raise OpTypeError(
                f"Invalid type for initial value: {type(value).__name__}. Expected Python scalar, list or tuple of values, "
                "or numpy.ndarray."
            )
        self.value = value
        self.support_partition = support_partition

    def __call__(self, shape: Any, dtype: Any = None, **kwargs: Any) -> Tensor:
        _shape(self, shape, kwargs, self.support_partition)
        return creation.constant(self.value, None if dtype is None else dtypes.as_dtype(dtype), shape)

    def get_config(self) -> dict[str, Any]:
        """The value."""
        return {"value": self.value}


@export("random_uniform_initializer")
class RandomUniform(Initializer):
    """Uniform numbers from `minval` to `maxval`; with a seed, the same at every call.

    >>> import whygrad as tf
    >>> draw = tf.random_uniform_initializer(-1.0, 1.0, seed=3)
    >>> bool(tf.reduce_all(draw((4,)) == draw((4,))))
    True
    """

    def __init__(self, minval: Any = -0.05, maxval: Any = 0.05, seed: int | None = None) -> None:
        self.minval = minval
        self.maxval = maxval
        self.seed = seed

    def __call__(self, shape: Any, dtype: Any = dtypes.float32, **kwargs: Any) -> Tensor:
        shape = _shape(self, shape, kwargs)
        wanted = dtypes.as_dtype(dtype)
        if not wanted.is_floating and not wanted.is_integer:
            raise OpValueError(f"Argument `dtype` expected to be numeric or boolean. Received {wanted!s}.")
        if self.seed is None:
            return random.uniform(shape, self.minval, self.maxval, wanted)
        return random.stateless_uniform(shape, [self.seed, 0], self.minval, self.maxval, wanted)

    def get_config(self) -> dict[str, Any]:
        """The bounds and the seed."""
        return {"minval": self.minval, "maxval": self.maxval, "seed": self.seed}


@export("random_normal_initializer")
class RandomNormal(Initializer):
    """Normally distributed numbers; with a seed, the same at every call.

    >>> import whygrad as tf
    >>> tf.random_normal_initializer(stddev=0.02)((2, 3)).shape
    TensorShape([2, 3])
    """

    def __init__(self, mean: Any = 0.0, stddev: Any = 0.05, seed: int | None = None) -> None:
        self.mean = mean
        self.stddev = stddev
        self.seed = seed

    def __call__(self, shape: Any, dtype: Any = dtypes.float32, **kwargs: Any) -> Tensor:
        shape = _shape(self, shape, kwargs)
        wanted = dtypes.as_dtype(dtype)
        if not wanted.is_floating:
            raise OpValueError(f"Argument `dtype` is expected to be floating point. Received: {wanted!s}.")
        if self.seed is None:
            return random.normal(shape, self.mean, self.stddev, wanted)
        return random.stateless_normal(shape, [self.seed, 0], self.mean, self.stddev, wanted)

    def get_config(self) -> dict[str, Any]:
        """The mean, the standard deviation and the seed."""
        return {"mean": self.mean, "stddev": self.stddev, "seed": self.seed}
