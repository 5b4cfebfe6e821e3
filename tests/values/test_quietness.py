"""Inf and nan arise without a word from NumPy in our ops, and with NumPy's own words in the user's."""

import threading

import numpy as np
import pytest

import whygrad as tf
from whygrad.values.quietness import quietly


def test_ops_are_quiet_and_the_users_own_numpy_is_not():
    zero = tf.constant(0.0)
    with tf.GradientTape() as tape:
        tape.watch(zero)
        assert np.isneginf(tf.math.log(zero))
        with pytest.warns(RuntimeWarning, match="divide by zero encountered in log"):
            np.log(np.float32(0))
        y = tf.constant(1.0) / zero
    assert np.isneginf(tape.gradient(y, zero))
    with pytest.warns(RuntimeWarning, match="divide by zero encountered in log"):
        np.log(np.float32(0))


def test_the_users_error_state_is_left_as_it_is():
    with np.errstate(all="raise"):
        assert np.isposinf(tf.exp(tf.constant(1000.0)))
        assert np.isposinf(tf.constant(3e38) * 10.0)
        assert np.geterr()["over"] == "raise"
        with pytest.raises(FloatingPointError):
            np.exp(np.float32(1000))


def test_an_op_inside_of_another_call_is_quiet_too():
    def inner():
        assert np.isposinf(tf.exp(tf.constant(1000.0)))
        assert np.isposinf(tf.constant(3e38) * 10.0)
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"Incompatible shapes: \[2\] vs. \[3\] \[Op:Mul\]"):
            tf.ones(2) * tf.ones(3)
        return "computed"

    assert quietly(inner) == "computed"


def test_what_is_refused_is_no_part_of_another_error():
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        tf.ones(2) * tf.ones(3)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


def test_ops_in_several_threads_are_quiet_and_right():
    x = tf.constant(np.linspace(-200, 200, 100_001, dtype=np.float32))
    with np.errstate(all="ignore"):
        expected = x.numpy() * np.float32(1e37) * np.float32(1e37)
    wrong = []

    def work():
        for _ in range(50):
            found = x * 1e37 * 1e37  # overflows, of which NumPy would warn, and a warning is an error here
            if not np.array_equal(found, expected):
                wrong.append(found)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
