"""XLA kernels for special functions: XLA's own where they exist, otherwise polynomials fitted to SciPy's."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

Array = Any


def _from_jax(name: str, doc: str) -> Callable[..., Array]:
    """Make a kernel from one of JAX's functions; half precision is computed in float32."""

    def kernel(self: Any, *arrays: Array) -> Array:
        function = getattr(self.jax.scipy.special, name)
        dtype = arrays[0].dtype
        if dtype.itemsize == 2:
            return function(*[each.astype(np.float32) for each in arrays]).astype(dtype)
        return function(*arrays)

    kernel.__doc__ = doc
    return kernel


def _in_doubles(function: Callable[..., Array], doc: str) -> Callable[..., Array]:
    """Make a kernel that computes in float64, from fitted polynomials: `function` takes the engine and x."""

    def kernel(self: Any, x: Array) -> Array:
        return function(self, x.astype(np.float64)).astype(x.dtype)

    kernel.__doc__ = doc
    return kernel


class Pieces:
    """A smooth function on an interval as piecewise Chebyshev polynomials, fitted on first use."""

    _DEGREE = 17

    def __init__(self, low: float, high: float, count: int, values: Callable[[Array], Array]) -> None:
        self.low, self.high, self.count = low, high, count
        self._values = values

    @functools.cached_property
    def _coefficients(self) -> Array:
        """One row for each power, one column for each piece."""
        nodes = np.cos((np.arange(self._DEGREE + 1) + 0.5) * np.pi / (self._DEGREE + 1))
        width = (self.high - self.low) / self.count
        x = self.low + width * (np.arange(self.count)[:, None] + (nodes + 1) / 2)
        return np.polynomial.chebyshev.chebfit(nodes, self._values(x).T, self._DEGREE)

    def __call__(self, xp: Any, x: Array) -> Array:
        """The function at x, which must lie in the interval; elsewhere the value is meaningless."""
        jnp = xp.jnp
        place = (x - self.low) * (self.count / (self.high - self.low))
        piece = jnp.clip(place, 0, self.count - 1).astype(np.int32)
        t = 2 * (place - piece) - 1
        before = after = jnp.zeros_like(x)
        for row in self._coefficients[:0:-1]:
            before, after = jnp.asarray(row)[piece] + 2 * t * before - after, before
        return jnp.asarray(self._coefficients[0])[piece] + t * before - after


def _scipy(name: str) -> Callable[..., Array]:
    def function(*arrays: Array) -> Array:
        import scipy.special

        return np.asarray(getattr(scipy.special, name)(*arrays))

    return function


_j0, _j1, _y0, _y1 = (_scipy(name) for name in ("j0", "j1", "y0", "y1"))
_i0, _i1, _k0, _k1, _k0e, _k1e = (_scipy(name) for name in ("i0", "i1", "k0", "k1", "k0e", "k1e"))


# -- Bessel functions of the first and second kind: near 0 without their logarithm and pole, far out by amplitude and phase --

_FAR = 25.0  # from here on, a few terms of the expansion of amplitude and phase are exact
_NEAR = 2.0

_j_near = [Pieces(0, 4, 1, lambda s: _j0(np.sqrt(s))), Pieces(0, 4, 1, lambda s: _j1(np.sqrt(s)) / np.sqrt(s))]
_j_middle = [Pieces(_NEAR, _FAR, 23, _j0), Pieces(_NEAR, _FAR, 23, _j1)]
_y_near = [
    Pieces(0, 4, 1, lambda s: _y0(np.sqrt(s)) - 2 / np.pi * np.log(np.sqrt(s)) * _j0(np.sqrt(s))),
    Pieces(
        0, 4, 1,
        lambda s: (_y1(np.sqrt(s)) + 2 / np.pi / np.sqrt(s) - 2 / np.pi * np.log(np.sqrt(s)) * _j1(np.sqrt(s))) / np.sqrt(s),
    ),
]  # fmt: skip
_y_middle = [Pieces(_NEAR, _FAR, 23, _y0), Pieces(_NEAR, _FAR, 23, _y1)]


def _far(xp: Any, x: Array, order: int, second_kind: bool) -> Array:
    """Hankel's expansion: sqrt(2 / (pi x)) (p cos(phase) - q sin(phase)), or with sin and cos for the second kind."""
    term, p, q = xp.jnp.ones_like(x), 0.0, 0.0
    for k in range(16):
        if k % 2 == 0:
            p = p + (term if k % 4 == 0 else -term)
        else:
            q = q + (term if k % 4 == 1 else -term)
        term = term * (4 * order * order - (2 * k + 1) ** 2) / ((k + 1) * 8 * x)
    # cos and sin of x - pi / 4, without rounding that difference.
    cosine, sine = (xp.jnp.cos(x) + xp.jnp.sin(x)) * np.sqrt(0.5), (xp.jnp.sin(x) - xp.jnp.cos(x)) * np.sqrt(0.5)
    if order == 1:
        cosine, sine = sine, -cosine
    scale = xp.jnp.sqrt(2 / np.pi / x)
    return scale * (p * sine + q * cosine if second_kind else p * cosine - q * sine)


def _first_kind(order: int) -> Callable[..., Array]:
    def function(xp: Any, x: Array) -> Array:
        size = xp.jnp.abs(x)
        near = _j_near[order](xp, x * x) * (x if order else 1)
        middle, far = _j_middle[order](xp, size), _far(xp, xp.jnp.maximum(size, _FAR), order, False)
        sign = xp.jnp.sign(x) if order else 1
        return xp.jnp.where(size < _NEAR, near, sign * xp.jnp.where(size < _FAR, middle, far))

    return function


def _second_kind(order: int) -> Callable[..., Array]:
    def function(xp: Any, x: Array) -> Array:
        inside = xp.jnp.where(x > 0, x, 1.0)
        near = _y_near[order](xp, inside * inside) * (inside if order else 1)
        near = near + 2 / np.pi * xp.jnp.log(inside) * _first_kind(order)(xp, inside)
        near = near - 2 / np.pi / inside if order else near
        middle, far = _y_middle[order](xp, inside), _far(xp, xp.jnp.maximum(inside, _FAR), order, True)
        y = xp.jnp.where(inside < _NEAR, near, xp.jnp.where(inside < _FAR, middle, far))
        return xp.jnp.where(x > 0, y, xp.jnp.where(x <= 0, -np.inf, np.nan))

    return function


# -- modified Bessel functions of the second kind: near 0 without their logarithm and pole, far out without the root --

_k_near = [
    Pieces(0, 4, 1, lambda s: _k0(np.sqrt(s)) + np.log(np.sqrt(s)) * _i0(np.sqrt(s))),
    Pieces(0, 4, 1, lambda s: _k1(np.sqrt(s)) * np.sqrt(s) - np.log(np.sqrt(s)) * _i1(np.sqrt(s)) * np.sqrt(s)),
]
_k_far = [
    Pieces(0, 1, 4, lambda t: _k0e(2 / t) * np.sqrt(2 / t)),
    Pieces(0, 1, 4, lambda t: _k1e(2 / t) * np.sqrt(2 / t)),
]


def _modified_second_kind(order: int, scaled: bool) -> Callable[..., Array]:
    def function(xp: Any, x: Array) -> Array:
        jnp = xp.jnp
        inside = jnp.where(x > 0, x, 1.0)
        near = _k_near[order](xp, inside * inside)
        special = xp.jax.scipy.special
        if order:
            near = near / inside + jnp.log(inside) * special.i1(inside)
        else:
            near = near - jnp.log(inside) * special.i0(inside)
        far = _k_far[order](xp, 2 / inside) / jnp.sqrt(inside)
        if scaled:
            near = near * jnp.exp(inside)
        else:
            far = far * jnp.exp(-inside)
        y = jnp.where(inside < _NEAR, near, far)
        return jnp.where(x > 0, y, jnp.where(x <= 0, np.inf, np.nan))

    return function


# -- integrals --

_dawsn, _fresnel = _scipy("dawsn"), _scipy("fresnel")
_dawsn_near = Pieces(0, 1, 1, lambda s: _dawsn(np.sqrt(s)) / np.sqrt(s))
_dawsn_middle = Pieces(1, 10, 18, _dawsn)
# In x^4, in which both are analytic, without their leading power.
_fresnel_near = [
    Pieces(0, 1, 1, lambda s: _fresnel(s**0.25)[0] / s**0.75),
    Pieces(0, 1, 1, lambda s: _fresnel(s**0.25)[1] / s**0.25),
]
_fresnel_middle = [Pieces(1, 6, 30, lambda x: _fresnel(x)[0]), Pieces(1, 6, 30, lambda x: _fresnel(x)[1])]


def _dawson(xp: Any, x: Array) -> Array:
    jnp = xp.jnp
    size = jnp.abs(x)
    far_x = jnp.maximum(size, 10.0)
    far = jnp.zeros_like(x)
    for k in range(14, -1, -1):
        far = 1 + far * (2 * k + 1) / (2 * far_x * far_x)
    far = far / (2 * far_x)
    further = jnp.sign(x) * jnp.where(size < 10, _dawsn_middle(xp, size), far)
    return jnp.where(size < 1, x * _dawsn_near(xp, x * x), further)


# x exp(-x) Ei(x), on both sides of 0.
_expi = _scipy("expi")
_expi_above = Pieces(2, 40, 19, lambda x: x * np.exp(-x) * _expi(x))


def _exponential_integral(xp: Any, x: Array) -> Array:
    jnp = xp.jnp
    size = jnp.abs(x)
    near = jnp.zeros_like(x)
    for k in range(30, 0, -1):
        near = x / k * (1 / k + near)
    near = np.euler_gamma + jnp.log(size) + near
    inverse = 1 / jnp.where(size < 40, 40.0, x)
    far = jnp.ones_like(x)
    for k in range(36, 0, -1):
        far = 1 + k * inverse * far
    further = jnp.exp(x) / x * jnp.where(size < 40, _expi_above(xp, size), far)
    above = jnp.where(size < 2, near, jnp.where(x == np.inf, np.inf, further))
    return jnp.where(x < 0, np.nan, above)  # as in TensorFlow


def _fresnel_kernel(which: int) -> Callable[..., Array]:
    """Sine is 0, cosine is 1, as SciPy returns them."""

    def function(xp: Any, x: Array) -> Array:
        jnp = xp.jnp
        size = jnp.abs(x)
        far_x = jnp.maximum(size, 6.0)
        z = np.pi * far_x * far_x
        f = g = jnp.zeros_like(x)
        for m in range(8, -1, -1):
            f = 1 - f * (4 * m + 1) * (4 * m + 3) / (z * z)
            g = 1 - g * (4 * m + 3) * (4 * m + 5) / (z * z)
        f, g = f / (np.pi * far_x), g / (np.pi * far_x * z)
        # The phase pi x^2 / 2: whole turns are subtracted from x^2, where that is exact.
        angle = np.pi / 2 * jnp.mod(far_x * far_x, 4.0)
        sine, cosine = jnp.sin(angle), jnp.cos(angle)
        far = 0.5 + f * sine - g * cosine if which else 0.5 - f * cosine - g * sine
        far = jnp.where(jnp.isinf(x), 0.5, far)
        further = jnp.sign(x) * jnp.where(size < 6, _fresnel_middle[which](xp, size), far)
        fourth = x * x * x * x
        return jnp.where(size < 1, (x if which else x * x * x) * _fresnel_near[which](xp, fourth), further)

    return function


_gammaln_by_zeros = Pieces(0.5, 3, 5, lambda x: _scipy("gammaln")(x) / ((x - 1) * (x - 2)))


class SpecialKernels:
    """The part of the XLA engine that computes special functions."""

    jax: Any
    jnp: Any
    lax: Any

    erf = _from_jax("erf", "The error function.")
    erfc = _from_jax("erfc", "1 - erf(x), exact for large x.")
    erfinv = _from_jax("erfinv", "The inverse of erf.")
    ndtri = _from_jax("ndtri", "The quantiles of the standard normal distribution.")
    _gammaln = _from_jax("gammaln", "log |gamma(x)|.")
    betainc = _from_jax("betainc", "The regularized incomplete beta function.")
    bessel_i0 = _from_jax("i0", "Modified Bessel function of the first kind, order 0.")
    bessel_i0e = _from_jax("i0e", "bessel_i0 scaled by exp(-|x|).")
    bessel_i1 = _from_jax("i1", "Modified Bessel function of the first kind, order 1.")
    bessel_i1e = _from_jax("i1e", "bessel_i1 scaled by exp(-|x|).")
    bessel_j0 = _in_doubles(_first_kind(0), "Bessel function of the first kind, order 0.")
    bessel_j1 = _in_doubles(_first_kind(1), "Bessel function of the first kind, order 1.")
    bessel_k0 = _in_doubles(_modified_second_kind(0, False), "Modified Bessel function of the second kind, order 0.")
    bessel_k0e = _in_doubles(_modified_second_kind(0, True), "bessel_k0 scaled by exp(x).")
    bessel_k1 = _in_doubles(_modified_second_kind(1, False), "Modified Bessel function of the second kind, order 1.")
    bessel_k1e = _in_doubles(_modified_second_kind(1, True), "bessel_k1 scaled by exp(x).")
    bessel_y0 = _in_doubles(_second_kind(0), "Bessel function of the second kind, order 0.")
    bessel_y1 = _in_doubles(_second_kind(1), "Bessel function of the second kind, order 1.")
    dawsn = _in_doubles(_dawson, "Dawson's integral.")
    expint = _in_doubles(_exponential_integral, "The exponential integral Ei.")
    spence = _from_jax("spence", "Spence's function, the dilogarithm of 1 - x.")
    fresnel_sin = _in_doubles(_fresnel_kernel(0), "The Fresnel integral of sin(pi t^2 / 2).")
    fresnel_cos = _in_doubles(_fresnel_kernel(1), "The Fresnel integral of cos(pi t^2 / 2).")
    _digamma = _from_jax("digamma", "The derivative of lgamma.")
    _gammainc = _from_jax("gammainc", "The regularized lower incomplete gamma function.")
    _gammaincc = _from_jax("gammaincc", "The regularized upper incomplete gamma function.")
    _zeta = _from_jax("zeta", "The Hurwitz zeta function.")

    def lgamma(self, x: Array) -> Array:
        """log |gamma(x)|; inf at both ends, as in C and TensorFlow."""
        between = (x >= 0.5) & (x <= 3)  # near its zeros at 1 and 2, XLA's own loses digits
        wide = self.jnp.where(between, x, 1).astype(np.float64)
        near_zeros = ((wide - 1) * (wide - 2) * _gammaln_by_zeros(self, wide)).astype(x.dtype)
        further = self.jnp.where(x == -np.inf, x.dtype.type(np.inf), self._gammaln(x))
        return self.jnp.where(between, near_zeros, further)

    def digamma(self, x: Array) -> Array:
        """The derivative of lgamma; nan at all its poles, including 0, as in TensorFlow."""
        return self.jnp.where(x == 0, x.dtype.type(np.nan), self._digamma(x))

    def zeta(self, x: Array, q: Array) -> Array:
        """The Hurwitz zeta function. At its poles: inf for x = 1 and even x; else nan, as the one-sided limits differ."""
        at_pole = self.jnp.where((x == 1) | (x > 1) & (x % 2 == 0), np.inf, np.nan)
        y = self.jnp.where(x == 1, np.inf, self._zeta(x, q))
        return self.jnp.where((q <= 0) & (q == self.jnp.floor(q)), at_pole, y).astype(x.dtype)

    def polygamma(self, n: Array, x: Array) -> Array:
        """The n-th derivative of digamma, for integer n; nan otherwise."""
        order, at = n.astype(np.float64), x.astype(np.float64)
        sign = self.jnp.where(order % 2 == 0, -1.0, 1.0)
        higher = sign * self.jnp.exp(self.lgamma(order + 1)) * self.zeta(order + 1, at)
        values = self.jnp.where(order == 0, self.digamma(at), higher)
        return self.jnp.where((order < 0) | (order != self.jnp.floor(order)), np.nan, values).astype(x.dtype)

    def igamma(self, a: Array, x: Array) -> Array:
        """The regularized lower incomplete gamma function; 0 at x = 0, nan for other x unless a > 0 and x > 0."""
        y = self.jnp.where((a > 0) & (x > 0), self._gammainc(a, x), np.nan)
        return self.jnp.where(x == 0, 0, y).astype(a.dtype)

    def igammac(self, a: Array, x: Array) -> Array:
        """The regularized upper incomplete gamma function; nan outside a > 0, x >= 0."""
        y = self.jnp.where((a > 0) & (x >= 0), self._gammaincc(a, x), np.nan)
        return self.jnp.where((a > 0) & (x == np.inf), 0, y).astype(a.dtype)

    def igamma_grad_a(self, a: Array, x: Array) -> Array:
        """The derivative of igamma with respect to a."""
        at, to = self.jnp.broadcast_arrays(a.astype(np.float64), x.astype(np.float64))
        valid = (at > 0) & (to > 0) & self.jnp.isfinite(to)
        slope = self.lax.igamma_grad_a(self.jnp.where(valid, at, 1.0), self.jnp.where(valid, to, 1.0))
        return self.jnp.where(valid, slope, self.jnp.where(to == 0, 0.0, np.nan)).astype(a.dtype)
