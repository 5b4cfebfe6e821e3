"""The explanation of `double-softmax`."""

import pytest

from tests.support.explanations import WrongValue, checks

# Line 1 of each program is empty.
CASES = {
    "softmax twice": WrongValue(
        """
        z = tf.Variable([[0.1, 0.9], [0.4, 0.2]])
        with tf.GradientTape() as tape:
            p = tf.nn.softmax(z)
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits([0, 1], p))
        tape.gradient(loss, z)
        """,
        "double-softmax",
        [
            (5, "tf.nn.sparse_softmax_cross_entropy_with_logits([0, 1], p)", "applied again here"),
            (4, "tf.nn.softmax(z)", "softmax here"),
            (6, "tape.gradient(loss, z)", "asked here"),
        ],
        {"p": "float32 (2, 2)"},
        ["its input, `p`, is already the result of a softmax"],
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)
