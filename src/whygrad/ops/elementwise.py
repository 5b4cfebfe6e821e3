"""Elementwise ops, with broadcasting."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

import numpy as np

from whygrad._public import export, place_of
from whygrad.ops.advice import shape_by_values
from whygrad.ops.partial import Rows
from whygrad.ops.primitive import (
    Primitive,
    apply,
    binary,
    check_dtype,
    convert_operands,
    pass_on,
    unary,
)
from whygrad.ops.traits import (
    ELEMENTWISE,
    Arithmetic,
    Batching,
    Exponential,
    Flat,
    InfiniteSlope,
    Interval,
    Logarithm,
    Logits,
    NoSlopeAtOrigin,
    Power,
    Quotient,
    Root,
    Selects,
    Traits,
)
from whygrad.values import dtypes
from whygrad.values.conversion import convert, convert_to_tensor
from whygrad.values.dtypes import DType
from whygrad.values.errors import OpTypeError, OpValueError, UnimplementedError, invalid, shape_text
from whygrad.values.faults import (
    AddedPartsDiffer,
    ConditionNotBool,
    DtypesDiffer,
    OperandDtypesDiffer,
    SelectedShapesDiffer,
)
from whygrad.values.indexed_slices import IndexedSlices
from whygrad.values.tensor import Tensor, wrap

Array = Any


def literal(value: float, dtype: Any) -> Array:
    """A constant of a rule in the dtype of its arrays: a Python float would promote bfloat16 to float32."""
    return np.asarray(value, dtype)


def is_value(value: Any) -> bool:
    """Return whether the value has a dtype of its own, as tensors and variables do."""
    return type(getattr(value, "dtype", None)) is DType


def _operands_with_hint(x: Any, y: Any) -> tuple[Tensor, Tensor]:
    """Convert two operands to Tensors: y takes x's dtype if it can, otherwise it keeps its own."""
    first = convert(x, None)
    return first, convert_to_tensor(y, dtype_hint=first.dtype)


# -- arithmetic --

add = binary(
    "add",
    "add",
    exports=("add", "math.add"),
    vjp=(pass_on, pass_on),
    op_name="AddV2",
    allowed="number or string",
    # Unlike similar ops, TensorFlow's add keeps y's own dtype if it cannot take x's, and then rejects the mixture.
    operands=_operands_with_hint,
    traits=Traits(arithmetic=Arithmetic.SUM),
    doc="""x + y, element by element; strings are joined.

    >>> import whygrad as tf
    >>> tf.add([1.0, 2.0], 3.0).numpy()
    array([4., 5.], dtype=float32)
    """,
)
subtract = binary(
    "subtract",
    "subtract",
    exports=("subtract", "math.subtract"),
    vjp=(pass_on, lambda xp, g: -g),
    op_name="Sub",
    traits=Traits(arithmetic=Arithmetic.DIFFERENCE),
    doc="""x - y, element by element.

    >>> import whygrad as tf
    >>> tf.subtract([1.0, 2.0], 3.0).numpy()
    array([-2., -1.], dtype=float32)
    """,
)
multiply = binary(
    "multiply",
    "multiply",
    exports=("multiply", "math.multiply"),
    vjp=(lambda xp, g, b: g * b, lambda xp, g, a: g * a),
    op_name="Mul",
    traits=Traits(arithmetic=Arithmetic.PRODUCT),
    doc="""x * y, element by element.

    >>> import whygrad as tf
    >>> tf.multiply([1.0, 2.0], 3.0).numpy()
    array([3., 6.], dtype=float32)
    """,
)


def divide_vjp_b(xp: Any, g: Any, b: Any, y: Any) -> Any:
    """The rule for b in y = a / b."""
    return -g * y / b  # not -g * a / b**2: b**2 underflows long before b does


realdiv = binary(
    "divide",
    "divide",
    exports=("realdiv",),
    vjp=(lambda xp, g, b: g / b, divide_vjp_b),
    op_name="RealDiv",
    allowed="float or complex",
    traits=Traits(arithmetic=Arithmetic.QUOTIENT, domain=(Quotient(guard="tf.math.divide_no_nan"),)),
    doc="""x / y for floating point and complex tensors.

    >>> import whygrad as tf
    >>> tf.realdiv([1.0, 2.0], 4.0).numpy()
    array([0.25, 0.5 ], dtype=float32)
    """,
)


@export("truediv", "math.truediv")
def truediv(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x / y, true division: integers become floating point first (8 and 16 bits float32, others float64).

    >>> import whygrad as tf
    >>> tf.truediv([1, 2], [4, 4]).numpy()
    array([0.25, 0.5 ])
    """
    if type(x) is not Tensor or type(y) is not Tensor:
        x, y = _operands_with_hint(x, y)
    if x._array.dtype != y._array.dtype:
        raise OpTypeError(OperandDtypesDiffer(wanted=x.dtype, dtype=y.dtype))
    if x._array.dtype.kind in "fcV":
        return realdiv(x, y)
    wide = _float_for(x.dtype, "__truediv__")
    return realdiv(cast(x, wide), cast(y, wide))


def _float_for(dtype: DType, where: str) -> DType:
    """The floating point dtype in which integers of `dtype` are divided."""
    if not dtype.is_integer:
        numbers = ", ".join(repr(each) for each in dtypes.ALL if each.is_numeric)
        raise OpTypeError(f"Invalid dtype {dtype!r} in {where}. Expected one of {{{numbers}}}.")
    return dtypes.float32 if dtype.size <= 2 else dtypes.float64


@export("divide", "math.divide")
def divide(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x / y, Python's division, with the operands converted to tensors.

    >>> import whygrad as tf
    >>> tf.divide(1, tf.constant([2.0, 4.0])).numpy(), tf.divide(1, 2).numpy()
    (array([0.5 , 0.25], dtype=float32), np.float64(0.5))
    """
    if is_value(x) or not is_value(y):
        return truediv(x, y)
    tensor = convert(y, None)
    return truediv(convert(x, tensor.dtype), tensor)


def _nonzero_integers(b: Array) -> None:
    if b.dtype.kind in "iu" and isinstance(b, np.ndarray) and not b.all():  # compiled code is not checked
        raise invalid("Integer division by zero")


def _floor_div(xp: Any, a: Array, b: Array) -> Array:
    if a.dtype.kind not in "iu":
        return xp.floor(a / b)  # NumPy's floor_divide gives 9 for 1 // 0.1
    _nonzero_integers(b)
    return xp.floor_divide(a, b)


floordiv = binary(
    "floor_div",
    _floor_div,
    exports=("math.floordiv",),
    no_gradient="a quotient rounded down is a step function: it does not change under a small step",
    allowed="real",
    traits=Traits(domain=(Quotient(),)),
    doc="""x / y rounded down, element by element; integers stay integers.

    >>> import whygrad as tf
    >>> tf.math.floordiv([7, -7], 2).numpy()
    array([ 3, -4], dtype=int32)
    """,
)


def _floor_mod(xp: Any, a: Array, b: Array) -> Array:
    if a.dtype.kind in "iu":
        _nonzero_integers(b)
        return xp.remainder(a, b)
    y = xp.remainder(a, b)
    if isinstance(y, np.ndarray | np.generic) and y.all():
        return y
    return xp.where(y == 0, xp.copysign(y, a), y)  # a zero result takes a's sign, which NumPy's own loses


floormod = binary(
    "floor_mod",
    _floor_mod,
    exports=("math.floormod", "math.mod"),
    vjp=(lambda xp, g: g, lambda xp, g, a, b: -g * xp.floor(a / b)),
    allowed="real",
    traits=Traits(domain=(Quotient(),)),
    doc="""The remainder of x / y rounded down; it has y's sign.

    >>> import whygrad as tf
    >>> tf.math.floormod([7, -7], 3).numpy()
    array([1, 2], dtype=int32)
    """,
)


def _truncate_div(xp: Any, a: Array, b: Array) -> Array:
    if a.dtype.kind not in "iu":
        return xp.trunc(a / b)
    _nonzero_integers(b)
    down = xp.floor_divide(a, b)
    return down + ((down < 0) & (down * b != a)).astype(a.dtype)


truncatediv = binary(
    "truncate_div",
    _truncate_div,
    exports=("truncatediv",),
    no_gradient="a quotient rounded towards zero is a step function: it does not change under a small step",
    allowed="real",
    traits=Traits(domain=(Quotient(),)),
    doc="""x / y rounded towards zero, element by element; integers stay integers.

    >>> import whygrad as tf
    >>> tf.truncatediv([7, -7], 2).numpy()
    array([ 3, -3], dtype=int32)
    """,
)


def _truncate_mod(xp: Any, a: Array, b: Array) -> Array:
    _nonzero_integers(b)
    return xp.fmod(a, b)


truncatemod = binary(
    "truncate_mod",
    _truncate_mod,
    exports=("truncatemod",),
    vjp=(lambda xp, g: g, lambda xp, g, a, b: -g * xp.trunc(a / b)),
    allowed="real",
    traits=Traits(domain=(Quotient(),)),
    doc="""The remainder of x / y rounded towards zero; it has x's sign.

    >>> import whygrad as tf
    >>> tf.truncatemod([7, -7], 3).numpy()
    array([ 1, -1], dtype=int32)
    """,
)
negative = unary(
    "negative",
    "negative",
    exports=("negative", "math.negative"),
    vjp=lambda xp, g: -g,
    op_name="Neg",
    allowed="number",
    traits=Traits(arithmetic=Arithmetic.NEGATION),
    doc="""-x, element by element.

    >>> import whygrad as tf
    >>> tf.negative([1.0, -2.0]).numpy()
    array([-1.,  2.], dtype=float32)
    """,
)


def reciprocal_vjp(xp: Any, g: Any, y: Any) -> Any:
    """0 where the upstream gradient is 0, even where y is infinite, as TensorFlow's kernels of reciprocal, sqrt and rsqrt do."""
    return -xp.multiply_no_nan(y * y, g)


reciprocal = unary(
    "reciprocal",
    "reciprocal",
    exports=("math.reciprocal",),
    vjp=reciprocal_vjp,
    traits=Traits(
        arithmetic=Arithmetic.QUOTIENT, domain=(Quotient(divisor=0, dividend=None, guard="tf.math.reciprocal_no_nan"),)
    ),
    doc="""1 / x, element by element.

    >>> import whygrad as tf
    >>> tf.math.reciprocal([2.0, 4.0]).numpy()
    array([0.5 , 0.25], dtype=float32)
    """,
)
squared_difference = binary(
    "squared_difference",
    lambda xp, a, b: xp.conj(a - b) * (a - b) if a.dtype.kind == "c" else xp.square(a - b),
    exports=("math.squared_difference",),
    vjp=(lambda xp, g, a, b: g * (2 * (a - b)), lambda xp, g, a, b: g * (2 * (b - a))),
    conjugates=False,
    traits=Traits(arithmetic=Arithmetic.SQUARED_DIFFERENCE, penalizes=True),
    doc="""(x - y) squared, element by element; times the conjugate if complex.

    >>> import whygrad as tf
    >>> tf.math.squared_difference([1.0, 2.0], 4.0).numpy()
    array([9., 4.], dtype=float32)
    """,
)


@export("scalar_mul", "math.scalar_mul")
def scalar_mul(scalar: Any, x: Any, name: str | None = None) -> Tensor | IndexedSlices:
    """A number times a tensor or an IndexedSlices.

    >>> import whygrad as tf
    >>> tf.math.scalar_mul(2.0, tf.constant([1.0, 2.0])).numpy()
    array([2., 4.], dtype=float32)
    """
    if not is_value(x):
        x = convert(x, None)
    factor = convert(scalar, x.dtype)
    if factor.ndim:
        raise OpValueError(f"The input scalar must be a 0-D value. Received shape {factor.shape}.")
    if isinstance(x, IndexedSlices):
        return IndexedSlices(multiply(factor, x.values), x.indices, x.dense_shape)
    return multiply(factor, x)


@export("math.polyval")
def polyval(coeffs: Any, x: Any, name: str | None = None) -> Tensor:
    """The polynomial with these coefficients, highest power first, at x.

    >>> import whygrad as tf
    >>> tf.math.polyval([1.0, 2.0, 3.0], 2.0).numpy()
    np.float32(11.0)
    """
    if not isinstance(coeffs, list):
        raise OpValueError(f"Argument coeffs must be list type. Received type {type(coeffs)}.")
    x = convert(x, None)
    if not coeffs:
        return wrap(np.zeros(x._array.shape, x._array.dtype))
    first, *others = [convert_to_tensor(each, dtype_hint=x.dtype) for each in coeffs]
    total = first
    for coefficient in others:
        total = coefficient + total * x
    return total


# -- quotients and products in which zero takes precedence --

divide_no_nan_primitive = binary(
    "divide_no_nan",
    "divide_no_nan",
    vjp=(
        lambda xp, g, b: xp.divide_no_nan(g, b),
        lambda xp, g, a, b: -g * xp.divide_no_nan(xp.divide_no_nan(a, b), b),
    ),
    op_name="DivNoNan",
    allowed="float or complex",
    doc="x / y of tensors, or 0 where y is 0.",
)


@export("math.divide_no_nan")
def divide_no_nan(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x / y, or 0 where y is 0, whatever x is. Integers are divided as floating point.

    >>> import whygrad as tf
    >>> tf.math.divide_no_nan([1.0, 2.0], [0.0, 4.0]).numpy()
    array([0. , 0.5], dtype=float32)
    """
    x, y = _operands_with_hint(x, y) if is_value(x) or not is_value(y) else convert_operands(x, y)
    if x._array.dtype != y._array.dtype:
        raise OpTypeError(OperandDtypesDiffer(wanted=x.dtype, dtype=y.dtype))
    if x._array.dtype.kind not in "fcV":
        wide = _float_for(x.dtype, "tf.math.divide_no_nan")
        x, y = cast(x, wide), cast(y, wide)
    return divide_no_nan_primitive(x, y)


multiply_no_nan_primitive = binary(
    "multiply_no_nan",
    "multiply_no_nan",
    vjp=(lambda xp, g, b: xp.multiply_no_nan(g, b), lambda xp, g, a: xp.multiply_no_nan(a, g)),
    op_name="MulNoNan",
    allowed="float or complex",
    doc="x * y of tensors, or 0 where y is 0.",
)


@export("math.multiply_no_nan")
def multiply_no_nan(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x * y, or 0 where y is 0, even if x is infinite or nan there.

    >>> import whygrad as tf
    >>> tf.math.multiply_no_nan([float("nan"), 2.0], [0.0, 4.0]).numpy()
    array([0., 8.], dtype=float32)
    """
    x = convert(x, None)
    y = convert(y, x.dtype)
    return multiply_no_nan_primitive(x, y)


@export("math.reciprocal_no_nan")
def reciprocal_no_nan(x: Any, name: str | None = None) -> Tensor:
    """1 / x, or 0 where x is 0.

    >>> import whygrad as tf
    >>> tf.math.reciprocal_no_nan([2.0, 0.0]).numpy()
    array([0.5, 0. ], dtype=float32)
    """
    x = convert(x, None)
    return divide_no_nan_primitive(wrap(np.ones((), x._array.dtype)), x)


def _nonzero(xp: Any, x: Any, dtype: Any) -> Any:
    """1 where x is not 0, else 0."""
    return xp.cast(x != 0, dtype=dtype)


xdivy = binary(
    "xdivy",
    "xdivy",
    exports=("math.xdivy",),
    vjp=(
        lambda xp, g, a, b, a_dtype: g * xp.xdivy(_nonzero(xp, a, a_dtype), b),
        lambda xp, g, a, b: g * xp.xdivy(-a, b * b),
    ),
    allowed="float or complex",
    traits=Traits(domain=(Quotient(guard="tf.math.divide_no_nan"),)),
    doc="""x / y, or 0 where x is 0, even if y is 0 there.

    >>> import whygrad as tf
    >>> tf.math.xdivy([0.0, 2.0], [0.0, 4.0]).numpy()
    array([0. , 0.5], dtype=float32)
    """,
)
xlogy = binary(
    "xlogy",
    "xlogy",
    exports=("math.xlogy",),
    vjp=(
        lambda xp, g, a, b, a_dtype: g * xp.xlogy(_nonzero(xp, a, a_dtype), b),
        lambda xp, g, a, b: g * xp.xdivy(a, b),
    ),
    allowed="float or complex",
    traits=Traits(domain=(Logarithm(of=1),)),
    doc="""x * log(y), or 0 where x is 0, even if y is 0 there.

    >>> import whygrad as tf
    >>> tf.math.xlogy([0.0, 2.0], [0.0, 1.0]).numpy()
    array([0., 0.], dtype=float32)
    """,
)
xlog1py = binary(
    "xlog1py",
    "xlog1py",
    exports=("math.xlog1py",),
    vjp=(
        lambda xp, g, a, b, a_dtype: g * xp.xlog1py(_nonzero(xp, a, a_dtype), b),
        lambda xp, g, a, b: g * xp.xdivy(a, b + 1),
    ),
    allowed="float or complex",
    traits=Traits(domain=(Logarithm(of=1, zero=-1.0),)),
    doc="""x * log(1 + y), or 0 where x is 0, even if y is -1 there.

    >>> import whygrad as tf
    >>> tf.math.xlog1py([0.0, 2.0], [-1.0, 0.0]).numpy()
    array([0., 0.], dtype=float32)
    """,
)

# -- powers, exponentials and logarithms --


def power_vjp_b(xp: Any, g: Any, a: Any, y: Any, a_dtype: Any) -> Any:
    """The rule for b in y = a ** b: 0 where a has no logarithm, as in TensorFlow."""
    has_logarithm = a != 0 if a_dtype.kind == "c" else a > 0
    # y * log(a) may overflow where g is small or 0.
    return (g * y) * xp.log(xp.where(has_logarithm, a, xp.ones_like(a)))


pow = binary(
    "power",
    "power",
    exports=("pow", "math.pow"),
    vjp=(lambda xp, g, a, b: (g * b) * xp.power(a, b - 1), power_vjp_b),
    op_name="Pow",
    traits=Traits(arithmetic=Arithmetic.POWER, domain=(Power(), InfiniteSlope()), penalizes=True),
    doc="""x to the power y, element by element.

    >>> import whygrad as tf
    >>> tf.pow([2.0, 3.0], 2.0).numpy()
    array([4., 9.], dtype=float32)
    """,
)
square = unary(
    "square",
    "square",
    exports=("square", "math.square"),
    vjp=lambda xp, g, x: g * (x + x),  # 2 * x, without a number to convert
    allowed="number",
    traits=Traits(arithmetic=Arithmetic.SQUARE, penalizes=True),
    doc="""x squared, element by element.

    >>> import whygrad as tf
    >>> tf.square([1.0, -2.0]).numpy()
    array([1., 4.], dtype=float32)
    """,
)


def sqrt_vjp(xp: Any, g: Any, y: Any) -> Any:
    """g / (2 y), or 0 where g is 0, even where y is 0: the untaken branch of a `where` stays finite."""
    return xp.xdivy(g, 2 * y)


sqrt = unary(
    "sqrt",
    "sqrt",
    exports=("sqrt", "math.sqrt"),
    vjp=sqrt_vjp,
    traits=Traits(arithmetic=Arithmetic.ROOT, domain=(Root(), InfiniteSlope()), penalizes=True),
    doc="""The square root, element by element.

    >>> import whygrad as tf
    >>> tf.sqrt([4.0, 9.0]).numpy()
    array([2., 3.], dtype=float32)
    """,
)


def rsqrt_vjp(xp: Any, g: Any, y: Any) -> Any:
    """-g y^3 / 2, or 0 where g is 0, as for sqrt."""
    return -xp.multiply_no_nan(y * y * y, g) / 2


rsqrt = unary(
    "rsqrt",
    lambda xp, x: xp.reciprocal(xp.sqrt(x)),
    exports=("math.rsqrt",),
    vjp=rsqrt_vjp,
    traits=Traits(
        arithmetic=Arithmetic.ROOT,
        domain=(Root(), Quotient(divisor=0, dividend=None), InfiniteSlope()),
    ),
    doc="""1 / sqrt(x), element by element.

    >>> import whygrad as tf
    >>> tf.math.rsqrt([4.0, 16.0]).numpy()
    array([0.5 , 0.25], dtype=float32)
    """,
)
exp = unary(
    "exp",
    "exp",
    exports=("exp", "math.exp"),
    vjp=lambda xp, g, y: g * y,
    traits=Traits(arithmetic=Arithmetic.EXPONENTIAL, domain=(Exponential(),), flat=Flat.LEVELS_OFF),
    doc="""e to the power x, element by element.

    >>> import whygrad as tf
    >>> tf.exp([0.0, 1.0]).numpy().round(4)
    array([1.    , 2.7183], dtype=float32)
    """,
)
expm1 = unary(
    "expm1",
    "expm1",
    exports=("math.expm1",),
    vjp=lambda xp, g, x: g * xp.exp(x),
    traits=Traits(domain=(Exponential(),)),
    doc="""exp(x) - 1, exact for small x.

    >>> import whygrad as tf
    >>> tf.math.expm1([0.0, 1e-8]).numpy()
    array([0.e+00, 1.e-08], dtype=float32)
    """,
)
log = unary(
    "log",
    "log",
    exports=("math.log",),
    vjp=lambda xp, g, x: g / x,
    traits=Traits(arithmetic=Arithmetic.LOGARITHM, domain=(Logarithm(),)),
    doc="""The natural logarithm, element by element.

    >>> import whygrad as tf
    >>> tf.math.log([1.0, 2.0]).numpy().round(4)
    array([0.    , 0.6931], dtype=float32)
    """,
)
log1p = unary(
    "log1p",
    "log1p",
    exports=("math.log1p",),
    vjp=lambda xp, g, x: g / (1 + x),
    traits=Traits(arithmetic=Arithmetic.LOGARITHM, domain=(Logarithm(zero=-1.0),)),
    doc="""log(1 + x), exact for small x.

    >>> import whygrad as tf
    >>> tf.math.log1p([0.0, 1e-8]).numpy()
    array([0.e+00, 1.e-08], dtype=float32)
    """,
)

# -- trigonometric and hyperbolic functions --


def _sin_vjp(xp: Any, g: Any, x: Any) -> Any:
    slope = xp.cos(x)
    slope *= g  # reuses the memory of the slope
    return slope


def _cos_vjp(xp: Any, g: Any, x: Any) -> Any:
    slope = xp.sin(x)
    slope *= -g
    return slope


sin = unary(
    "sin",
    "sin",
    exports=("sin", "math.sin"),
    vjp=_sin_vjp,
    doc="""Sine, element by element; x in radians.

    >>> import whygrad as tf
    >>> tf.sin([0.0, 1.0]).numpy().round(4)
    array([0.    , 0.8415], dtype=float32)
    """,
)
cos = unary(
    "cos",
    "cos",
    exports=("cos", "math.cos"),
    vjp=_cos_vjp,
    doc="""Cosine, element by element; x in radians.

    >>> import whygrad as tf
    >>> tf.cos([0.0, 1.0]).numpy().round(4)
    array([1.    , 0.5403], dtype=float32)
    """,
)
tan = unary(
    "tan",
    "tan",
    exports=("tan", "math.tan"),
    vjp=lambda xp, g, y: g * (1 + y * y),
    doc="""Tangent, element by element; x in radians.

    >>> import whygrad as tf
    >>> tf.tan([0.0, 1.0]).numpy().round(4)
    array([0.    , 1.5574], dtype=float32)
    """,
)
# At the ends of the interval the values are finite, and a factor keeps the slope finite and away from 0.
_BETWEEN_ENDS = Interval(-1.0, 1.0, "tf.clip_by_value({0}, -1 + 1e-6, 1 - 1e-6)", "{0} * (1 - 1e-6)")
asin = unary(
    "asin",
    "arcsin",
    exports=("asin", "math.asin"),
    vjp=lambda xp, g, x: g / xp.sqrt(1 - x * x),
    traits=Traits(domain=(_BETWEEN_ENDS,)),
    doc="""The angle whose sine is x.

    >>> import whygrad as tf
    >>> tf.asin([0.0, 1.0]).numpy().round(4)
    array([0.    , 1.5708], dtype=float32)
    """,
)
acos = unary(
    "acos",
    "arccos",
    exports=("acos", "math.acos"),
    vjp=lambda xp, g, x: -g / xp.sqrt(1 - x * x),
    traits=Traits(domain=(_BETWEEN_ENDS,)),
    doc="""The angle whose cosine is x.

    >>> import whygrad as tf
    >>> tf.acos([1.0, 0.0]).numpy().round(4)
    array([0.    , 1.5708], dtype=float32)
    """,
)
atan = unary(
    "atan",
    "arctan",
    exports=("atan", "math.atan"),
    vjp=lambda xp, g, x: g / (1 + x * x),
    doc="""The angle whose tangent is x.

    >>> import whygrad as tf
    >>> tf.atan([0.0, 1.0]).numpy().round(4)
    array([0.    , 0.7854], dtype=float32)
    """,
)
sinh = unary(
    "sinh",
    "sinh",
    exports=("sinh", "math.sinh"),
    vjp=lambda xp, g, x: g * xp.cosh(x),
    traits=Traits(domain=(Exponential(),)),
    doc="""Hyperbolic sine, element by element.

    >>> import whygrad as tf
    >>> tf.sinh([0.0, 1.0]).numpy().round(4)
    array([0.    , 1.1752], dtype=float32)
    """,
)
cosh = unary(
    "cosh",
    "cosh",
    exports=("cosh", "math.cosh"),
    vjp=lambda xp, g, x: g * xp.sinh(x),
    traits=Traits(domain=(Exponential(),)),
    doc="""Hyperbolic cosine, element by element.

    >>> import whygrad as tf
    >>> tf.cosh([0.0, 1.0]).numpy().round(4)
    array([1.    , 1.5431], dtype=float32)
    """,
)
# Ops of their own, as in TensorFlow: a gradient that is recorded has one record, and not three, for each tanh and sigmoid.
_tanh_grad = Primitive(
    "tanh_grad",
    "tanh_grad",
    vjp=(lambda xp, g, b: xp.tanh_grad(g, b), lambda xp, g, a, b: -(g * a * (b + b))),
    op_name="TanhGrad",
    traits=ELEMENTWISE,
)
_sigmoid_grad = Primitive(
    "sigmoid_grad",
    "sigmoid_grad",
    vjp=(lambda xp, g, b: xp.sigmoid_grad(g, b), lambda xp, g, a, b: g * a * (1 - (b + b))),
    op_name="SigmoidGrad",
    traits=ELEMENTWISE,
)
tanh = unary(
    "tanh",
    "tanh",
    exports=("tanh", "math.tanh", "nn.tanh"),
    vjp=lambda xp, g, y: xp.tanh_grad(g, y),
    traits=Traits(flat=Flat.LEVELS_OFF),
    doc="""Hyperbolic tangent, element by element.

    >>> import whygrad as tf
    >>> tf.tanh([0.0, 1.0]).numpy().round(4)
    array([0.    , 0.7616], dtype=float32)
    """,
)
asinh = unary(
    "asinh",
    "arcsinh",
    exports=("asinh", "math.asinh"),
    vjp=lambda xp, g, y: g / xp.cosh(y),  # not sqrt(1 + x * x): x * x overflows
    doc="""The inverse of sinh.

    >>> import whygrad as tf
    >>> tf.asinh([0.0, 1.0]).numpy().round(4)
    array([0.    , 0.8814], dtype=float32)
    """,
)
acosh = unary(
    "acosh",
    "arccosh",
    exports=("acosh", "math.acosh"),
    vjp=lambda xp, g, y: g / xp.sinh(y),
    traits=Traits(domain=(Interval(low=1.0, guard="tf.maximum({0}, 1 + 1e-6)", guard_of_slope="{0} + 1e-6"),)),
    doc="""The inverse of cosh, from 1 upwards.

    >>> import whygrad as tf
    >>> tf.acosh([1.0, 2.0]).numpy().round(4)
    array([0.   , 1.317], dtype=float32)
    """,
)
atanh = unary(
    "atanh",
    "arctanh",
    exports=("atanh", "math.atanh"),
    vjp=lambda xp, g, x: g / (1 - x * x),
    traits=Traits(domain=(Interval(-1.0, 1.0, "tf.clip_by_value({0}, -1 + 1e-6, 1 - 1e-6)"),)),
    doc="""The inverse of tanh, between -1 and 1.

    >>> import whygrad as tf
    >>> tf.atanh([0.0, 0.5]).numpy().round(4)
    array([0.    , 0.5493], dtype=float32)
    """,
)
atan2 = binary(
    "atan2",
    "arctan2",
    exports=("atan2", "math.atan2"),
    vjp=(lambda xp, g, a, b: g * (b / (a * a + b * b)), lambda xp, g, a, b: -g * (a / (a * a + b * b))),
    allowed="float",
    arguments=("y", "x"),
    traits=Traits(
        domain=(NoSlopeAtOrigin("tf.atan2({0}, tf.where(({0} == 0) & ({1} == 0), tf.ones_like({1}), {1}))"),)
    ),
    doc="""The angle of the point (x, y), in (-pi, pi].

    >>> import whygrad as tf
    >>> tf.atan2([1.0, 0.0], [1.0, -1.0]).numpy().round(4)
    array([0.7854, 3.1416], dtype=float32)
    """,
)

# -- sigmoid, softplus, softsign, relu --

sigmoid = unary(
    "sigmoid",
    "sigmoid",
    exports=("sigmoid", "math.sigmoid", "nn.sigmoid"),
    vjp=lambda xp, g, y: xp.sigmoid_grad(g, y),
    traits=Traits(takes_logits=Logits.SIGMOID, flat=Flat.LEVELS_OFF),
    doc="""1 / (1 + exp(-x)), element by element.

    >>> import whygrad as tf
    >>> tf.sigmoid([0.0, 2.0]).numpy().round(4)
    array([0.5   , 0.8808], dtype=float32)
    """,
)
softplus = unary(
    "softplus",
    "softplus",
    exports=("math.softplus", "nn.softplus"),
    vjp=lambda xp, g, x: g * xp.sigmoid(x),
    allowed="float",
    argument="features",
    traits=Traits(flat=Flat.LEVELS_OFF, penalizes=True),
    doc="""log(exp(x) + 1), element by element, without overflow.

    >>> import whygrad as tf
    >>> tf.math.softplus([0.0, 1000.0]).numpy().round(4)
    array([6.931e-01, 1.000e+03], dtype=float32)
    """,
)


@export("math.log_sigmoid")
def log_sigmoid(x: Any, name: str | None = None) -> Tensor:
    """log(sigmoid(x)), element by element, without overflow.

    >>> import whygrad as tf
    >>> tf.math.log_sigmoid([0.0, -1000.0]).numpy().round(4)
    array([-6.931e-01, -1.000e+03], dtype=float32)
    """
    return negative(softplus(negative(x)))


def softsign_vjp(xp: Any, g: Any, x: Any) -> Any:
    """1 / (1 + |x|)^2."""
    scale = 1 + xp.abs(x)
    return g / (scale * scale)


softsign = unary(
    "softsign",
    lambda xp, x: x / (1 + xp.abs(x)),
    exports=("math.softsign", "nn.softsign"),
    vjp=softsign_vjp,
    allowed="float",
    argument="features",
    traits=Traits(flat=Flat.LEVELS_OFF),
    doc="""x / (1 + |x|), element by element.

    >>> import whygrad as tf
    >>> tf.nn.softsign([1.0, -3.0]).numpy()
    array([ 0.5 , -0.75], dtype=float32)
    """,
)
# A separate op: TensorFlow's second derivative of relu is 0, not None.
_relu_grad = Primitive(
    "relu_grad",
    "relu_grad",
    vjp=(lambda xp, g, b: xp.relu_grad(g, b), lambda xp, g: xp.zeros_like(g)),
    traits=ELEMENTWISE,
)
relu = unary(
    "relu",
    "relu",
    exports=("nn.relu",),
    vjp=lambda xp, g, y: xp.relu_grad(g, y),
    allowed="real",
    argument="features",
    traits=Traits(flat=Flat.OFF, piecewise_linear=True, penalizes=True),
    doc="""x where it is positive, else 0.

    >>> import whygrad as tf
    >>> tf.nn.relu([-1.0, 2.0]).numpy()
    array([0., 2.], dtype=float32)
    """,
)

# -- magnitude, sign and rounding --

_real_abs = unary(
    "abs",
    "abs",
    vjp=lambda xp, g, x: g * xp.sign(x),
    allowed="real",
    traits=Traits(piecewise_linear=True, penalizes=True),
    doc="|x| of real tensors.",
)


def complex_abs_vjp(xp: Any, g: Any, x: Any, y: Any, x_dtype: Any) -> Any:
    """g in the direction of x; 0 where x is 0, for an infinite g too."""
    return xp.divide_no_nan(xp.cast(g, dtype=x_dtype) * x, xp.cast(y, dtype=x_dtype))


_complex_abs = Primitive(
    "complex_abs",
    "abs",
    vjp=complex_abs_vjp,
    conjugates=False,
    traits=Traits(domain=(InfiniteSlope(),), batching=Batching.ELEMENTWISE),
)


@export("abs", "math.abs")
def abs(x: Any, name: str | None = None) -> Tensor:
    """|x|, element by element; a real tensor also for complex x.

    >>> import whygrad as tf
    >>> tf.abs([-1.0, 2.0]).numpy(), tf.abs(3.0 + 4.0j).numpy()
    (array([1., 2.], dtype=float32), np.float64(5.0))
    """
    tensor = x if type(x) is Tensor else convert(x, None)
    return apply(_complex_abs, tensor) if tensor._array.dtype.kind == "c" else _real_abs(tensor)


_real_sign = unary(
    "sign",
    "sign",
    vjp=lambda xp, g: xp.zeros_like(g),
    allowed="real",
    traits=Traits(piecewise_constant=True),
    doc="The sign of real tensors.",
)


def complex_sign_vjp(xp: Any, g: Any, x: Any, y: Any, x_dtype: Any) -> Any:
    """The component of g perpendicular to x, divided by |x|: a step along x does not change the direction."""
    along = xp.cast(xp.real(g * xp.conj(y)), dtype=x_dtype)
    return xp.divide_no_nan(g - y * along, xp.cast(xp.abs(x), dtype=x_dtype))


_complex_sign = Primitive("complex_sign", "sign", vjp=complex_sign_vjp, conjugates=False, traits=ELEMENTWISE)


@export("sign", "math.sign")
def sign(x: Any, name: str | None = None) -> Tensor:
    """-1, 0 or 1, element by element; x / |x| for complex x. Its gradient for real x is 0.

    >>> import whygrad as tf
    >>> tf.sign([-3.0, 0.0, 2.0]).numpy()
    array([-1.,  0.,  1.], dtype=float32)
    """
    tensor = x if type(x) is Tensor else convert(x, None)
    return apply(_complex_sign, tensor) if tensor._array.dtype.kind == "c" else _real_sign(tensor)


_SOFT_EQUALITY = "a distance of the operands, such as a squared difference, or for classes a cross entropy"
_SOFT_COMPARISON = "a sigmoid of the difference of the operands"
_STEP = "is a step function: it does not change under a small step"
floor = unary(
    "floor",
    "floor",
    exports=("floor", "math.floor"),
    no_gradient=f"floor {_STEP}",
    allowed="float",
    traits=Traits(piecewise_constant=True),
    doc="""The largest integer not above x.

    >>> import whygrad as tf
    >>> tf.floor([1.5, -1.5]).numpy()
    array([ 1., -2.], dtype=float32)
    """,
)
ceil = unary(
    "ceil",
    "ceil",
    exports=("math.ceil",),
    no_gradient=f"ceil {_STEP}",
    allowed="float",
    traits=Traits(piecewise_constant=True),
    doc="""The smallest integer not below x.

    >>> import whygrad as tf
    >>> tf.math.ceil([1.5, -1.5]).numpy()
    array([ 2., -1.], dtype=float32)
    """,
)
rint = unary(
    "rint",
    "rint",
    exports=("math.rint",),
    no_gradient=f"rint {_STEP}",
    allowed="float",
    traits=Traits(piecewise_constant=True),
    doc="""The nearest integer, half to even.

    >>> import whygrad as tf
    >>> tf.math.rint([0.5, 1.5, -2.5]).numpy()
    array([ 0.,  2., -2.], dtype=float32)
    """,
)
_round = unary(
    "round",
    "rint",
    no_gradient=f"round {_STEP}",
    allowed="float or complex",
    traits=Traits(piecewise_constant=True),
    doc="The nearest integer.",
)


@export("round", "math.round")
def round(x: Any, name: str | None = None) -> Tensor:
    """Round to the nearest integer, half to even. Integers are returned unchanged.

    >>> import whygrad as tf
    >>> tf.round([0.5, 1.5, -2.5]).numpy()
    array([ 0.,  2., -2.], dtype=float32)
    """
    tensor = convert(x, None)
    return tensor if tensor.dtype.is_integer else _round(tensor)


nextafter = binary(
    "nextafter",
    "nextafter",
    exports=("math.nextafter",),
    vjp=(lambda xp, g: g, lambda xp, g: xp.zeros_like(g)),
    op_name="NextAfter",
    allowed="float",
    arguments=("x1", "x2"),
    doc="""The next representable number after x1 in the direction of x2.

    >>> import whygrad as tf
    >>> tf.math.nextafter(1.0, 2.0).numpy()
    np.float32(1.0000001)
    """,
)

# -- maximum, minimum and where --

maximum = binary(
    "maximum",
    "maximum",
    exports=("maximum", "math.maximum"),
    vjp=(lambda xp, g, a, b: xp.keep_where(a >= b, g), lambda xp, g, a, b: xp.keep_where(~(a >= b), g)),
    allowed="real",
    traits=Traits(
        arithmetic=Arithmetic.EXTREMUM, flat=Flat.NOT_CHOSEN, piecewise_linear=True, passes_numeric_checks=True
    ),
    doc="""The larger of x and y, element by element. Where they are equal the gradient goes to x.

    >>> import whygrad as tf
    >>> tf.maximum([1.0, 5.0], 3.0).numpy()
    array([3., 5.], dtype=float32)
    """,
)
minimum = binary(
    "minimum",
    "minimum",
    exports=("minimum", "math.minimum"),
    vjp=(lambda xp, g, a, b: xp.keep_where(a <= b, g), lambda xp, g, a, b: xp.keep_where(~(a <= b), g)),
    allowed="real",
    traits=Traits(
        arithmetic=Arithmetic.EXTREMUM, flat=Flat.NOT_CHOSEN, piecewise_linear=True, passes_numeric_checks=True
    ),
    doc="""The smaller of x and y, element by element. Where they are equal the gradient goes to x.

    >>> import whygrad as tf
    >>> tf.minimum([1.0, 5.0], 3.0).numpy()
    array([1., 3.], dtype=float32)
    """,
)

# The rules of maximum, minimum and where use this: x where the mask is true, else 0.
_keep_where = Primitive(
    "keep_where",
    "keep_where",
    inputs=("mask", "x"),
    vjp=(None, lambda xp, g, mask: xp.keep_where(mask, g)),
    broadcasts=True,
    traits=Traits(selects=Selects.PLACES, batching=Batching.ELEMENTWISE),
)
_select = Primitive(
    "where",
    "where",
    inputs=("condition", "x", "y"),
    vjp=(
        None,
        lambda xp, g, condition: xp.keep_where(condition, g),
        lambda xp, g, condition: xp.keep_where(~condition, g),
    ),
    op_name="SelectV2",
    broadcasts=True,
    traits=Traits(selects=Selects.VALUES, flat=Flat.NOT_CHOSEN, batching=Batching.ELEMENTWISE),
)
_where_true = Primitive(
    "where_true",
    lambda xp, condition: xp.stack(xp.nonzero(condition), axis=-1),
    no_gradient="the positions of true elements are integers: they do not change under a small step",
    op_name="Where",
    traits=Traits(selects=Selects.PLACES),
)


# What to write where a mask is not known while a function is being compiled (`ShapeByValues`).
PLACES_OF_MASK = (
    "work with the mask itself: tf.where({0}, a, b) chooses element by element, and tf.cast({0}, tf.float32) weights; or find "
    "the places before the function is called"
)


@shape_by_values(chooses=True, instead=PLACES_OF_MASK)
@export("where")
def where(condition: Any, x: Any = None, y: Any = None, name: str | None = None) -> Tensor:
    """x where the condition is true, else y, with broadcasting; with the condition alone, the indices where it is true.

    >>> import whygrad as tf
    >>> tf.where([True, False], [1.0, 2.0], 0.0).numpy()
    array([1., 0.], dtype=float32)
    >>> tf.where([False, True, True]).numpy()
    array([[1],
           [2]])
    """
    if x is None and y is None:
        mask = convert(condition, None)
        if mask._array.dtype.kind == "O":
            check_dtype(mask, "number", "Where")
        if not mask.ndim:
            raise invalid("WhereOp : Unhandled input dimensions: 0 [Op:Where]")
        return apply(_where_true, mask)
    if x is None or y is None:
        raise OpValueError("x and y must both be non-None or both be None.")
    mask = condition if is_value(condition) else convert(condition, dtypes.bool_)
    mask = convert(mask, None)
    if mask._array.dtype.kind != "b":
        raise invalid(ConditionNotBool(wanted=dtypes.bool_, dtype=mask.dtype, position=0, op="SelectV2"))
    x, y = convert_operands(x, y)
    if x._array.dtype != y._array.dtype:
        raise invalid(DtypesDiffer(wanted=x.dtype, dtype=y.dtype, position=2, op="SelectV2"))
    shapes = mask._array.shape, x._array.shape, y._array.shape
    if not shapes[0] == shapes[1] == shapes[2]:
        try:
            np.broadcast_shapes(*shapes)
        except ValueError:
            raise invalid(SelectedShapesDiffer(condition=shapes[0], x=shapes[1], y=shapes[2], op="SelectV2")) from None
    return apply(_select, mask, x, y)


@export("clip_by_value")
def clip_by_value(t: Any, clip_value_min: Any, clip_value_max: Any, name: str | None = None) -> Tensor | IndexedSlices:
    """Clip t to the range [clip_value_min, clip_value_max]. At the limits the gradient passes through.

    >>> import whygrad as tf
    >>> tf.clip_by_value([-5.0, 0.5, 5.0], -1.0, 1.0).numpy()
    array([-1. ,  0.5,  1. ], dtype=float32)
    """
    values = t.values if isinstance(t, IndexedSlices) else convert(t, None)
    below = minimum(values, clip_value_max)
    _same_shape(values, below)
    clipped = maximum(below, clip_value_min)
    _same_shape(values, clipped)
    return IndexedSlices(clipped, t.indices, t.dense_shape) if isinstance(t, IndexedSlices) else clipped


def _same_shape(values: Tensor, clipped: Tensor) -> None:
    if values.shape != clipped.shape:
        raise OpValueError(f"Shapes {values.shape} and {clipped.shape} are incompatible")


# -- comparisons and logic --

_COMPARISON = "a comparison gives true or false, which do not change under a small step"


def _comparison(name: str, op_name: str, sign: str, result: str, exports: tuple[str, ...]) -> Callable[..., Tensor]:
    return binary(
        name,
        name,
        exports=exports,
        inputs=("a", "b"),
        no_gradient=_COMPARISON,
        op_name=op_name,
        allowed="real",
        traits=Traits(
            compares=True,
            smooth_form=_SOFT_COMPARISON,
            smooth_code="tf.sigmoid(({0} - {1}) / width)" if sign[0] == ">" else "tf.sigmoid(({1} - {0}) / width)",
        ),
        doc=f"""True where x {sign} y, element by element.

    >>> import whygrad as tf
    >>> tf.{name}([1.0, 2.0, 3.0], 2.0).numpy()
    array([{result}])
    """,
    )


less = _comparison("less", "Less", "<", " True, False, False", exports=("less", "math.less"))
less_equal = _comparison(
    "less_equal", "LessEqual", "<=", " True,  True, False", exports=("less_equal", "math.less_equal")
)
greater = _comparison("greater", "Greater", ">", "False, False,  True", exports=("greater", "math.greater"))
greater_equal = _comparison(
    "greater_equal", "GreaterEqual", ">=", "False,  True,  True", exports=("greater_equal", "math.greater_equal")
)
equal = binary(
    "equal",
    "equal",
    exports=("equal", "math.equal"),
    inputs=("a", "b"),
    no_gradient=_COMPARISON,
    allowed="any",
    traits=Traits(compares=True, smooth_form=_SOFT_EQUALITY),
    doc="""True where x equals y, element by element.

    >>> import whygrad as tf
    >>> tf.equal([1.0, 2.0], 2.0).numpy()
    array([False,  True])
    """,
)
not_equal = binary(
    "not_equal",
    "not_equal",
    exports=("not_equal", "math.not_equal"),
    inputs=("a", "b"),
    no_gradient=_COMPARISON,
    allowed="any",
    traits=Traits(compares=True, smooth_form=_SOFT_EQUALITY),
    doc="""True where x and y differ, element by element.

    >>> import whygrad as tf
    >>> tf.not_equal([1.0, 2.0], 2.0).numpy()
    array([ True, False])
    """,
)


@export("math.approximate_equal")
def approximate_equal(x: Any, y: Any, tolerance: float = 1e-05, name: str | None = None) -> Tensor:
    """|x - y| < tolerance, element by element, for two tensors of the same shape.

    >>> import whygrad as tf
    >>> tf.math.approximate_equal([1.0, 2.0], [1.0, 2.1]).numpy()
    array([ True, False])
    """
    x, y = convert_operands(x, y)
    if x.shape != y.shape:
        raise invalid(f"x and y must be of the same shape: {shape_text(x.shape)} vs. {shape_text(y.shape)}")
    return less(abs(subtract(x, y)), convert(tolerance, x.dtype.real_dtype))


_LOGIC = "true and false do not change under a small step"


def _logical(name: str, doc: str, exports: tuple[str, ...] = ()) -> Callable[..., Tensor]:
    primitive = Primitive(name, name, inputs=("a", "b"), no_gradient=_LOGIC, broadcasts=True, traits=ELEMENTWISE)

    def op(x: Any, y: Any, name: str | None = None) -> Tensor:
        return apply(primitive, _truths(x, 0, primitive), _truths(y, 1, primitive))

    op.__name__ = name
    op.__doc__ = doc
    op.__module__, op.__qualname__ = place_of(exports[0]) if exports else ("whygrad", name)
    return op


def _truths(x: Any, position: int, primitive: Primitive) -> Tensor:
    """Convert x to a tensor of bools; Python values must already be bools."""
    tensor = convert(x, None if is_value(x) else dtypes.bool_)
    if tensor._array.dtype.kind != "b":
        raise invalid(DtypesDiffer(wanted=dtypes.bool_, dtype=tensor.dtype, position=position, op=primitive.op_name))
    return tensor


logical_and = _logical(
    "logical_and",
    """True where x and y are both true, element by element.

    >>> import whygrad as tf
    >>> tf.logical_and([True, False], True).numpy()
    array([ True, False])
    """,
    exports=("logical_and", "math.logical_and"),
)
logical_or = _logical(
    "logical_or",
    """True where x or y is true, element by element.

    >>> import whygrad as tf
    >>> tf.logical_or([True, False], False).numpy()
    array([ True, False])
    """,
    exports=("logical_or", "math.logical_or"),
)
_logical_xor = _logical("logical_xor", "True where exactly one of x and y is true.")
_logical_not = Primitive("logical_not", "logical_not", no_gradient=_LOGIC, traits=ELEMENTWISE)


@export("math.logical_xor")
def logical_xor(x: Any, y: Any, name: str | None = "LogicalXor") -> Tensor:
    """True where exactly one of x and y is true, element by element.

    >>> import whygrad as tf
    >>> tf.math.logical_xor([True, False], True).numpy()
    array([False,  True])
    """
    return _logical_xor(x, y)


@export("logical_not", "math.logical_not")
def logical_not(x: Any, name: str | None = None) -> Tensor:
    """True where x is false, element by element.

    >>> import whygrad as tf
    >>> tf.logical_not([True, False]).numpy()
    array([False,  True])
    """
    return apply(_logical_not, _truths(x, 0, _logical_not))


is_nan = unary(
    "is_nan",
    "isnan",
    exports=("math.is_nan",),
    no_gradient=_LOGIC,
    allowed="float",
    doc="""True where x is nan, element by element.

    >>> import whygrad as tf
    >>> tf.math.is_nan([1.0, float("nan")]).numpy()
    array([False,  True])
    """,
)
is_inf = unary(
    "is_inf",
    "isinf",
    exports=("math.is_inf",),
    no_gradient=_LOGIC,
    allowed="float",
    doc="""True where x is infinite, element by element.

    >>> import whygrad as tf
    >>> tf.math.is_inf([1.0, float("inf")]).numpy()
    array([False,  True])
    """,
)
is_finite = unary(
    "is_finite",
    "isfinite",
    exports=("math.is_finite",),
    no_gradient=_LOGIC,
    allowed="float",
    doc="""True where x is finite, element by element.

    >>> import whygrad as tf
    >>> tf.math.is_finite([1.0, float("inf")]).numpy()
    array([ True, False])
    """,
)

# -- complex numbers and their parts --

_make_complex = Primitive(
    "complex",
    "make_complex",
    inputs=("a", "b"),
    vjp=(lambda xp, g: xp.real(g), lambda xp, g: xp.imag(g)),
    broadcasts=True,
    traits=ELEMENTWISE,
)
_conj = Primitive("conj", "conj", vjp=lambda xp, g: xp.conj(g), conjugates=False, traits=ELEMENTWISE)
_real = Primitive(
    "real", "real", vjp=lambda xp, g, x_dtype: xp.cast(g, dtype=x_dtype), conjugates=False, traits=ELEMENTWISE
)
_imag = Primitive(
    "imag",
    "imag",
    vjp=lambda xp, g, x_dtype: xp.cast(g, dtype=x_dtype) * literal(1j, x_dtype),  # type: ignore[arg-type]
    conjugates=False,
    traits=ELEMENTWISE,
)


def angle_vjp(xp: Any, g: Any, x: Any, x_dtype: Any) -> Any:
    """g perpendicular to x, divided by |x|."""
    return xp.cast(g, dtype=x_dtype) * literal(1j, x_dtype) / xp.conj(x)  # type: ignore[arg-type]


_angle = Primitive(
    "angle",
    "angle",
    vjp=angle_vjp,
    conjugates=False,
    traits=Traits(
        domain=(NoSlopeAtOrigin("tf.math.angle(tf.where({0} == 0, tf.ones_like({0}), {0}))"),),
        batching=Batching.ELEMENTWISE,
    ),
)


@export("complex", "dtypes.complex")
def complex(real: Any, imag: Any, name: str | None = None) -> Tensor:
    """The complex tensor with these real and imaginary parts.

    >>> import whygrad as tf
    >>> tf.complex([1.0, 2.0], 3.0).numpy()
    array([1.+3.j, 2.+3.j], dtype=complex64)
    """
    a, b = convert(real, None), convert(imag, None)
    if a.dtype is not b.dtype or a.dtype not in (dtypes.float32, dtypes.float64):
        raise OpTypeError(
            f"The `real` and `imag` components have incorrect types: {a.dtype.name} {b.dtype.name}. "
            "They must be consistent, and one of [tf.float32, tf.float64]"
        )
    return apply(_make_complex, a, b)


@export("math.conj")
def conj(x: Any, name: str | None = None) -> Tensor:
    """The complex conjugate, element by element; a real tensor is returned unchanged.

    >>> import whygrad as tf
    >>> tf.math.conj([1.0 + 2.0j]).numpy()
    array([1.-2.j])
    """
    tensor = x if type(x) is Tensor else convert(x, None)
    if tensor._array.dtype.kind == "c":
        return apply(_conj, tensor)
    if not tensor.dtype.is_numeric:
        raise OpTypeError(f"Expected numeric or variant tensor, got dtype {tensor.dtype!r}.")
    return tensor


@export("math.real")
def real(input: Any, name: str | None = None) -> Tensor:
    """The real part, element by element; a real tensor is returned unchanged.

    >>> import whygrad as tf
    >>> tf.math.real([1.0 + 2.0j]).numpy()
    array([1.])
    """
    tensor = input if type(input) is Tensor else convert(input, None)
    if tensor._array.dtype.kind == "c":
        return apply(_real, tensor)
    if not tensor.dtype.is_numeric:
        raise OpTypeError(f"input must be a numeric tensor, but got tensor with dtype {tensor.dtype}")
    return tensor


@export("math.imag")
def imag(input: Any, name: str | None = None) -> Tensor:
    """The imaginary part, element by element; zeros for a real tensor.

    >>> import whygrad as tf
    >>> tf.math.imag([1.0 + 2.0j]).numpy()
    array([2.])
    """
    tensor = input if type(input) is Tensor else convert(input, None)
    return (
        apply(_imag, tensor)
        if tensor._array.dtype.kind == "c"
        else wrap(np.zeros(tensor._array.shape, tensor._array.dtype))
    )


@export("math.angle")
def angle(input: Any, name: str | None = None) -> Tensor:
    """The argument of a complex number, in (-pi, pi]; 0 or pi for a real one.

    >>> import whygrad as tf
    >>> tf.math.angle([1.0j]).numpy().round(4)
    array([1.5708])
    """
    tensor = convert(input, None)
    if tensor._array.dtype.kind == "c":
        return apply(_angle, tensor)
    return where(less(tensor, convert(0, tensor.dtype)), convert(np.pi, tensor.dtype), convert(0, tensor.dtype))


# -- casts --

_cast = Primitive(
    "cast",
    lambda xp, x, *, dtype: xp.cast(x, dtype=dtype),
    vjp=lambda xp, g, x_dtype: xp.cast(g, dtype=x_dtype),
    sparse=lambda xp, rows, record: [Rows(xp.cast(rows.values, dtype=record.inputs[0].dtype), rows.indices)],
    conjugates=False,
    traits=Traits(casts=True, batching=Batching.ELEMENTWISE),
)
_cast_away = Primitive(
    "cast_to_discrete",
    lambda xp, x, *, dtype: xp.cast(x, dtype=dtype),
    no_gradient="a cast to integers or bool: they do not change under a small step",
    op_name="Cast",
    traits=Traits(casts=True),
)


@export("cast", "dtypes.cast")
def cast(x: Any, dtype: Any, name: str | None = None) -> Any:
    """Cast x to another dtype. Gradients pass between floating point and complex dtypes; integer and bool dtypes cut the path.

    >>> import whygrad as tf
    >>> tf.cast([1.8, -1.8], tf.int32).numpy()
    array([ 1, -1], dtype=int32)
    """
    wanted = dtypes.as_dtype(dtype)
    if isinstance(x, IndexedSlices):
        return IndexedSlices(cast(x.values, wanted), x.indices, x.dense_shape)
    tensor = x if type(x) is Tensor else convert(x, None)
    given = tensor.dtype
    if given is wanted:
        return tensor
    if given is dtypes.string or wanted is dtypes.string:
        raise UnimplementedError(None, None, f"Cast {given.cxx_name} to {wanted.cxx_name} is not supported [Op:Cast]")
    return apply(_cast if wanted.is_differentiable else _cast_away, tensor, dtype=wanted.numpy_dtype)


@export("saturate_cast", "dtypes.saturate_cast")
def saturate_cast(value: Any, dtype: Any, name: str | None = None) -> Tensor:
    """Cast, with values that the dtype cannot hold clipped to its smallest or largest value.

    >>> import whygrad as tf
    >>> tf.saturate_cast([-5.0, 100.0, 300.0], tf.uint8).numpy()
    array([  0, 100, 255], dtype=uint8)
    """
    wanted = dtypes.as_dtype(dtype)
    x = convert(value, None)
    if not wanted.is_numeric:
        raise OpTypeError(f"Cannot find minimum value of {wanted} with type {wanted}.")
    if x.dtype.is_complex:
        if wanted.is_complex:
            part = wanted.real_dtype
            return complex(saturate_cast(real(x), part), saturate_cast(imag(x), part))
        x = real(x)
    low, high = _limit(x.dtype, wanted.real_dtype, "min"), _limit(x.dtype, wanted.real_dtype, "max")
    if low is not None:
        x = maximum(x, low)
    if high is not None:
        x = minimum(x, high)
    return cast(x, wanted)  # type: ignore[no-any-return]


def _limit(given: DType, wanted: DType, which: str) -> Array | None:
    """The limit ("min" or "max") of `wanted` as a number of `given` that does not exceed it; None if no clipping is needed."""
    number = int if given.is_integer and wanted.is_integer else float
    own, bound = number(getattr(given, which)), number(getattr(wanted, which))
    narrower = own < bound if which == "min" else own > bound
    loses_infinity = given.is_floating and wanted.is_integer
    if not narrower and not loses_infinity:
        return None
    limit = np.asarray(bound if narrower else own).astype(given.numpy_dtype)
    if given.is_floating and builtins.abs(int(limit)) > builtins.abs(int(getattr(wanted, which))):
        limit = np.nextafter(limit, np.zeros_like(limit))  # the limit itself was rounded outwards
    return limit


# -- sums of several tensors --

_add_n = Primitive(
    "add_n",
    lambda xp, *tensors: xp.add_n(*tensors),
    joint=lambda xp, g, tensors_shapes: (g,) * len(tensors_shapes),
    op_name="AddN",
    traits=Traits(arithmetic=Arithmetic.SUM, batching=Batching.TERMS),
)


@export("add_n", "math.add_n")
def add_n(inputs: Any, name: str | None = None) -> Tensor:
    """The sum of a list of tensors of the same shape and dtype.

    >>> import whygrad as tf
    >>> tf.add_n([tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])]).numpy()
    array([4., 6.], dtype=float32)
    """
    if isinstance(inputs, IndexedSlices):
        inputs = [inputs]
    if not hasattr(inputs, "__iter__"):
        raise OpTypeError(f"{type(inputs).__name__!r} object is not iterable")
    tensors = [convert(each, None) for each in inputs]
    if not tensors:
        raise OpValueError(
            "Inputs must be an iterable of at least one Tensor/IndexedSlices with the same dtype and shape."
        )
    if len(tensors) == 1:
        return tensors[0]
    first = tensors[0]
    check_dtype(first, "number", "AddN")
    for i, each in enumerate(tensors):
        if each._array.dtype != first._array.dtype:
            raise invalid(DtypesDiffer(wanted=first.dtype, dtype=each.dtype, position=i, op="AddN"))
        if each.shape != first.shape:
            raise invalid(AddedPartsDiffer(position=i, first=first._array.shape, shape=each._array.shape, op="AddN"))
    return apply(_add_n, *tensors)


@export("math.accumulate_n")
def accumulate_n(inputs: Any, shape: Any = None, tensor_dtype: Any = None, name: str | None = None) -> Tensor:
    """The sum of a list of tensors of the same shape and dtype, which may be given.

    >>> import whygrad as tf
    >>> tf.math.accumulate_n([tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])], shape=[2]).numpy()
    array([4., 6.], dtype=float32)
    """
    refused = "inputs must be a list of at least one Tensor with the same dtype and shape"
    if not isinstance(inputs, list | tuple) or not inputs:
        raise OpValueError(refused)
    tensors = [convert(each, None) for each in inputs]
    if any(each.dtype is not tensors[0].dtype for each in tensors):
        raise OpValueError(refused)
    given = tensors[0].dtype
    if tensor_dtype is not None and dtypes.as_dtype(tensor_dtype) is not given:
        raise OpTypeError(
            f"The `tensor_dtype` argument is {dtypes.as_dtype(tensor_dtype)}, but `input` is of type {given}. "
            "These must be equal. Try casting the input to the desired type."
        )
    wanted = tensors[0].shape if shape is None else convert_shape(shape)
    for each in tensors:
        if not wanted.is_compatible_with(each.shape):
            raise OpValueError(f"Shapes {wanted} and {each.shape} are not compatible")
    return add_n(tensors)


def convert_shape(shape: Any) -> Any:
    """Convert a shape argument to a TensorShape."""
    from whygrad.values.shapes import as_shape

    return as_shape(shape)
