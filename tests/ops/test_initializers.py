"""Initializers make a tensor of a shape and dtype, and can be made again from their configuration."""

import numpy as np
import pytest

import whygrad as tf


@pytest.mark.parametrize(
    ("initializer", "dtype", "values"),
    [
        (tf.zeros_initializer(), tf.float32, [[0.0, 0.0]]),
        (tf.ones_initializer(), tf.bool, [[True, True]]),
        (tf.constant_initializer(3), tf.float64, [[3.0, 3.0]]),
        (tf.constant_initializer([1, 2]), tf.int64, [[1, 2]]),
        (tf.constant_initializer("a"), tf.string, [[b"a", b"a"]]),
    ],
)
def test_values(initializer, dtype, values):
    made = initializer((1, 2), dtype=dtype)
    assert (made.dtype, made.numpy().tolist()) == (dtype, values)
    again = type(initializer).from_config(initializer.get_config())
    assert again((1, 2), dtype=dtype).numpy().tolist() == values


@pytest.mark.parametrize("kind", [tf.random_normal_initializer, tf.random_uniform_initializer])
def test_random_values(kind):
    seeded = kind(seed=3)
    assert np.array_equal(seeded((5,)), kind.from_config(seeded.get_config())((5,)))
    tf.random.set_seed(1)
    first = kind()((5,))
    assert not np.array_equal(first, kind()((5,)))
    tf.random.set_seed(1)
    assert np.array_equal(first, kind()((5,)))


def test_the_bounds_hold():
    drawn = tf.random_uniform_initializer(2, 9)((1000,), tf.int32).numpy()
    assert (drawn.min(), drawn.max()) == (2, 8)
    assert abs(tf.random_normal_initializer(5.0, 0.1)((1000,)).numpy().mean() - 5.0) < 0.02


def test_a_part_of_a_variable():
    assert tf.ones_initializer()((8,), partition_shape=(2,), partition_offset=(4,)).shape == (2,)


@pytest.mark.parametrize(
    ("call", "error", "sentence"),
    [
        (lambda: tf.zeros_initializer()((2,), tf.string), ValueError, "expected to be numeric or boolean"),
        (lambda: tf.random_normal_initializer()((2,), tf.int32), ValueError, "expected to be floating point"),
        (lambda: tf.random_uniform_initializer()((2,), tf.bool), ValueError, "expected to be numeric or boolean"),
        (lambda: tf.constant_initializer([1, 2, 3])((2,)), TypeError, "has 3 elements, but got `shape`"),
        (lambda: tf.constant_initializer({}), TypeError, "Invalid type for initial value: dict"),
        (lambda: tf.ones_initializer()((2,), part=1), TypeError, "Keyword argument should be one of"),
        (lambda: tf.constant_initializer(1)((2,), partition_shape=(1,)), ValueError, "doesn't support partition"),
    ],
)
def test_refusals(call, error, sentence):
    with pytest.raises(error, match=sentence):
        call()
