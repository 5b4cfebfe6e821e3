"""The explanation of `log-of-negative`."""

import pytest

from tests.support.explanations import NotFinite, checks

# Line 1 of each program is empty.
CASES = {
    "a negative value": NotFinite(
        """
        x = tf.Variable([2.0, -1.0])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.math.log(x))
        tape.gradient(y, x)
        """,
        "log-of-negative",
        [(4, "tf.math.log(x)", "born here"), (5, "tape.gradient(y, x)", "asked here")],
        {"x": "float32 (2,)"},
        ["negative values of `x`: -1", "softplus"],
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)
