"""The explanation of `softmax-over-one-class`."""

import pytest

from tests.support.explanations import WrongValue, Zero, checks

# Line 1 of each program is empty.
CASES = {
    "softmax over one class": Zero(
        """
        z = tf.Variable([[0.3], [0.7]])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum((tf.nn.softmax(z) - 0.2) ** 2)
        tape.gradient(y, z)
        """,
        "softmax-over-one-class",
        [(4, "tf.nn.softmax(z)", "constant here"), (5, "tape.gradient(y, z)", "asked here")],
        {"z": "float32 (2, 1)"},
        ["softmax over one class is 1, whatever `z` is", "tf.sigmoid"],
    ),
    "cross entropy of one class": WrongValue(
        """
        z = tf.Variable([[0.1], [0.9]])
        with tf.GradientTape() as tape:
            loss = tf.nn.softmax_cross_entropy_with_logits([[1.0], [0.0]], z)
        tape.gradient(loss, z)
        """,
        "softmax-over-one-class",
        [
            (4, "tf.nn.softmax_cross_entropy_with_logits([[1.0], [0.0]], z)", "constant here"),
            (5, "tape.gradient(loss, z)", "asked here"),
        ],
        {"logits": "float32 (2, 1)"},
        ["tf.nn.sigmoid_cross_entropy_with_logits"],
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)
