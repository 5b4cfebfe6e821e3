"""Seeds, and the streams of random numbers that ops draw from: eagerly, in functions of datasets and in traced functions."""

from __future__ import annotations

import contextlib
import math
import os
import random
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.engines import philox
from whygrad.engines.philox import Stream
from whygrad.ops.arguments import integer
from whygrad.values import dtypes
from whygrad.values.dtypes import DType
from whygrad.values.errors import OpRuntimeError
from whygrad.values.recorders import state
from whygrad.values.tensor import Tensor, placed, placement

_MAX_SEED = 2**31 - 1
_DEFAULT_GLOBAL_SEED = 87654321  # TensorFlow's, for ops with their own seed when no global seed is set


class _Seeds:
    """The global seed, and the position of each op that has its own seed."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.required = False
        self.set(None)

    def set(self, seed: Any) -> None:
        """Restart from a global seed or, for None, from a random one."""
        if seed is not None:
            seed = _number_of(seed)
        self.seed = seed
        self.op_seeds = random.Random(seed)
        self.streams: dict[tuple[Any, ...], Stream] = {}
        self.restarted = object()  # another one after each call of `set_seed`

    @property
    def of_seeded_ops(self) -> Any:
        """The global seed for ops that have a seed of their own."""
        return _DEFAULT_GLOBAL_SEED if self.seed is None else self.seed

    def check_required(self) -> None:
        """Refuse an op without any seed where `enable_op_determinism` asks for one."""
        if self.required and self.seed is None:
            raise OpRuntimeError(
                "Random ops require a seed to be set when determinism is enabled. Please set a seed before running the "
                "op, e.g. by calling tf.random.set_seed(1)."
            )

    def reserve(self, op_name: str, dtype: DType, seed: Any, blocks: int) -> Stream:
        """The stream for the next run of an op that uses `blocks` blocks of it.

        An op with the same seed continues where its last run ended. Without its own seed, each run of any op starts a new stream,
        numbered by the global seed's sequence.
        """
        with self.lock:
            if seed is None and self.seed is not None:
                return _op_stream(self.seed, self.op_seeds.randint(0, _MAX_SEED))
            if seed is None:
                self.check_required()
            seed = _number_of(seed)
            place = (op_name, dtype, seed)
            stream = self.streams.get(place)
            if stream is None:
                stream = _random_stream() if seed is None else _op_stream(self.of_seeded_ops, seed)
            self.streams[place] = stream.skip(blocks)
            return stream


def _number_of(seed: Any) -> Any:
    """The seed of an op as a Python number; None stays None."""
    if seed is None or type(seed) is int:
        return seed
    if isinstance(seed, float) and math.isfinite(seed):
        return float(seed)
    return integer(seed, "seed", any_size=True)


def _random_stream() -> Stream:
    return Stream(int.from_bytes(os.urandom(8)), int.from_bytes(os.urandom(8)) << 64)


def _op_stream(global_seed: Any, op_seed: Any) -> Stream:
    first, second = int(global_seed % _MAX_SEED), int(op_seed % _MAX_SEED)
    if (first, second) == (0, 0):
        second = _MAX_SEED
    return philox.stream_of_seeds(first, second)


_seeds = _Seeds()


def next_stream(op_name: str, dtype: DType, seed: Any, blocks: int) -> Any:
    """The stream for the next run of an op; see `_Seeds.reserve`.

    Inside a function that is being traced it is an input: every call of the function reserves a new section. Seeds do not use the high 32 bits
    of the position's high word: a loop without a bound, which runs a traced op several times, numbers its iterations there.
    """
    if state.context is None:
        if _replayed.streams:
            return _replayed.streams.pop(0)
        return sections(op_name, dtype, seed, blocks)()
    reserve = sections(op_name, dtype, seed, blocks)
    return placement.engine.stream_of_state(state.context.feed(lambda: reserve().state(), _ANY_STATE)._array)


def sections(op_name: str, dtype: DType, seed: Any, blocks: int) -> Callable[[], Stream]:
    """A function that reserves the stream for each run of an op."""
    in_function: _OpOfFunction | None = None
    if state.context is not None:
        own = _number_of(seed)
        in_function = state.context.random_ops.next_op(own is None, lambda number: _OpOfFunction(own, number))

    def reserve() -> Stream:
        if _replayed.function is not None:
            return _replayed.function.reserve(blocks, seed)
        if in_function is not None:
            return in_function.reserve(blocks)
        return _seeds.reserve(op_name, dtype, seed, blocks)

    return reserve


class _OpOfFunction:
    """The stream of a random op in a traced function, which it continues from call to call, until the global seed is set.

    As in TensorFlow, its seeds are those of the trace, and the n-th op without a seed in a function, branch or loop body has the seed n. So two
    functions that draw alike give the same numbers.
    """

    def __init__(self, seed: Any, number: int) -> None:
        self._restarted: object = None
        if seed is not None:
            self._first = _op_stream(_seeds.of_seeded_ops, seed)
        else:
            _seeds.check_required()
            self._first = _random_stream() if _seeds.seed is None else _op_stream(_seeds.seed, number)
        self._stream = self._first

    def reserve(self, blocks: int) -> Stream:
        """The stream for the next call."""
        with _seeds.lock:
            if self._restarted is not _seeds.restarted:
                self._restarted, self._stream = _seeds.restarted, self._first
            stream = self._stream
            self._stream = stream.skip(blocks)
            return stream


_ANY_STATE = np.zeros(3, np.uint64)


class StreamsOfFunction:
    """The streams of the random ops in a function that TensorFlow traces and calls repeatedly, such as that of `Dataset.map`.

    There the seed of the n-th op without a seed of its own is n, and each op continues its stream from call to call. Calls may run in
    several threads.
    """

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.streams: list[Stream] = []  # by the number of the op

    def begin(self) -> _CallStreams:
        """Begin a call."""
        return _CallStreams(self)


class _CallStreams:
    """The streams for one call of a function."""

    def __init__(self, function: StreamsOfFunction) -> None:
        self._function = function
        self._op = 0  # the number of the next op,
        self._unseeded = 0  # and of the next one without a seed

    def reserve(self, blocks: int, seed: Any) -> Stream:
        """The stream for the next op of this call, which uses `blocks` blocks of it."""
        if seed is None and _seeds.seed is None:
            return _seeds.reserve("", dtypes.float32, None, blocks)
        with self._function.lock:
            streams = self._function.streams
            if self._op == len(streams):
                own = self._unseeded if seed is None else _number_of(seed)
                streams.append(_op_stream(_seeds.of_seeded_ops, own))
            stream = streams[self._op]
            streams[self._op] = stream.skip(blocks)
        self._op += 1
        self._unseeded += seed is None
        return stream


def seeds_of(seed: Any) -> tuple[int, int]:
    """The pair of seeds that TensorFlow makes of the global seed and that of an op of a dataset; (0, 0): chosen at random."""
    with _seeds.lock:
        if seed is None:
            if _seeds.seed is None:
                return 0, 0
            pair = int(_seeds.seed % _MAX_SEED), _seeds.op_seeds.randint(0, _MAX_SEED) % _MAX_SEED
        else:
            pair = (
                int(_seeds.of_seeded_ops % _MAX_SEED),
                int(_number_of(seed) % _MAX_SEED),
            )
    return pair if pair != (0, 0) else (0, _MAX_SEED)


class _Replayed(threading.local):
    streams: list[Stream] | None = None  # streams for the next ops of this thread, used before any is reserved
    function: _CallStreams | None = None  # the function that this thread calls, if its ops have streams of their own


_replayed = _Replayed()


def with_streams(streams: StreamsOfFunction, function: Callable[..., Any], *args: Any) -> Any:
    """Call a function whose random ops have streams of their own."""
    before = _replayed.function
    _replayed.function = streams.begin()
    try:
        return function(*args)
    finally:
        _replayed.function = before


@contextlib.contextmanager
def replay_streams(states: Sequence[np.ndarray[Any, Any]]) -> Iterator[None]:
    """Inside this block, ops draw in order from the streams that a compiled call received."""
    _replayed.streams = [
        Stream(int(each[2]), int(each[0]) | int(each[1]) << 64) for each in np.asarray(states, np.uint64).reshape(-1, 3)
    ]
    try:
        yield
    finally:
        _replayed.streams = None


def symbolic_like(stream: Any, *tensors: Tensor) -> tuple[Tensor, ...]:
    """Make tensors symbolic if the stream that an op takes with them is."""
    return tensors if type(stream) is Stream else tuple([placed(each) for each in tensors])


@export("random.set_seed", "compat.v1.set_random_seed")
def set_seed(seed: Any) -> None:
    """Set the global seed, and restart every op's sequence.

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


@export("config.experimental.enable_op_determinism")
def require_seeds() -> None:
    """Make every op that draws random numbers without a seed raise a RuntimeError from now on.

    >>> import whygrad as tf
    >>> tf.config.experimental.enable_op_determinism()  # doctest: +SKIP
    """
    _seeds.required = True


def do_not_require_seeds() -> None:
    """Undo `require_seeds`."""
    _seeds.required = False


def seeds_are_required() -> bool:
    """Whether `require_seeds` was called."""
    return _seeds.required
