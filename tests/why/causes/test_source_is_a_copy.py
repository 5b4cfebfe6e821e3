"""The explanation of `source-is-a-copy`."""

import pytest

from tests.support.explanations import NoGradient, checks

# Line 1 of each program is empty.
CASES = {
    "a slice": NoGradient(
        """
        x = tf.Variable([1.0, 2.0, 3.0])
        with tf.GradientTape() as tape:
            head = x[:2]
            y = tf.reduce_sum(x)
        tape.gradient(y, head)
        """,
        "source-is-a-copy",
        [
            (4, "x[:2]", "made here"),
            (5, "tf.reduce_sum(x)", "target made here"),
            (6, "tape.gradient(y, head)", "asked here"),
        ],
        {"head": "float32 (2,)"},
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)
