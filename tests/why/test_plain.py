"""Without a trace no more is said than the tape knows: never a wrong reason."""

import pickle
import threading

import numpy as np
import pytest

import whygrad as tf
from whygrad.view import notice


@pytest.fixture(autouse=True)
def _nothing_said_yet():
    notice._said.clear()


def _cause(ask):
    with pytest.warns(tf.NoGradientWarning) as caught:
        assert ask() is None
    (cause,) = caught[0].message.causes
    return cause


def test_a_loss_computed_after_the_block():
    w = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        predicted = w * 3.0
    loss = tf.square(predicted - 1.0)
    cause = _cause(lambda: tape.gradient(loss, w))
    assert cause.kind in ("computed-outside-tape", "source-unused")
    assert "does not depend" not in cause.sentence


def test_a_loss_computed_after_the_block_is_placed_where_the_program_is_plain():
    w = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        predicted = w * 3.0
    loss = tf.square(predicted - 1.0)
    with pytest.warns(tf.NoGradientWarning) as caught:
        tape.gradient(loss, w)
    (cause,) = caught[0].message.causes
    assert (cause.kind, cause.site.text) == ("computed-outside-tape", "tf.square(predicted - 1.0)")


def test_a_gradient_taken_outside_the_outer_tape():
    x = tf.Variable(2.0)
    with tf.GradientTape() as outer, tf.GradientTape() as inner:
        y = x**3
    slope = inner.gradient(y, x)
    with pytest.warns(tf.NoGradientWarning) as caught:
        outer.gradient(slope, x)
    (cause,) = caught[0].message.causes
    assert (cause.kind, cause.site.text) == ("derivative-not-recorded", "inner.gradient(y, x)")


def test_a_tensor_stored_in_an_array():
    x = tf.Variable([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        stored = np.zeros(3, "float32")
        for i in range(3):
            stored[i] = x[i] ** 2
        loss = tf.reduce_sum(stored)
    with pytest.warns(tf.NoGradientWarning) as caught:
        tape.gradient(loss, x)
    (cause,) = caught[0].message.causes
    assert (cause.kind, cause.site.text) == ("numpy-conversion", "stored[i]")


def test_what_another_thread_computed_is_not_denied():
    x, made = tf.Variable(2.0), []
    with tf.GradientTape() as tape:
        worker = threading.Thread(target=lambda: made.append(x**2))
        worker.start()
        worker.join()
        y = made[0] * 3.0
    cause = _cause(lambda: tape.gradient(y, x))
    assert "nothing that the tape recorded leads from it to `y`" in cause.sentence


def test_an_upstream_gradient_of_as_many_values_but_another_shape():
    x = tf.Variable([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        y = x * 2.0
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        tape.gradient(y, x, output_gradients=tf.ones((1, 3)))
    assert str(caught.value) == "output_gradients[0] has shape (1, 3), but its target has shape (3,)"


def test_a_name_rebound_from_a_variable_to_a_tensor():
    w = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(w * w)
    w = w - 0.1 * tape.gradient(loss, w)
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(w * w)
    with pytest.warns(tf.NoGradientWarning) as caught:
        tape.gradient(loss, w)
    (cause,) = caught[0].message.causes
    assert (cause.kind, cause.site.role) == ("variable-overwritten-by-tensor", "rebound here")
    assert "w.assign_sub(0.1 * tape.gradient(loss, w))" in cause.help


def test_the_help_names_the_users_tape():
    x = tf.constant(1.0)
    with tf.GradientTape() as inner:
        y = x * x
    with pytest.warns(tf.NoGradientWarning, match=r"call inner\.watch\(x\)"):
        inner.gradient(y, x)


def test_conversions_that_fail_say_where():
    x = tf.constant([1, 2])
    with pytest.raises(TypeError, match=r"Cannot convert 2\.5 to EagerTensor of dtype int32") as caught:
        x * 2.5
    (cause,) = caught.value.causes
    assert (cause.kind, cause.site.text) == ("dtype-mismatch", "x * 2.5")
    assert type(caught.value).__name__ == "TypeError"
    again = pickle.loads(pickle.dumps(caught.value))
    assert (type(again), str(again)) == (TypeError, str(caught.value))


def test_a_tape_that_was_reset():
    w = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        loss = w * 3.0
        tape.reset()
    cause = _cause(lambda: tape.gradient(loss, w))
    assert (cause.kind, cause.site.text, cause.likely) == ("computed-outside-tape", "tape.reset()", False)
    assert "compute `loss` after it" in cause.help


def test_a_tape_whose_recording_was_stopped():
    w = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        with tape.stop_recording():
            features = w * 3.0
        loss = features**2
    cause = _cause(lambda: tape.gradient(loss, w))
    assert (cause.kind, cause.site.text, cause.likely) == ("computed-outside-tape", "tape.stop_recording()", True)


def test_what_was_computed_before_the_tape_may_have_been_computed_from_it():
    w = tf.Variable(2.0)
    features = w * 3.0
    with tf.GradientTape() as tape:
        loss = features**2
    cause = _cause(lambda: tape.gradient(loss, w))
    assert "nothing that the tape recorded leads from it to `loss`" in cause.sentence
    assert "inside the with block (what was computed before it, or in another thread, is a constant" in cause.help


class _Net(tf.Module):
    def __init__(self):
        super().__init__()
        self.kernel = tf.Variable([1.0, 2.0])


def test_an_attribute_rebound_from_a_variable_to_a_tensor():
    net = _Net()
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(net.kernel**2)
    net.kernel = net.kernel - 0.1 * tape.gradient(loss, net.kernel)
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(net.kernel**2)
    cause = _cause(lambda: tape.gradient(loss, net.kernel))
    assert (cause.kind, cause.site.role) == ("variable-overwritten-by-tensor", "rebound here")
    assert "net.kernel.assign_sub(0.1 * tape.gradient(loss, net.kernel))" in cause.help
