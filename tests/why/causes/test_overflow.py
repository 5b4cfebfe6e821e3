"""The explanation of `overflow`."""

import pytest

from tests.support.explanations import NotFinite, checks

# Line 1 of each program is empty.
CASES = {
    "a square": NotFinite(
        """
        x = tf.Variable([2.0, 3e38])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(x * x)
        tape.gradient(y, x)
        """,
        "overflow",
        [(4, "x * x", "born here"), (5, "tape.gradient(y, x)", "asked here")],
        {"here": "float32 (2,)"},
        ["`x * x` leaves the range of float32 (3.4e+38)", "logarithms"],
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)
