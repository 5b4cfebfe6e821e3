"""The explanation of `half-precision-range`."""

import pytest

from tests.support.explanations import NotFinite, Zero, checks

# Line 1 of each program is empty.
CASES = {
    "float16": NotFinite(
        """
        x = tf.Variable(tf.constant([300.0, 2.0], tf.float16))
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(x * x) - 1.0
        tape.gradient(y, x)
        """,
        "half-precision-range",
        [(4, "x * x", "born here"), (5, "tape.gradient(y, x)", "asked here")],
        {"here": "float16 (2,)"},
        ["`x * x` leaves the range of float16 (65504)"],
    ),
    "a root of float16's infinity": Zero(
        """
        f = tf.Variable(tf.constant([200.0, 300.0], tf.float16))
        with tf.GradientTape() as tape:
            size = tf.sqrt(tf.reduce_sum(f * f))
        tape.gradient(size, f)
        """,
        "half-precision-range",
        [(4, "f * f", "born here"), (5, "tape.gradient(size, f)", "asked here")],
        {"here": "float16 (2,)"},
        ["is zero everywhere: `f * f` leaves the range of float16 (65504)"],
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)
