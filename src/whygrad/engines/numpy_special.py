"""NumPy kernels for special functions. SciPy is loaded on first use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Array = Any


def _from_scipy(name: str, doc: str, below_zero: float | None = None) -> Callable[..., Array]:
    """Make a kernel from one of SciPy's ufuncs, which support float32 and float64: half precision is computed in float32.

    `below_zero` is TensorFlow's result for negative x, where SciPy returns nan.
    """

    def kernel(self: Any, *arrays: Array) -> Array:
        import scipy.special

        function = getattr(scipy.special, name)
        dtype = arrays[0].dtype
        if dtype.itemsize == 2:
            return function(*[each.astype(np.float32) for each in arrays]).astype(dtype)
        return function(*arrays)

    def half_line_kernel(self: Any, x: Array) -> Array:
        return np.where(x < 0, np.asarray(below_zero, x.dtype), kernel(self, x))

    kernel.__doc__ = half_line_kernel.__doc__ = doc
    return kernel if below_zero is None else half_line_kernel


class SpecialKernels:
    """The special functions of the NumPy engine."""

    erf = _from_scipy("erf", "The error function.")
    erfc = _from_scipy("erfc", "1 - erf(x), exact for large x.")
    erfinv = _from_scipy("erfinv", "The inverse of erf.")
    ndtri = _from_scipy("ndtri", "The quantiles of the standard normal distribution.")
    _gammaln = _from_scipy("gammaln", "log |gamma(x)|, but -inf at -inf.")
    betainc = _from_scipy("betainc", "The regularized incomplete beta function.")
    bessel_i0 = _from_scipy("i0", "Modified Bessel function of the first kind, order 0.")
    bessel_i0e = _from_scipy("i0e", "bessel_i0 scaled by exp(-|x|).")
    bessel_i1 = _from_scipy("i1", "Modified Bessel function of the first kind, order 1.")
    bessel_i1e = _from_scipy("i1e", "bessel_i1 scaled by exp(-|x|).")
    bessel_j0 = _from_scipy("j0", "Bessel function of the first kind, order 0.")
    bessel_j1 = _from_scipy("j1", "Bessel function of the first kind, order 1.")
    bessel_k0 = _from_scipy("k0", "Modified Bessel function of the second kind, order 0.", np.inf)
    bessel_k0e = _from_scipy("k0e", "bessel_k0 scaled by exp(x).", np.inf)
    bessel_k1 = _from_scipy("k1", "Modified Bessel function of the second kind, order 1.", np.inf)
    bessel_k1e = _from_scipy("k1e", "bessel_k1 scaled by exp(x).", np.inf)
    bessel_y0 = _from_scipy("y0", "Bessel function of the second kind, order 0.", -np.inf)
    bessel_y1 = _from_scipy("y1", "Bessel function of the second kind, order 1.", -np.inf)
    dawsn = _from_scipy("dawsn", "Dawson's integral.")
    _expi = _from_scipy("expi", "The exponential integral Ei.")
    spence = _from_scipy("spence", "Spence's function, the dilogarithm of 1 - x.")
    _digamma = _from_scipy("digamma", "The derivative of lgamma.")
    _gammainc = _from_scipy("gammainc", "The regularized lower incomplete gamma function.")
    _gammaincc = _from_scipy("gammaincc", "The regularized upper incomplete gamma function.")
    _zeta = _from_scipy("zeta", "The Hurwitz zeta function.")

    def expint(self, x: Array) -> Array:
        """The exponential integral Ei; nan below 0, as in TensorFlow."""
        return np.where(x < 0, np.asarray(np.nan, x.dtype), self._expi(x))

    def fresnel_sin(self, x: Array) -> Array:
        """The Fresnel integral of sin(pi t^2 / 2)."""
        return _fresnel(x, 0)

    def fresnel_cos(self, x: Array) -> Array:
        """The Fresnel integral of cos(pi t^2 / 2)."""
        return _fresnel(x, 1)

    def lgamma(self, x: Array) -> Array:
        """log |gamma(x)|; inf at both ends, as in C and TensorFlow."""
        return np.where(x == -np.inf, np.asarray(np.inf, x.dtype), self._gammaln(x))

    def digamma(self, x: Array) -> Array:
        """The derivative of lgamma; nan at all its poles, including 0, as in TensorFlow."""
        return np.where(x == 0, np.asarray(np.nan, x.dtype), self._digamma(x))

    def zeta(self, x: Array, q: Array) -> Array:
        """The Hurwitz zeta function. At its poles: inf for x = 1 and even x; else nan, as the one-sided limits differ."""
        at_pole = np.where((x == 1) | (x > 1) & (x % 2 == 0), np.inf, np.nan)
        y = np.where((q <= 0) & (q == np.floor(q)), at_pole, np.where(x == 1, np.inf, self._zeta(x, q)))
        return y.astype(x.dtype)

    def polygamma(self, n: Array, x: Array) -> Array:
        """The n-th derivative of digamma, for integer n; nan otherwise."""
        import scipy.special

        order, at = np.asarray(n, np.float64), np.asarray(x, np.float64)
        higher = (-1.0) ** (order + 1) * scipy.special.gamma(order + 1) * self.zeta(order + 1, at)
        values = np.where(order == 0, self.digamma(at), higher)
        return np.where((order < 0) | (order != np.floor(order)), np.nan, values).astype(x.dtype)

    def igamma(self, a: Array, x: Array) -> Array:
        """The regularized lower incomplete gamma function; 0 at x = 0, nan for other x unless a > 0 and x > 0."""
        y = np.where((a > 0) & (x > 0), self._gammainc(a, x), np.nan)
        return np.where(x == 0, 0, y).astype(a.dtype)

    def igammac(self, a: Array, x: Array) -> Array:
        """The regularized upper incomplete gamma function; nan outside a > 0, x >= 0."""
        y = np.where((a > 0) & (x >= 0), self._gammaincc(a, x), np.nan)
        return np.where((a > 0) & (x == np.inf), 0, y).astype(a.dtype)

    def igamma_grad_a(self, a: Array, x: Array) -> Array:
        """The derivative of igamma with respect to a."""
        import scipy.special

        dtype = a.dtype
        a, x = np.broadcast_arrays(np.asarray(a, np.float64), np.asarray(x, np.float64))
        shape = a.shape
        a, x = a.ravel(), x.ravel()
        out = np.full(a.shape, np.nan)
        out[x == 0] = 0
        valid = (a > 0) & (x > 0) & np.isfinite(x)
        from_above = valid & (x > 1) & (x > a)
        from_below = valid & ~from_above
        out[from_below] = _by_series(scipy.special, a[from_below], x[from_below])
        out[from_above] = _by_continued_fraction(scipy.special, a[from_above], x[from_above])
        return out.reshape(shape).astype(dtype)


def _fresnel(x: Array, which: int) -> Array:
    import scipy.special

    return np.asarray(scipy.special.fresnel(x.astype(np.float64))[which]).astype(x.dtype)


_MOST_TERMS = 2000
_EPSILON = 2.0**-53


def _by_series(special: Any, a: Array, x: Array) -> Array:
    """d/da of x^a e^-x / gamma(a + 1) * sum of x^k / ((a + 1) ... (a + k)), for x below a."""
    term = np.ones_like(a)
    slope = np.zeros_like(a)  # derivative of the term by a
    total, total_slope = term.copy(), slope.copy()
    for k in range(1, _MOST_TERMS):
        slope = (slope - term / (a + k)) * (x / (a + k))
        term = term * (x / (a + k))
        total += term
        total_slope += slope
        if np.all(np.abs(slope) <= _EPSILON * np.abs(total_slope)):
            break
    factor = np.exp(a * np.log(x) - x - special.gammaln(a + 1))
    return factor * (total_slope + total * (np.log(x) - special.digamma(a + 1)))


def _by_continued_fraction(special: Any, a: Array, x: Array) -> Array:
    """-d/da of x^a e^-x / gamma(a) * p / q, where p / q are the convergents of igammac's continued fraction."""
    one, zero = np.ones_like(a), np.zeros_like(a)
    y, z = 1 - a, x + 2 - a
    # Numerators p and denominators q of the last two convergents, and their derivatives by a.
    p, q, dp, dq = [one, x + 1], [x, z * x], [zero, zero], [zero, -x]
    fraction = p[1] / q[1]
    slope = (dp[1] - fraction * dq[1]) / q[1]
    for k in range(1, _MOST_TERMS):
        y, z = y + 1, z + 2
        c = y * k
        dp = [dp[1], dp[1] * z - p[1] - dp[0] * c + p[0] * k]
        dq = [dq[1], dq[1] * z - q[1] - dq[0] * c + q[0] * k]
        p = [p[1], p[1] * z - p[0] * c]
        q = [q[1], q[1] * z - q[0] * c]
        before = slope
        fraction = p[1] / q[1]
        slope = (dp[1] - fraction * dq[1]) / q[1]
        if np.all(np.abs(slope - before) <= _EPSILON * np.abs(slope)):
            break
        scale = np.where(np.abs(p[1]) > 2.0**52, 2.0**-52, 1.0)  # a power of two, so scaling is exact
        p, q, dp, dq = ([each * scale for each in pair] for pair in (p, q, dp, dq))
    factor = np.exp(a * np.log(x) - x - special.gammaln(a))
    return -factor * (slope + fraction * (np.log(x) - special.digamma(a)))
