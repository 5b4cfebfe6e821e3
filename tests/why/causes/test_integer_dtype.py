"""The explanation of `integer-dtype`."""

import pytest

from tests.support.explanations import NoGradient, checks

# Line 1 of each program is empty.
CASES = {
    "an integer variable": NoGradient(
        """
        k = tf.Variable([1, 2])
        with tf.GradientTape() as tape:
            y = tf.cast(k, tf.float32) * 2.0
        tape.gradient(y, k)
        """,
        "integer-dtype",
        [
            (2, "tf.Variable([1, 2])", "made here"),
            (4, "tf.cast(k, tf.float32)", "used here"),
            (5, "tape.gradient(y, k)", "asked here"),
        ],
        {"k": "int32 (2,)"},
    ),
    "a cast to int": NoGradient(
        """
        bias = tf.Variable([1.5, 2.5])
        with tf.GradientTape() as tape:
            codes = tf.cast(bias, tf.int32)
            y = tf.reduce_sum(tf.cast(codes, tf.float32))
        tape.gradient(y, bias)
        """,
        "integer-dtype",
        [(4, "tf.cast(bias, tf.int32)", "cut here"), (6, "tape.gradient(y, bias)", "asked here")],
        {"bias": "float32 (2,)"},
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)
