"""XLA kernels that draw from parameterized distributions: the algorithms of the NumPy engine, with the same samples.

Candidates are drawn for all outputs at once, in a loop that ends when each output has accepted one; see `numpy_random`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from whygrad.engines.numpy_random import STIRLING_TAILS
from whygrad.engines.philox import RESERVED, Stream
from whygrad.engines.xla_philox import XlaStream, normal_pairs, stream_of_pair, stream_of_state, unit_double

Array = Any


class RandomKernels:
    """Kernels of `whygrad.ops.random`."""

    jax: Any
    jnp: Any
    lax: Any

    def stream(self, stream: Stream | XlaStream) -> XlaStream:
        """Convert a stream to one of this engine."""
        return stream if isinstance(stream, XlaStream) else stream_of_state(self, self.jnp.asarray(stream.state()))

    def stream_of_state(self, state: Array) -> XlaStream:
        """The stream of a state: position and key, three 64-bit numbers."""
        return stream_of_state(self, state)

    def stream_of_pair(self, pair: Array) -> XlaStream:
        """The stream of a pair of seeds."""
        return stream_of_pair(self, pair)

    def numbered(self, states: Array, number: Array) -> Array:
        """Independent streams for each number: states (the last axis) with it added to the high word of the position.

        Fed values that are not streams are returned unchanged.
        """
        if states.dtype != np.uint64:
            return states
        return states + self.jnp.stack([self.jnp.zeros_like(number), number, self.jnp.zeros_like(number)])

    def categorical_sample(self, logits: Array, *, stream: Any, num_samples: int, dtype: Any) -> Array:
        """For each row of logits, `num_samples` class ids, drawn by inverting the cumulative distribution."""
        rows = len(logits)
        finite = self.jnp.isfinite(logits)
        logits = logits.astype(np.float64)
        highest = self.jnp.max(logits, axis=1, where=finite, initial=-np.finfo(np.float64).max, keepdims=True)
        cumulated = self.jnp.cumsum(self.jnp.where(finite, self.jnp.exp(logits - highest), 0.0), axis=1)
        uniforms = unit_double(self, self.stream(stream).words(2 * rows * num_samples)).reshape(rows, num_samples)
        wanted = uniforms * cumulated[:, -1:]
        search = self.jax.vmap(lambda row, values: self.jnp.searchsorted(row, values, side="right"))
        return search(cumulated, wanted).astype(dtype)

    def random_gamma(self, alpha: Array, *, stream: Any, sample_shape: tuple[int, ...]) -> Array:
        """Samples of shape `sample_shape` for each alpha; scale 1."""
        return self._for_each_parameter(_gamma, (alpha,), stream, sample_shape, alpha.dtype)

    def random_gamma_grad(self, alpha: Array, sample: Array) -> Array:
        """The derivative of a sample with respect to alpha that keeps its quantile."""
        a, x = self.jnp.broadcast_arrays(alpha.astype(np.float64), sample.astype(np.float64))
        return self.lax.random_gamma_grad(a, x).astype(sample.dtype)

    def random_poisson(self, rate: Array, *, stream: Any, sample_shape: tuple[int, ...], dtype: Any) -> Array:
        """Samples of shape `sample_shape` for each rate."""
        return self._for_each_parameter(_poisson, (rate,), stream, sample_shape, dtype)

    def random_binomial(
        self, counts: Array, probs: Array, *, stream: Any, sample_shape: tuple[int, ...], dtype: Any
    ) -> Array:
        """Samples of shape `sample_shape` for each pair of count and probability."""
        parameters = self.jnp.broadcast_arrays(counts, probs)
        return self._for_each_parameter(_binomial, parameters, stream, sample_shape, dtype)

    def shuffled_order(self, count: int, *, stream: Any) -> Array:
        """0 .. count - 1 in random order (Fisher-Yates): each position is swapped with a random later one or itself.

        A swap waits only for earlier swaps of its two positions: a few rounds do them all.
        """
        jnp, swaps = self.jnp, max(count - 1, 0)
        places = np.arange(swaps)
        steps = self.stream(stream).words(swaps) % np.arange(count, 1, -1, dtype=np.uint32)
        partners = places + steps.astype(np.int64)

        def swap(state: Any) -> Any:
            order, waiting = state
            mine = jnp.where(waiting, places, count)  # of the swaps waiting for a position, the first gets it
            first = jnp.full(count, count).at[places].min(mine).at[partners].min(mine)
            ready = waiting & (first[places] == places) & (first[partners] == places)
            here, there = jnp.where(ready, places, count), jnp.where(ready, partners, count)
            swapped = order.at[here].set(order[partners], mode="drop").at[there].set(order[places], mode="drop")
            return swapped, waiting & ~ready

        state = jnp.arange(count), jnp.ones(swaps, bool)
        return self.lax.while_loop(lambda each: jnp.any(each[1]), swap, state)[0]

    def _for_each_parameter(
        self, draw: Callable[..., Array], parameters: Any, stream: Any, sample_shape: tuple[int, ...], dtype: Any
    ) -> Array:
        """Samples with axes `sample_shape` followed by the parameters' axes; the stream runs over the samples first."""
        shape = parameters[0].shape
        samples = int(np.prod(sample_shape, dtype=np.int64))
        repeated = [self.jnp.repeat(self.jnp.reshape(each, -1), samples) for each in parameters]
        drawn = draw(self, self.stream(stream), *repeated)
        if np.dtype(dtype).kind in "iu":  # integers have no inf and nan: TensorFlow gives 0
            drawn = self.jnp.where(self.jnp.isfinite(drawn), drawn, 0)
        return drawn.astype(dtype).reshape(parameters[0].size, samples).T.reshape((*sample_shape, *shape))


class _Supply:
    """Random numbers for many outputs, drawn a block at a time and handed out from the block's end.

    Loops carry its state: the position of the next block and the remaining numbers of the last one.
    """

    def __init__(self, xp: Any, stream: XlaStream, numbers: Callable[[Any, Array], Array]) -> None:
        self.xp = xp
        self.stream = stream
        self.numbers = numbers

    def start(self, outputs: int) -> Any:
        """The initial state: no numbers left."""
        return self.xp.jnp.zeros(outputs, bool), self.xp.jnp.zeros((outputs, 2))

    def take(self, left: Any, position: Array, wanted: Array) -> tuple[Array, Any, Array]:
        """The next number for each output that wants one, the new state, and the new position."""
        jnp = self.xp.jnp
        another, made = left
        empty = wanted & ~another
        fresh = self.numbers(self.xp, self.stream.blocks(position).reshape(-1)).reshape(-1, 2)
        made = jnp.where(empty[:, None], fresh, made)
        number = jnp.where(empty, made[:, 1], made[:, 0])
        return number, (jnp.where(wanted, empty, another), made), position + empty.astype(np.uint64)


def _positions(xp: Any, count: int, apart: int = RESERVED) -> Array:
    return xp.jnp.asarray(np.arange(count, dtype=np.uint64) * np.uint64(apart))


def _normal_doubles(xp: Any, words: Array) -> Array:
    return normal_pairs(xp, unit_double(xp, words).reshape(-1, 2))


def _until_all_are_drawn(xp: Any, draw: Callable[[Any], Any], state: Any) -> Array:
    """Repeat `draw` on a state that begins with the output and the mask of pending outputs, until none is pending."""
    return xp.lax.while_loop(lambda each: xp.jnp.any(each[1]), draw, state)[0]


def _gamma(xp: Any, stream: XlaStream, alpha: Array) -> Array:
    """Marsaglia and Tsang: the cube of a shifted normal number, accepted by a uniform one; alpha + 1 for alpha below 1."""
    jnp = xp.jnp
    alpha = alpha.astype(np.float64)
    position = _positions(xp, len(alpha))
    normals, uniforms = _Supply(xp, stream, _normal_doubles), _Supply(xp, stream, unit_double)
    exponential = alpha == 1
    u, left, position = uniforms.take(uniforms.start(len(alpha)), position, exponential)
    out = jnp.where(exponential, -jnp.log1p(-u), jnp.where(alpha == np.inf, np.inf, np.nan))
    small = alpha < 1
    d = alpha + jnp.where(small, 2 / 3, -1 / 3)
    c = 1 / 3 / jnp.sqrt(d)

    def draw(state: Any) -> Any:
        out, todo, position, normals_left, uniforms_left = state
        x, normals_left, position = normals.take(normals_left, position, todo)
        v = 1 + c * x
        trying = todo & (v > 0)
        v = v * v * v
        u, uniforms_left, position = uniforms.take(uniforms_left, position, trying)
        below = (u < 1 - 0.0331 * (x * x) * (x * x)) | (jnp.log(u) < 0.5 * x * x + d * (1 - v + jnp.log(v)))
        good = trying & below
        u, uniforms_left, position = uniforms.take(uniforms_left, position, good & small)
        sample = jnp.where(small, d * v * u ** (1 / alpha), d * v)
        return jnp.where(good, sample, out), todo & ~good, position, normals_left, uniforms_left

    todo = (alpha >= 0) & ~exponential & jnp.isfinite(alpha)
    return _until_all_are_drawn(xp, draw, (out, todo, position, normals.start(len(alpha)), left))


def _poisson(xp: Any, stream: XlaStream, rate: Array) -> Array:
    """Knuth's product of uniform numbers for small rates, Hörmann's transformed rejection for larger ones."""
    jnp = xp.jnp
    rate = rate.astype(np.float64)
    uniforms = _Supply(xp, stream, unit_double)
    start = _positions(xp, len(rate)), uniforms.start(len(rate))
    valid = jnp.isfinite(rate) & (rate >= 0)
    limit = jnp.exp(-rate)

    def multiply(state: Any) -> Any:
        out, todo, position, left, product = state
        u, left, position = uniforms.take(left, position, todo)
        product = jnp.where(todo, product * u, product)
        todo = todo & (product > limit)
        return out + todo, todo, position, left, product

    few = valid & (rate < 10)
    out = jnp.where(few, 0.0, jnp.where(rate == np.inf, np.inf, np.nan))
    out = _until_all_are_drawn(xp, multiply, (out, few, *start, jnp.ones(len(rate))))
    b = 0.931 + 2.53 * jnp.sqrt(rate)
    a = -0.059 + 0.02483 * b
    inverse_alpha = 1.1239 + 1.1328 / (b - 3.4)

    def reject(state: Any) -> Any:
        out, todo, position, left = state
        u, left, position = uniforms.take(left, position, todo)
        v, left, position = uniforms.take(left, position, todo)
        u = u - 0.5
        us = 0.5 - jnp.abs(u)
        k = jnp.floor((2 * a / us + b) * u + rate + 0.43)
        surely = (us >= 0.07) & (v <= 0.9277 - 3.6224 / (b - 2))
        possible = (k >= 0) & ~((us < 0.013) & (v > us))
        bound = -rate + k * jnp.log(rate) - xp.lgamma(k + 1)
        good = todo & (surely | (possible & (jnp.log(v * inverse_alpha / (a / (us * us) + b)) <= bound)))
        return jnp.where(good, k, out), todo & ~good, position, left

    return _until_all_are_drawn(xp, reject, (out, valid & (rate >= 10), *start))


def _binomial(xp: Any, stream: XlaStream, counts: Array, probs: Array) -> Array:
    """Sums of geometric numbers where few successes are expected, Hörmann's transformed rejection elsewhere."""
    jnp = xp.jnp
    flipped = probs > 0.5  # count failures, and subtract them
    rarer = jnp.where(flipped, counts.dtype.type(1) - probs, probs)
    many = counts * rarer >= counts.dtype.type(10)
    trivial = (counts <= 0) | (probs <= 0) | (probs >= 1) | jnp.isnan(probs)
    n, p = counts.astype(np.float64), rarer.astype(np.float64)
    uniforms = _Supply(xp, stream, unit_double)

    def geometric(state: Any) -> Any:
        out, todo, position, left, trials = state
        u, left, position = uniforms.take(left, position, todo)
        trials = jnp.where(todo, trials + jnp.ceil(jnp.log(u) / jnp.log1p(-p)), trials)
        todo = todo & (trials <= n)
        return out + todo, todo, position, left, trials

    few = ~trivial & ~many
    zeros, start = jnp.zeros(len(n)), uniforms.start(len(n))
    out = _until_all_are_drawn(xp, geometric, (zeros, few, _positions(xp, len(n), 42), start, zeros))
    deviation = jnp.sqrt(n * p * (1 - p))
    b = 1.15 + 2.53 * deviation
    a = -0.0873 + 0.0248 * b + 0.01 * p
    odds = p / (1 - p)
    mode = jnp.floor((n + 1) * p)
    alpha = (2.83 + 5.1 / b) * deviation

    def reject(state: Any) -> Any:
        out, todo, position, left = state
        u, left, position = uniforms.take(left, position, todo)
        v, left, position = uniforms.take(left, position, todo)
        u = u - 0.5
        us = 0.5 - jnp.abs(u)
        k = jnp.floor((2 * a / us + b) * u + n * p + 0.5)
        surely = (us >= 0.07) & (v <= 0.92 - 4.2 / b)
        possible = (k >= 0) & (k <= n)
        bound = (
            (mode + 0.5) * jnp.log((mode + 1) / (odds * (n - mode + 1)))
            + (n + 1) * jnp.log((n - mode + 1) / (n - k + 1))
            + (k + 0.5) * jnp.log(odds * (n - k + 1) / (k + 1))
            + _stirling_tail(xp, mode)
            + _stirling_tail(xp, n - mode)
            - _stirling_tail(xp, k)
            - _stirling_tail(xp, n - k)
        )
        good = todo & (surely | (possible & (jnp.log(v * alpha / (a / (us * us) + b)) <= bound)))
        return jnp.where(good, k, out), todo & ~good, position, left

    out = _until_all_are_drawn(xp, reject, (out, ~trivial & many, _positions(xp, len(n)), start))
    out = jnp.where(flipped, n - out, out)
    known = jnp.where((counts <= 0) | (probs <= 0), 0.0, jnp.where(probs >= 1, n, np.nan))
    return jnp.where(trivial, known, out)


def _stirling_tail(xp: Any, k: Array) -> Array:
    square = (k + 1) * (k + 1)
    series = (1 / 12 - (1 / 360 - 1 / 1260 / square) / square) / (k + 1)
    return xp.jnp.where(k <= 9, xp.jnp.asarray(STIRLING_TAILS)[xp.jnp.clip(k, 0, 9).astype(np.int32)], series)
