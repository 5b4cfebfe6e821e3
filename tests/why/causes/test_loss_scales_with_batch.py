"""The explanation of `loss-scales-with-batch`."""

import pytest

from tests.support.explanations import NotFinite, checks

# Line 1 of each program is empty.
CASES = {
    "a sum that diverges": NotFinite(
        """
        x = np.ones((50, 1), "float32")
        w = tf.Variable([[3.0]])
        for step in range(60):
            with tf.GradientTape() as tape:
                error = tf.matmul(x, w) - 1.0
                loss = tf.reduce_sum(error ** 2)
            w.assign_sub(0.1 * tape.gradient(loss, w))
        """,
        "loss-scales-with-batch",
        [
            (7, "tf.reduce_sum(error ** 2)", "summed here"),
            (7, "tf.reduce_sum(error ** 2)", "too large here"),
            (8, "tape.gradient(loss, w)", "asked here"),
        ],
        {"summed": "float32 (50, 1)"},
        ["the loss is a sum over 50 elements", "tf.reduce_mean in place of tf.reduce_sum"],
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)
