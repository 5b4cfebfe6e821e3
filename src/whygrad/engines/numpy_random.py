"""NumPy kernels that draw from parameterized distributions.

Most of them reject candidates, so each output reads its own section of the stream. All outputs are computed at once: each round
draws for those without an accepted candidate, until none is left. The algorithms, and the order in which they read numbers, are
TensorFlow's, so the same seed gives the same sample.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from whygrad.engines.philox import RESERVED, Stream, normal_pairs, unit_double

Array = Any


class RandomKernels:
    """Kernels of `whygrad.ops.random`."""

    def categorical_sample(self, logits: Array, *, stream: Stream, num_samples: int, dtype: Any) -> Array:
        """For each row of logits, `num_samples` class ids, drawn by inverting the cumulative distribution."""
        rows = len(logits)
        finite = np.isfinite(logits)
        logits = logits.astype(np.float64)
        highest = np.max(logits, axis=1, where=finite, initial=-np.finfo(np.float64).max, keepdims=True)
        cumulated = np.cumsum(np.where(finite, np.exp(logits - highest), 0.0), axis=1)
        wanted = unit_double(stream.words(2 * rows * num_samples)).reshape(rows, num_samples) * cumulated[:, -1:]
        out = np.empty((rows, num_samples), dtype)
        if num_samples < rows:
            for j in range(num_samples):
                out[:, j] = np.count_nonzero(cumulated <= wanted[:, j : j + 1], axis=1)
        else:
            for i in range(rows):
                out[i] = np.searchsorted(cumulated[i], wanted[i], side="right")
        return out

    def random_gamma(self, alpha: Array, *, stream: Stream, sample_shape: tuple[int, ...]) -> Array:
        """Samples of shape `sample_shape` for each alpha; scale 1."""
        return _for_each_parameter(_gamma, (alpha,), stream, sample_shape, alpha.dtype)

    def random_gamma_grad(self, alpha: Array, sample: Array) -> Array:
        """The derivative of a sample with respect to alpha that keeps its quantile: -(dP / dalpha) / (dP / dsample)."""
        import scipy.special

        a, x = np.broadcast_arrays(alpha.astype(np.float64), sample.astype(np.float64))
        log_density = (a - 1) * np.log(x) - x - scipy.special.gammaln(a)
        out = np.asarray(-self.igamma_grad_a(a, x) * np.exp(-log_density))  # type: ignore[attr-defined]
        large = np.asarray(a > _LARGE_ALPHA)
        if large.any():
            out[large] = _quantile_slope(a[large], x[large])
        return out.astype(sample.dtype)

    def random_poisson(self, rate: Array, *, stream: Stream, sample_shape: tuple[int, ...], dtype: Any) -> Array:
        """Samples of shape `sample_shape` for each rate."""
        return _for_each_parameter(_poisson, (rate,), stream, sample_shape, dtype)

    def random_binomial(
        self, counts: Array, probs: Array, *, stream: Stream, sample_shape: tuple[int, ...], dtype: Any
    ) -> Array:
        """Samples of shape `sample_shape` for each pair of count and probability."""
        return _for_each_parameter(_binomial, np.broadcast_arrays(counts, probs), stream, sample_shape, dtype)

    def shuffled_order(self, count: int, *, stream: Stream) -> Array:
        """0 .. count - 1 in random order (Fisher-Yates): each position is swapped with a random later one or itself."""
        order = list(range(count))
        steps = (stream.words(max(count - 1, 0)) % np.arange(count, 1, -1, dtype=np.uint32)).tolist()
        for i, step in enumerate(steps):
            order[i], order[i + step] = order[i + step], order[i]
        return np.array(order, np.intp)


def _for_each_parameter(
    draw: Callable[..., Array],
    parameters: Any,
    stream: Stream,
    sample_shape: tuple[int, ...],
    dtype: Any,
) -> Array:
    """Samples with axes `sample_shape` followed by the parameters' axes; the stream runs over the samples first."""
    shape = parameters[0].shape
    samples = int(np.prod(sample_shape, dtype=np.int64))
    repeated = [np.repeat(p.reshape(-1), samples) for p in parameters]
    with np.errstate(all="ignore"):
        drawn = draw(stream, *repeated)
        if np.dtype(dtype).kind in "iu":  # integers have no inf and nan: TensorFlow gives 0
            drawn = np.where(np.isfinite(drawn), drawn, 0)
        drawn = drawn.astype(dtype)
    by_sample = drawn.reshape(parameters[0].size, samples).T
    return np.ascontiguousarray(by_sample).reshape((*sample_shape, *shape))


class _Supply:
    """Random numbers for many outputs, drawn a block at a time and handed out from the block's end."""

    def __init__(self, stream: Stream, position: Array, numbers: Callable[[Array], Array], per_block: int) -> None:
        self.stream = stream
        self.position = position  # of the next block, for each output; shared by the supplies of one draw
        self.numbers = numbers
        self.per_block = per_block
        self.left = np.zeros(len(position), np.intp)
        self.made: Array = np.empty((len(position), per_block))

    def take(self, outputs: Array) -> Array:
        """The next number for each of these outputs."""
        empty = outputs[self.left[outputs] == 0]
        if len(empty):
            words = self.stream.blocks(self.position[empty]).reshape(-1)
            self.made[empty] = self.numbers(words).reshape(len(empty), self.per_block)
            self.position[empty] += np.uint64(1)
            self.left[empty] = self.per_block
        self.left[outputs] -= 1
        return self.made[outputs, self.left[outputs]]


def _positions(count: int, apart: int = RESERVED) -> Array:
    return np.arange(count, dtype=np.uint64) * np.uint64(apart)


def _normal_doubles(words: Array) -> Array:
    return normal_pairs(unit_double(words).reshape(-1, 2))


def _gamma(stream: Stream, alpha: Array) -> Array:
    """Marsaglia and Tsang: the cube of a shifted normal number, accepted by a uniform one; alpha + 1 for alpha below 1."""
    alpha = alpha.astype(np.float64)
    position = _positions(len(alpha))
    normals = _Supply(stream, position, _normal_doubles, 2)
    uniforms = _Supply(stream, position, unit_double, 2)
    out = np.where(alpha == np.inf, np.inf, np.nan)
    exponential = np.flatnonzero(alpha == 1)
    out[exponential] = -np.log1p(-uniforms.take(exponential))
    small = alpha < 1
    d = alpha + np.where(small, 2 / 3, -1 / 3)
    c = 1 / 3 / np.sqrt(d)
    todo = np.flatnonzero((alpha >= 0) & (alpha != 1) & np.isfinite(alpha))
    while len(todo):
        x = normals.take(todo)
        v = 1 + c[todo] * x
        inside = v > 0
        trying, x, v = todo[inside], x[inside], v[inside]
        v = v * v * v
        u = uniforms.take(trying)
        good = (u < 1 - 0.0331 * (x * x) * (x * x)) | (np.log(u) < 0.5 * x * x + d[trying] * (1 - v + np.log(v)))
        accepted = trying[good]
        out[accepted] = d[accepted] * v[good]
        powers = accepted[small[accepted]]
        out[powers] *= uniforms.take(powers) ** (1 / alpha[powers])
        todo = np.setdiff1d(todo, accepted, assume_unique=True)
    return out


# Beyond this alpha, the series for the derivative of the cumulative distribution take too many terms.
_LARGE_ALPHA = 1000.0


def _quantile_slope(alpha: Array, x: Array) -> Array:
    """The derivative of x's quantile by a large alpha: a central difference, since it is nearly linear."""
    from scipy import special

    step = 1e-3 * alpha
    upper = x > alpha
    below, above = special.gammainc(alpha, x), special.gammaincc(alpha, x)

    def quantile(a: Array) -> Array:
        return np.where(upper, special.gammainccinv(a, above), special.gammaincinv(a, below))

    return (quantile(alpha + step) - quantile(alpha - step)) / (2 * step)


def _poisson(stream: Stream, rate: Array) -> Array:
    """Knuth's product of uniform numbers for small rates, Hörmann's transformed rejection for larger ones."""
    rate = rate.astype(np.float64)
    uniforms = _Supply(stream, _positions(len(rate)), unit_double, 2)
    out = np.where(rate == np.inf, np.inf, np.nan)
    valid = np.isfinite(rate) & (rate >= 0)
    _poisson_by_product(uniforms, rate, np.flatnonzero(valid & (rate < 10)), out)
    _poisson_by_rejection(uniforms, rate, np.flatnonzero(valid & (rate >= 10)), out)
    return out


def _poisson_by_product(uniforms: _Supply, rate: Array, todo: Array, out: Array) -> None:
    limit = np.exp(-rate)
    product = np.ones(len(rate))
    out[todo] = 0
    while len(todo):
        product[todo] *= uniforms.take(todo)
        todo = todo[product[todo] > limit[todo]]
        out[todo] += 1


def _poisson_by_rejection(uniforms: _Supply, rate: Array, todo: Array, out: Array) -> None:
    import scipy.special

    b = 0.931 + 2.53 * np.sqrt(rate)
    a = -0.059 + 0.02483 * b
    inverse_alpha = 1.1239 + 1.1328 / (b - 3.4)
    while len(todo):
        u = uniforms.take(todo) - 0.5
        v = uniforms.take(todo)
        r, a_, b_ = rate[todo], a[todo], b[todo]
        us = 0.5 - np.abs(u)
        k = np.floor((2 * a_ / us + b_) * u + r + 0.43)
        surely = (us >= 0.07) & (v <= 0.9277 - 3.6224 / (b_ - 2))
        possible = (k >= 0) & ~((us < 0.013) & (v > us))
        bound = -r + k * np.log(r) - scipy.special.gammaln(k + 1)
        good = surely | (possible & (np.log(v * inverse_alpha[todo] / (a_ / (us * us) + b_)) <= bound))
        out[todo[good]] = k[good]
        todo = todo[~good]


def _binomial(stream: Stream, counts: Array, probs: Array) -> Array:
    """Sums of geometric numbers where few successes are expected, Hörmann's transformed rejection elsewhere."""
    few = counts.dtype.type(10)
    flipped = probs > 0.5  # count failures, and subtract them
    rarer = np.where(flipped, counts.dtype.type(1) - probs, probs)
    many = counts * rarer >= few
    trivial = (counts <= 0) | (probs <= 0) | (probs >= 1) | np.isnan(probs)
    n, p = counts.astype(np.float64), rarer.astype(np.float64)
    out = np.where((counts <= 0) | (probs <= 0), 0.0, np.where(probs >= 1, n, np.nan))
    for apart, method, those in (
        (42, _binomial_by_geometric, ~trivial & ~many),
        (RESERVED, _binomial_by_rejection, ~trivial & many),
    ):
        uniforms = _Supply(stream, _positions(len(n), apart), unit_double, 2)
        todo = np.flatnonzero(those)
        method(uniforms, n, p, todo, out)
        out[todo] = np.where(flipped[todo], n[todo] - out[todo], out[todo])
    return out


def _binomial_by_geometric(uniforms: _Supply, n: Array, p: Array, todo: Array, out: Array) -> None:
    trials = np.zeros(len(n))
    out[todo] = 0
    while len(todo):
        trials[todo] += np.ceil(np.log(uniforms.take(todo)) / np.log1p(-p[todo]))
        todo = todo[trials[todo] <= n[todo]]
        out[todo] += 1


def _binomial_by_rejection(uniforms: _Supply, n: Array, p: Array, todo: Array, out: Array) -> None:
    deviation = np.sqrt(n * p * (1 - p))
    b = 1.15 + 2.53 * deviation
    a = -0.0873 + 0.0248 * b + 0.01 * p
    odds = p / (1 - p)
    mode = np.floor((n + 1) * p)
    while len(todo):
        u = uniforms.take(todo) - 0.5
        v = uniforms.take(todo)
        n_, a_, b_, r, m = n[todo], a[todo], b[todo], odds[todo], mode[todo]
        us = 0.5 - np.abs(u)
        k = np.floor((2 * a_ / us + b_) * u + n_ * p[todo] + 0.5)
        surely = (us >= 0.07) & (v <= 0.92 - 4.2 / b_)
        possible = (k >= 0) & (k <= n_)
        alpha = (2.83 + 5.1 / b_) * deviation[todo]
        bound = (
            (m + 0.5) * np.log((m + 1) / (r * (n_ - m + 1)))
            + (n_ + 1) * np.log((n_ - m + 1) / (n_ - k + 1))
            + (k + 0.5) * np.log(r * (n_ - k + 1) / (k + 1))
            + _stirling_tail(m)
            + _stirling_tail(n_ - m)
            - _stirling_tail(k)
            - _stirling_tail(n_ - k)
        )
        good = surely | (possible & (np.log(v * alpha / (a_ / (us * us) + b_)) <= bound))
        out[todo[good]] = k[good]
        todo = todo[~good]


# log k! minus Stirling's formula, for k = 0 .. 9; beyond, a series is exact.
STIRLING_TAILS = np.array([
    0.0810614667953272, 0.0413406959554092, 0.0276779256849983, 0.02079067210376509, 0.0166446911898211,
    0.0138761288230707, 0.0118967099458917, 0.0104112652619720, 0.00925546218271273, 0.00833056343336287,
])  # fmt: skip


def _stirling_tail(k: Array) -> Array:
    square = (k + 1) * (k + 1)
    series = (1 / 12 - (1 / 360 - 1 / 1260 / square) / square) / (k + 1)
    return np.where(k <= 9, STIRLING_TAILS[np.clip(k, 0, 9).astype(np.intp)], series)
