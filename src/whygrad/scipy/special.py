"""`scipy.special` on tensors: gamma, beta and error functions, Bessel functions, stable sums of exponentials.

>>> import whygrad
>>> from whygrad.scipy import special
>>> whygrad.grad(special.gammaln)(3.0)
np.float64(0.9227843350984671)
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from whygrad.numpy import elementwise as wnp
from whygrad.numpy import reductions
from whygrad.numpy.creation import full_like, zeros_like
from whygrad.numpy.elementwise import where
from whygrad.numpy.promotion import common_dtype, floating, normal_axes, together
from whygrad.numpy.shaping import broadcast_arrays, squeeze
from whygrad.ops import elementwise as ops
from whygrad.ops import special
from whygrad.ops.shaping import stop_gradient
from whygrad.values.errors import OpTypeError, OpValueError
from whygrad.values.tensor import Tensor

# fmt: off
__all__ = [
    "beta",
    "betainc",
    "betaln",
    "boxcox",
    "boxcox1p",
    "dawsn",
    "digamma",
    "entr",
    "erf",
    "erfc",
    "erfcinv",
    "erfinv",
    "expi",
    "expit",
    "expm1",
    "factorial",
    "fresnel",
    "gamma",
    "gammainc",
    "gammaincc",
    "gammaln",
    "i0",
    "i0e",
    "i1",
    "i1e",
    "j0",
    "j1",
    "k0",
    "k0e",
    "k1",
    "k1e",
    "kl_div",
    "log1p",
    "log_expit",
    "log_ndtr",
    "log_softmax",
    "loggamma",
    "logit",
    "logsumexp",
    "multigammaln",
    "ndtr",
    "ndtri",
    "poch",
    "polygamma",
    "psi",
    "rel_entr",
    "rgamma",
    "softmax",
    "spence",
    "xlog1py",
    "xlogy",
    "y0",
    "y1",
    "zeta",
]
# fmt: on


def _of_one(name: str, op: Callable[[Tensor], Tensor]) -> Callable[[Any], Tensor]:
    """A function of one tensor, which may be given as an array or number."""

    def function(x: Any) -> Tensor:
        return op(floating(x))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"`scipy.special.{name}`, element by element."
    return function


def floats(*operands: Any) -> list[Tensor]:
    """Operands as tensors of one floating dtype, by NumPy's promotion; Python numbers are weak."""
    given = together(*operands)
    return given if common_dtype(given).kind in "fcV" else [floating(each) for each in given]


erf = _of_one("erf", special.erf)
erfc = _of_one("erfc", special.erfc)
erfinv = _of_one("erfinv", special.erfinv)
erfcinv = _of_one("erfcinv", special.erfcinv)
ndtri = _of_one("ndtri", special.ndtri)
gammaln = _of_one("gammaln", special.lgamma)
digamma = _of_one("digamma", special.digamma)
psi = digamma
i0 = _of_one("i0", special.bessel_i0)
i0e = _of_one("i0e", special.bessel_i0e)
i1 = _of_one("i1", special.bessel_i1)
i1e = _of_one("i1e", special.bessel_i1e)
j0 = _of_one("j0", special.bessel_j0)
j1 = _of_one("j1", special.bessel_j1)
k0 = _of_one("k0", special.bessel_k0)
k0e = _of_one("k0e", special.bessel_k0e)
k1 = _of_one("k1", special.bessel_k1)
k1e = _of_one("k1e", special.bessel_k1e)
y0 = _of_one("y0", special.bessel_y0)
y1 = _of_one("y1", special.bessel_y1)
dawsn = _of_one("dawsn", special.dawsn)
expi = _of_one("expi", special.expint)
spence = _of_one("spence", special.spence)
expit = _of_one("expit", ops.sigmoid)
log_expit = _of_one("log_expit", ops.log_sigmoid)
expm1 = _of_one("expm1", ops.expm1)
log1p = _of_one("log1p", ops.log1p)


def fresnel(x: Any) -> tuple[Tensor, Tensor]:
    """The sine and the cosine integral of Fresnel, as SciPy orders them."""
    x = floating(x)
    return special.fresnel_sin(x), special.fresnel_cos(x)


def logit(x: Any) -> Tensor:
    """The inverse of `expit`: log(x / (1 - x))."""
    x = floating(x)
    return wnp.log(x) - wnp.log1p(-x)


def ndtr(x: Any) -> Tensor:
    """The distribution function of the standard normal distribution."""
    x = floating(x)
    return 0.5 * special.erfc(x * -math.sqrt(0.5))  # type: ignore[no-any-return]


def log_ndtr(x: Any) -> Tensor:
    """The logarithm of `ndtr`, also far out in the left tail, where `ndtr` itself is zero."""
    x = floating(x)
    far, near = (-20.0 if x._array.dtype == np.float64 else -10.0), 0.0
    left = where(x < far, x, full_like(x, far))  # each branch is computed where it is finite, and so is its derivative
    right = where(x > near, x, full_like(x, near))
    middle = wnp.clip(x, far, near)
    inverse = 1.0 / (left * left)
    series = inverse * (-1.0 + inverse * (3.0 + inverse * (-15.0 + inverse * (105.0 - 945.0 * inverse))))
    tail = -0.5 * left * left - wnp.log(-left) - 0.5 * math.log(2 * math.pi) + wnp.log1p(series)
    between = where(x > near, wnp.log1p(-ndtr(-right)), wnp.log(ndtr(middle)))
    return where(x < far, tail, between)  # type: ignore[no-any-return]


def gamma(x: Any) -> Tensor:
    """The gamma function, with its sign for negative numbers."""
    x = floating(x)
    return _sign_of_gamma(x) * wnp.exp(special.lgamma(x))  # type: ignore[no-any-return]


def _sign_of_gamma(x: Tensor) -> Any:
    """1 or -1: between two poles left of 0 the sign alternates."""
    is_odd = wnp.remainder(wnp.floor(x), 2.0) == 1.0
    return where((x < 0) & is_odd, full_like(x, -1.0), full_like(x, 1.0))


def rgamma(x: Any) -> Tensor:
    """1 / gamma(x)."""
    return 1.0 / gamma(x)


def polygamma(n: Any, x: Any) -> Tensor:
    """The derivative number `n` of `digamma`."""
    n, x = floats(n, x)
    return special.polygamma(n, x)


def zeta(x: Any, q: Any = 1.0) -> Tensor:
    """Hurwitz's zeta function; Riemann's without `q`."""
    x, q = floats(x, q)
    return special.zeta(x, q)


def gammainc(a: Any, x: Any) -> Tensor:
    """The regularized lower incomplete gamma function."""
    a, x = floats(a, x)
    return special.igamma(a, x)


def gammaincc(a: Any, x: Any) -> Tensor:
    """The regularized upper incomplete gamma function."""
    a, x = floats(a, x)
    return special.igammac(a, x)


def multigammaln(a: Any, d: int) -> Tensor:
    """The logarithm of the multivariate gamma function of dimension `d`."""
    a = floating(a)
    terms = [special.lgamma(a - 0.5 * i) for i in range(d)]
    return ops.add_n(terms) + 0.25 * d * (d - 1) * math.log(math.pi)


def betaln(a: Any, b: Any) -> Tensor:
    """The logarithm of the beta function."""
    a, b = floats(a, b)
    return special.lgamma(a) + special.lgamma(b) - special.lgamma(a + b)  # type: ignore[no-any-return]


def beta(a: Any, b: Any) -> Tensor:
    """The beta function, with its sign for negative numbers."""
    a, b = floats(a, b)
    sign = _sign_of_gamma(a) * _sign_of_gamma(b) * _sign_of_gamma(a + b)
    return sign * wnp.exp(betaln(a, b))  # type: ignore[no-any-return]


def betainc(a: Any, b: Any, x: Any) -> Tensor:
    """The regularized incomplete beta function."""
    a, b, x = floats(a, b, x)
    return special.betainc(a, b, x)


def xlogy(x: Any, y: Any) -> Tensor:
    """x log(y), and 0 where x is 0."""
    x, y = floats(x, y)
    return ops.xlogy(x, y)


def xlog1py(x: Any, y: Any) -> Tensor:
    """x log(1 + y), and 0 where x is 0."""
    x, y = floats(x, y)
    return ops.xlog1py(x, y)


def boxcox(x: Any, lmbda: Any) -> Tensor:
    """(x^lmbda - 1) / lmbda, and log(x) where lmbda is 0."""
    x, lmbda = floats(x, lmbda)
    return _boxcox(wnp.log(x), lmbda)


def boxcox1p(x: Any, lmbda: Any) -> Tensor:
    """((1 + x)^lmbda - 1) / lmbda, and log(1 + x) where lmbda is 0."""
    x, lmbda = floats(x, lmbda)
    return _boxcox(wnp.log1p(x), lmbda)


def _boxcox(logarithm: Tensor, lmbda: Tensor) -> Tensor:
    is_zero = lmbda == 0
    safe = where(is_zero, full_like(lmbda, 1.0), lmbda)
    # The derivative by lmbda at 0 is log(x)^2 / 2.
    at_zero = logarithm + 0.5 * lmbda * logarithm**2
    return where(is_zero, at_zero, wnp.expm1(safe * logarithm) / safe)  # type: ignore[no-any-return]


def factorial(n: Any) -> Tensor:
    """The factorial, of numbers that are no integers too: gamma(n + 1); 0 below 0."""
    n = floating(n)
    is_negative = n < 0
    return where(is_negative, zeros_like(n), gamma(where(is_negative, zeros_like(n), n) + 1.0))  # type: ignore[no-any-return]


def poch(z: Any, m: Any) -> Tensor:
    """gamma(z + m) / gamma(z), for positive z and z + m."""
    z, m = floats(z, m)
    return wnp.exp(gammaln(z + m) - gammaln(z))


loggamma = gammaln  # of real numbers


def entr(x: Any) -> Tensor:
    """-x log(x), 0 at 0 and -inf for negative numbers."""
    x = floating(x)
    return where(x < 0, full_like(x, -np.inf), -ops.xlogy(x, where(x < 0, full_like(x, 1.0), x)))  # type: ignore[no-any-return]


def rel_entr(x: Any, y: Any) -> Tensor:
    """x log(x / y), for numbers that are not negative; 0 where x is 0."""
    x, y = floats(x, y)
    inside = (x > 0) & (y > 0)
    one = full_like(x * y, 1.0)
    value = where(inside, x, one) * (wnp.log(where(inside, x, one)) - wnp.log(where(inside, y, one)))
    return where(inside, value, where((x == 0) & (y >= 0), zeros_like(value), full_like(value, np.inf)))  # type: ignore[no-any-return]


def kl_div(x: Any, y: Any) -> Tensor:
    """x log(x / y) - x + y."""
    x, y = floats(x, y)
    return rel_entr(x, y) - x + y  # type: ignore[no-any-return]


def logsumexp(a: Any, axis: Any = None, b: Any = None, keepdims: bool = False, return_sign: bool = False) -> Any:
    """The logarithm of the sum of exponentials, weighted by `b`, without overflow."""
    x = floating(a)
    if return_sign:
        raise OpTypeError("logsumexp(..., return_sign=True) is not supported on tensors")
    if b is not None:
        x, b = floats(x, b)
        x, b = broadcast_arrays(x, b)
    axes = normal_axes(axis, x.ndim)
    if not x._array.size and any(x._array.shape[each] == 0 for each in axes):
        raise OpValueError("logsumexp of no elements has no value")
    highest = _highest(x, axes)
    terms = wnp.exp(x - highest)
    total = wnp.log(reductions.sum(terms if b is None else terms * b, axis=axes, keepdims=True)) + highest
    return total if keepdims else squeeze(total, axis=axes)


def _highest(x: Tensor, axes: tuple[int, ...]) -> Tensor:
    """The largest element, as a constant, and 0 in the place of inf: the sum does not depend on it."""
    found = stop_gradient(reductions.max(x, axis=axes, keepdims=True))
    return where(wnp.isfinite(found), found, zeros_like(found))  # type: ignore[no-any-return]


def softmax(x: Any, axis: Any = None) -> Tensor:
    """exp(x), divided by its sum."""
    x = floating(x)
    return wnp.exp(x - logsumexp(x, axis=axis, keepdims=True))


def log_softmax(x: Any, axis: Any = None) -> Tensor:
    """The logarithm of `softmax`."""
    x = floating(x)
    return x - logsumexp(x, axis=axis, keepdims=True)  # type: ignore[no-any-return]
