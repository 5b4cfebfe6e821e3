"""Rows for `whygrad.ops.elementwise` and `whygrad.ops.bits`."""

import numpy as np

from tests.support.cases import BadInput, Case, anything, between, positive, unit

HALVES = ("float16", "float32", "float64")


def unary(name, function, drawn, **more):
    """A row for an ordinary point, and one for a shape without elements."""
    return [
        Case(name, function, (drawn(2, 3),), **more),
        Case(f"{name} empty", function, (drawn(0, 3),), second=False),
    ]


def on_constants(tf, function, *arrays):
    """A function of values that are not differentiated, as the result of a row."""
    return function(*[tf.constant(a) for a in arrays])


# fmt: off
FUNCTIONS = [
    *unary("negative", lambda tf, x: tf.negative(x), anything, complex=True),
    *unary("square", lambda tf, x: tf.square(x), anything, complex=True, dtypes=HALVES),
    *unary("sqrt", lambda tf, x: tf.sqrt(x), positive, complex=True),
    *unary("rsqrt", lambda tf, x: tf.math.rsqrt(x), positive, complex=True),
    *unary("exp", lambda tf, x: tf.exp(x), anything, complex=True, dtypes=HALVES),
    *unary("expm1", lambda tf, x: tf.math.expm1(x), anything, complex=True),
    *unary("log", lambda tf, x: tf.math.log(x), positive, complex=True),
    *unary("log1p", lambda tf, x: tf.math.log1p(x), positive, complex=True),
    *unary("sin", lambda tf, x: tf.sin(x), anything, complex=True),
    *unary("cos", lambda tf, x: tf.cos(x), anything, complex=True),
    *unary("tan", lambda tf, x: tf.tan(x), unit, complex=True),
    *unary("asin", lambda tf, x: tf.asin(x), unit, complex=True),
    *unary("acos", lambda tf, x: tf.acos(x), unit, complex=True),
    *unary("atan", lambda tf, x: tf.atan(x), unit, complex=True),
    *unary("sinh", lambda tf, x: tf.sinh(x), anything, complex=True),
    *unary("cosh", lambda tf, x: tf.cosh(x), anything, complex=True),
    *unary("tanh", lambda tf, x: tf.tanh(x), anything, complex=True),
    *unary("asinh", lambda tf, x: tf.asinh(x), anything),
    *unary("acosh", lambda tf, x: tf.acosh(x), lambda *shape: between(1.2, 3.0, *shape)),
    *unary("atanh", lambda tf, x: tf.atanh(x), unit, complex=True),
    Case("asinh complex", lambda tf, x: tf.asinh(x), (unit(4),), complex=True),
    Case("acosh complex", lambda tf, x: tf.acosh(x), (between(1.2, 3.0, 4),), complex=True),
    *unary("sigmoid", lambda tf, x: tf.sigmoid(x), anything, complex=True),
    *unary("log_sigmoid", lambda tf, x: tf.math.log_sigmoid(x), anything),
    *unary("softplus", lambda tf, x: tf.math.softplus(x), anything),
    *unary("softsign", lambda tf, x: tf.nn.softsign(x), positive, second=False),
    *unary("relu", lambda tf, x: tf.nn.relu(x), positive),
    *unary("reciprocal", lambda tf, x: tf.math.reciprocal(x), positive, complex=True),
    *unary("reciprocal_no_nan", lambda tf, x: tf.math.reciprocal_no_nan(x), positive, complex=True),
    *unary("abs", lambda tf, x: tf.abs(x), positive, complex=True),
    *unary("sign", lambda tf, x: tf.sign(x), positive),
    Case("sign complex", lambda tf, x: tf.sign(tf.complex(x, 2 * x * x)), (positive(3),), second=False),
    Case("polyval", lambda tf, a, x: tf.math.polyval([a, 2 * a, a], x), (anything(3), anything(2, 3))),
    Case("polyval of numbers", lambda tf, x: tf.math.polyval([1.0, 2.0, -3.0], x), (anything(3),), dtypes=("float32",), second=False),
    Case("scalar_mul", lambda tf, a, x: tf.math.scalar_mul(a, x), (anything(), anything(2, 3)), complex=True),
    Case("scalar argument", lambda tf, x: tf.math.expm1(tf.sqrt(x)), (positive(),)),
    Case("positive", lambda tf, x: +x, (anything(3),), tensorflow=False),
]

ARITHMETIC = [
    Case("add", lambda tf, a, b: tf.add(a, b), (anything(2, 3), anything(2, 3)), complex=True, dtypes=HALVES),
    Case("add broadcast", lambda tf, a, b: a + b, (anything(2, 1, 3), anything(4, 1))),
    Case("add of a number", lambda tf, x: x + 2 + 0.5 + (1 + x) + (0.5 + x), (anything(3),), complex=True),
    Case("subtract", lambda tf, a, b: tf.subtract(a, b), (anything(2, 3), anything(3)), complex=True),
    Case("subtract of numbers", lambda tf, x: (x - 2) * (2 - x) * (0.5 - x), (anything(3),), complex=True),
    Case("multiply", lambda tf, a, b: tf.multiply(a, b), (anything(2, 3), anything(3)), complex=True, dtypes=HALVES),
    Case("multiply empty", lambda tf, a, b: tf.multiply(a, b), (anything(0, 3), anything(3))),
    Case("multiply by an array", lambda tf, x: np.array([1.0, 2.0, 3.0]) * x * np.array([1.0, 2.0, 3.0]), (anything(3),)),
    Case("multiply scalar", lambda tf, a, b: a * b, (anything(), anything(2))),
    Case("divide", lambda tf, a, b: a / b, (anything(2, 3), positive(2, 3)), complex=True),
    Case("divide broadcast", lambda tf, a, b: tf.divide(a, b), (anything(2, 1), positive(3))),
    Case("divide by numbers", lambda tf, x: 1 / x + x / 3 + tf.divide(2.0, x), (positive(3),), complex=True),
    Case("realdiv", lambda tf, a, b: tf.realdiv(a, b), (anything(2), positive(2))),
    Case("truediv", lambda tf, a, b: tf.truediv(a, b), (anything(2), positive(2))),
    Case("squared_difference", lambda tf, a, b: tf.math.squared_difference(a, b), (anything(2, 3), anything(3))),
    Case("squared_difference complex", lambda tf, a, b: tf.math.squared_difference(tf.complex(a, b), tf.complex(b, a)),
         (anything(3), anything(3)), order=0),
    Case("divide_no_nan of a number", lambda tf, b: tf.math.divide_no_nan(3, b), (positive(3),)),
    Case("divide_no_nan", lambda tf, a, b: tf.math.divide_no_nan(a, b), (anything(2, 3), positive(3)), complex=True),
    Case("multiply_no_nan", lambda tf, a, b: tf.math.multiply_no_nan(a, b), (anything(2, 3), positive(3))),
    Case("xdivy", lambda tf, a, b: tf.math.xdivy(a, b), (anything(2, 3), positive(3))),
    Case("xlogy", lambda tf, a, b: tf.math.xlogy(a, b), (anything(2, 3), positive(3))),
    Case("xlog1py", lambda tf, a, b: tf.math.xlog1py(a, b), (anything(2, 3), positive(3))),
    # TensorFlow does not conjugate in these four; its own convention, which its other ops keep, asks for it.
    Case("complex with zeros winning", lambda tf, a, b: [
        tf.math.multiply_no_nan(a, b), tf.math.xdivy(a, b), tf.math.xlogy(a, b), tf.math.xlog1py(a, b)],
        (anything(3), positive(3)), complex=True, tensorflow=False),
    Case("pow", lambda tf, a, b: tf.pow(a, b), (positive(2, 3), anything(3)), complex=True),
    Case("pow of a number", lambda tf, x: [x ** 2, x ** 3, x ** 0.5, x ** 1, x ** -1, 2 ** x, 2.5 ** x], (positive(3),), complex=True),
    Case("pow of negatives", lambda tf, x: [x ** 2, x ** 3, x ** -2], (between(-2.0, -0.5, 3),)),
    Case("atan2", lambda tf, y, x: tf.atan2(y, x), (anything(2, 3), positive(3))),
    Case("atan2 by name", lambda tf, y, x: tf.atan2(y=y, x=x), (anything(3), between(-2.0, -0.5, 3))),
    Case("floormod", lambda tf, a, b: a % b, (between(3.1, 3.9, 4), between(1.1, 1.4, 4)), second=False),
    Case("floormod of negatives", lambda tf, a, b: tf.math.floormod(a, b), (between(-3.9, -3.1, 4), between(1.1, 1.4, 4)), second=False),
    # TensorFlow has no rule for TruncateMod.
    Case("truncatemod", lambda tf, a, b: tf.truncatemod(a, b), (between(-3.9, -3.1, 4), between(1.1, 1.4, 4)), tensorflow=False),
    Case("maximum", lambda tf, a, b: tf.maximum(a, b), (anything(3, 3), anything(3))),
    Case("minimum", lambda tf, a, b: tf.minimum(a, b), (anything(3, 3), anything(3))),
    Case("maximum of a number", lambda tf, x: tf.maximum(x, 0.1) * tf.minimum(0.2, x), (anything(3, 3),)),
    Case("nextafter", lambda tf, a, b: tf.math.nextafter(a, b), (anything(3), anything(3)), order=0),
    Case("clip_by_value", lambda tf, x: tf.clip_by_value(x, -0.5, 0.5), (anything(3, 4),)),
    Case("clip_by_value of tensors", lambda tf, x, low, high: tf.clip_by_value(x, low, high),
         (anything(3, 4), between(-1.0, -0.5, 4), between(0.5, 1.0, 3, 1))),
    Case("where", lambda tf, x, y: tf.where(x > y, x * x, y), (anything(3, 4), anything(4)), dtypes=HALVES),
    Case("where broadcast", lambda tf, x, y: tf.where([[True], [False]], x, y), (anything(3), anything())),
    Case("where complex", lambda tf, x, y: tf.where([True, False, True], x, y), (anything(3), anything(3)), complex=True),
    Case("where empty", lambda tf, x: tf.where(x > 0, x, 0.0), (anything(0, 2),)),
    Case("add_n", lambda tf, a, b, c: tf.add_n([a, b, c, a]), (anything(2, 3), anything(2, 3), anything(2, 3)), complex=True),
    Case("accumulate_n", lambda tf, a, b: tf.math.accumulate_n([a, b], shape=[2]), (anything(2), anything(2))),
]

COMPLEX_AND_CASTS = [
    Case("complex", lambda tf, a, b: tf.complex(a, b) * tf.complex(b, a), (anything(3), anything(3))),
    Case("complex broadcast", lambda tf, a, b: tf.complex(a, b), (anything(2, 3), anything(3))),
    Case("real", lambda tf, x: tf.math.real(x * x), (anything(3),), complex=True),
    Case("imag", lambda tf, a, b: tf.math.imag(tf.complex(a, b) ** 3), (anything(3), anything(3))),
    Case("conj", lambda tf, x: tf.math.conj(x) * x * x, (anything(3),), complex=True),
    Case("angle", lambda tf, a, b: tf.math.angle(tf.complex(a, b)), (anything(3), positive(3))),
    Case("angle of reals", lambda tf, x: tf.math.angle(x), (np.array([-1.0, 0.0, 2.0]),), order=0),
    Case("imag of reals", lambda tf, x: tf.math.imag(x), (anything(2),), order=0),
    Case("abs of complex", lambda tf, a, b: tf.abs(tf.complex(a, b)) ** 3, (anything(3), positive(3))),
    Case("cast to float64", lambda tf, x: tf.cast(x, tf.float64) ** 2, (anything(3),), complex=True),
    Case("cast to complex", lambda tf, x: tf.cast(x, tf.complex128) ** 2, (anything(3),), complex=True),
    Case("cast to half and back", lambda tf, x: tf.cast(tf.cast(x, tf.float16), tf.float32), (anything(3),), order=0),
    Case("cast to bfloat16", lambda tf, x: tf.cast(x, tf.bfloat16), (anything(3),), order=0),
    Case("cast to int", lambda tf, x: tf.cast(x, tf.int32), (np.array([1.9, -1.9, 0.0]),), order=0),
    Case("cast through int", lambda tf, x: tf.cast(tf.cast(x, tf.int64), x.dtype) * x, (np.array([1.9, -1.9]),), order=0),
    Case("cast to narrow ints", lambda tf, x: [tf.cast(x, dtype) for dtype in (tf.uint8, tf.int8, tf.uint16)],
         (np.array([1.9, -1.9, 300.0, -200.0, 70000.0]),), order=0),
    Case("cast to bool", lambda tf, x: tf.cast(x, tf.bool), (np.array([0.0, -0.0, np.nan, 0.5]),), order=0),
    Case("cast of bool", lambda tf, x: tf.cast(x > 0, x.dtype) * x, (np.array([1.0, -1.0]),), order=0),
    Case("saturate_cast", lambda tf, x: [tf.saturate_cast(x, dtype) for dtype in (tf.uint8, tf.int8, tf.int32, tf.float16)],
         (np.array([-1e30, -300.0, -1.0, 5.5, 300.0, 1e30]),), order=0),
    Case("saturate_cast of ints", lambda tf, x: tf.saturate_cast(tf.constant([300, -5, 7]), tf.uint8), (anything(1),), order=0),
]

DISCRETE = [
    Case("floordiv", lambda tf, a, b: a // b, (np.array([7.0, -7.0, 1.0]), np.array([2.0, 2.0, 0.1])), order=0),
    Case("truncatediv", lambda tf, a, b: tf.truncatediv(a, b), (np.array([7.0, -7.0]), np.array([2.0, 2.0])), order=0),
    *[Case(name, lambda tf, x, f=function: f(tf, x), (np.array([-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, np.inf]),), order=0)
      for name, function in {
          "floor": lambda tf, x: tf.floor(x), "ceil": lambda tf, x: tf.math.ceil(x),
          "round": lambda tf, x: tf.round(x), "rint": lambda tf, x: tf.math.rint(x)}.items()],
    Case("comparisons", lambda tf, a, b: [a < b, a <= b, a > b, a >= b, a == b, a != b, tf.equal(a, b), tf.not_equal(a, b)],
         (np.array([1.0, 2.0, np.nan]), np.array([2.0, 2.0, np.nan])), order=0),
    Case("comparisons by name", lambda tf, a, b: [
        tf.less(a, b), tf.less_equal(a, b), tf.greater(a, b), tf.math.greater_equal(a, b)], (anything(3), anything(2, 1)), order=0),
    Case("equality of unlike shapes", lambda tf, a, b: [a == b, a != b], (anything(3), anything(2)), order=0),
    Case("equality of strings and complex", lambda tf, x: [
        tf.constant(["a", "b"]) == "a", tf.constant([1 + 2j, 3]) != 3], (anything(1),), order=0),
    # TensorFlow has this one in its old namespaces alone.
    Case("approximate_equal", lambda tf, a, b: tf.math.approximate_equal(a, b, tolerance=0.5), (anything(3), anything(3)), order=0, tensorflow=False),
    # TensorFlow raises where a gradient is asked through these, so the drawn value does not go through them.
    Case("is_nan and kin", lambda tf, x: on_constants(tf, lambda y: [tf.math.is_nan(y), tf.math.is_inf(y), tf.math.is_finite(y)],
                                                      np.array([1.0, np.nan, np.inf, -np.inf])), (anything(1),), order=0),
    Case("logic", lambda tf, a, b: [
        tf.logical_and(a > 0, b > 0), tf.logical_or(a > 0, b > 0), tf.math.logical_xor(a > 0, b > 0), tf.logical_not(a > 0),
        (a > 0) & (b > 0), (a > 0) | (b > 0), (a > 0) ^ (b > 0), ~(a > 0), True & (a > 0), (a > 0) * (b > 0)],
        (anything(3), anything(3)), order=0),
    Case("where of one argument", lambda tf, x: on_constants(tf, lambda y, z, n: [tf.where(y > 0), tf.where(y), tf.where(z), tf.where(n)],
                                                             np.array([[1.0, 0.0], [-2.0, 3.0]]), np.zeros((0, 2)), np.array([0j, 1j])),
         (anything(1),), order=0),
]

LEFT, RIGHT = np.array([7, -7, 5], np.int32), np.array([2, 2, -3], np.int32)
BYTES = np.array([12, 10, 255], np.uint8)
INTEGERS = [
    Case("integers", lambda tf, x: on_constants(tf, lambda i, j: [
        i + j, i - j, i * j, i / j, i // j, i % j, -i, abs(i), i ** 2, 2 ** abs(j), i < j, i == j, tf.sign(i), tf.square(i),
        tf.maximum(i, j), tf.minimum(i, 3), tf.truncatediv(i, j), tf.truncatemod(i, j), tf.math.squared_difference(i, j),
        tf.math.divide_no_nan(i, j), tf.round(i), 1 - i, 3 // i, 3 % i, tf.divide(i, 2),
        tf.where(i > 0, i, 0)], LEFT, RIGHT), (anything(1),), order=0),
    Case("narrow integers divided", lambda tf, x: on_constants(tf, lambda i: [i / i, i // i], BYTES), (anything(1),), order=0),
    Case("bits", lambda tf, x: on_constants(tf, lambda i, j, u: [
        i & j, i | j, i ^ j, ~i, i & 1, 1 | i, 3 ^ i, tf.bitwise.invert(u), tf.bitwise.bitwise_and(u, u), tf.bitwise.bitwise_or(u, 1),
        tf.bitwise.bitwise_xor(u, 255), tf.bitwise.left_shift(u, 1), tf.bitwise.right_shift(i, 1)], LEFT, RIGHT, BYTES), (anything(1),), order=0),
    Case("strings joined", lambda tf, x: tf.constant(["a", "b"]) + "c", (anything(1),), order=0),
]

# -- the corners: values and first derivatives as TensorFlow has them --


def corner(name, function, *points):
    return Case(f"{name} at corners", function, tuple(np.array(p) for p in points), order=0)


INF, NAN = np.inf, np.nan
CORNERS = [
    corner("abs", lambda tf, x: tf.abs(x), [0.0, -0.0, INF, NAN]),
    corner("abs of complex", lambda tf, a, b: tf.abs(tf.complex(a, b)), [0.0, 3.0], [0.0, 4.0]),
    corner("sign of complex", lambda tf, a, b: tf.sign(tf.complex(a, b)), [0.0, 3.0], [0.0, 4.0]),
    corner("relu", lambda tf, x: tf.nn.relu(x), [0.0, -1.0, 1.0]),
    corner("sign", lambda tf, x: tf.sign(x), [0.0, 1.0, -1.0, NAN]),
    corner("sqrt", lambda tf, x: tf.sqrt(x), [0.0, 4.0, INF, -1.0]),
    corner("sqrt of nothing", lambda tf, x: tf.sqrt(0 * x), [1.0, 2.0]),
    corner("sqrt with no upstream", lambda tf, x: 0 * tf.sqrt(x), [0.0, 4.0]),
    corner("rsqrt with no upstream", lambda tf, x: 0 * tf.math.rsqrt(x), [0.0, 4.0]),
    corner("reciprocal with no upstream", lambda tf, x: 0 * tf.math.reciprocal(x), [0.0, 4.0]),
    corner("untaken sqrt", lambda tf, x: tf.where(x > 5, tf.sqrt(x), x), [1.0, 0.0, -1.0]),
    corner("untaken 1/x", lambda tf, x: tf.where(x > 5, 1 / x, x), [1.0, 0.0, -1.0]),
    corner("untaken power", lambda tf, x: tf.where(x > 5, x**0.5, x), [1.0, 0.0, -1.0]),
    corner("untaken exp", lambda tf, x: tf.where(x > 5, tf.exp(1000 * x), x), [1.0, 0.0, -1.0]),
    corner("untaken log", lambda tf, x: tf.where(x > 0, tf.math.log(x), x), [1.0, 0.0, -1.0]),
    corner("untaken acos", lambda tf, x: tf.where(x > 5, tf.acos(x), x), [1.0, 0.0, -1.0]),
    corner("square of nothing", lambda tf, x: (0 * x) ** 2, [1.0, 2.0]),
    Case(
        "pow near the end of half precision",  # y * log(x) alone would overflow
        lambda tf, a, b, c: tf.cast(tf.pow(tf.cast(a, tf.float16), tf.cast(b, tf.float16)), c.dtype) * c,
        (np.array([6.0, 6.0]), np.array([6.0, 6.0]), np.array([0.5, 0.0])),
        order=0,
    ),
    corner("pow", lambda tf, a, b: tf.pow(a, b), [0.0, 0.0, 0.0, 0.0, -2.0, -2.0, 1.0, INF, -8.0], [0.0, 1.0, 2.0, -1.0, 2.0, -3.0, NAN, 2.0, 1 / 3]),
    corner("maximum ties", lambda tf, a, b: tf.maximum(a, b), [1.0, NAN, 1.0, -0.0], [1.0, 1.0, NAN, 0.0]),
    corner("minimum ties", lambda tf, a, b: tf.minimum(a, b), [1.0, NAN, 1.0, -0.0], [1.0, 1.0, NAN, 0.0]),
    corner("maximum of itself", lambda tf, x: tf.maximum(x, x), [1.0, -1.0]),
    corner("clip_by_value", lambda tf, x, low, high: tf.clip_by_value(x, low, high), [-1.0, 1.0, 2.0, -3.0, 0.0, NAN], -1.0, 1.0),
    corner("divide", lambda tf, a, b: a / b, [1.0, 0.0, INF, 1.0], [0.0, 0.0, INF, INF]),
    corner("divide_no_nan", lambda tf, a, b: tf.math.divide_no_nan(a, b), [1.0, NAN, INF, 0.0], [0.0, 0.0, 0.0, 2.0]),
    corner("multiply_no_nan", lambda tf, a, b: tf.math.multiply_no_nan(a, b), [2.0, INF, NAN, 0.0], [0.0, 0.0, 0.0, 3.0]),
    corner("xlogy", lambda tf, a, b: tf.math.xlogy(a, b), [0.0, 0.0, 2.0, 0.0, 0.0], [0.0, 2.0, 0.0, NAN, -1.0]),
    corner("xlog1py", lambda tf, a, b: tf.math.xlog1py(a, b), [0.0, 0.0, 2.0, 0.0, 0.0], [-1.0, 2.0, -1.0, NAN, -2.0]),
    corner("xdivy", lambda tf, a, b: tf.math.xdivy(a, b), [0.0, 0.0, 2.0, 0.0], [0.0, 2.0, 0.0, NAN]),
    corner("atan2", lambda tf, a, b: tf.atan2(a, b), [0.0, 1.0, -1.0, 0.0], [0.0, 0.0, 0.0, -1.0]),
    corner("floormod", lambda tf, a, b: a % b, [-0.0, 0.0, 5.0, -5.0, 1.0], [3.0, -3.0, INF, INF, 0.0]),
    corner("acos and acosh", lambda tf, x: [tf.acos(x), tf.asin(x), tf.acosh(x), tf.atanh(x)], [1.0, -1.0, 2.0]),
    corner("log and log1p", lambda tf, x: [tf.math.log(x), tf.math.log1p(x)], [0.0, -1.0, -2.0, INF]),
    corner("large arguments", lambda tf, x: [tf.sigmoid(x), tf.math.softplus(x), tf.math.log_sigmoid(x), tf.tanh(x), tf.nn.softsign(x)],
           [-1000.0, -200.0, 200.0, 1000.0]),
]
# fmt: on

CASES = FUNCTIONS + ARITHMETIC + COMPLEX_AND_CASTS + DISCRETE + INTEGERS + CORNERS

BAD_INPUT = [
    BadInput("add of shapes", lambda tf: tf.add(tf.ones(3), tf.ones(2)), "Incompatible shapes: [3] vs. [2]"),
    BadInput(
        "mul of dtypes",
        lambda tf: tf.ones(3) * tf.ones(3, tf.float64),
        "cannot compute Mul as input #1(zero-based) was expected to be a float tensor but is a double tensor",
    ),
    BadInput(
        "sin of int",
        lambda tf: tf.sin(tf.constant([1])),
        "Value for attr 'T' of int32 is not in the list of allowed values",
    ),
    BadInput(
        "int times float",
        lambda tf: tf.constant([1, 2]) * 2.5,
        "Cannot convert 2.5 to EagerTensor of dtype int32",
        error=TypeError,
    ),
    BadInput(
        "int plus float",
        lambda tf: tf.constant([1, 2]) + 1.0,
        "cannot compute AddV2 as input #1(zero-based) was expected to be a int32 tensor but is a float tensor",
    ),
    BadInput(
        "float plus int",
        lambda tf: 1.5 + tf.constant([1, 2]),
        "Cannot convert 1.5 to EagerTensor of dtype int32",
        error=TypeError,
    ),
    BadInput(
        "int less than float",
        lambda tf: tf.constant([1, 2]) < 0.5,
        "Cannot convert 0.5 to EagerTensor of dtype int32",
        error=TypeError,
    ),
    BadInput(
        "int by float",
        lambda tf: tf.constant([1, 2]) / 0.5,
        "`x` and `y` must have the same dtype, got tf.int32 != tf.float32",
        error=TypeError,
    ),
    BadInput("bools added", lambda tf: tf.constant([True]) + tf.constant([True]), "Value for attr 'T' of bool"),
    BadInput(
        "bools divided",
        lambda tf: tf.constant([True]) / tf.constant([True]),
        "Invalid dtype tf.bool in __truediv__",
        error=TypeError,
    ),
    BadInput("plus None", lambda tf: tf.ones(2) + None, "Attempt to convert a value (None)", error=ValueError),
    BadInput("None times", lambda tf: None * tf.ones(2), "Attempt to convert a value (None)", error=ValueError),
    BadInput("floordiv by zero", lambda tf: tf.constant([1, 2]) // 0, "Integer division by zero"),
    BadInput("mod by zero", lambda tf: tf.constant([1, 2]) % tf.constant([1, 0]), "Integer division by zero"),
    BadInput("truncatediv by zero", lambda tf: tf.truncatediv([1, 2], 0), "Integer division by zero", tensorflow=False),
    BadInput(
        "negative power of integers",
        lambda tf: tf.constant([2, 3]) ** -1,
        "Integers to negative integer powers are not allowed",
    ),
    BadInput("bits of floats", lambda tf: tf.ones(2) & tf.ones(2), "Value for attr 'T' of float is not in the list"),
    BadInput("invert of floats", lambda tf: ~tf.ones(2), "Value for attr 'T' of float is not in the list"),
    BadInput(
        "equality of dtypes",
        lambda tf: tf.ones(2) == tf.constant([1, 2]),
        "cannot compute Equal as input #1(zero-based) was expected to be a float tensor but is a int32 tensor",
    ),
    BadInput("equal of unlike shapes", lambda tf: tf.equal(tf.ones(3), tf.ones(2)), "Incompatible shapes: [3] vs. [2]"),
    BadInput(
        "logical_and of floats",
        lambda tf: tf.logical_and(tf.ones(2), tf.ones(2)),
        "cannot compute LogicalAnd as input #0(zero-based) was expected to be a bool tensor but is a float tensor",
    ),
    BadInput(
        "logical_and of numbers",
        lambda tf: tf.logical_and(True, [1, 0]),
        "Cannot convert [1, 0] to EagerTensor of dtype bool",
        error=TypeError,
    ),
    BadInput(
        "where of shapes",
        lambda tf: tf.where([True, False], tf.ones(3), tf.ones(())),
        "condition [2], then [3], and else [] must be broadcastable",
    ),
    BadInput(
        "where of dtypes",
        lambda tf: tf.where([True], tf.ones(1), tf.constant([1])),
        "cannot compute SelectV2 as input #2(zero-based) was expected to be a float tensor but is a int32 tensor",
    ),
    BadInput(
        "where of an integer condition",
        lambda tf: tf.where(tf.constant([1]), tf.ones(1), tf.ones(1)),
        "cannot compute SelectV2 as input #0(zero-based) was expected to be a bool tensor but is a int32 tensor",
    ),
    BadInput(
        "where with x alone",
        lambda tf: tf.where([True], tf.ones(1)),
        "x and y must both be non-None or both be None",
        error=ValueError,
    ),
    BadInput("where of a scalar", lambda tf: tf.where(True), "WhereOp : Unhandled input dimensions: 0"),
    BadInput("where of strings", lambda tf: tf.where(["a"]), "Value for attr 'T' of string"),
    BadInput(
        "cast of strings",
        lambda tf: tf.cast(tf.constant(["1"]), tf.float32),
        "Cast string to float is not supported",
        error="UnimplementedError",
    ),
    BadInput(
        "cast to no dtype",
        lambda tf: tf.cast([1.0], "abc"),
        "Cannot convert the argument `type_value`: 'abc' to a TensorFlow DType",
        error=TypeError,
    ),
    BadInput(
        "complex of integers",
        lambda tf: tf.complex(1, 2),
        "The `real` and `imag` components have incorrect types: int32 int32",
        error=TypeError,
    ),
    BadInput("conj of bools", lambda tf: tf.math.conj([True]), "Expected numeric or variant tensor", error=TypeError),
    BadInput("real of bools", lambda tf: tf.math.real([True]), "input must be a numeric tensor", error=TypeError),
    BadInput(
        "add_n of nothing", lambda tf: tf.add_n([]), "Inputs must be an iterable of at least one", error=ValueError
    ),
    BadInput(
        "add_n of shapes",
        lambda tf: tf.add_n([tf.ones(2), tf.ones(3)]),
        "must have the same size and shape.  Input 0: [2] != input 1: [3]",
    ),
    BadInput(
        "add_n of dtypes",
        lambda tf: tf.add_n([tf.ones(2), tf.constant([1, 2])]),
        "cannot compute AddN as input #1(zero-based) was expected to be a float tensor but is a int32 tensor",
    ),
    BadInput("add_n of no list", lambda tf: tf.add_n(3), "'int' object is not iterable", error=TypeError),
    BadInput(
        "accumulate_n of shapes",
        lambda tf: tf.math.accumulate_n([tf.ones(2), tf.ones(2)], shape=[3]),
        "Shapes (3,) and (2,) are not compatible",
        error=ValueError,
    ),
    BadInput(
        "accumulate_n of dtypes",
        lambda tf: tf.math.accumulate_n([tf.ones(2), tf.constant([1, 2])]),
        "inputs must be a list of at least one Tensor with the same dtype and shape",
        error=ValueError,
    ),
    BadInput(
        "accumulate_n of another dtype",
        lambda tf: tf.math.accumulate_n([tf.ones(2)], tensor_dtype=tf.int32),
        "The `tensor_dtype` argument is <dtype: 'int32'>, but `input` is of type <dtype: 'float32'>",
        error=TypeError,
    ),
    BadInput(
        "clip_by_value that grows",
        lambda tf: tf.clip_by_value(tf.ones(2), tf.ones((3, 1)), 2.0),
        "Shapes (2,) and (3, 2) are incompatible",
        error=ValueError,
    ),
    BadInput("polyval of no list", lambda tf: tf.math.polyval(tf.ones(2), 1.0), "must be list type", error=ValueError),
    BadInput(
        "scalar_mul of a vector",
        lambda tf: tf.math.scalar_mul(tf.ones(2), tf.ones(2)),
        "The input scalar must be a 0-D value",
        error=ValueError,
    ),
    BadInput(
        "divide_no_nan of dtypes",
        lambda tf: tf.math.divide_no_nan(tf.ones(2), tf.constant([1, 2])),
        "`x` and `y` must have the same dtype, got tf.float32 != tf.int32",
        error=TypeError,
    ),
    BadInput(
        "saturate_cast to bool",
        lambda tf: tf.saturate_cast([1.0], tf.bool),
        "Cannot find minimum value of",
        error=TypeError,
    ),
    BadInput(
        "approximate_equal of shapes",
        lambda tf: tf.math.approximate_equal(tf.ones(2), tf.ones(3)),
        "x and y must be of the same shape",
        tensorflow=False,
    ),
]
