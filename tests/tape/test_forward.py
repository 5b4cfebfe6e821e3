"""autodiff.ForwardAccumulator."""

import weakref

import numpy as np
import pytest

import whygrad as tf
from tests.ops.table import CASES


def _jvp(function, primal, tangent, **options):
    with tf.autodiff.ForwardAccumulator(primal, tangent) as accumulator:
        y = function(primal)
    return accumulator.jvp(y, **options)


def _close(tensor, expected, **tolerance):
    np.testing.assert_allclose(tensor.numpy(), expected, **{"rtol": 1e-5, **tolerance})


def test_a_product_with_the_jacobian():
    _close(_jvp(tf.sin, tf.constant(0.1), tf.constant(0.2)), np.cos(0.1) * 0.2)
    x, t = tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.constant([[0.2, 0.3], [0.1, 0.0]])
    _close(_jvp(lambda x: x @ x, x, t), (t @ x + x @ t).numpy())


@pytest.mark.parametrize("case", [c for c in CASES if c.order], ids=str)
def test_forward_mode_of_every_row_is_the_jacobian_times_the_tangents(case):
    sources = [tf.constant(a) for a in case.draw("float64")]
    rng = np.random.default_rng(1)
    tangents = [rng.normal(size=s.shape) for s in sources]
    with tf.autodiff.ForwardAccumulator(sources, [tf.constant(t) for t in tangents]) as accumulator:
        outputs = tf.nest.flatten(case.function(tf, *sources))
    moved = accumulator.jvp(outputs, unconnected_gradients="zero")
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(sources)
        again = tf.nest.flatten(case.function(tf, *sources))
    for output, jvp in zip(again, moved):
        if not output.dtype.is_floating:
            continue
        expected = np.zeros(output.shape)
        for jacobian, tangent in zip(tape.jacobian(output, sources), tangents):
            if jacobian is not None:
                expected = expected + np.tensordot(jacobian.numpy(), tangent, tangent.ndim)
        assert (jvp.shape, jvp.dtype) == (output.shape, output.dtype)
        np.testing.assert_allclose(
            jvp.numpy(), expected, rtol=1e-8, atol=1e-8 * max(1.0, np.abs(expected).max(initial=0))
        )


def test_complex_functions_holomorphic_or_not():
    x, t = tf.constant(1 + 2j), tf.constant(3 - 1j)
    _close(_jvp(lambda x: x * x, x, t), 2 * (1 + 2j) * (3 - 1j))
    _close(_jvp(tf.exp, x, t), np.exp(1 + 2j) * (3 - 1j))
    _close(_jvp(tf.math.conj, x, t), 3 + 1j)
    _close(_jvp(tf.abs, x, t), ((1 - 2j) * (3 - 1j)).real / np.sqrt(5))


def test_structures():
    x = {"a": tf.constant(2.0), "b": [tf.constant(3.0)]}
    found = _jvp(lambda x: (x["a"] * x["b"][0], {"c": x["a"]}), x, {"a": tf.constant(1.0), "b": [tf.constant(10.0)]})
    assert (found[0].numpy(), found[1]["c"].numpy()) == (23.0, 1.0)


def test_unconnected():
    x = tf.constant(-1.0)
    with tf.autodiff.ForwardAccumulator(x, 0.1) as accumulator:
        y = tf.constant(-2.0)
    _close(accumulator.jvp(x, unconnected_gradients="zero"), 0.1)
    assert accumulator.jvp(y) is None
    assert accumulator.jvp(y, unconnected_gradients="zero").numpy() == 0.0
    assert accumulator.jvp(tf.constant(1)) is None


def test_an_op_without_a_gradient_has_no_tangent():
    for function in (tf.floor, tf.stop_gradient, lambda x: tf.cast(x, tf.int32)):
        assert _jvp(function, tf.constant(0.7), tf.constant(1.0)) is None


def test_ops_outside_the_block_are_not_followed():
    x = tf.constant(-2.0)
    with tf.autodiff.ForwardAccumulator(x, 1.5) as accumulator:
        y = 4.0 * x
        _close(accumulator.jvp(y), 6.0)
        with pytest.raises(ValueError, match="already recording"), accumulator:
            pass
    assert accumulator.jvp(4.0 * x) is None
    with accumulator:
        z = y * y
    _close(accumulator.jvp(z), 6.0 * -8.0 * 2.0)


def test_variables():
    v = tf.Variable([1.0, 2.0])
    with tf.autodiff.ForwardAccumulator(v, tf.constant([0.1, 0.2])) as accumulator:
        before = v * v
        v.assign([5.0, 5.0])
        after = v * v
    _close(accumulator.jvp(v), [0.1, 0.2])
    _close(accumulator.jvp(before), [0.2, 0.8])
    _close(accumulator.jvp(after), [1.0, 2.0])


def test_nested_accumulators():
    x = tf.constant(1.1)
    outer, inner = (tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) for _ in range(2))
    with outer, inner:
        y = x**3.5
    _close(inner.jvp(y), 3.5 * 1.1**2.5)
    _close(outer.jvp(inner.jvp(y)), 3.5 * 2.5 * 1.1**1.5)
    assert inner.jvp(outer.jvp(y)) is None


def test_third_order_forward():
    def derivative(function):
        return lambda x: _jvp(function, x, tf.constant(1.0))

    third = derivative(derivative(derivative(lambda x: x**3.5)))
    _close(third(tf.constant(1.1)), 3.5 * 2.5 * 1.5 * 1.1**0.5)


def _product_of_tanh(x):
    return tf.reduce_prod(tf.tanh(x) ** 2.0)


def _hessian_times(x, vector):
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = _product_of_tanh(x)
        gradient = tape.gradient(y, x)
    return tf.linalg.matvec(outer.jacobian(gradient, x), vector)


def test_forward_over_backward():
    x, vector = tf.constant([1.0, 2.0, 3.0]), tf.constant([3.0, 4.0, 5.0])
    with tf.autodiff.ForwardAccumulator(x, vector) as accumulator:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = _product_of_tanh(x)
        gradient = tape.gradient(y, x)
    _close(accumulator.jvp(gradient), _hessian_times(x, vector).numpy(), rtol=1e-4)


def test_backward_over_forward():
    x, vector = tf.constant([1.0, 2.0, 3.0]), tf.constant([3.0, 4.0, 5.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        with tf.autodiff.ForwardAccumulator(x, vector) as accumulator:
            y = _product_of_tanh(x)
        moved = accumulator.jvp(y)
    _close(tape.gradient(moved, x), _hessian_times(x, vector).numpy(), rtol=1e-4)


def test_hessian_vector_products_with_variables():
    v = tf.Variable([1.0, 2.0])
    with tf.autodiff.ForwardAccumulator(v, tf.constant([1.0, 0.0])) as accumulator:
        with tf.GradientTape() as tape:
            y = v[0] * v[0] * v[1]
        gradient = tape.gradient(y, v)
    _close(accumulator.jvp(gradient), [4.0, 2.0])


def test_a_tape_inside_does_not_record_the_tangents():
    x = tf.constant(1.0)
    with tf.autodiff.ForwardAccumulator(x, tf.constant(0.1)) as accumulator, tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.cos(x)
        moved = accumulator.jvp(y)
    assert tape.gradient(moved, x) is None


def test_custom_gradients():
    @tf.custom_gradient
    def sine(x):
        return tf.constant(np.sin(x.numpy())), lambda g: g * tf.cos(x)

    _close(_jvp(sine, tf.constant([1.0, 2.0]), tf.constant([0.5, 0.5])), np.cos([1.0, 2.0]) * 0.5)


def test_an_exception_in_a_custom_gradient_comes_through():
    @tf.custom_gradient
    def broken(x):
        def grad(g):
            raise ValueError("broken on purpose")

        return tf.constant(1.0), grad

    with pytest.raises(ValueError, match="broken on purpose"):
        _jvp(broken, tf.constant(1.0), tf.constant(1.0))


def test_recomputed_functions():
    moved = _jvp(tf.recompute_grad(_product_of_tanh), tf.constant([1.0, 2.0]), tf.constant([0.5, 0.5]))
    _close(moved, _jvp(_product_of_tanh, tf.constant([1.0, 2.0]), tf.constant([0.5, 0.5])).numpy())


def test_watching_again_adds():
    x = tf.constant(-2.0)
    with tf.autodiff.ForwardAccumulator([x], [3.0]) as accumulator:
        accumulator._watch(x, tf.constant(10.0))
        y = tf.constant(3.0) * x
    _close(accumulator.jvp(y), 39.0)


def test_a_tangent_is_freed_with_its_tensor():
    x = tf.ones([100])
    tangent = tf.zeros([100]) + 1.0
    with tf.autodiff.ForwardAccumulator(x, tangent) as accumulator:
        y = tf.constant(2.0) * x
        references = [weakref.ref(each) for each in (x, tangent, y, accumulator.jvp(y))]
        del x, tangent, y
        assert [reference() for reference in references] == [None] * 4


def test_a_primal_given_twice():
    x = tf.constant(1.0)
    with pytest.raises(ValueError, match="multiple times"):
        tf.autodiff.ForwardAccumulator([x, x], [1.0, 2.0])


def test_other_structures_and_dtypes():
    with pytest.raises(ValueError, match="same nested structure"):
        tf.autodiff.ForwardAccumulator([tf.constant(1.0)], [1.0, 2.0])
    with pytest.raises(ValueError, match="requested dtype float32"):
        tf.autodiff.ForwardAccumulator(tf.constant(1.0), tf.constant(1))


def test_a_tangent_has_its_primals_shape():
    with pytest.raises(ValueError, match=r"expected to be of shape \(\) but is instead of shape \(2,\)"):
        tf.autodiff.ForwardAccumulator(tf.constant(1.0), tf.constant([1.0, 2.0]))


def test_primals_are_tensors():
    with pytest.raises(ValueError, match="of type 'float'"):
        tf.autodiff.ForwardAccumulator(1.0, 1.0)


def test_an_exception_leaves_no_accumulator_behind():
    x = tf.constant(1.0)
    accumulator = tf.autodiff.ForwardAccumulator(x, 1.0)
    with pytest.raises(ZeroDivisionError), accumulator:
        1 / 0
    assert accumulator.jvp(x * x) is None
