"""Inf and nan arise without a word from NumPy in our ops, and with NumPy's own words in the user's."""

import importlib.util
import sys
import threading
import types

import numpy as np
import pytest

import whygrad as tf
import whygrad.runtime.error_state as imported
from whygrad.runtime.error_state import silently


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

    assert silently(inner) == "computed"


def test_the_error_of_an_op_has_no_context():
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


@pytest.fixture(params=["private", "public"])
def error_state(request, monkeypatch):
    """The module as it is, and as it is where NumPy keeps its error state elsewhere."""
    if request.param == "private":
        return imported
    monkeypatch.setitem(sys.modules, "numpy._core.umath", types.ModuleType("numpy._core.umath"))
    spec = importlib.util.spec_from_file_location("error_state_of_another_numpy", imported.__file__)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.silence is module._silence
    return module


def test_silence_and_restore(error_state):
    with np.errstate(over="raise"):
        token = error_state.silence()
        assert np.isposinf(np.exp(np.float32(1000)))
        error_state.restore(token)
        assert np.geterr()["over"] == "raise"


def test_silently(error_state):
    with np.errstate(over="raise"):
        assert np.isposinf(error_state.silently(np.exp, np.float32(1000)))
        assert np.geterr()["over"] == "raise"
        with pytest.raises(ValueError, match="broadcast"):
            error_state.silently(np.add, np.ones(2), np.ones(3))


def test_only_the_context_itself_is_busy(error_state):
    def inner():
        try:
            return error_state.silently(np.exp, np.float32(1000))
        except RuntimeError as error:
            return np.inf if error_state.is_busy(error) else error

    assert np.isposinf(error_state.silently(inner))
    assert not error_state.is_busy(RuntimeError("cannot enter context: another is already entered"))
    assert not error_state.is_busy(ValueError(""))
    assert not error_state.is_busy(RuntimeError(""))
