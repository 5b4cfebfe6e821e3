"""Random numbers: the same seed gives the same numbers on every run, and they equal TensorFlow's.

There are three interfaces to the same distributions: stateful ops (`normal`, seeded by `set_seed` and the op's `seed`),
stateless ops (`stateless_normal`, a function of their seed), and `Generator` (`random_generators.py`).
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.engines import philox
from whygrad.engines.philox import RESERVED, Stream
from whygrad.ops.arguments import allocate, check_fits, integer
from whygrad.ops.elementwise import add, cast, divide, maximum, minimum, multiply, subtract, where
from whygrad.ops.primitive import Primitive, apply
from whygrad.ops.random_streams import next_stream, symbolic_like
from whygrad.ops.shaping import broadcast_to, checked_sizes, stack, vector_of_ints
from whygrad.ops.traits import Batching, Defined, Draws, Traits
from whygrad.ops.unregistered import unregistered
from whygrad.values import dtypes
from whygrad.values.conversion import convert
from whygrad.values.dtypes import DType
from whygrad.values.errors import OpTypeError, OpValueError, invalid, shape_text
from whygrad.values.faults import DtypeNotAllowed, DtypesDiffer, IncompatibleShapes
from whygrad.values.tensor import SymbolicTensor, Tensor, are_known, placement, wrap
from whygrad.values.variable import Variable

FLOATS = (dtypes.float16, dtypes.bfloat16, dtypes.float32, dtypes.float64)
_COUNTS = (dtypes.float16, dtypes.float32, dtypes.float64, dtypes.int32, dtypes.int64)

# -- arguments --


def sizes_of(shape: Any, op_name: str) -> tuple[int, ...]:
    sizes = vector_of_ints(shape, op_name, "T", "shape must be a vector of {{int32,int64}}, got shape {}", scalar=False)
    return checked_sizes(sizes, op_name)


def count_of(shape: tuple[int, ...]) -> int:
    count = 1
    for size in shape:
        count *= size
    return count


def check_among(dtype: DType, allowed: tuple[DType, ...], op_name: str, attr: str = "dtype") -> None:
    if dtype not in allowed:
        raise invalid(
            DtypeNotAllowed(dtype=dtype, allowed=tuple(each.cxx_name for each in allowed), attribute=attr, op=op_name)
        )


def _check_accepted(dtype: DType, accepted: tuple[DType, ...]) -> None:
    if dtype not in accepted:
        raise OpValueError(f"Argument `dtype` got invalid value {dtype}. Accepted dtypes are {accepted}.")


def _int_range(minval: Any, maxval: Any, dtype: DType, count: int, op_name: str) -> tuple[Tensor, Tensor]:
    """The bounds of `count` integers; an empty range is allowed if none is drawn.

    Symbolic bounds are not compared: the result of an empty range is undefined there.
    """
    low, high = convert(minval, dtype), convert(maxval, dtype)
    for which, bound in (("minval", low), ("maxval", high)):
        if bound.ndim:
            raise invalid(f"{which} must be 0-D, got shape {shape_text(bound.shape)} [Op:{op_name}]")
    if count and are_known(low, high) and int(low._array) >= int(high._array):
        raise invalid(f"Need minval < maxval, got {low._array} >= {high._array} [Op:{op_name}]")
    return low, high


def _integers(stream: Any, sizes: tuple[int, ...], dtype: DType, low: Tensor, high: Tensor) -> Tensor:
    if are_known(low, high):
        return sample_of("integers", stream, sizes, dtype, int(low._array), int(high._array))
    return sample_of("integers", placement.engine.stream(stream), sizes, dtype, low._array, high._array)


def sample_of(distribution: str, stream: Any, shape: tuple[int, ...], dtype: DType, *bounds: Any) -> Tensor:
    """Draw from a distribution, given as the name of a stream's method."""
    of = dtype.numpy_dtype
    draw = getattr(stream, distribution)
    return wrap(allocate(lambda: draw(count_of(shape), of, *bounds).reshape(shape), shape, of, "RandomSample"))


def shifted(sample: Tensor, mean: Tensor, stddev: Tensor) -> Tensor:
    return add(multiply(sample, stddev), mean)


# -- stateful ops --


def _stateful_float(
    distribution: str, op_name: str, shape: Any, mean: Any, stddev: Any, dtype: Any, seed: Any
) -> Tensor:
    """Draw, then scale and shift by recorded ops: the result is differentiable with respect to mean and stddev."""
    sizes = sizes_of(shape, op_name)
    wanted = dtypes.as_dtype(dtype)
    mean, stddev = convert(mean, wanted), convert(stddev, wanted)
    check_among(wanted, FLOATS, op_name)
    check_fits(sizes, wanted.numpy_dtype, op_name)
    stream = next_stream(op_name, wanted, seed, count_of(sizes) * RESERVED)
    return shifted(sample_of(distribution, stream, sizes, wanted), mean, stddev)


@export("random.normal")
def normal(
    shape: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = dtypes.float32,
    seed: Any = None,
    name: str | None = None,
) -> Tensor:
    """Draw from a normal distribution; differentiable with respect to `mean` and `stddev`.

    >>> import whygrad as tf
    >>> tf.random.set_seed(1)
    >>> tf.random.normal([2], mean=10.0).numpy()
    array([ 8.89878 , 11.545752], dtype=float32)
    """
    return _stateful_float("normal", "RandomStandardNormal", shape, mean, stddev, dtype, seed)


@export("random.truncated_normal")
def truncated_normal(
    shape: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = dtypes.float32,
    seed: Any = None,
    name: str | None = None,
) -> Tensor:
    """Like `normal`, with values beyond two standard deviations redrawn.

    >>> import whygrad as tf
    >>> bool(tf.reduce_all(tf.abs(tf.random.truncated_normal([1000])) < 2.0))
    True
    """
    return _stateful_float("truncated_normal", "TruncatedNormal", shape, mean, stddev, dtype, seed)


@export("random.uniform")
def uniform(
    shape: Any,
    minval: Any = 0,
    maxval: Any = None,
    dtype: Any = dtypes.float32,
    seed: Any = None,
    name: str | None = None,
) -> Tensor:
    """Draw uniformly from [minval, maxval), by default [0, 1). Integers need a `maxval`.

    >>> import whygrad as tf
    >>> tf.random.set_seed(1)
    >>> tf.random.uniform([4], maxval=6, dtype=tf.int32).numpy()
    array([0, 3, 3, 5], dtype=int32)
    """
    wanted = dtypes.as_dtype(dtype)
    _check_accepted(wanted, (*FLOATS, dtypes.int32, dtypes.int64))
    if maxval is None:
        if wanted.is_integer:
            raise OpValueError(f"Must specify maxval for integer dtype {wanted!r}")
        maxval = 1
    op_name = "RandomUniformInt" if wanted.is_integer else "RandomUniform"
    sizes = sizes_of(shape, op_name)
    check_fits(sizes, wanted.numpy_dtype, op_name)
    reserved = count_of(sizes) * RESERVED
    if wanted.is_integer:
        low, high = _int_range(minval, maxval, wanted, count_of(sizes), op_name)
        return _integers(next_stream(op_name, wanted, seed, reserved), sizes, wanted, low, high)
    from_zero = isinstance(minval, int) and minval == 0
    to_one = isinstance(maxval, int) and maxval == 1
    minval, maxval = convert(minval, wanted), convert(maxval, wanted)
    sample = sample_of("uniform", next_stream(op_name, wanted, seed, reserved), sizes, wanted)
    if not from_zero:
        return shifted(sample, minval, subtract(maxval, minval))
    return sample if to_one else multiply(sample, maxval)


@export("random.shuffle")
def shuffle(value: Any, seed: Any = None, name: str | None = None) -> Tensor:
    """Shuffle a tensor along its first axis. It has no gradient.

    >>> import whygrad as tf
    >>> tf.random.set_seed(1)
    >>> tf.random.shuffle([1, 2, 3, 4, 5]).numpy()
    array([3, 1, 2, 5, 4], dtype=int32)
    """
    x = convert(value, None)
    rows = x.shape[0] if x.ndim else 0
    stream = next_stream("RandomShuffle", x.dtype, seed, -(-max(rows - 1, 0) // 4))
    return apply(_shuffle, *symbolic_like(stream, x), stream=stream)


def _rows_in_random_order(xp: Any, x: Any, *, stream: Stream) -> Any:
    return x[xp.shuffled_order(x.shape[0], stream=stream)] if x.ndim and x.size > 1 else x


_shuffle = Primitive(
    "shuffle",
    _rows_in_random_order,
    no_gradient="shuffle is not differentiable, as in TensorFlow: "
    "gather with a shuffled tf.range, tf.gather(x, tf.random.shuffle(tf.range(n))), is",
    op_name="RandomShuffle",
    traits=Traits(draws=Draws.ORDER),
)
_stateless_shuffle = Primitive(
    "stateless_shuffle",
    _rows_in_random_order,
    joint=unregistered("StatelessShuffle"),
    op_name="StatelessShuffle",
    traits=Traits(draws=Draws.ORDER),
)


@export("random.categorical")
def categorical(logits: Any, num_samples: Any, dtype: Any = None, seed: Any = None, name: str | None = None) -> Tensor:
    """Draw class indices for each row of `logits` (unnormalized log-probabilities).

    >>> import whygrad as tf
    >>> tf.random.set_seed(1)
    >>> tf.random.categorical([[0.0, 0.0], [-50.0, 0.0]], 4).numpy()
    array([[0, 0, 0, 1],
           [1, 1, 1, 1]])
    """
    return _categorical_of(
        logits, num_samples, dtype, lambda t, blocks: next_stream("Multinomial", t, seed, blocks), "Multinomial"
    )


_categorical = Primitive(
    "categorical_sample",
    lambda xp, logits, *, stream, num_samples, dtype: xp.categorical_sample(
        logits, stream=stream, num_samples=num_samples, dtype=dtype
    ),
    no_gradient="categorical draws class numbers: they do not change under a small step of the logits",
    op_name="Multinomial",
    traits=Traits(draws=Draws.DISCRETE),
)


def _categorical_of(
    logits: Any, num_samples: Any, dtype: Any, stream: Callable[[DType, int], Any], op_name: str
) -> Tensor:
    x = convert(logits, None)
    wanted = dtypes.int64 if dtype is None else dtypes.as_dtype(dtype)
    _check_accepted(wanted, (dtypes.int32, dtypes.int64))
    samples = convert(num_samples, None if isinstance(num_samples, Tensor) else dtypes.int32)
    if samples.dtype is not dtypes.int32:
        raise invalid(DtypesDiffer(wanted=dtypes.int32, dtype=samples.dtype, op=op_name))
    if samples.ndim:
        raise invalid(f"num_samples should be a scalar, got shape {shape_text(samples.shape)} [Op:{op_name}]")
    count = int(samples._array)
    check_among(x.dtype, FLOATS, op_name, "T")
    if x.ndim != 2:
        raise invalid(f"logits should be a matrix, got shape {shape_text(x.shape)} [Op:{op_name}]")
    if count < 0:
        raise invalid(f"num_samples should be non-negative, got {count} [Op:{op_name}]")
    if not x.shape[1]:
        raise invalid(f"num_classes should be positive, got 0 [Op:{op_name}]")
    reserved = x.shape[0] * (-(-count // 4) * 4) * 2 * RESERVED
    source = stream(x.dtype, reserved)
    return apply(_categorical, *symbolic_like(source, x), stream=source, num_samples=count, dtype=wanted.numpy_dtype)


@export("random.gamma")
def gamma(
    shape: Any,
    alpha: Any,
    beta: Any = None,
    dtype: Any = dtypes.float32,
    seed: Any = None,
    name: str | None = None,
) -> Tensor:
    """Draw `shape` samples from each gamma distribution with shape parameter `alpha` and inverse scale `beta`.

    Differentiable with respect to both: a sample moves with the parameters so that it keeps its quantile.

    >>> import whygrad as tf
    >>> tf.random.gamma([10], [0.5, 1.5]).shape
    TensorShape([10, 2])
    """
    op_name = "RandomGamma"
    sizes = _sample_shape(shape, op_name)
    alpha, beta, wanted = _gamma_parameters(alpha, beta, dtype, op_name)
    checked_sizes((*sizes, *alpha._array.shape), op_name)
    stream = next_stream(op_name, wanted, seed, count_of(sizes) * alpha._array.size * RESERVED)
    return _scaled_gamma(apply(_random_gamma, *symbolic_like(stream, alpha), stream=stream, sample_shape=sizes), beta)


_random_gamma = Primitive(
    "random_gamma",
    lambda xp, alpha, *, stream, sample_shape: xp.random_gamma(alpha, stream=stream, sample_shape=sample_shape),
    vjp=lambda xp, g, alpha, y: g * xp.random_gamma_grad(alpha, y),
    broadcasts=True,
    op_name="RandomGamma",
    traits=Traits(domain=(Defined("alpha must be > 0"),), draws=Draws.CONTINUOUS),
)
_random_gamma_grad = Primitive(
    "random_gamma_grad",
    lambda xp, alpha, sample: xp.random_gamma_grad(alpha, sample),
    vjp=(unregistered("RandomGammaGrad"),) * 2,  # TensorFlow has no second derivative either
    broadcasts=True,
    op_name="RandomGammaGrad",
    traits=Traits(domain=(Defined("alpha > 0 and a sample > 0"),), batching=Batching.ELEMENTWISE),
)


def _gamma_parameters(alpha: Any, beta: Any, dtype: Any, op_name: str) -> tuple[Tensor, Tensor, DType]:
    wanted = dtypes.as_dtype(dtype)
    alpha = convert(alpha, wanted)
    beta = convert(1 if beta is None else beta, wanted)
    if not wanted.is_floating:
        raise OpValueError(f"data type {wanted.as_numpy_dtype} not inexact")
    return _broadcast_together(alpha, beta, op_name), beta, wanted


def _broadcast_together(x: Tensor, y: Tensor, op_name: str) -> Tensor:
    """Broadcast x to the common shape of x and y."""
    try:
        shape = np.broadcast_shapes(x._array.shape, y._array.shape)
    except ValueError:
        raise invalid(IncompatibleShapes(a=x._array.shape, b=y._array.shape, op=op_name)) from None
    return x if shape == x._array.shape else broadcast_to(x, shape)


def _scaled_gamma(sample: Tensor, beta: Tensor) -> Tensor:
    tiny = np.finfo(np.float32 if sample.dtype is dtypes.bfloat16 else sample.dtype.numpy_dtype).tiny
    return maximum(convert(float(tiny), sample.dtype), divide(sample, beta))


def _sample_shape(shape: Any, op_name: str) -> tuple[int, ...]:
    sizes = convert(shape, dtypes.int32)
    if sizes.ndim != 1:
        raise invalid(f"shape must be a vector of {{int32,int64}}, got shape {shape_text(sizes.shape)} [Op:{op_name}]")
    return checked_sizes(tuple(sizes._array.tolist()), op_name)


@export("random.poisson")
def poisson(shape: Any, lam: Any, dtype: Any = dtypes.float32, seed: Any = None, name: str | None = None) -> Tensor:
    """Draw `shape` samples from each Poisson distribution with rate `lam`. They are integers, and have no gradient.

    >>> import whygrad as tf
    >>> tf.random.poisson([10], [0.5, 1.5]).shape
    TensorShape([10, 2])
    """
    op_name = "RandomPoissonV2"
    sizes = _sample_shape(shape, op_name)
    wanted = dtypes.as_dtype(dtype)
    rate = convert(lam, None)
    check_among(wanted, _COUNTS, op_name)
    check_among(rate.dtype, _COUNTS, op_name, "R")
    checked_sizes((*sizes, *rate._array.shape), op_name)
    stream = next_stream(op_name, wanted, seed, count_of(sizes) * rate._array.size * RESERVED)
    return apply(
        _random_poisson, *symbolic_like(stream, rate), stream=stream, sample_shape=sizes, dtype=wanted.numpy_dtype
    )


def _discrete(
    name: str, draw: Callable[..., Any], no_gradient: str, stateful: str, stateless: str
) -> tuple[Primitive, Primitive]:
    """The primitives of a discrete distribution: to differentiate the first is a LookupError in TensorFlow, the second gives None."""
    traits = Traits(draws=Draws.DISCRETE)
    return (
        Primitive(name, draw, joint=unregistered(stateful), op_name=stateful, traits=traits),
        Primitive(f"stateless_{name}", draw, no_gradient=no_gradient, op_name=stateless, traits=traits),
    )


_random_poisson, _stateless_poisson = _discrete(
    "random_poisson",
    lambda xp, rate, *, stream, sample_shape, dtype: xp.random_poisson(
        rate, stream=stream, sample_shape=sample_shape, dtype=dtype
    ),
    "poisson draws whole numbers: they do not change under a small step of the rate",
    "RandomPoissonV2",
    "StatelessRandomPoisson",
)
_random_binomial, _stateless_binomial = _discrete(
    "random_binomial",
    lambda xp, counts, probs, *, stream, sample_shape, dtype: xp.random_binomial(
        counts, probs, stream=stream, sample_shape=sample_shape, dtype=dtype
    ),
    "binomial draws whole numbers: they do not change under a small step of the probability",
    "StatefulRandomBinomial",
    "StatelessRandomBinomial",
)

# -- stateless ops: the same seed gives the same numbers --


@export("random.Algorithm", "random.experimental.Algorithm")
class Algorithm(enum.Enum):
    """The generators that `alg` may name; only Philox is available, as on TensorFlow's CPU.

    >>> import whygrad as tf
    >>> tf.random.Algorithm.PHILOX
    <Algorithm.PHILOX: 1>
    """

    PHILOX = 1
    THREEFRY = 2
    AUTO_SELECT = 3


def algorithm_of(alg: Any) -> int:
    if alg is None:
        return Algorithm.AUTO_SELECT.value
    if isinstance(alg, Tensor):
        alg = integer(alg, "alg")
    if isinstance(alg, Algorithm):
        return alg.value
    if isinstance(alg, str):
        known = {"philox": 1, "threefry": 2, "autoselect": 3}.get(alg.strip().lower().replace("-", "").replace("_", ""))
        if known is None:
            raise OpValueError(_unsupported(alg, "philox", "threefry", "auto_select"))
        return known
    if not isinstance(alg, int):
        raise OpTypeError(f"Can't convert argument `alg` (of value {alg} and type {type(alg)}) to int.")
    if alg not in (1, 2, 3):
        raise OpValueError(_unsupported(alg, 1, 2, 3))
    return alg


def _unsupported(alg: Any, philox_: Any, threefry: Any, auto_select: Any) -> str:
    return (
        f"Argument `alg` got unsupported value {alg}. Supported values are {philox_} for the Philox algorithm, "
        f"{threefry} for the ThreeFry algorithm, and {auto_select} for auto-selection."
    )


def _seed_stream(seed: Any, op_name: str, alg: Any = "auto_select") -> Any:
    algorithm = algorithm_of(alg)
    pair = convert(seed, None)
    check_among(pair.dtype, (dtypes.int32, dtypes.int64), op_name, "Tseed")
    if tuple(pair.shape) != (2,):
        raise invalid(f"seed must have shape [2], not {shape_text(pair.shape)} [Op:{op_name}]")
    if algorithm == Algorithm.THREEFRY.value:
        raise invalid(
            "counter must be a vector with length at least 2; got shape: [1]. The ThreeFry algorithm is not offered, as on "
            f"TensorFlow's CPU; use alg='philox' [Op:{op_name}]"
        )
    if type(pair) is SymbolicTensor:
        return placement.engine.stream_of_pair(pair._array)
    return philox.stream_of_pair(*pair._array.tolist())


def _stateless_float(
    distribution: str, op_name: str, shape: Any, seed: Any, mean: Any, stddev: Any, dtype: Any, alg: Any
) -> Tensor:
    sizes = sizes_of(shape, op_name)
    wanted = dtypes.as_dtype(dtype)
    mean, stddev = convert(mean, wanted), convert(stddev, wanted)
    check_among(wanted, FLOATS, op_name)
    check_fits(sizes, wanted.numpy_dtype, op_name)
    return shifted(sample_of(distribution, _seed_stream(seed, op_name, alg), sizes, wanted), mean, stddev)


@export("random.stateless_normal")
def stateless_normal(
    shape: Any,
    seed: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = dtypes.float32,
    name: str | None = None,
    alg: Any = "auto_select",
) -> Tensor:
    """Draw from a normal distribution; the result depends only on `seed`, two integers.

    >>> import whygrad as tf
    >>> tf.random.stateless_normal([3], seed=[1, 2]).numpy()
    array([0.5441101 , 0.20738031, 0.07356432], dtype=float32)
    """
    return _stateless_float("normal", "StatelessRandomNormalV2", shape, seed, mean, stddev, dtype, alg)


@export("random.stateless_truncated_normal")
def stateless_truncated_normal(
    shape: Any,
    seed: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = dtypes.float32,
    name: str | None = None,
    alg: Any = "auto_select",
) -> Tensor:
    """Like `stateless_normal`, with values beyond two standard deviations redrawn.

    >>> import whygrad as tf
    >>> tf.random.stateless_truncated_normal([3], seed=[1, 2]).numpy()
    array([0.5441101 , 0.20738031, 0.07356432], dtype=float32)
    """
    return _stateless_float("truncated_normal", "StatelessTruncatedNormalV2", shape, seed, mean, stddev, dtype, alg)


@export("random.stateless_uniform")
def stateless_uniform(
    shape: Any,
    seed: Any,
    minval: Any = 0,
    maxval: Any = None,
    dtype: Any = dtypes.float32,
    name: str | None = None,
    alg: Any = "auto_select",
) -> Tensor:
    """Draw uniformly from [minval, maxval), depending only on `seed`; integers over their full range if both are None.

    >>> import whygrad as tf
    >>> tf.random.stateless_uniform([3], seed=[1, 2], maxval=10, dtype=tf.int32).numpy()
    array([0, 9, 4], dtype=int32)
    """
    wanted = dtypes.as_dtype(dtype)
    _check_accepted(wanted, (*FLOATS, dtypes.int32, dtypes.int64, dtypes.uint32, dtypes.uint64))
    if wanted.is_integer:
        if (minval is None) != (maxval is None):
            raise OpValueError(
                f"For integer `dtype` argument {wanted}, argument `minval` and `maxval` must be both None or not None. "
                f"Got `minval`={minval} and `maxval`={maxval}."
            )
        if minval is not None and wanted.is_unsigned:
            raise OpValueError(
                f"Argument `dtype` got invalid value {wanted} when argument `minval` is not None. "
                "Please don't use unsigned integers in this case."
            )
    return uniform_of(
        shape, minval, maxval, wanted, lambda op_name, sizes: _seed_stream(seed, op_name, alg), "StatelessRandomUniform"
    )


def uniform_of(
    shape: Any,
    minval: Any,
    maxval: Any,
    dtype: DType,
    stream: Callable[[str, tuple[int, ...]], Any],
    op_name: str,
) -> Tensor:
    """The three kinds of uniform numbers: floats, integers in a range, and integers over their full range."""
    if dtype.is_integer or minval is None:
        op_name += "FullIntV2" if minval is None else "IntV2"
        sizes = sizes_of(shape, op_name)
        check_among(dtype, (dtypes.int32, dtypes.int64, dtypes.uint32, dtypes.uint64), op_name)
        if minval is None:
            return sample_of("full_integers", stream(op_name, sizes), sizes, dtype)
        low, high = _int_range(minval, maxval, dtype, count_of(sizes), op_name)
        return _integers(stream(op_name, sizes), sizes, dtype, low, high)
    op_name += "V2"
    sizes = sizes_of(shape, op_name)
    minval, maxval = convert(minval, dtype), convert(1 if maxval is None else maxval, dtype)
    check_among(dtype, FLOATS, op_name)
    check_fits(sizes, dtype.numpy_dtype, op_name)
    return shifted(sample_of("uniform", stream(op_name, sizes), sizes, dtype), minval, subtract(maxval, minval))


@export("random.stateless_categorical")
def stateless_categorical(
    logits: Any, num_samples: Any, seed: Any, dtype: Any = dtypes.int64, name: str | None = None
) -> Tensor:
    """Like `categorical`, but deterministic: the result depends only on `seed`.

    >>> import whygrad as tf
    >>> tf.random.stateless_categorical([[0.0, 1.0, 2.0]], 5, seed=[1, 2]).numpy()
    array([[2, 2, 1, 2, 2]])
    """
    op_name = "StatelessMultinomial"
    return _categorical_of(logits, num_samples, dtype, lambda t, blocks: _seed_stream(seed, op_name), op_name)


def _leading(sizes: tuple[int, ...], parameter_shape: tuple[int, ...], op_name: str) -> tuple[int, ...]:
    """The leading axes of a stateless op's shape, before those of its parameters."""
    extra = len(sizes) - len(parameter_shape)
    if extra < 0 or sizes[extra:] != tuple(parameter_shape):
        raise invalid(f"Shape passed in must end with broadcasted shape. [Op:{op_name}]")
    return sizes[:extra]


@export("random.stateless_gamma")
def stateless_gamma(
    shape: Any, seed: Any, alpha: Any, beta: Any = None, dtype: Any = dtypes.float32, name: str | None = None
) -> Tensor:
    """Like `gamma`, depending only on `seed`; `shape` is the full shape, and ends with the broadcast shape of alpha and beta.

    >>> import whygrad as tf
    >>> tf.random.stateless_gamma([10, 2], seed=[1, 2], alpha=[0.5, 1.5]).shape
    TensorShape([10, 2])
    """
    op_name = "StatelessRandomGammaV3"
    sizes = sizes_of(shape, op_name)
    alpha, beta, _ = _gamma_parameters(alpha, beta, dtype, op_name)
    leading = _leading(sizes, alpha._array.shape, op_name)
    stream = _seed_stream(seed, op_name)
    return _scaled_gamma(apply(_random_gamma, *symbolic_like(stream, alpha), stream=stream, sample_shape=leading), beta)


@export("random.stateless_poisson")
def stateless_poisson(shape: Any, seed: Any, lam: Any, dtype: Any = dtypes.int32, name: str | None = None) -> Tensor:
    """Like `poisson`, depending only on `seed`; `shape` is the full shape, and ends with that of `lam`.

    >>> import whygrad as tf
    >>> tf.random.stateless_poisson([2], seed=[1, 2], lam=[1.0, 2.0]).numpy()
    array([3, 4], dtype=int32)
    """
    op_name = "StatelessRandomPoisson"
    sizes = sizes_of(shape, op_name)
    wanted = dtypes.as_dtype(dtype)
    rate = convert(lam, None)
    check_among(wanted, _COUNTS, op_name)
    check_among(rate.dtype, _COUNTS, op_name, "Rtype")
    leading = _leading(sizes, rate._array.shape, op_name)
    stream = _seed_stream(seed, op_name)
    return apply(
        _stateless_poisson, *symbolic_like(stream, rate), stream=stream, sample_shape=leading, dtype=wanted.numpy_dtype
    )


@export("random.stateless_binomial")
def stateless_binomial(
    shape: Any,
    seed: Any,
    counts: Any,
    probs: Any,
    output_dtype: Any = dtypes.int32,
    name: str | None = None,
) -> Tensor:
    """The number of successes in `counts` trials with probability `probs`; `shape` ends with the broadcast shape of both.

    >>> import whygrad as tf
    >>> tf.random.stateless_binomial([2], seed=[1, 2], counts=10, probs=0.5).numpy()
    array([6, 6], dtype=int32)
    """
    op_name = "StatelessRandomBinomial"
    probs = _with_hint(probs, dtypes.float32)
    counts = _with_hint(counts, probs.dtype)
    return binomial_of(shape, counts, probs, output_dtype, lambda _, __: _seed_stream(seed, op_name), op_name)


def _with_hint(value: Any, hint: DType) -> Tensor:
    if not isinstance(value, Tensor | Variable):
        try:
            return convert(value, hint)
        except (TypeError, ValueError):
            pass
    return convert(value, None)


def binomial_of(
    shape: Any, counts: Tensor, probs: Tensor, dtype: Any, stream: Callable[[int, int], Any], op_name: str
) -> Tensor:
    sizes = sizes_of(shape, op_name)
    wanted = dtypes.as_dtype(dtype)
    check_among(wanted, _COUNTS, op_name)
    check_among(counts.dtype, _COUNTS, op_name, "T")
    if counts.dtype is not probs.dtype:
        raise invalid(DtypesDiffer(wanted=counts.dtype, dtype=probs.dtype, position=3, op=op_name))
    both = _broadcast_together(counts, probs, op_name)._array.shape
    leading = _leading(sizes, both, op_name)
    source = stream(count_of(both), count_of(leading))
    parameters = symbolic_like(source, counts, probs)
    primitive = _random_binomial if op_name == "StatefulRandomBinomial" else _stateless_binomial
    return apply(primitive, *parameters, stream=source, sample_shape=leading, dtype=wanted.numpy_dtype)


@export("random.experimental.stateless_shuffle")
def stateless_shuffle(value: Any, seed: Any, alg: Any = "auto_select", name: str | None = None) -> Tensor:
    """Like `shuffle`, but deterministic: the result depends only on `seed`.

    >>> import whygrad as tf
    >>> tf.random.experimental.stateless_shuffle([1, 2, 3, 4, 5], seed=[1, 2]).numpy()
    array([1, 3, 2, 5, 4], dtype=int32)
    """
    stream = _seed_stream(seed, "StatelessShuffle", alg)
    return apply(_stateless_shuffle, *symbolic_like(stream, convert(value, None)), stream=stream)


@export("random.split", "random.experimental.stateless_split")
def split(seed: Any, num: Any = 2, alg: Any = "auto_select") -> Tensor:
    """Derive `num` new seeds from one: a tensor of shape (num, 2).

    >>> import whygrad as tf
    >>> tf.random.split([1, 2]).numpy()
    array([[1105988140, 1738052849],
           [-335576002,  370444179]], dtype=int32)
    """
    pair = convert(seed, None)
    return stateless_uniform([num, 2], pair, None, None, pair.dtype, alg=alg)


@export("random.fold_in", "random.experimental.stateless_fold_in")
def fold_in(seed: Any, data: Any, alg: Any = "auto_select") -> Tensor:
    """Derive a new seed from a seed and an integer.

    >>> import whygrad as tf
    >>> tf.random.fold_in([1, 2], 3).numpy()
    array([1105988140,          3], dtype=int32)
    """
    number = convert(data, None)
    return stack([stateless_uniform([], seed, None, None, number.dtype, alg=alg), number])


@export("random.stateless_parameterized_truncated_normal")
def stateless_parameterized_truncated_normal(
    shape: Any,
    seed: Any,
    means: Any = 0.0,
    stddevs: Any = 1.0,
    minvals: Any = -2.0,
    maxvals: Any = 2.0,
    name: str | None = None,
) -> Tensor:
    """Draw from normal distributions truncated at `minvals` and `maxvals`; differentiable with respect to all four parameters.

    The parameters broadcast together, and `shape` ends with their shape. Samples come from the inverse cumulative distribution of a
    uniform number, so they differ from TensorFlow's, which rejects candidates; the gradients are those of that function (TensorFlow's
    gradients for `means` and `stddevs` ignore that the bounds stay fixed).

    >>> import whygrad as tf
    >>> x = tf.random.stateless_parameterized_truncated_normal([1000], [1, 2], minvals=0.0, maxvals=0.5)
    >>> bool(tf.reduce_all((x >= 0.0) & (x <= 0.5)))
    True
    """
    op_name = "StatelessParameterizedTruncatedNormal"
    sizes = sizes_of(shape, op_name)
    mean, deviation, low, high = (convert(each, None) for each in (means, stddevs, minvals, maxvals))
    for each in (mean, deviation, low, high):
        check_among(each.dtype, FLOATS, op_name)
        if each.dtype is not mean.dtype:
            wording = DtypesDiffer.sentence.replace("input #{position}(zero-based)", "an input")
            raise invalid(DtypesDiffer(wanted=mean.dtype, dtype=each.dtype, op=op_name, wording=wording))
    for each in (deviation, low, high):
        mean = _broadcast_together(mean, each, op_name)
    _leading(sizes, mean._array.shape, op_name)
    if are_known(deviation, low, high) and not (np.all(deviation._array > 0) and np.all(low._array < high._array)):
        raise invalid(f"Invalid parameters [Op:{op_name}]")
    uniform_ = sample_of("uniform", _seed_stream(seed, op_name), sizes, dtypes.float64)
    wide = [cast(each, dtypes.float64) for each in (mean, deviation, low, high)]
    drawn = cast(_truncated(uniform_, *wide), mean.dtype)
    return minimum(maximum(drawn, low), high)  # rounding may exceed a bound


def _truncated(uniform_: Tensor, mean: Tensor, deviation: Tensor, low: Tensor, high: Tensor) -> Tensor:
    from whygrad.ops.special import erfc, ndtri  # lazily: few programs use this distribution

    lower, upper = (low - mean) / deviation, (high - mean) / deviation
    # Reflect intervals above the mean: the lower tail of the distribution keeps its digits, the upper one is 1 - tiny.
    above = lower > 0.0
    lower, upper = where(above, -upper, lower), where(above, -lower, upper)
    below_lower, below_upper = (0.5 * erfc(-bound / np.sqrt(2)) for bound in (lower, upper))
    standard = ndtri(below_lower + uniform_ * (below_upper - below_lower))
    return mean + deviation * where(above, -standard, standard)
