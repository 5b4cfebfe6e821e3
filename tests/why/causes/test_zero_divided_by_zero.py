"""The explanation of `zero-divided-by-zero`."""

import pytest

from tests.support.explanations import NotFinite, checks

# Line 1 of each program is empty.
CASES = {
    "an angle at the origin": NotFinite(
        """
        x, y = tf.Variable([0.0, 1.0]), tf.Variable([0.0, 1.0])
        with tf.GradientTape() as tape:
            angle = tf.atan2(y, x)
        tape.gradient(angle, y)
        """,
        "zero-divided-by-zero",
        [(4, "tf.atan2(y, x)", "born here"), (5, "tape.gradient(angle, y)", "asked here")],
        {"y": "float32 (2,)", "x": "float32 (2,)"},
        [
            "tf.atan2 has no slope at the origin: `y` and `x` are 0",
            "tf.atan2(y, tf.where((y == 0) & (x == 0), tf.ones_like(x), x))",
        ],
    ),
    "0 divided by 0": NotFinite(
        """
        a = tf.Variable([[3.0, 1.0], [0.0, 0.0]])
        with tf.GradientTape() as tape:
            s = tf.reduce_sum(a, axis=1, keepdims=True)
            y = tf.reduce_sum(a / s)
        tape.gradient(y, a)
        """,
        "zero-divided-by-zero",
        [(5, "a / s", "born here"), (6, "tape.gradient(y, a)", "asked here")],
        {"a": "float32 (2, 2)", "s": "float32 (2, 1)"},
        ["0 is divided by 0 at 2 of 4 elements", "add a small constant to `s`"],
    ),
    "divided by a length of 0": NotFinite(
        """
        a = tf.Variable([[3.0, 4.0], [0.0, 0.0]])
        with tf.GradientTape() as tape:
            length = tf.norm(a, axis=1, keepdims=True)
            y = tf.reduce_sum(a / length)
        tape.gradient(y, a)
        """,
        "zero-divided-by-zero",
        [(5, "a / length", "born here"), (6, "tape.gradient(y, a)", "asked here")],
        {"a": "float32 (2, 2)", "length": "float32 (2, 1)"},
        ["inside of the root", "tf.sqrt(tf.reduce_sum(tf.square(a), axis=1, keepdims=True) + 1e-12)"],
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)
