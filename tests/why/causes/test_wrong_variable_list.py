"""The explanation of `wrong-variable-list`."""

import pytest

from tests.support.explanations import NoGradient, checks

# Line 1 of each program is empty.
CASES = {
    "another list of variables": NoGradient(
        """
        a, b = tf.Variable(1.0, name="online"), tf.Variable(2.0, name="frozen")
        with tf.GradientTape() as tape:
            y = a * 2.0
        tape.gradient(y, [b])
        """,
        "wrong-variable-list",
        [(5, "tape.gradient(y, [b])", "asked here"), (5, "tape.gradient(y, [b])", "asked here")],
        {"b": "float32 ()"},
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)
