"""NumPy's functions on each element by itself: the ufuncs, and where, clip, real and their kin."""

from __future__ import annotations

from typing import Any

import numpy as np
import whygrad as tf
from whygrad.numpy.promotion import as_dtype, floating, tensor, together
from whygrad.numpy.ufunc import Ufunc
from whygrad.values.tensor import Tensor

__all__ = [
    "abs",
    "absolute",
    "acos",
    "acosh",
    "add",
    "arccos",
    "arccosh",
    "arcsin",
    "arcsinh",
    "arctan",
    "arctan2",
    "arctanh",
    "asin",
    "asinh",
    "astype",
    "atan",
    "atan2",
    "atanh",
    "conj",
    "conjugate",
    "cos",
    "cosh",
    "divide",
    "equal",
    "exp",
    "expm1",
    "fabs",
    "greater",
    "greater_equal",
    "imag",
    "isfinite",
    "isinf",
    "isnan",
    "less",
    "less_equal",
    "log",
    "log1p",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "maximum",
    "minimum",
    "multiply",
    "negative",
    "not_equal",
    "positive",
    "power",
    "real",
    "reciprocal",
    "sign",
    "sin",
    "sinh",
    "sqrt",
    "square",
    "subtract",
    "tan",
    "tanh",
    "true_divide",
    "where",
]

# Each op is looked up when it is called (`lambda`): this module may be loaded while `whygrad` itself still is.

_and = lambda x, y: tf.logical_and(x, y)
_or = lambda x, y: tf.logical_or(x, y)
_xor = lambda x, y: tf.math.logical_xor(x, y)
_same = lambda x: x


# -- arithmetic --

add = Ufunc(
    "add",
    lambda x, y: tf.add(x, y),
    for_bool=_or,
    reduction=lambda x, axis, keepdims: _sum(x, axis, keepdims),
    accumulation=lambda x, axis: _cumulated("cumsum", x, axis),
)
subtract = Ufunc("subtract", lambda x, y: tf.subtract(x, y))
multiply = Ufunc(
    "multiply",
    lambda x, y: tf.multiply(x, y),
    for_bool=_and,
    reduction=lambda x, axis, keepdims: _prod(x, axis, keepdims),
    accumulation=lambda x, axis: _cumulated("cumprod", x, axis),
)
divide = true_divide = Ufunc("divide", lambda x, y: tf.truediv(x, y))
negative = Ufunc("negative", lambda x: tf.negative(x))
positive = Ufunc("positive", _same)
absolute = abs = Ufunc("absolute", lambda x: x if x._array.dtype.kind == "u" else tf.abs(x), for_bool=_same)
fabs = Ufunc("fabs", lambda x: tf.abs(x))
sign = Ufunc("sign", lambda x: tf.sign(x))
square = Ufunc("square", lambda x: tf.square(x), for_bool=_same)
sqrt = Ufunc("sqrt", lambda x: tf.sqrt(x))
power = Ufunc("power", lambda x, y: tf.pow(x, y))
exp = Ufunc("exp", lambda x: tf.exp(x))
expm1 = Ufunc("expm1", lambda x: tf.math.expm1(x))
log = Ufunc("log", lambda x: tf.math.log(x))
log1p = Ufunc("log1p", lambda x: tf.math.log1p(x))
reciprocal = Ufunc("reciprocal", lambda x: tf.math.reciprocal(x))
conjugate = conj = Ufunc("conjugate", lambda x: tf.math.conj(x) if x._array.dtype.kind == "c" else x)

maximum = Ufunc(
    "maximum",
    lambda x, y: tf.maximum(x, y),
    for_bool=_or,
    reduction=lambda x, axis, keepdims: tf.reduce_max(x, axis, keepdims),
)
minimum = Ufunc(
    "minimum",
    lambda x, y: tf.minimum(x, y),
    for_bool=_and,
    reduction=lambda x, axis, keepdims: tf.reduce_min(x, axis, keepdims),
)

# -- trigonometry --

sin = Ufunc("sin", lambda x: tf.sin(x))
cos = Ufunc("cos", lambda x: tf.cos(x))
tan = Ufunc("tan", lambda x: tf.tan(x))
arcsin = asin = Ufunc("arcsin", lambda x: tf.asin(x))
arccos = acos = Ufunc("arccos", lambda x: tf.acos(x))
arctan = atan = Ufunc("arctan", lambda x: tf.atan(x))
arctan2 = atan2 = Ufunc("arctan2", lambda x, y: tf.atan2(x, y))
sinh = Ufunc("sinh", lambda x: tf.sinh(x))
cosh = Ufunc("cosh", lambda x: tf.cosh(x))
tanh = Ufunc("tanh", lambda x: tf.tanh(x))
arcsinh = asinh = Ufunc("arcsinh", lambda x: tf.asinh(x))
arccosh = acosh = Ufunc("arccosh", lambda x: tf.acosh(x))
arctanh = atanh = Ufunc("arctanh", lambda x: tf.atanh(x))

# -- comparison and logic --

equal = Ufunc("equal", lambda x, y: tf.equal(x, y))
not_equal = Ufunc("not_equal", lambda x, y: tf.not_equal(x, y))
less = Ufunc("less", lambda x, y: tf.less(x, y))
less_equal = Ufunc("less_equal", lambda x, y: tf.less_equal(x, y))
greater = Ufunc("greater", lambda x, y: tf.greater(x, y))
greater_equal = Ufunc("greater_equal", lambda x, y: tf.greater_equal(x, y))
logical_and = Ufunc("logical_and", _and, reduction=lambda x, axis, keepdims: tf.reduce_all(truth(x), axis, keepdims))
logical_or = Ufunc("logical_or", _or, reduction=lambda x, axis, keepdims: tf.reduce_any(truth(x), axis, keepdims))
logical_xor = Ufunc("logical_xor", _xor)
logical_not = Ufunc("logical_not", lambda x: tf.logical_not(truth(x)))
isnan = Ufunc("isnan", lambda x: tf.math.is_nan(floating(x)))
isinf = Ufunc("isinf", lambda x: tf.math.is_inf(floating(x)))
isfinite = Ufunc("isfinite", lambda x: tf.math.is_finite(floating(x)))


def truth(x: Any) -> Tensor:
    """`x` as bools: whatever is not zero is true."""
    x = tensor(x)
    return x if x._array.dtype.kind == "b" else tf.not_equal(x, tf.zeros((), x.dtype))


def where(condition: Any, x: Any = None, y: Any = None, /) -> Any:
    """`x` where the condition holds and `y` elsewhere; without those, the indices at which it holds."""
    if x is None and y is None:
        return tuple(tf.unstack(tf.where(truth(condition)), axis=1))
    if x is None or y is None:
        raise ValueError("where() takes both x and y, or neither")
    x, y = together(x, y)
    return tf.where(truth(condition), x, y)


def real(val: Any) -> Tensor:
    """The real part."""
    x = tensor(val)
    return tf.math.real(x) if x._array.dtype.kind == "c" else x


def imag(val: Any) -> Tensor:
    """The imaginary part; zeros for real values."""
    x = tensor(val)
    return tf.math.imag(x) if x._array.dtype.kind == "c" else tf.zeros_like(x)


def astype(x: Any, dtype: Any, /, *, copy: bool = True, device: Any = None) -> Tensor:
    """`x` in another dtype."""
    from whygrad.numpy.promotion import numpy_dtype

    return as_dtype(tensor(x), numpy_dtype(dtype))


def _sum(x: Any, axis: Any, keepdims: bool) -> Tensor:
    from whygrad.numpy.reductions import sum

    return sum(x, axis, keepdims=keepdims)


def _prod(x: Any, axis: Any, keepdims: bool) -> Tensor:
    from whygrad.numpy.reductions import prod

    return prod(x, axis, keepdims=keepdims)


def _cumulated(name: str, x: Any, axis: int) -> Tensor:
    from whygrad.numpy import reductions

    return getattr(reductions, name)(x, axis)
