"""testing.check_gradients and test.compute_gradient: correct gradients pass, wrong ones are named."""

import numpy as np
import pytest

import whygrad as tf


def _f64(*values):
    return tf.constant(np.array(values[0] if len(values) == 1 else values, np.float64))


def _with_rule(rule):
    """x * x under a gradient function of the test's."""

    @tf.custom_gradient
    def square(x):
        return x * x, lambda g: rule(g, x)

    return square


def _refusal(function, arguments, **options):
    with pytest.raises(tf.testing.GradientMismatch) as caught:
        tf.testing.check_gradients(function, arguments, **options)
    return str(caught.value)


def test_right_gradients_pass():
    tf.testing.check_gradients(lambda x, y: tf.sin(x) @ y, [_f64([[1.0, 2.0]]), _f64([[3.0], [4.0]])], order=3)
    tf.testing.check_gradients(lambda x: (x * x, [tf.exp(x)]), [_f64(1.0, 2.0)], order=2)
    tf.testing.check_gradients(_with_rule(lambda g, x: g * 2.0 * x), [_f64(1.0, 2.0)], order=2)


def test_dtypes():
    for dtype in (tf.float16, tf.bfloat16, tf.float32, tf.float64):
        tf.testing.check_gradients(lambda x: x * x + x, [tf.cast([1.0, -0.5], dtype)])
    for dtype in (tf.complex64, tf.complex128):
        x = tf.constant([1 + 2j, -0.5j], dtype)
        tf.testing.check_gradients(lambda x: x * x * (1 + 1j), [x])
        tf.testing.check_gradients(tf.abs, [x])


def test_numbers_arrays_and_variables():
    tf.testing.check_gradients(lambda x, y, z: x * y * z, [2.0, np.array([1.0], np.float32), tf.Variable(3.0)])


def test_large_and_small_values():
    tf.testing.check_gradients(lambda x: x * x, [_f64(1e6, -1e-6)])
    tf.testing.check_gradients(lambda x: x * 1e-9, [_f64(1.0, 2.0)])


def test_the_error_names_the_worst_element():
    text = _refusal(_with_rule(lambda g, x: g * 2.0 * x + g * [0.0, 0.25, 0.0]), [_f64(1.0, 2.0, 3.0)])
    assert "the gradient of `square` for its argument `x` differs from finite differences" in text
    assert "worst of 9 elements: the derivative of result[1] for x[1], where x[1] = 2.0" in text
    assert "the gradient says       4.25" in text
    assert "finite differences say  4.0" in text
    assert "1 of 9 elements" in text


def test_a_factor_a_sign_and_a_cut_path_are_recognised():
    assert "everywhere the gradient is 0.5 times" in _refusal(_with_rule(lambda g, x: g * x), [_f64(1.0, 2.0)])
    assert "its sign is wrong" in _refusal(_with_rule(lambda g, x: -2.0 * g * x), [_f64(1.0, 2.0)])
    assert "zero everywhere" in _refusal(lambda x: tf.constant(x.numpy() * 2.0), [_f64(1.0, 2.0)])
    assert "not finite" in _refusal(_with_rule(lambda g, x: g / (x * 0.0)), [_f64(1.0, 2.0)])


def test_a_transposed_gradient_is_recognised():
    matrix = _f64([[1.0, 2.0], [3.0, 4.0]])

    @tf.custom_gradient
    def product(x):
        return tf.linalg.matvec(matrix, x), lambda g: tf.linalg.matvec(matrix, g)

    assert "transpose" in _refusal(product, [_f64(1.0, 1.0)])


def test_a_gradient_wrong_only_in_second_order():
    frozen = _with_rule(lambda g, x: g * 2.0 * tf.stop_gradient(x))
    tf.testing.check_gradients(frozen, [_f64(1.0, 2.0)])
    assert "the second derivative of `square`" in _refusal(frozen, [_f64(1.0, 2.0)], order=2)


def test_which_argument_and_which_result():
    @tf.custom_gradient
    def both(x, y):
        return (x + y, x * y), lambda gs, gp: (gs + gp * y, gs + gp * x * 3.0)

    text = _refusal(both, [_f64(1.0, 2.0), _f64(3.0, 4.0)])
    assert "argument `y`" in text
    assert "results[1][1]" in text


def test_complex_parts_are_named():
    @tf.custom_gradient
    def conjugate(x):
        return tf.math.conj(x), lambda g: g

    assert ".imag" in _refusal(conjugate, [tf.constant([1 + 2j])])


def test_many_elements_are_drawn():
    big = _f64(np.linspace(0.0, 1.0, 5000))
    calls = []

    def function(x):
        calls.append(1)
        return tf.reduce_sum(x * x)

    tf.testing.check_gradients(function, [big], most=10)
    assert len(calls) < 30


def test_functions_and_arguments_that_cannot_be_checked():
    with pytest.raises(TypeError, match="close over it"):
        tf.testing.check_gradients(tf.gather, [_f64(1.0, 2.0), tf.constant([0])])
    with pytest.raises(TypeError, match="no floating point tensor"):
        tf.testing.check_gradients(lambda x: tf.cast(x, tf.int32), [_f64(1.0)])
    with pytest.raises(TypeError, match="list or tuple"):
        tf.testing.check_gradients(tf.sin, _f64(1.0))


# -- tf.test.compute_gradient --


def _agree(function, arguments, **options):
    theoretical, numerical = tf.test.compute_gradient(function, arguments, **options)
    assert len(theoretical) == len(numerical) == len(arguments)
    for a, b in zip(theoretical, numerical):
        assert (a.shape, a.dtype) == (b.shape, b.dtype)
        np.testing.assert_allclose(a, b, rtol=1e-2, atol=1e-2)
    return theoretical


def test_rows_are_results_and_columns_arguments():
    (jacobian,) = _agree(lambda x: tf.reduce_sum(x * x, 1), [tf.constant([[1.0, 2.0], [3.0, 4.0]])])
    np.testing.assert_allclose(jacobian, [[2.0, 4.0, 0.0, 0.0], [0.0, 0.0, 6.0, 8.0]])
    assert jacobian.dtype == np.float32


def test_several_arguments():
    a, b = _agree(lambda x, y: x * y, [np.array([1.0, 2.0]), tf.constant(3.0, tf.float64)])
    assert (a.shape, b.shape) == ((2, 2), (2, 1))
    assert a.dtype == np.float64


def test_complex_numbers_are_pairs():
    (jacobian,) = _agree(lambda x: x * x, [tf.constant([1 + 1j, 2 + 0j])])
    np.testing.assert_allclose(jacobian[:2, :2], [[2.0, -2.0], [2.0, 2.0]])
    assert _agree(tf.abs, [tf.constant([1 + 1j])])[0].shape == (1, 2)
    assert _agree(lambda x: tf.complex(x, 2.0 * x), [tf.constant([1.0, 2.0])])[0].shape == (4, 2)


def test_empty_and_unconnected():
    assert _agree(lambda x: x * x, [tf.zeros((0, 3))])[0].shape == (0, 0)
    assert _agree(lambda x: x[:0], [tf.zeros(2)])[0].shape == (0, 2)
    assert not _agree(lambda x: tf.constant([1.0, 2.0]), [tf.zeros(2)])[0].any()


def test_the_step_is_used():
    _, (numerical,) = tf.test.compute_gradient(lambda x: x * x * x, [tf.constant([1.0])], delta=0.1)
    np.testing.assert_allclose(numerical, [[3.01]], rtol=1e-5)


def test_wrong_arguments():
    with pytest.raises(ValueError, match="must be a list or tuple"):
        tf.test.compute_gradient(tf.sin, tf.constant(1.0))
    with pytest.raises(AssertionError, match="unsupported type int32 of argument 0"):
        tf.test.compute_gradient(lambda x: tf.cast(x, tf.float32), [tf.constant([1])])
    with pytest.raises(AssertionError, match="unsupported type int32 of y"):
        tf.test.compute_gradient(lambda x: tf.cast(x, tf.int32), [tf.constant([1.0])])
