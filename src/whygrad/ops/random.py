"""Random numbers: the same seed gives the same numbers on every run, and they are TensorFlow's.

Three ways to the same distributions: ops with a state of their own (`normal`, seeded by `set_seed` and the op's `seed`),
stateless ops (`stateless_normal`, a function of the seed they are given), and `Generator`, whose state is a variable.
"""

from __future__ import annotations

import os
import random
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from whygrad.engines import philox
from whygrad.engines.philox import RESERVED, Stream
from whygrad.ops.elementwise import add, multiply, subtract
from whygrad.ops.shaping import check_fits, vector_of_ints
from whygrad.values import dtypes
from whygrad.values.conversion import convert
from whygrad.values.dtypes import DType
from whygrad.values.errors import invalid, shape_text
from whygrad.values.tensor import Tensor, wrap

_FLOATS = (dtypes.float16, dtypes.bfloat16, dtypes.float32, dtypes.float64)

# -- seeds --

_MAX_SEED = 2**31 - 1
_DEFAULT_GLOBAL_SEED = 87654321  # TensorFlow's, for ops with a seed of their own where none was set globally


class _Seeds:
    """The global seed, and how far each op with a seed of its own has come."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.set(None)

    def set(self, seed: Any) -> None:
        """Start anew from a global seed, or, for None, from one that nobody knows."""
        if seed is not None and not isinstance(seed, int | float | str):
            seed = int(np.asarray(seed))
        self.seed = seed
        self.op_seeds = random.Random(seed)
        self.streams: dict[tuple[Any, ...], Stream] = {}

    def reserve(self, op_name: str, dtype: DType, seed: Any, blocks: int) -> Stream:
        """The stream for the next run of an op that takes `blocks` blocks of it.

        An op that is given the same seed goes on where its last run ended. Without a seed of its own, each run of any op
        starts a stream of its own, numbered by the global seed's sequence.
        """
        with self.lock:
            if seed is None and self.seed is not None:
                return _op_stream(self.seed, self.op_seeds.randint(0, _MAX_SEED))
            place = (op_name, dtype, seed)
            stream = self.streams.get(place)
            if stream is None:
                if seed is None:
                    stream = Stream(int.from_bytes(os.urandom(8)), int.from_bytes(os.urandom(8)) << 64)
                else:
                    stream = _op_stream(_DEFAULT_GLOBAL_SEED if self.seed is None else self.seed, seed)
            self.streams[place] = stream.skip(blocks)
            return stream


def _op_stream(global_seed: Any, op_seed: Any) -> Stream:
    first, second = int(global_seed % _MAX_SEED), int(op_seed % _MAX_SEED)
    if (first, second) == (0, 0):
        second = _MAX_SEED
    return philox.stream_of_seeds(first, second)


_seeds = _Seeds()


def set_seed(seed: Any) -> None:
    """Set the global seed, and start every op's sequence anew.

    >>> import whygrad as tf
    >>> tf.random.set_seed(7)
    >>> tf.random.normal([3]).numpy()
    array([0.5983449 , 0.06276207, 0.14631742], dtype=float32)
    >>> tf.random.set_seed(7)
    >>> tf.random.normal([3]).numpy()
    array([0.5983449 , 0.06276207, 0.14631742], dtype=float32)
    """
    with _seeds.lock:
        _seeds.set(seed)


# -- arguments --


def _shape(shape: Any, op_name: str) -> tuple[int, ...]:
    sizes = vector_of_ints(shape, op_name, "T", "shape must be a vector of {{int32,int64}}, got shape {}", scalar=False)
    return _checked(sizes, op_name)


def _checked(sizes: tuple[int, ...], op_name: str) -> tuple[int, ...]:
    count = 1
    for size in sizes:
        if size < 0:
            raise invalid(f"Dimension {size} must be >= 0 [Op:{op_name}]")
        count *= size
    if count >= 2**63:
        raise invalid(f"Shape {shape_text(sizes)} would have more than 2**63 - 1 elements [Op:{op_name}]")
    return sizes


def _count(shape: tuple[int, ...]) -> int:
    count = 1
    for size in shape:
        count *= size
    return count


def _check_float(dtype: DType, op_name: str) -> None:
    if dtype not in _FLOATS:
        raise invalid(
            f"Value for attr 'dtype' of {dtype.cxx_name} is not in the list of allowed values: "
            f"half, bfloat16, float, double [Op:{op_name}]"
        )


def _check_accepted(dtype: DType, accepted: tuple[DType, ...]) -> None:
    if dtype not in accepted:
        raise ValueError(f"Argument `dtype` got invalid value {dtype}. Accepted dtypes are {accepted}.")


def _int_range(minval: Any, maxval: Any, dtype: DType, op_name: str) -> tuple[int, int]:
    low, high = convert(minval, dtype), convert(maxval, dtype)
    for which, bound in (("minval", low), ("maxval", high)):
        if bound.ndim:
            raise invalid(f"{which} must be 0-D, got shape {shape_text(bound.shape)} [Op:{op_name}]")
    if int(low._array) >= int(high._array):
        raise invalid(f"Need minval < maxval, got {low._array} >= {high._array} [Op:{op_name}]")
    return int(low._array), int(high._array)


Distribution = Callable[[Stream, int, np.dtype[Any]], Any]


def _sample(distribution: Distribution, stream: Stream, shape: tuple[int, ...], dtype: DType) -> Tensor:
    return wrap(distribution(stream, _count(shape), dtype.numpy_dtype).reshape(shape))


def _shifted(sample: Tensor, mean: Tensor, stddev: Tensor) -> Tensor:
    return add(multiply(sample, stddev), mean)


# -- ops with a state of their own --


def _stateful_float(
    distribution: Distribution, op_name: str, shape: Any, mean: Any, stddev: Any, dtype: Any, seed: Any
) -> Tensor:
    """Draw, then scale and shift by ops that are recorded: the result is differentiable for mean and stddev."""
    sizes = _shape(shape, op_name)
    wanted = dtypes.as_dtype(dtype)
    mean, stddev = convert(mean, wanted), convert(stddev, wanted)
    _check_float(wanted, op_name)
    check_fits(sizes, wanted.numpy_dtype, op_name)
    stream = _seeds.reserve(op_name, wanted, seed, _count(sizes) * RESERVED)
    return _shifted(_sample(distribution, stream, sizes, wanted), mean, stddev)


def normal(
    shape: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = dtypes.float32,
    seed: Any = None,
    name: str | None = None,
) -> Tensor:
    """Draws from a normal distribution; differentiable with respect to `mean` and `stddev`.

    >>> import whygrad as tf
    >>> tf.random.set_seed(1)
    >>> tf.random.normal([2], mean=10.0).numpy()
    array([ 8.89878 , 11.545752], dtype=float32)
    """
    return _stateful_float(philox.normal, "RandomStandardNormal", shape, mean, stddev, dtype, seed)


def truncated_normal(
    shape: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = dtypes.float32,
    seed: Any = None,
    name: str | None = None,
) -> Tensor:
    """As `normal`, with values beyond two standard deviations drawn again.

    >>> import whygrad as tf
    >>> bool(tf.reduce_all(tf.abs(tf.random.truncated_normal([1000])) < 2.0))
    True
    """
    return _stateful_float(philox.truncated_normal, "TruncatedNormal", shape, mean, stddev, dtype, seed)


def uniform(
    shape: Any,
    minval: Any = 0,
    maxval: Any = None,
    dtype: Any = dtypes.float32,
    seed: Any = None,
    name: str | None = None,
) -> Tensor:
    """Draws uniformly from [minval, maxval); [0, 1) by default. Integers need a `maxval`.

    >>> import whygrad as tf
    >>> tf.random.set_seed(1)
    >>> tf.random.uniform([4], maxval=6, dtype=tf.int32).numpy()
    array([0, 3, 3, 5], dtype=int32)
    """
    wanted = dtypes.as_dtype(dtype)
    _check_accepted(wanted, (*_FLOATS, dtypes.int32, dtypes.int64))
    if maxval is None:
        if wanted.is_integer:
            raise ValueError(f"Must specify maxval for integer dtype {wanted!r}")
        maxval = 1
    op_name = "RandomUniformInt" if wanted.is_integer else "RandomUniform"
    sizes = _shape(shape, op_name)
    check_fits(sizes, wanted.numpy_dtype, op_name)
    reserved = _count(sizes) * RESERVED
    if wanted.is_integer:
        low, high = _int_range(minval, maxval, wanted, op_name)
        stream = _seeds.reserve(op_name, wanted, seed, reserved)
        return wrap(philox.integers(stream, _count(sizes), wanted.numpy_dtype, low, high).reshape(sizes))
    from_zero = isinstance(minval, int) and minval == 0
    to_one = isinstance(maxval, int) and maxval == 1
    minval, maxval = convert(minval, wanted), convert(maxval, wanted)
    sample = _sample(philox.uniform, _seeds.reserve(op_name, wanted, seed, reserved), sizes, wanted)
    if not from_zero:
        return _shifted(sample, minval, subtract(maxval, minval))
    return sample if to_one else multiply(sample, maxval)
