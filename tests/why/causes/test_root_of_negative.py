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
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)
