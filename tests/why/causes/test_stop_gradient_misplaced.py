"""The explanation of `stop-gradient-misplaced`."""

import pytest

from tests.support.explanations import NoGradient, WrongValue, checks
from tests.support.programs import traced

# Line 1 of each program is empty.
CASES = {
    "stop_gradient": NoGradient(
        """
        w = tf.Variable(0.2)
        with tf.GradientTape() as tape:
            y = tf.stop_gradient(w * 2.0) + 1.0
        tape.gradient(y, w)
        """,
        "stop-gradient-misplaced",
        [(4, "tf.stop_gradient(w * 2.0)", "cut here"), (5, "tape.gradient(y, w)", "asked here")],
        {"w": "float32 ()"},
    ),
    "a term behind stop_gradient": WrongValue(
        """
        w = tf.Variable([1.0, -2.0])
        with tf.GradientTape() as tape:
            size = tf.reduce_sum(tf.abs(w))
            loss = tf.reduce_sum(w ** 2) + tf.stop_gradient(size)
        tape.gradient(loss, w)
        """,
        "stop-gradient-misplaced",
        [(5, "tf.stop_gradient(size)", "cut here"), (6, "tape.gradient(loss, w)", "asked here")],
        {"loss": "float32 ()"},
        ["tf.stop_gradient makes `size` a constant"],
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)


def test_stop_gradient_is_blamed_before_rounding(tmp_path):
    (cause,) = traced(
        """
        z = tf.Variable([0.3, 0.8])
        with tf.GradientTape() as tape:
            hard = tf.round(z)
            y = tf.reduce_sum(hard + tf.stop_gradient(z - hard))
        tape.gradient(y, z)
        """,
        tmp_path,
    )
    assert (cause.kind, cause.site.line) == ("stop-gradient-misplaced", 5)


def test_frozen_weights_made_before_the_tape_are_no_cause(tmp_path):
    (cause,) = traced(
        """
        w = tf.Variable([0.3, 0.8])
        frozen = tf.constant(w.numpy())
        with tf.GradientTape() as tape:
            y = tf.reduce_sum((frozen - tf.stop_gradient(w)) ** 2)
        tape.gradient(y, w)
        """,
        tmp_path,
    )
    assert (cause.kind, cause.site.line) == ("stop-gradient-misplaced", 5)
