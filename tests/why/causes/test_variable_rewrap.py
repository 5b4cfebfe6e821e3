"""The explanation of `variable-rewrap`."""

import pytest

from tests.support.explanations import NoGradient, checks

# Line 1 of each program is empty.
CASES = {
    "wrapped in a Variable": NoGradient(
        """
        w = tf.Variable([0.2, 0.4])
        with tf.GradientTape() as tape:
            v = tf.Variable(w * 2.0)
            y = tf.reduce_sum(v)
        tape.gradient(y, w)
        """,
        "variable-rewrap",
        [(4, "tf.Variable(w * 2.0)", "cut here"), (6, "tape.gradient(y, w)", "asked here")],
        {"w": "float32 (2,)"},
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)
