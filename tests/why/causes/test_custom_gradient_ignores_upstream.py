"""The explanation of `custom-gradient-ignores-upstream`."""

import pytest

from tests.support.explanations import WrongValue, checks

# Line 1 of each program is empty.
CASES = {
    "a gradient function that ignores what arrives": WrongValue(
        """
        @tf.custom_gradient
        def double(x):
            def grad(upstream):
                return 2.0 * tf.ones_like(x)
            return 2.0 * x, grad
        x = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(double(x) ** 2)
        tape.gradient(loss, x)
        """,
        "custom-gradient-ignores-upstream",
        [
            (5, "2.0 * tf.ones_like(x)", "returned here"),
            (9, "double(x)", "called here"),
            (10, "tape.gradient(loss, x)", "asked here"),
        ],
        {"double": "float32 (2,)"},
        ["the gradient function of `double` does not use the upstream gradient"],
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)
