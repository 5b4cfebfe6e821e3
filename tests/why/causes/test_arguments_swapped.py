"""The explanation of `arguments-swapped`."""

import pytest

from tests.support.explanations import WrongValue, checks

# Line 1 of each program is empty.
CASES = {
    "labels for logits": WrongValue(
        """
        x, labels = tf.constant([[1.0, 2.0], [-1.0, 0.5]]), tf.constant([[1.0, 0.0], [0.0, 1.0]])
        w = tf.Variable(tf.ones((2, 2)))
        with tf.GradientTape() as tape:
            logits = x @ w
            loss = tf.reduce_sum(tf.nn.softmax_cross_entropy_with_logits(labels=logits, logits=labels))
        g = tape.gradient(loss, w)
        """,
        "arguments-swapped",
        [
            (6, "tf.nn.softmax_cross_entropy_with_logits(labels=logits, logits=labels)", "labels here"),
            (7, "tape.gradient(loss, w)", "asked here"),
        ],
        {},
        ["in the place of the prediction", "swap the arguments `logits` and `labels`"],
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)
