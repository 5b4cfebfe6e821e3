"""The explanation of `not-finite-here`."""

import pytest

from tests.support.explanations import NotFinite, checks

# Line 1 of each program is empty.
CASES = {
    "a gradient function that divides by zero": NotFinite(
        """
        @tf.custom_gradient
        def direction(v):
            length = tf.norm(v)
            return tf.math.divide_no_nan(v, length), lambda upstream: upstream * v / length
        x = tf.Variable([0.0, 0.0])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(direction(x))
        tape.gradient(y, x)
        """,
        "not-finite-here",
        [(8, "direction(x)", "born here"), (9, "tape.gradient(y, x)", "asked here")],
        {"x": "float32 (2,)"},
        [
            "the gradient of `direction` gives inf or nan where `x` is 0",
            "keep the gradient function of `direction` finite there",
        ],
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)
