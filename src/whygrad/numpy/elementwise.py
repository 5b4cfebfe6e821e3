"""NumPy's elementwise functions: the ufuncs, and where, clip, real and others."""

from __future__ import annotations

import builtins
import math
from typing import Any

import numpy as np

from whygrad._public import export_defined
from whygrad.numpy.discrete import discrete, discrete_several
from whygrad.numpy.primitives import (
    cbrt_op,
    exp2_op,
    hypot_op,
    ldexp_op,
    log2_op,
    log10_op,
    logaddexp2_op,
    logaddexp_op,
    remainder_op,
)
from whygrad.numpy.promotion import as_dtype, ask_numpy, floating, number, numpy_dtype, refuse, tensor, together
from whygrad.numpy.ufunc import Ufunc
from whygrad.ops import creation, elementwise, special
from whygrad.ops.advice import shape_by_values
from whygrad.ops.arguments import flag
from whygrad.ops.primitive import apply, engine_of
from whygrad.values.errors import OpValueError
from whygrad.values.tensor import Tensor, wrap

export_defined("numpy", but=("truth",))


def truth(x: Any) -> Tensor:
    """Convert `x` to bools: every nonzero value is true."""
    x = tensor(x)
    return x if x._array.dtype.kind == "b" else elementwise.not_equal(x, creation.zeros((), x.dtype))


def _and(x: Tensor, y: Tensor) -> Tensor:
    return elementwise.logical_and(truth(x), truth(y))


def _or(x: Tensor, y: Tensor) -> Tensor:
    return elementwise.logical_or(truth(x), truth(y))


def _xor(x: Tensor, y: Tensor) -> Tensor:
    return elementwise.logical_xor(truth(x), truth(y))


def _same(x: Tensor) -> Tensor:
    return x


def _whole(compute: Any) -> Any:
    """A rounding function that leaves integers unchanged."""
    return lambda x: compute(x) if x._array.dtype.kind in "fVc" else x


def _discretely(name: str) -> Ufunc:
    """A ufunc whose result does not change under a small step."""
    return Ufunc(name, lambda *operands: discrete(name, *operands))


# -- arithmetic --

add = Ufunc("add", elementwise.add, for_bool=_or, reduction="sum", accumulation="cumsum")
subtract = Ufunc("subtract", elementwise.subtract)
multiply = Ufunc("multiply", elementwise.multiply, for_bool=_and, reduction="prod", accumulation="cumprod")
divide = true_divide = Ufunc("divide", elementwise.realdiv)
floor_divide = Ufunc("floor_divide", lambda x, y: discrete("floor_divide", x, y))
negative = Ufunc("negative", elementwise.negative)
positive = Ufunc("positive", _same)
absolute = abs = Ufunc("absolute", lambda x: x if x._array.dtype.kind == "u" else elementwise.abs(x), for_bool=_same)
fabs = Ufunc("fabs", elementwise.abs)
sign = Ufunc("sign", lambda x: elementwise.sign(x) if x._array.dtype.kind in "fVc" else discrete("sign", x))
square = Ufunc("square", lambda x: elementwise.square(x) if x._array.dtype.kind in "fVc" else x * x, for_bool=_same)
sqrt = Ufunc("sqrt", elementwise.sqrt)
cbrt = Ufunc("cbrt", lambda x: apply(cbrt_op, x))
power = pow = Ufunc(
    "power", lambda x, y: elementwise.pow(x, y) if x._array.dtype.kind in "fVc" else discrete("power", x, y)
)
float_power = Ufunc("float_power", elementwise.pow)
reciprocal = Ufunc(
    "reciprocal", lambda x: elementwise.reciprocal(x) if x._array.dtype.kind in "fVc" else discrete("reciprocal", x)
)
hypot = Ufunc("hypot", lambda x, y: apply(hypot_op, x, y))
conjugate = conj = Ufunc(
    "conjugate", lambda x: elementwise.conj(x) if x._array.dtype.kind == "c" else x, for_bool=_same
)
maximum = Ufunc(
    "maximum",
    lambda x, y: _extreme("greater_equal", elementwise.maximum, x, y),
    for_bool=_or,
    reduction="max",
    accumulation="cummax",
)
minimum = Ufunc(
    "minimum",
    lambda x, y: _extreme("less_equal", elementwise.minimum, x, y),
    for_bool=_and,
    reduction="min",
    accumulation="cummin",
)
floor = Ufunc("floor", _whole(elementwise.floor), for_bool=_same)
ceil = Ufunc("ceil", _whole(elementwise.ceil), for_bool=_same)
trunc = Ufunc("trunc", _whole(lambda x: discrete("trunc", x)), for_bool=_same)
rint = Ufunc("rint", lambda x: elementwise.rint(x) if x._array.dtype.kind != "c" else discrete("rint", x))


def _extreme(better: str, compute: Any, x: Tensor, y: Tensor) -> Tensor:
    if x._array.dtype.kind != "c":
        return compute(x, y)  # type: ignore[no-any-return]
    # Complex numbers are ordered by real part, then by imaginary part; nan takes precedence.
    return elementwise.where(elementwise.logical_or(discrete(better, x, y), isnan(x)), x, y)


def _remainder(x: Tensor, y: Tensor) -> Tensor:
    if x._array.dtype.kind not in "fV":
        return discrete("remainder", x, y)
    return apply(remainder_op, x, y)


def _fmod(x: Tensor, y: Tensor) -> Tensor:
    if x._array.dtype.kind not in "fV":
        return discrete("fmod", x, y)
    # The remainder of rounding towards zero has x's sign. For absolute values it equals the one of rounding down.
    return copysign(elementwise.floormod(elementwise.abs(x), elementwise.abs(y)), x)


def _copysign(x: Tensor, y: Tensor) -> Tensor:
    size = absolute(x)
    return elementwise.where(discrete("signbit", y), -size, size)


def _heaviside(x: Tensor, h: Tensor) -> Tensor:
    zero = creation.zeros((), x.dtype)
    step = elementwise.where(elementwise.greater(x, zero), creation.ones((), x.dtype), zero)
    return elementwise.where(elementwise.equal(x, zero), h, elementwise.where(isnan(x), x, step))


remainder = mod = Ufunc("remainder", _remainder)
fmod = Ufunc("fmod", _fmod)
copysign = Ufunc("copysign", _copysign)
heaviside = Ufunc("heaviside", _heaviside)
ldexp = Ufunc("ldexp", lambda x, n: apply(ldexp_op, x, n))
nextafter = Ufunc(
    "nextafter", lambda x, y: elementwise.nextafter(x, y) if x.dtype.size > 2 else discrete("nextafter", x, y)
)
spacing, signbit = _discretely("spacing"), _discretely("signbit")
gcd, lcm = _discretely("gcd"), _discretely("lcm")


def divmod(x1: Any, x2: Any, /) -> tuple[Tensor, Tensor]:
    """The quotient rounded down, and the remainder."""
    return floor_divide(x1, x2), remainder(x1, x2)


def modf(x: Any, /) -> tuple[Tensor, Tensor]:
    """The fractional and the integral part, each with the sign of x."""
    x = floating(x)
    whole = trunc(x)
    return copysign(elementwise.where(elementwise.is_inf(x), creation.zeros_like(x), x - whole), x), whole


def frexp(x: Any, /) -> tuple[Tensor, Tensor]:
    """The mantissa, of magnitude in [0.5, 1), and the exponent of two."""
    x = floating(x)
    _, exponent = discrete_several("frexp", x)
    return ldexp(x, -exponent), exponent


# -- exponents and logarithms --

exp = Ufunc("exp", elementwise.exp)
expm1 = Ufunc("expm1", elementwise.expm1)
exp2 = Ufunc("exp2", lambda x: apply(exp2_op, x))
log = Ufunc("log", elementwise.log)
log1p = Ufunc("log1p", elementwise.log1p)
log2 = Ufunc("log2", lambda x: apply(log2_op, x))
log10 = Ufunc("log10", lambda x: apply(log10_op, x))
logaddexp = Ufunc("logaddexp", lambda x, y: apply(logaddexp_op, x, y), reduction="logsumexp")
logaddexp2 = Ufunc("logaddexp2", lambda x, y: apply(logaddexp2_op, x, y))

# -- trigonometry --

sin = Ufunc("sin", elementwise.sin)
cos = Ufunc("cos", elementwise.cos)
tan = Ufunc("tan", elementwise.tan)
arcsin = asin = Ufunc("arcsin", elementwise.asin)
arccos = acos = Ufunc("arccos", elementwise.acos)
arctan = atan = Ufunc("arctan", elementwise.atan)
arctan2 = atan2 = Ufunc("arctan2", elementwise.atan2)
sinh = Ufunc("sinh", elementwise.sinh)
cosh = Ufunc("cosh", elementwise.cosh)
tanh = Ufunc("tanh", elementwise.tanh)
arcsinh = asinh = Ufunc("arcsinh", elementwise.asinh)
arccosh = acosh = Ufunc("arccosh", elementwise.acosh)
arctanh = atanh = Ufunc("arctanh", elementwise.atanh)
deg2rad = Ufunc("deg2rad", lambda x: x * (math.pi / 180))
rad2deg = Ufunc("rad2deg", lambda x: x * (180 / math.pi))
radians = Ufunc("radians", lambda x: x * (math.pi / 180))
degrees = Ufunc("degrees", lambda x: x * (180 / math.pi))

# -- comparison, logic and bits --


def _comparison(name: str, compute: Any, kinds: str = "bcfViu") -> Ufunc:
    """A comparison that TensorFlow supports for some kinds of dtypes; NumPy compares all, and int64 with uint64 as they are."""

    def compared(x: Tensor, y: Tensor) -> Tensor:
        given = x._array.dtype
        return compute(x, y) if given == y._array.dtype and given.kind in kinds else discrete(name, x, y)

    return Ufunc(name, compared)


equal = _comparison("equal", elementwise.equal)
not_equal = _comparison("not_equal", elementwise.not_equal)
_ORDERED = "fViu"  # TensorFlow orders neither bools nor complex numbers
less = _comparison("less", elementwise.less, _ORDERED)
less_equal = _comparison("less_equal", elementwise.less_equal, _ORDERED)
greater = _comparison("greater", elementwise.greater, _ORDERED)
greater_equal = _comparison("greater_equal", elementwise.greater_equal, _ORDERED)
logical_and = Ufunc("logical_and", _and, reduction="all")
logical_or = Ufunc("logical_or", _or, reduction="any")
logical_xor = Ufunc("logical_xor", _xor)
logical_not = Ufunc("logical_not", lambda x: elementwise.logical_not(truth(x)))
bitwise_and, bitwise_or, bitwise_xor = _discretely("bitwise_and"), _discretely("bitwise_or"), _discretely("bitwise_xor")
invert = bitwise_not = bitwise_invert = _discretely("invert")
left_shift = bitwise_left_shift = _discretely("left_shift")
right_shift = bitwise_right_shift = _discretely("right_shift")
bitwise_count = _discretely("bitwise_count")
isnan = Ufunc("isnan", lambda x: elementwise.is_nan(x) if x._array.dtype.kind in "fV" else discrete("isnan", x))
isinf = Ufunc("isinf", lambda x: elementwise.is_inf(x) if x._array.dtype.kind in "fV" else discrete("isinf", x))
isfinite = Ufunc(
    "isfinite", lambda x: elementwise.is_finite(x) if x._array.dtype.kind in "fV" else discrete("isfinite", x)
)

fmax = Ufunc(
    "fmax",
    lambda x, y: elementwise.where(isnan(y), x, elementwise.where(isnan(x), y, maximum(x, y))),
    reduction="nanmax",
)

fmin = Ufunc(
    "fmin",
    lambda x, y: elementwise.where(isnan(y), x, elementwise.where(isnan(x), y, minimum(x, y))),
    reduction="nanmin",
)


def isposinf(x: Any, out: Any = None) -> Tensor:
    """True where an element is +inf."""
    refuse("isposinf", out=out)
    return equal(x, math.inf)


def isneginf(x: Any, out: Any = None) -> Tensor:
    """True where an element is -inf."""
    refuse("isneginf", out=out)
    return equal(x, -math.inf)


def isreal(x: Any) -> Tensor:
    """True where an element has no imaginary part."""
    return equal(imag(x), 0)


def iscomplex(x: Any) -> Tensor:
    """True where an element has an imaginary part."""
    return not_equal(imag(x), 0)


def isrealobj(x: Any) -> bool:
    """Return whether the dtype is not complex."""
    return not iscomplexobj(x)


def iscomplexobj(x: Any) -> bool:
    """Return whether the dtype is complex."""
    return bool(tensor(x)._array.dtype.kind == "c")


def isclose(a: Any, b: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: bool = False) -> Tensor:
    """True where elements are equal up to a tolerance."""
    return discrete("isclose", *together(a, b), rtol=number(rtol), atol=number(atol), equal_nan=equal_nan)


def allclose(a: Any, b: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: bool = False) -> bool:
    """Return whether all elements are equal up to a tolerance."""
    return bool(isclose(a, b, rtol, atol, equal_nan)._array.all())


def array_equal(a1: Any, a2: Any, equal_nan: bool = False) -> bool:
    """Return whether two tensors have the same shape and elements."""
    a, b = together(a1, a2)
    return bool(
        np.array_equal(a._array, b._array, equal_nan=flag(equal_nan, "equal_nan") and a._array.dtype.kind in "fc")
    )


def array_equiv(a1: Any, a2: Any) -> bool:
    """Return whether two tensors are equal after broadcasting."""
    a, b = together(a1, a2)
    return bool(np.array_equiv(a._array, b._array))


# -- choosing and cleaning --


@shape_by_values(chooses=True, instead=elementwise.PLACES_OF_MASK)
def where(condition: Any, x: Any = None, y: Any = None, /) -> Any:
    """`x` where the condition is true and `y` elsewhere; without those, the indices where it is true."""
    if x is None and y is None:
        return discrete_several("nonzero", truth(condition))
    if x is None or y is None:
        raise OpValueError("where() takes both x and y, or neither")
    x, y = together(x, y)
    return elementwise.where(truth(condition), x, y)


def clip(
    a: Any,
    a_min: Any = np._NoValue,
    a_max: Any = np._NoValue,
    out: Any = None,
    *,
    min: Any = np._NoValue,
    max: Any = np._NoValue,
    **layout: Any,
) -> Tensor:
    """Clip the elements to the bounds."""
    refuse("clip", out=out)
    low = min if a_min is np._NoValue else a_min
    high = max if a_max is np._NoValue else a_max
    x = tensor(a)
    if low is not np._NoValue and low is not None:
        x = maximum(x, low)
    if high is not np._NoValue and high is not None:
        x = minimum(x, high)
    return x


def nan_to_num(x: Any, copy: bool = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> Tensor:
    """Replace nan and infinities by numbers: 0, and the largest and smallest finite ones."""
    t = tensor(x)
    dtype = t._array.dtype
    if dtype.kind == "c":
        real_part, imaginary_part = (nan_to_num(part, copy, nan, posinf, neginf) for part in (real(t), imag(t)))
        return elementwise.complex(real_part, imaginary_part)
    if dtype.kind not in "fV":
        return t
    high = t.dtype.max if posinf is None else posinf
    low = t.dtype.min if neginf is None else neginf
    t = elementwise.where(elementwise.is_nan(t), as_dtype(tensor(nan), dtype), t)
    t = elementwise.where(equal(t, math.inf), as_dtype(tensor(high), dtype), t)
    return elementwise.where(equal(t, -math.inf), as_dtype(tensor(low), dtype), t)


def round(a: Any, decimals: int = 0, out: Any = None) -> Tensor:
    """Round to `decimals` decimals, half to even."""
    refuse("round", out=out)
    return discrete("round", tensor(a), decimals=number(decimals))


around = round


def fix(x: Any, out: Any = None) -> Tensor:
    """Round towards zero."""
    refuse("fix", out=out)
    return trunc(x)


def sinc(x: Any) -> Tensor:
    """sin(pi x) / (pi x), or 1 at 0."""
    x = floating(x)
    at_zero = elementwise.equal(x, creation.zeros((), x.dtype))
    # Safe in both branches: 0/0 would make the gradient nan.
    angle = elementwise.where(at_zero, creation.ones((), x.dtype), x * math.pi)
    return elementwise.where(at_zero, creation.ones((), x.dtype), elementwise.sin(angle) / angle)


def i0(x: Any) -> Tensor:
    """The modified Bessel function of the first kind, order 0."""
    return special.bessel_i0(floating(x))


def unwrap(p: Any, discont: Any = None, axis: int = -1, *, period: Any = 2 * math.pi) -> Tensor:
    """Angles without jumps: each step is reduced to at most half a period."""
    x = floating(p)
    # The correction is a multiple of the period, so it does not change under a small step.
    corrected = ask_numpy(engine_of((x,)).unwrap, x._array, discont=discont, axis=axis, period=number(period))
    return x + wrap(corrected - x._array)


# -- complex numbers --


def real(val: Any) -> Tensor:
    """The real part."""
    x = tensor(val)
    return elementwise.real(x) if x._array.dtype.kind == "c" else x


def imag(val: Any) -> Tensor:
    """The imaginary part; zeros for real values."""
    x = tensor(val)
    return elementwise.imag(x) if x._array.dtype.kind == "c" else creation.zeros_like(x)


def angle(z: Any, deg: bool = False) -> Tensor:
    """The argument of complex numbers, in radians or degrees."""
    x = floating(z)
    if x._array.dtype.kind == "c":
        y = elementwise.angle(x)
    else:
        y = elementwise.where(less(x, 0), as_dtype(math.pi, x._array.dtype), creation.zeros_like(x))
    return rad2deg(y) if flag(deg, "deg") else y


def real_if_close(a: Any, tol: float = 100) -> Tensor:
    """The real part, if all imaginary parts are within rounding error."""
    x = tensor(a)
    return real(x) if np.isrealobj(ask_numpy(np.real_if_close, x._array, tol)) else x


# -- dtypes --


def astype(x: Any, dtype: Any, /, *, copy: bool = True, device: Any = None) -> Tensor:
    """Cast `x` to another dtype."""
    x = tensor(x)
    wanted = numpy_dtype(dtype)
    return truth(x) if wanted.kind == "b" else as_dtype(x, wanted)


def isscalar(element: Any) -> bool:
    """Return whether it is a Python or NumPy scalar; a Tensor of rank 0 is an array, as in NumPy."""
    return builtins.bool(np.isscalar(element))
