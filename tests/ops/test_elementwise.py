"""Elementwise ops and operators beyond the table of ops."""

import subprocess
import sys

import numpy as np
import pytest

import whygrad as tf
from tests.ops.cases_elementwise import ARITHMETIC, FUNCTIONS
from tests.ops.cases_special import CASES as SPECIAL
from whygrad.ops.recorded import every_primitive


# tf.complex takes no halves; igamma has no second derivative.
@pytest.mark.parametrize(
    "case", [c for c in FUNCTIONS + ARITHMETIC + SPECIAL if c.order == 2 and c.name != "sign complex"], ids=str
)
@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_halves_stay_halves(case, dtype):
    sources = [tf.cast(a, dtype) for a in case.draw("float32")]
    with tf.GradientTape() as outer:
        outer.watch(sources)
        with tf.GradientTape() as tape:
            tape.watch(sources)
            target = case.function(tf, *sources)
        gradients = tape.gradient(target, sources)
    second = outer.gradient([g for g in gradients if g is not None], sources)
    for source, *found in zip(sources, gradients, second):
        for gradient in found:
            assert gradient is None or (gradient.dtype, gradient.shape) == (source.dtype, source.shape)


OPERATORS = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "//": lambda a, b: a // b,
    "%": lambda a, b: a % b,
    "**": lambda a, b: a**b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}
LEFT, RIGHT = np.array([1.0, 2.5, 3.0], np.float32), np.array([2.0, 2.5, -1.5], np.float32)


@pytest.mark.parametrize("name", OPERATORS)
@pytest.mark.parametrize("left", [tf.constant, tf.Variable, np.array, list])
@pytest.mark.parametrize("right", [tf.constant, tf.Variable, np.array, list])
def test_operators_take_tensors_variables_arrays_and_lists_on_either_side(name, left, right):
    operator = OPERATORS[name]
    if not {left, right} & {tf.constant, tf.Variable}:
        return
    result = operator(left(LEFT), right(RIGHT))
    assert isinstance(result, tf.Tensor)
    np.testing.assert_allclose(result.numpy(), operator(LEFT, RIGHT), rtol=1e-6)


@pytest.mark.parametrize("name", OPERATORS)
def test_operators_of_variables_are_recorded(name):
    a, b = tf.Variable(LEFT), tf.Variable(RIGHT)
    with tf.GradientTape() as tape:
        y = OPERATORS[name](a, b)
    gradients = tape.gradient(tf.cast(y, tf.float32), [a, b])
    assert all((g is not None) == (name in ("+", "-", "*", "/", "%", "**")) for g in gradients)


def test_a_number_takes_the_tensors_dtype_and_too_large_a_one_is_infinite():
    for dtype in ("float16", "bfloat16", "float32", "float64", "complex64", "int8", "int64"):
        x = tf.cast([1, 2], dtype)
        for result in (x * 2, 2 - x, x**2, x + 1, x // 1 if dtype != "complex64" else x):
            assert result.dtype == dtype
    assert (tf.constant([1.0]) * 1e300).numpy() == np.inf
    assert (tf.constant([1.0], tf.float16) + 100000).numpy() == np.inf
    assert (tf.constant([1]) * np.float64(2.9)).numpy() == 2  # NumPy's numbers are cast, Python's must fit


def test_equality_with_none_and_with_shapes_that_do_not_broadcast():
    x = tf.constant([1.0, 2.0])
    assert (x == None) is False  # noqa: E711
    assert (x != None) is True  # noqa: E711
    assert bool(x == tf.ones(3)) is False
    assert x != tf.ones(3)
    assert x in {x: "tensors are keys by identity"}


def test_an_object_that_knows_tensors_is_asked():
    class Celsius:
        def __radd__(self, other):
            return "warmer"

        def __rmul__(self, other):
            return NotImplemented

        def __rsub__(self, other):
            raise TypeError("no differences")

    assert tf.ones(2) + Celsius() == "warmer"
    with pytest.raises(ValueError, match="Attempt to convert a value"):
        tf.ones(2) * Celsius()
    with pytest.raises(ValueError, match="Attempt to convert a value"):
        tf.ones(2) - Celsius()


def test_ops_without_effect_return_their_argument():
    x, i = tf.constant([1.0, 2.0]), tf.constant([1, 2])
    assert tf.cast(x, tf.float32) is x
    assert tf.math.conj(x) is x
    assert tf.math.real(x) is x
    assert tf.add_n([x]) is x
    assert tf.round(i) is i


def test_plus_is_a_tensor_of_its_own():
    x = tf.constant([1.0, 2.0])
    assert +x is not x


def test_sparse_values_stay_sparse():
    sparse = tf.IndexedSlices(tf.constant([[1.0, 5.0]]), tf.constant([2]), tf.constant([4, 2]))
    for result, values in (
        (tf.clip_by_value(sparse, 0.0, 2.0), [[1.0, 2.0]]),
        (tf.math.scalar_mul(2.0, sparse), [[2.0, 10.0]]),
        (tf.cast(sparse, tf.float64), [[1.0, 5.0]]),
    ):
        assert isinstance(result, tf.IndexedSlices)
        assert result.values.numpy().tolist() == values
        assert result.indices is sparse.indices


def test_saturate_cast_never_passes_the_limits():
    huge = tf.constant([-1e30, 1e30, -np.inf, np.inf])
    for dtype in (tf.int8, tf.uint8, tf.int16, tf.int32, tf.int64, tf.uint32, tf.uint64):
        low, high = tf.saturate_cast(huge, dtype).numpy()[:2]
        assert dtype.min == low
        assert dtype.max >= high > 0.99 * dtype.max
    wide = tf.constant([1e300 + 1e300j], tf.complex128)
    assert np.isfinite(tf.saturate_cast(wide, tf.complex64).numpy()).all()


def test_ops_without_gradient_say_so():
    for name in (
        "floor",
        "round",
        "floor_div",
        "equal",
        "logical_and",
        "cast_to_discrete",
        "bitwise_and",
        "where_true",
    ):
        assert "under a small step" in every_primitive()[name].no_gradient


def test_igamma_has_no_second_derivative_by_a_as_in_tensorflow():
    a = tf.constant([2.0])
    with tf.GradientTape() as outer:
        outer.watch(a)
        with tf.GradientTape() as tape:
            tape.watch(a)
            y = tf.math.igamma(a, 3.0)
        gradient = tape.gradient(y, a)
    with pytest.raises(LookupError, match="IgammaGradA"):
        outer.gradient(gradient, a)


def test_shifts_beyond_the_width_do_not_leave_it():
    x = tf.constant([1, -8], tf.int8)
    assert tf.bitwise.left_shift(x, tf.constant([9, 0], tf.int8)).numpy().tolist() == [-128, -8]
    assert tf.bitwise.right_shift(x, tf.constant([-1, 100], tf.int8)).numpy().tolist() == [1, -1]


def test_scipy_is_loaded_when_a_special_function_is_first_used():
    program = (
        "import sys, whygrad as tf; tf.sigmoid(1.0); assert 'scipy' not in sys.modules; "
        "tf.math.erf(1.0); assert 'scipy' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize("count", [3, 5000])
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_a_closed_relu_multiplies_by_zero(count, dtype):  # as TensorFlow's does: 0 times inf is nan
    x = tf.constant(np.tile([-1.0, 0.0, 2.0], count), dtype)
    upstream = tf.constant(np.tile([np.nan, np.inf, 3.0], count), dtype)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.nn.relu(x)
    np.testing.assert_array_equal(y.numpy(), np.tile([0, 0, 2], count))
    np.testing.assert_array_equal(tape.gradient(y, x, upstream).numpy(), np.tile([np.nan, np.nan, 3], count))


@pytest.mark.parametrize("rows", [1, 64, 70_000])
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_the_gradient_of_a_broadcast_row_is_the_sum_over_rows(rows, dtype):
    upstream = np.random.default_rng(0).integers(-3, 4, (rows, 3)).astype(dtype)
    bias = tf.Variable(np.zeros(3), dtype=dtype)
    with tf.GradientTape() as tape:
        y = tf.zeros((rows, 3), dtype) + bias
    gradient = tape.gradient(y, bias, upstream)
    np.testing.assert_array_equal(gradient.numpy(), upstream.astype(np.float64).sum(0).astype(dtype))
