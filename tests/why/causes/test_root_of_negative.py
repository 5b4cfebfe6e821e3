"""The explanation of `root-of-negative`."""

import pytest

from tests.support.explanations import NotFinite, checks

# Line 1 of each program is empty.
CASES = {
    "a square root": NotFinite(
        """
        x = tf.Variable([4.0, -1.0])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.sqrt(x))
        tape.gradient(y, x)
        """,
        "root-of-negative",
        [(4, "tf.sqrt(x)", "born here"), (5, "tape.gradient(y, x)", "asked here")],
        {"x": "float32 (2,)"},
        ["negative values of `x`: -1", "tf.maximum(x, 1e-12)"],
    ),
    "a power": NotFinite(
        """
        x = tf.Variable([4.0, -1.0])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(x ** 1.5)
        tape.gradient(y, x)
        """,
        "root-of-negative",
        [(4, "x ** 1.5", "born here"), (5, "tape.gradient(y, x)", "asked here")],
        {"x": "float32 (2,)", "1.5": "float32 ()"},
        ["negative values of `x`: -1"],
    ),
    "an argument of a function of several ops": NotFinite(
        """
        x, mean = tf.Variable([[1.0, 2.0]]), tf.constant([2.0, 3.0])
        variance = tf.Variable([-1.0, 1.0])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.nn.batch_normalization(x, mean, variance, None, None, 0.0))
        tape.gradient(y, x)
        """,
        "root-of-negative",
        [
            (5, "tf.nn.batch_normalization(x, mean, variance, None, None, 0.0)", "born here"),
            (6, "tape.gradient(y, x)", "asked here"),
        ],
        {"variance": "float32 (2,)"},
        ["negative values of `variance`: -1", "tf.maximum(variance, 1e-12)"],
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)
