"""custom_gradient, recompute_grad and grad_pass_through."""

import gc
import inspect
import weakref

import numpy as np
import pytest

import whygrad as tf
from tests.support.gradients import check_gradients


def _doubled(grad):
    """x * 2 under a custom gradient."""

    @tf.custom_gradient
    def double(x):
        return x * 2.0, grad

    return double


def _gradient(function, x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = function(x)
    return tape.gradient(y, x)


def test_the_gradient_function_is_used():
    x = tf.constant([1.0, 2.0])
    np.testing.assert_array_equal(_gradient(_doubled(lambda g: g * 10.0), x).numpy(), [10.0, 10.0])


def test_a_list_of_gradients():
    @tf.custom_gradient
    def product(x, y):
        return x * y, lambda g: [g * y * 10.0, g * x]

    x, y = tf.constant(2.0), tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch([x, y])
        z = product(x, y)
    assert [g.numpy() for g in tape.gradient(z, [x, y])] == [30.0, 2.0]


def test_the_argument_itself_as_result():
    @tf.custom_gradient
    def same(x):
        return x, lambda g: g * 5.0

    x = tf.constant(1.0)
    assert _gradient(same, x).numpy() == 5.0
    assert _gradient(lambda x: same(x) + x, x).numpy() == 6.0


def test_nested_structures():
    @tf.custom_gradient
    def swap(pair):
        return {"a": pair[1] * 1.0, "b": pair[0] * 1.0}, lambda da, db: [[db * 2.0, da * 3.0]]

    x, y = tf.constant(1.0), tf.constant(1.0)
    with tf.GradientTape() as tape:
        tape.watch([x, y])
        z = swap([x, y])
    assert sorted(z) == ["a", "b"]
    assert [g.numpy() for g in tape.gradient([z["a"], z["b"]], [x, y])] == [2.0, 3.0]


def test_python_and_numpy_values():
    @tf.custom_gradient
    def scaled(x, factor):
        return 4.0, lambda g: (7.0, None)

    x = tf.constant(1.0)
    assert _gradient(lambda x: scaled(x, np.float32(2.0)), x).numpy() == 7.0


def test_variables_are_handed_over_when_they_are_used():
    v = tf.Variable(3.0)

    @tf.custom_gradient
    def times_v(x):
        def grad(g, variables=None):
            assert variables == [v]
            return g * v, [g * x * 100.0]

        return x * v, grad

    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = times_v(x)
    assert [g.numpy() for g in tape.gradient(y, [x, v])] == [3.0, 200.0]


def test_variables_keyword_only():
    v = tf.Variable(3.0)

    @tf.custom_gradient
    def times_v(x):
        def grad(g, *, variables):
            return g, [g * len(variables)]

        return x * v, grad

    with tf.GradientTape() as tape:
        y = times_v(tf.constant(2.0))
    assert tape.gradient(y, v).numpy() == 1.0


def test_a_variable_given_as_argument_is_an_argument():
    v = tf.Variable(3.0)

    @tf.custom_gradient
    def square(x):
        return x * x, lambda g: g * 2.0 * x + 1.0

    with tf.GradientTape() as tape:
        y = square(v)
    assert tape.gradient(y, v).numpy() == 7.0


def test_variables_that_the_gradient_function_does_not_accept():
    v = tf.Variable(3.0)

    @tf.custom_gradient
    def times_v(x):
        return x * v, lambda g: g

    with pytest.raises(TypeError, match="must accept keyword argument 'variables'"):
        times_v(tf.constant(1.0))


def test_methods():
    class Layer:
        factor = 4.0

        @tf.custom_gradient
        def call(self, x):
            """Scales."""
            return x * self.factor, lambda g: g * self.factor * 10.0

    x = tf.constant(1.0)
    assert _gradient(Layer().call, x).numpy() == 40.0
    assert Layer.call.__doc__ == "Scales."


def test_higher_order():
    @tf.custom_gradient
    def cube(x):
        return x * x * x, lambda g: g * 3.0 * x * x

    check_gradients(cube, [np.array([1.5, -2.0])], order=3)


def test_overridden_second_order():
    @tf.custom_gradient
    def shifted(x):
        def grad(g):
            @tf.custom_gradient
            def slope(unused):
                return -1.1, lambda gg: -2.1 * gg

            return g * slope(x)

        return x + 10.0, grad

    x = tf.constant(1.0)
    with tf.GradientTape() as outer:
        outer.watch(x)
        first = _gradient(shifted, x)
    assert first.numpy() == np.float32(-1.1)
    np.testing.assert_allclose(outer.gradient(first, x).numpy(), -2.1, rtol=1e-6)


@pytest.mark.parametrize(("returned", "count"), [([], 0), ((1.0, 2.0), 2)])
def test_wrong_count(returned, count):
    with pytest.raises(ValueError, match=f"expected to return 1 gradients, but returned {count} instead"):
        _gradient(_doubled(lambda g: returned), tf.constant(1.0))


def test_wrong_shape_names_the_function_and_both_shapes():
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        _gradient(_doubled(tf.reduce_sum), tf.ones((20, 20)))
    message = str(caught.value)
    assert "Input to reshape is a tensor with 1 values, but the requested shape has 400" in message
    assert "double" in message
    assert "(20, 20)" in message


def test_wrong_dtype():
    with pytest.raises(tf.errors.InvalidArgumentError, match="float64"):
        _gradient(_doubled(lambda g: tf.ones(3, tf.float64)), tf.ones(3))


def test_none_is_no_gradient():
    assert _gradient(_doubled(lambda g: None), tf.constant(1.0)) is None


def test_errors_inside_the_gradient_function_come_through():
    def grad(g):
        raise RuntimeError("mine")

    with pytest.raises(RuntimeError, match="mine"):
        _gradient(_doubled(grad), tf.constant(1.0))


def test_a_function_that_returns_no_pair():
    @tf.custom_gradient
    def wrong(x):
        return x

    with pytest.raises(TypeError, match="returns \\(result, grad\\)"):
        wrong(tf.constant(1.0))


def test_recompute_grad():
    v = tf.Variable([2.0, 3.0])
    calls = []

    @tf.recompute_grad
    def block(x):
        calls.append(1)
        return tf.sin(x) * v

    x = tf.constant([0.5, 1.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = block(x)
    dx, dv = tape.gradient(y, [x, v])
    np.testing.assert_allclose(dx.numpy(), np.cos(x.numpy()) * v.numpy(), rtol=1e-6)
    np.testing.assert_allclose(dv.numpy(), np.sin(x.numpy()), rtol=1e-6)
    assert len(calls) == 2


def test_recompute_grad_shows_the_function_it_wraps():
    def block(x):
        return x * x

    assert tf.recompute_grad(block).__wrapped__ is block


def test_recompute_grad_keeps_nothing_of_the_inside():
    x = tf.constant([0.5, 1.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        tf.recompute_grad(lambda x: tf.exp(tf.exp(tf.exp(x))))(x)
    assert len(tape.records) == 1


def test_recompute_grad_to_higher_order():
    check_gradients(tf.recompute_grad(lambda x: tf.exp(x) * x), [np.array([0.3, 0.7])], order=3)


def test_grad_pass_through():
    x = tf.constant([0.2, 1.7])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.grad_pass_through(lambda x: tf.constant(np.round(x.numpy())))(x) * 3.0
    np.testing.assert_array_equal(y.numpy(), [0.0, 6.0])
    np.testing.assert_array_equal(tape.gradient(y, x).numpy(), [3.0, 3.0])


def _closes_over(held):
    """Functions that refer to `held`, each under another way to write a gradient."""

    @tf.custom_gradient
    def custom(x):
        def grad(upstream):
            return upstream * held.factor

        return x * held.factor, grad

    return [custom, tf.recompute_grad(lambda x: x * held.factor), tf.grad_pass_through(lambda x: x * held.factor)]


class _Held:
    factor = 2.0


def test_a_call_leaves_no_reference_cycle_behind():
    gc.collect()
    gc.disable()
    try:
        for number in range(3):
            held = _Held()
            gone = weakref.ref(held)
            function = _closes_over(held)[number]
            x = tf.constant([1.0, 2.0])
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = tf.reduce_sum(function(x))
            assert tape.gradient(y, x) is not None
            del held, function, tape, y
            assert gone() is None
    finally:
        gc.enable()


def test_python_knows_the_arguments_of_a_decorated_function():
    @tf.recompute_grad
    def scaled(x, factor=2.0):
        return x * factor

    assert inspect.getfullargspec(scaled).args == ["x", "factor"]
    assert inspect.signature(scaled).parameters["factor"].default == 2.0


def test_ragged_tensors_have_the_gradient_that_the_function_returns():
    @tf.custom_gradient
    def scaled(x, y):
        def grad(of_squares, of_doubles):
            assert isinstance(of_squares, tf.RaggedTensor)
            return 3.0 * of_squares, 4.0 * of_doubles

        return (x * x, 2.0 * y), grad

    rows, dense = tf.ragged.constant([[1.0, 2.0], [], [3.0]]), tf.constant([5.0])
    with tf.GradientTape() as tape:
        tape.watch((rows, dense))
        squares, doubles = scaled(rows, dense)
    assert squares.to_list() == [[1.0, 4.0], [], [9.0]]
    of_rows, of_dense = tape.gradient((squares, doubles), (rows, dense))
    assert of_rows.to_list() == [[3.0, 3.0], [], [3.0]]
    assert of_dense.numpy().tolist() == [4.0]
