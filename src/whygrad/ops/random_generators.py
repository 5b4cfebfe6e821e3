"""Generators: sources of random numbers whose state is a variable."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.engines.philox import RESERVED, Stream
from whygrad.ops.arguments import check_fits, integer
from whygrad.ops.creation import zeros_like
from whygrad.ops.elementwise import cast
from whygrad.ops.random import (
    FLOATS,
    Algorithm,
    algorithm_of,
    binomial_of,
    check_among,
    count_of,
    sample_of,
    shifted,
    sizes_of,
    uniform_of,
)
from whygrad.ops.shaping import concat, reshape, stack
from whygrad.values import dtypes
from whygrad.values.conversion import convert
from whygrad.values.errors import OpValueError, UnimplementedError
from whygrad.values.tensor import Tensor, are_known, placement, wrap
from whygrad.values.variable import Variable


@export("random.create_rng_state", "random.experimental.create_rng_state")
def create_rng_state(seed: Any, alg: Any) -> Tensor:
    """The initial state of a Generator with this seed: counter, then key.

    >>> import whygrad as tf
    >>> tf.random.create_rng_state(1234, "philox").numpy()
    array([1234,    0,    0])
    """
    size = _state_size(algorithm_of(alg))
    if isinstance(seed, int):
        numbers = [(seed >> (64 * i)) & (2**64 - 1) for i in range(size)]
    elif isinstance(seed, list | tuple):
        numbers = [integer(each, "seed", any_size=True) for each in seed[:size]]
    else:
        numbers = cast(convert(seed, None), dtypes.int64)._array.reshape(-1)[:size].tolist()
    padding = [0] * (size - len(numbers))  # on the left, so that a short seed becomes the key
    return wrap(_as_int64(padding + numbers))


def _as_int64(numbers: list[int]) -> Any:
    return np.array([n & (2**64 - 1) for n in numbers], np.uint64).view(np.int64)


def _state_size(algorithm: int) -> int:
    return 2 if algorithm == Algorithm.THREEFRY.value else 3


def _state(value: Any, size: int) -> Tensor:
    if isinstance(value, list | tuple):
        value = _as_int64([integer(each, "state", any_size=True) for each in value])
    state: Tensor = cast(convert(value, None), dtypes.int64)
    if tuple(state.shape) != (size,):
        raise OpValueError(f"Shapes {state.shape} and [{size}] are incompatible")
    return state


@export("random.Generator", "random.experimental.Generator")
class Generator:
    """A source of random numbers whose state is a variable, advanced by each draw.

    >>> import whygrad as tf
    >>> g = tf.random.Generator.from_seed(1234)
    >>> g.normal([3]).numpy()
    array([ 0.9356609 ,  1.0854305 , -0.93788373], dtype=float32)
    >>> g.state
    <tf.Variable 'StateVar:0' shape=(3,) dtype=int64, numpy=array([2002,    0,    0])>
    """

    _alg: int
    _state_var: Variable

    def __init__(self, copy_from: Generator | None = None, state: Any = None, alg: Any = None) -> None:
        if copy_from is not None:
            assert state is None, "give copy_from or state and alg, not both"
            assert alg is None, "give copy_from or state and alg, not both"
            self._alg = copy_from._alg
            self._state_var = Variable(copy_from.state, trainable=False, name="StateVar", dtype=dtypes.int64)
            return
        assert state is not None, "state and alg are given together; see from_seed"
        assert alg is not None, "state and alg are given together; see from_seed"
        self._alg = algorithm_of(alg)
        if isinstance(state, Variable):
            _state(state, _state_size(self._alg))
            self._state_var = state
        else:
            self._state_var = Variable(_state(state, _state_size(self._alg)), trainable=False, name="StateVar")

    @classmethod
    def from_state(cls, state: Any, alg: Any) -> Generator:
        """A generator with this state."""
        return cls(alg=alg, state=state)

    @classmethod
    def from_seed(cls, seed: Any, alg: Any = None) -> Generator:
        """A generator seeded with `seed`."""
        algorithm = Algorithm.PHILOX.value if alg is None else algorithm_of(alg)
        return cls(state=create_rng_state(seed, algorithm), alg=algorithm)

    @classmethod
    def from_non_deterministic_state(cls, alg: Any = None) -> Generator:
        """A generator with an unpredictable state."""
        algorithm = Algorithm.PHILOX.value if alg is None else algorithm_of(alg)
        numbers = [int.from_bytes(os.urandom(8)) for _ in range(_state_size(algorithm))]
        return cls(state=numbers, alg=algorithm)

    @classmethod
    def from_key_counter(cls, key: Any, counter: Any, alg: Any) -> Generator:
        """A generator with this key and counter."""
        algorithm = algorithm_of(alg)
        return cls(state=_joined(key, counter, algorithm), alg=algorithm)

    @property
    def state(self) -> Variable:
        """The variable that holds the state: counter, then key."""
        return self._state_var

    @property
    def algorithm(self) -> int:
        """The number of its `Algorithm`."""
        return self._alg

    @property
    def key(self) -> Tensor:
        """The part of the state that draws do not change."""
        return self._state_var[-1]

    def reset(self, state: Any) -> None:
        """Set the state."""
        self._state_var.assign(_state(state, _state_size(self._alg)))

    def reset_from_seed(self, seed: Any) -> None:
        """Restart as a generator with this seed."""
        self._state_var.assign(create_rng_state(seed, self._alg))

    def reset_from_key_counter(self, key: Any, counter: Any) -> None:
        """Set the key and the counter."""
        self._state_var.assign(_joined(key, counter, self._alg))

    def skip(self, delta: Any) -> Tensor:
        """Advance as if `delta` numbers were drawn; returns the previous state."""
        before = self._state_var.read()
        steps = cast(delta, dtypes.int64)
        self._advance((int(steps._array) if are_known(steps) else steps._array) * RESERVED)
        return before

    def _advance(self, blocks: Any) -> Any:
        if self._alg == Algorithm.THREEFRY.value:
            raise UnimplementedError(
                None, None, "Non-XLA devices don't support the ThreeFry algorithm. [Op:RngReadAndSkip]"
            )
        before = self._state_var.read()
        if not are_known(before):
            symbolic = placement.engine.stream_of_state(before._array)
            self._state_var.assign(wrap(symbolic.skip(blocks).state().astype(np.int64)))
            return symbolic
        low, high, key = (n & (2**64 - 1) for n in before._array.tolist())
        stream = Stream(key, low | high << 64)
        position = stream.skip(blocks).position
        self._state_var.assign(wrap(_as_int64([position, position >> 64, key])))
        return stream

    def _stream(self, op_name: str, sizes: tuple[int, ...]) -> Any:
        return self._advance(count_of(sizes) * RESERVED)

    def _float(self, distribution: str, op_name: str, shape: Any, mean: Any, stddev: Any, dtype: Any) -> Tensor:
        sizes = sizes_of(shape, op_name)
        wanted = dtypes.as_dtype(dtype)
        mean, stddev = convert(mean, wanted), convert(stddev, wanted)
        check_among(wanted, FLOATS, op_name)
        check_fits(sizes, wanted.numpy_dtype, op_name)
        return shifted(sample_of(distribution, self._stream(op_name, sizes), sizes, wanted), mean, stddev)

    def normal(
        self, shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = dtypes.float32, name: str | None = None
    ) -> Tensor:
        """Draw from a normal distribution; differentiable with respect to `mean` and `stddev`."""
        return self._float("normal", "StatelessRandomNormalV2", shape, mean, stddev, dtype)

    def truncated_normal(
        self, shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = dtypes.float32, name: str | None = None
    ) -> Tensor:
        """Like `normal`, with values beyond two standard deviations redrawn."""
        return self._float("truncated_normal", "StatelessTruncatedNormalV2", shape, mean, stddev, dtype)

    def uniform(
        self, shape: Any, minval: Any = 0, maxval: Any = None, dtype: Any = dtypes.float32, name: str | None = None
    ) -> Tensor:
        """Draw uniformly from [minval, maxval); integers over their full range if both are None."""
        wanted = dtypes.as_dtype(dtype)
        if wanted.is_integer and (minval is None) != (maxval is None):
            raise OpValueError(
                f"For integer dtype {wanted}, minval and maxval must be both `None` or both non-`None`; got "
                f"minval={minval} and maxval={maxval}"
            )
        return uniform_of(shape, minval, maxval, wanted, self._stream, "StatelessRandomUniform")

    def uniform_full_int(self, shape: Any, dtype: Any = dtypes.uint64, name: str | None = None) -> Tensor:
        """Draw integers over the full range of their dtype."""
        return uniform_of(shape, None, None, dtypes.as_dtype(dtype), self._stream, "StatelessRandomUniform")

    def binomial(
        self, shape: Any, counts: Any, probs: Any, dtype: Any = dtypes.int32, name: str | None = None
    ) -> Tensor:
        """The number of successes in `counts` trials with probability `probs`."""

        def stream(parameters: int, samples: int) -> Any:
            return self._advance(parameters * 2 * 100 * (samples + 3) // 4 * RESERVED)  # as many as TensorFlow reserves

        counts, probs = convert(counts, None), convert(probs, None)
        return binomial_of(shape, counts, probs, dtype, stream, "StatefulRandomBinomial")

    def make_seeds(self, count: int = 1) -> Tensor:
        """`count` seeds for stateless ops, as the columns of a tensor of shape (2, count)."""
        keys = self.uniform_full_int([count], dtypes.int64)
        return stack([keys, zeros_like(keys)])

    def split(self, count: int = 1) -> list[Generator]:
        """`count` new generators, independent of each other and of this one."""
        keys = self.uniform_full_int([count], dtypes.int64)._array.tolist()
        zeros = [0] * (_state_size(self._alg) - 1)
        return [Generator(state=[*zeros, key], alg=self._alg) for key in keys]


def _joined(key: Any, counter: Any, algorithm: int) -> Tensor:
    counter, key = _state(counter, _state_size(algorithm) - 1), cast(key, dtypes.int64)
    if key.ndim:
        raise OpValueError(f"Shapes {key.shape} and [] are incompatible")
    return concat([counter, reshape(key, [1])], 0)


_global_generator: list[Generator] = []


@export("random.get_global_generator", "random.experimental.get_global_generator")
def get_global_generator() -> Generator:
    """The generator shared by the whole program; created without a seed on first use.

    >>> import whygrad as tf
    >>> tf.random.get_global_generator() is tf.random.get_global_generator()
    True
    """
    if not _global_generator:
        _global_generator.append(Generator.from_non_deterministic_state())
    return _global_generator[0]


@export("random.set_global_generator", "random.experimental.set_global_generator")
def set_global_generator(generator: Generator) -> None:
    """Set the generator that `get_global_generator` returns.

    >>> import whygrad as tf
    >>> tf.random.set_global_generator(tf.random.Generator.from_seed(1))
    >>> tf.random.get_global_generator().uniform([]).shape
    TensorShape([])
    """
    _global_generator[:] = [generator]
