"""On demand: why() and tape.why()."""

import gc
import weakref

import numpy as np
import pytest

import whygrad as tf


def test_why_shows_the_way_a_gradient_came():
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        h = tf.exp(x)
        y = tf.reduce_sum(h)
    g = tape.gradient(y, x)
    answer = tf.why()
    assert [hop.op for hop in answer.path] == ["reduce_sum", "exp"]
    assert [hop.site.text for hop in answer.path] == ["tf.reduce_sum(h)", "tf.exp(x)"]
    np.testing.assert_allclose(answer.norm, np.linalg.norm(g.numpy()), rtol=1e-6)
    assert "the gradient of `y` with respect to `x` has norm" in str(answer)


def test_why_of_a_none_is_its_cause():
    x = tf.Variable([1.2, 2.0])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.floor(x))
    assert tape.gradient(y, x) is None
    assert tf.why().causes[0].kind == "non-differentiable-op"


def test_why_for_another_source():
    a, b = tf.Variable(1.0), tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = a * 3.0
    gradients = tape.gradient(y, [a, b])
    assert gradients[1] is None
    assert tf.why(0).causes == ()
    assert tf.why(1).causes[0].kind == "source-unused"
    with pytest.raises(IndexError, match="no number 2"):
        tf.why(2)


def test_tape_why_takes_the_gradient():
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = tf.stop_gradient(x) * 3.0
    answer = tape.why(y, x)
    assert answer.causes[0].kind == "stop-gradient-misplaced"
    assert answer.causes[0].site.text == "tf.stop_gradient(x)"
    with pytest.raises(RuntimeError, match="one set of gradients"):
        tape.gradient(y, x)


def test_asking_keeps_nothing_alive():
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(x * x)
    g = tape.gradient(y, x)
    alive = weakref.ref(g)
    gc.disable()
    try:
        del g
        assert alive() is None
        with pytest.raises(RuntimeError, match="as long as the tape"):
            tf.why()
    finally:
        gc.enable()
