"""The explanation of `non-scalar-target-summed`."""

import pytest

from tests.support.explanations import Zero, checks

# Line 1 of each program is empty.
CASES = {
    "a sum that never changes": Zero(
        """
        z = tf.Variable([0.3, 0.7])
        with tf.GradientTape() as tape:
            p = tf.nn.softmax(z)
        tape.gradient(p, z)
        """,
        "non-scalar-target-summed",
        [(5, "tape.gradient(p, z)", "summed here"), (4, "tf.nn.softmax(z)", "made here")],
        {"p": "float32 (2,)"},
        ["gradient() sums the 2 elements of the target", "tape.jacobian(p, z)"],
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)
