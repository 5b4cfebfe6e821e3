"""Kernels of our own for XLA on a CPU: as exact as NumPy's, also at corners."""

import numpy as np
import pytest

import whygrad as tf


@pytest.mark.parametrize("scale", [0.5, 3.0, 100.0, 1e5, 5e8, 1e12])
@pytest.mark.parametrize("name", ["sin", "cos"])
def test_sine_and_cosine_of_many_numbers(name, scale):
    x = (np.random.default_rng(0).uniform(-scale, scale, 20_000)).astype(np.float32)
    exact = getattr(np, name)(x.astype(np.float64))
    found = tf.function(lambda x: getattr(tf, name)(x))(x).numpy()
    assert found.dtype == np.float32
    assert (np.abs(found - exact) <= 1.6 * np.spacing(np.abs(exact).astype(np.float32))).all()


def test_the_sine_of_zeros_infinities_and_nan():
    x = np.resize(np.array([0.0, -0.0, 1e-30, np.inf, -np.inf, np.nan], np.float32), 6000)
    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(tf.function(tf.sin)(x).numpy()[:6], np.sin(x[:6]))
    finite = np.resize(x[:2], 6000)
    assert np.signbit(tf.function(lambda x: tf.sin(x))(finite).numpy()[:2]).tolist() == [False, True]


@pytest.mark.parametrize("window", [(2, 2), (3, 1)])
def test_pooling_side_by_side_gives_each_window_one_gradient(window):
    rng = np.random.default_rng(0)
    x = tf.constant(rng.integers(0, 3, (2, 6, 6, 2)).astype(np.float32))  # with many equals

    def gradient(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.nn.max_pool2d(x, window, window, "VALID")
            total = tf.reduce_sum(y * tf.reshape(tf.range(float(tf.size(y))), y.shape))
        return tape.gradient(total, x)

    np.testing.assert_array_equal(tf.function(gradient)(x).numpy(), gradient(x).numpy())
