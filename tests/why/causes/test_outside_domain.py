"""The explanation of `outside-domain`."""

import pytest

from tests.support.explanations import NotFinite, checks

# Line 1 of each program is empty.
CASES = {
    "an arc sine": NotFinite(
        """
        x = tf.Variable([0.5, 1.5])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.asin(x))
        tape.gradient(y, x)
        """,
        "outside-domain",
        [(4, "tf.asin(x)", "born here"), (5, "tape.gradient(y, x)", "asked here")],
        {"x": "float32 (2,)"},
        ["tf.asin is not defined for 1.5", "tf.clip_by_value"],
    ),
    "a pole": NotFinite(
        """
        x = tf.Variable([0.0, 1.0])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.math.lgamma(x))
        tape.gradient(y, x)
        """,
        "outside-domain",
        [(4, "tf.math.lgamma(x)", "born here"), (5, "tape.gradient(y, x)", "asked here")],
        {"x": "float32 (2,)"},
        ["tf.math.lgamma is not defined where `x` is 0"],
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)
