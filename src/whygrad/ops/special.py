"""Special functions: error functions, gamma and beta functions, Bessel functions, integrals."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from whygrad._public import export
from whygrad.ops.elementwise import literal, multiply, negative, subtract
from whygrad.ops.primitive import Primitive, apply, binary, check_dtype, convert_operands, unary
from whygrad.ops.reductions import reduce_sum
from whygrad.ops.traits import Batching, Defined, Flat, Interval, Overflows, Traits
from whygrad.ops.unregistered import unregistered
from whygrad.values.conversion import convert
from whygrad.values.errors import invalid, shape_text
from whygrad.values.faults import DtypesDiffer
from whygrad.values.tensor import Tensor, wrap

_POSITIVE = Traits(domain=(Interval(low=0.0, guard="tf.maximum({0}, 1e-6)"),))


def _function(name: str, rule: Any, summary: str, example: str, path: str = "math", **declaration: Any) -> Any:
    """Declare a function of one floating point tensor, computed by the kernel of its name."""
    return unary(
        name,
        name,
        vjp=rule,
        allowed="float",
        doc=f"""{summary}

    >>> import whygrad as tf
    >>> tf.{path}.{name}({example}
    """,
        **declaration,
    )


# -- the error function and the normal distribution --

erf = _function(
    "erf",
    lambda xp, g, x, x_dtype: g * xp.exp(-x * x) * literal(2 / math.sqrt(math.pi), x_dtype),
    "The error function, element by element.",
    "[0.0, 1.0]).numpy().round(4)\n    array([0.    , 0.8427], dtype=float32)",
    exports=("math.erf",),
    traits=Traits(flat=Flat.LEVELS_OFF),
)
erfc = _function(
    "erfc",
    lambda xp, g, x, x_dtype: -g * xp.exp(-x * x) * literal(2 / math.sqrt(math.pi), x_dtype),
    "1 - erf(x), exact for large x.",
    "[0.0, 1.0]).numpy().round(4)\n    array([1.    , 0.1573], dtype=float32)",
    exports=("math.erfc",),
    traits=Traits(flat=Flat.LEVELS_OFF),
)
erfinv = _function(
    "erfinv",
    lambda xp, g, y, x_dtype: g * xp.exp(y * y) * literal(math.sqrt(math.pi) / 2, x_dtype),
    "The inverse of erf, between -1 and 1.",
    "[0.0, 0.5]).numpy().round(4)\n    array([0.    , 0.4769], dtype=float32)",
    exports=("math.erfinv",),
    traits=Traits(domain=(Interval(-1.0, 1.0, "tf.clip_by_value({0}, -1 + 1e-6, 1 - 1e-6)"),)),
)
ndtri = _function(
    "ndtri",
    lambda xp, g, y, x_dtype: g * xp.exp(y * y / 2) * literal(math.sqrt(2 * math.pi), x_dtype),
    "The quantiles of the standard normal distribution: the inverse of its distribution function.",
    "[0.5, 0.975]).numpy().round(4)\n    array([0.  , 1.96], dtype=float32)",
    exports=("math.ndtri",),
    traits=Traits(domain=(Interval(0.0, 1.0, "tf.clip_by_value({0}, 1e-6, 1 - 1e-6)"),)),
)


@export("math.erfcinv")
def erfcinv(x: Any, name: str | None = None) -> Tensor:
    """The inverse of erfc, on (0, 2).

    >>> import whygrad as tf
    >>> tf.math.erfcinv([1.0, 0.5]).numpy().round(4)
    array([-0.    ,  0.4769], dtype=float32)
    """
    x = convert(x, None)
    check_dtype(x, "float", "Ndtri")
    half, root = (wrap(literal(value, x._array.dtype)) for value in (0.5, math.sqrt(0.5)))
    return multiply(negative(ndtri(multiply(half, x))), root)


# -- gamma and beta --

lgamma = _function(
    "lgamma",
    lambda xp, g, x: g * xp.digamma(x),
    "The logarithm of |gamma(x)|.",
    "[1.0, 4.0]).numpy().round(4)\n    array([0.    , 1.7918], dtype=float32)",
    exports=("math.lgamma",),
    traits=Traits(domain=(Defined("x must not be 0 or a negative whole number", "tf.maximum({0}, 1e-6)"),)),
)
digamma = _function(
    "digamma",
    lambda xp, g, x: g * xp.polygamma(xp.ones_like(x), x),
    "The derivative of lgamma.",
    "[1.0, 4.0]).numpy().round(4)\n    array([-0.5772,  1.2561], dtype=float32)",
    exports=("math.digamma",),
    traits=Traits(domain=(Defined("x must not be 0 or a negative whole number", "tf.maximum({0}, 1e-6)"),)),
)
polygamma = binary(
    "polygamma",
    lambda xp, n, x: xp.polygamma(n, x),
    exports=("math.polygamma",),
    vjp=(None, lambda xp, g, n, x: g * xp.polygamma(n + 1, x)),
    allowed="float",
    arguments=("a", "x"),
    traits=Traits(domain=(Defined("a must be a whole number >= 0, and x > 0", "tf.maximum({1}, 1e-6)"),)),
    doc="""The a-th derivative of digamma at x, for integer a.

    >>> import whygrad as tf
    >>> tf.math.polygamma(1.0, [1.0, 4.0]).numpy().round(4)
    array([1.6449, 0.2838], dtype=float32)
    """,
)
zeta = binary(
    "zeta",
    lambda xp, x, q: xp.zeta(x, q),
    exports=("math.zeta",),
    vjp=(None, lambda xp, g, x, q: -g * x * xp.zeta(x + 1, q)),
    allowed="float",
    arguments=("x", "q"),
    traits=Traits(domain=(Defined("x must be > 1, and q > 0", "tf.maximum({1}, 1e-6)"),)),
    doc="""The Hurwitz zeta function: the sum over k >= 0 of (k + q) ** -x.

    >>> import whygrad as tf
    >>> tf.math.zeta(2.0, [1.0, 2.0]).numpy().round(4)
    array([1.6449, 0.6449], dtype=float32)
    """,
)


def gamma_density(xp: Any, a: Any, x: Any) -> Any:
    """The derivative of igamma with respect to x: the density of the gamma distribution."""
    return xp.exp((a - 1) * xp.log(x) - x - xp.lgamma(a))


_igamma_grad_a = Primitive(
    "igamma_grad_a",
    lambda xp, a, x: xp.igamma_grad_a(a, x),
    vjp=(
        unregistered("IgammaGradA"),  # TensorFlow has no second derivative with respect to a either
        lambda xp, g, a, x: g * gamma_density(xp, a, x) * (xp.log(x) - xp.digamma(a)),
    ),
    broadcasts=True,
    op_name="IgammaGradA",
    traits=Traits(
        domain=(Defined("a must be > 0, and x >= 0", "tf.maximum({1}, 1e-6)"),), batching=Batching.ELEMENTWISE
    ),
)
igamma = binary(
    "igamma",
    lambda xp, a, x: xp.igamma(a, x),
    exports=("math.igamma",),
    vjp=(lambda xp, g, a, x: g * xp.igamma_grad_a(a, x), lambda xp, g, a, x: g * gamma_density(xp, a, x)),
    allowed="float",
    arguments=("a", "x"),
    traits=Traits(domain=(Defined("a must be > 0, and x >= 0", "tf.maximum({1}, 1e-6)"),)),
    doc="""The regularized lower incomplete gamma function.

    >>> import whygrad as tf
    >>> tf.math.igamma(1.0, [0.0, 1.0]).numpy().round(4)
    array([0.    , 0.6321], dtype=float32)
    """,
)
igammac = binary(
    "igammac",
    lambda xp, a, x: xp.igammac(a, x),
    exports=("math.igammac",),
    vjp=(lambda xp, g, a, x: -g * xp.igamma_grad_a(a, x), lambda xp, g, a, x: -g * gamma_density(xp, a, x)),
    allowed="float",
    arguments=("a", "x"),
    traits=Traits(domain=(Defined("a must be > 0, and x >= 0", "tf.maximum({1}, 1e-6)"),)),
    doc="""The regularized upper incomplete gamma function, 1 - igamma(a, x).

    >>> import whygrad as tf
    >>> tf.math.igammac(1.0, [0.0, 1.0]).numpy().round(4)
    array([1.    , 0.3679], dtype=float32)
    """,
)


def beta_density(xp: Any, g: Any, a: Any, b: Any, x: Any) -> Any:
    """The derivative of betainc with respect to x: the density of the beta distribution."""
    log_beta = xp.lgamma(a) + xp.lgamma(b) - xp.lgamma(a + b)
    return g * xp.exp(xp.xlog1py(b - 1, -x) + xp.xlogy(a - 1, x) - log_beta)


_betainc = Primitive(
    "betainc",
    lambda xp, a, b, x: xp.betainc(a, b, x),
    vjp=(None, None, beta_density),
    broadcasts=True,
    traits=Traits(
        domain=(Defined("a and b must be > 0, and x between 0 and 1", "tf.clip_by_value({2}, 1e-6, 1 - 1e-6)"),),
        batching=Batching.ELEMENTWISE,
    ),
)


@export("math.betainc")
def betainc(a: Any, b: Any, x: Any, name: str | None = None) -> Tensor:
    """The regularized incomplete beta function; it has a gradient only for x, as in TensorFlow.

    >>> import whygrad as tf
    >>> tf.math.betainc(1.0, 2.0, [0.0, 0.5]).numpy()
    array([0.  , 0.75], dtype=float32)
    """
    first = next((each for each in (a, b, x) if isinstance(each, Tensor)), None)
    if first is not None:
        a, b, x = (convert_operands(first, each)[1] for each in (a, b, x))
    else:
        a = convert(a, None)
        b, x = convert(b, a.dtype), convert(x, a.dtype)
    check_dtype(a, "float", "Betainc")
    for position, each in ((1, b), (2, x)):
        if each._array.dtype != a._array.dtype:
            raise invalid(DtypesDiffer(wanted=a.dtype, dtype=each.dtype, position=position, op="Betainc"))
    full = [each for each in (("a", a), ("b", b), ("x", x)) if each[1].ndim]
    for label, each in full[1:]:
        if each.shape != full[0][1].shape:
            raise invalid(
                f"Shapes of {full[0][0]} and {label} are inconsistent: {shape_text(full[0][1].shape)} vs. "
                f"{shape_text(each.shape)} [Op:Betainc]"
            )
    return apply(_betainc, a, b, x)


@export("math.lbeta")
def lbeta(x: Any, name: str | None = None) -> Tensor:
    """The logarithm of |Beta(x)|, over the last axis.

    >>> import whygrad as tf
    >>> tf.math.lbeta([1.0, 2.0]).numpy()
    np.float32(-0.6931472)
    """
    x = convert(x, None)
    return subtract(reduce_sum(lgamma(x), axis=-1), lgamma(reduce_sum(x, axis=-1)))


# -- Bessel functions --


def _bessel(name: str, rule: Any, what: str, example: str, **declaration: Any) -> Callable[..., Tensor]:
    order = "0" if "0" in name else "1"
    scaled = ", scaled by exp(-|x|)" if name in ("bessel_i0e", "bessel_i1e") else ", scaled by exp(x)"
    summary = f"The {what} of order {order}{scaled if name.endswith('e') else ''}."
    function: Callable[..., Tensor] = _function(name, rule, summary, example, path="math.special", **declaration)
    return function


_FIRST, _SECOND = "Bessel function of the first kind", "Bessel function of the second kind"
_MODIFIED_FIRST, _MODIFIED_SECOND = f"modified {_FIRST}", f"modified {_SECOND}"


def _unless_zero(xp: Any, x: Any, at_zero: float, elsewhere: Any, dtype: Any) -> Any:
    """Replace a rule's value at x = 0, where its formula gives 0 / 0."""
    return xp.where(x == 0, literal(at_zero, dtype), elsewhere)


def bessel_i1_vjp(xp: Any, g: Any, x: Any, y: Any, x_dtype: Any) -> Any:
    """TensorFlow's value at 0 is 1, though the limit is 1/2; this rule follows TensorFlow."""
    return g * _unless_zero(xp, x, 1.0, xp.bessel_i0(x) - xp.divide_no_nan(y, x), x_dtype)


def bessel_i1e_vjp(xp: Any, g: Any, x: Any, y: Any, x_dtype: Any) -> Any:
    """i0e - i1e (sign(x) + 1 / x)."""
    falling = xp.bessel_i0e(x) - y * xp.sign(x) - xp.divide_no_nan(y, x)
    return g * _unless_zero(xp, x, 0.5, falling, x_dtype)


def bessel_j1_vjp(xp: Any, g: Any, x: Any, y: Any, x_dtype: Any) -> Any:
    """j0 - j1 / x."""
    return g * _unless_zero(xp, x, 0.5, xp.bessel_j0(x) - xp.divide_no_nan(y, x), x_dtype)


bessel_i0 = _bessel(
    "bessel_i0",
    lambda xp, g, x: g * xp.bessel_i1(x),
    _MODIFIED_FIRST,
    "[0.0, 1.0]).numpy().round(4)\n    array([1.    , 1.2661], dtype=float32)",
    exports=("math.bessel_i0", "math.special.bessel_i0"),
)
bessel_i0e = _bessel(
    "bessel_i0e",
    lambda xp, g, x, y: g * (xp.bessel_i1e(x) - xp.sign(x) * y),
    _MODIFIED_FIRST,
    "[0.0, 1.0]).numpy().round(4)\n    array([1.    , 0.4658], dtype=float32)",
    exports=("math.bessel_i0e", "math.special.bessel_i0e"),
)
bessel_i1 = _bessel(
    "bessel_i1",
    bessel_i1_vjp,
    _MODIFIED_FIRST,
    "[0.0, 1.0]).numpy().round(4)\n    array([0.    , 0.5652], dtype=float32)",
    exports=("math.bessel_i1", "math.special.bessel_i1"),
)
bessel_i1e = _bessel(
    "bessel_i1e",
    bessel_i1e_vjp,
    _MODIFIED_FIRST,
    "[0.0, 1.0]).numpy().round(4)\n    array([0.    , 0.2079], dtype=float32)",
    exports=("math.bessel_i1e", "math.special.bessel_i1e"),
)
bessel_j0 = _bessel(
    "bessel_j0",
    lambda xp, g, x: -g * xp.bessel_j1(x),
    _FIRST,
    "[0.0, 1.0]).numpy().round(4)\n    array([1.    , 0.7652], dtype=float32)",
    exports=("math.special.bessel_j0",),
)
bessel_j1 = _bessel(
    "bessel_j1",
    bessel_j1_vjp,
    _FIRST,
    "[0.0, 1.0]).numpy().round(4)\n    array([0.    , 0.4401], dtype=float32)",
    exports=("math.special.bessel_j1",),
)
bessel_k0 = _bessel(
    "bessel_k0",
    lambda xp, g, x: -g * xp.bessel_k1(x),
    _MODIFIED_SECOND,
    "[1.0, 2.0]).numpy().round(4)\n    array([0.421 , 0.1139], dtype=float32)",
    exports=("math.special.bessel_k0",),
    traits=_POSITIVE,
)
bessel_k0e = _bessel(
    "bessel_k0e",
    lambda xp, g, x, y: g * (y - xp.bessel_k1e(x)),
    _MODIFIED_SECOND,
    "[1.0, 2.0]).numpy().round(4)\n    array([1.1445, 0.8416], dtype=float32)",
    exports=("math.special.bessel_k0e",),
    traits=_POSITIVE,
)
bessel_k1 = _bessel(
    "bessel_k1",
    lambda xp, g, x, y: -g * (xp.bessel_k0(x) + y / x),
    _MODIFIED_SECOND,
    "[1.0, 2.0]).numpy().round(4)\n    array([0.6019, 0.1399], dtype=float32)",
    exports=("math.special.bessel_k1",),
    traits=_POSITIVE,
)
bessel_k1e = _bessel(
    "bessel_k1e",
    lambda xp, g, x, y: g * (y * (1 - 1 / x) - xp.bessel_k0e(x)),
    _MODIFIED_SECOND,
    "[1.0, 2.0]).numpy().round(4)\n    array([1.6362, 1.0335], dtype=float32)",
    exports=("math.special.bessel_k1e",),
    traits=_POSITIVE,
)
bessel_y0 = _bessel(
    "bessel_y0",
    lambda xp, g, x: -g * xp.bessel_y1(x),
    _SECOND,
    "[1.0, 2.0]).numpy().round(4)\n    array([0.0883, 0.5104], dtype=float32)",
    exports=("math.special.bessel_y0",),
    traits=_POSITIVE,
)
bessel_y1 = _bessel(
    "bessel_y1",
    lambda xp, g, x, y: g * (xp.bessel_y0(x) - y / x),
    _SECOND,
    "[1.0, 2.0]).numpy().round(4)\n    array([-0.7812, -0.107 ], dtype=float32)",
    exports=("math.special.bessel_y1",),
    traits=_POSITIVE,
)

# -- integrals --

dawsn = _function(
    "dawsn",
    lambda xp, g, x, y: g * (1 - 2 * x * y),
    "Dawson's integral: exp(-x^2) times the integral of exp(t^2) from 0 to x.",
    "[0.0, 1.0]).numpy().round(4)\n    array([0.    , 0.5381], dtype=float32)",
    path="math.special",
    exports=("math.special.dawsn",),
)
expint = _function(
    "expint",
    lambda xp, g, x: g * xp.exp(x) / x,
    "The exponential integral: the integral of exp(t) / t up to x.",
    "[1.0, 2.0]).numpy().round(4)\n    array([1.8951, 4.9542], dtype=float32)",
    path="math.special",
    exports=("math.special.expint",),
    traits=_POSITIVE,
)
fresnel_cos = _function(
    "fresnel_cos",
    lambda xp, g, x, x_dtype: g * xp.cos(x * x * literal(math.pi / 2, x_dtype)),
    "The Fresnel integral of cos(pi t^2 / 2) from 0 to x.",
    "[0.0, 1.0]).numpy().round(4)\n    array([0.    , 0.7799], dtype=float32)",
    path="math.special",
    exports=("math.special.fresnel_cos",),
    traits=Traits(domain=(Overflows(),)),
)
fresnel_sin = _function(
    "fresnel_sin",
    lambda xp, g, x, x_dtype: g * xp.sin(x * x * literal(math.pi / 2, x_dtype)),
    "The Fresnel integral of sin(pi t^2 / 2) from 0 to x.",
    "[0.0, 1.0]).numpy().round(4)\n    array([0.    , 0.4383], dtype=float32)",
    path="math.special",
    exports=("math.special.fresnel_sin",),
    traits=Traits(domain=(Overflows(),)),
)


def spence_vjp(xp: Any, g: Any, x: Any, x_dtype: Any) -> Any:
    """log(x) / (1 - x), and its limit at 1."""
    return g * xp.where(x == 1, literal(-1.0, x_dtype), xp.divide_no_nan(xp.log(x), 1 - x))


spence = _function(
    "spence",
    spence_vjp,
    "Spence's function: the integral of log(t) / (1 - t) from 1 to x.",
    "[1.0, 2.0]).numpy().round(4)\n    array([ 0.    , -0.8225], dtype=float32)",
    path="math.special",
    exports=("math.special.spence",),
    traits=_POSITIVE,
)
