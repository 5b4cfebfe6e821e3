"""The explanation of `fully-masked-softmax`."""

import numpy as np
import pytest

from tests.support.explanations import NotFinite, checks
from tests.support.programs import traced

# Line 1 of each program is empty.
CASES = {
    "a masked row": NotFinite(
        """
        s = tf.Variable([[1.0, 2.0, 0.5], [3.0, 4.0, 0.1]])
        with tf.GradientTape() as tape:
            masked = tf.where([[True, True, False], [False, False, False]], s, float("-inf"))
            y = tf.reduce_sum(tf.nn.softmax(masked) ** 2)
        tape.gradient(y, s)
        """,
        "fully-masked-softmax",
        [(5, "tf.nn.softmax(masked)", "born here"), (6, "tape.gradient(y, s)", "asked here")],
        {"masked": "float32 (2, 3)"},
        ["a row of the softmax is -inf in every position", "-1e9"],
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)


def test_zero_gradients_of_a_loss_that_is_nan(tmp_path):
    text = """
    scores = tf.Variable(tf.zeros([2, 3]))
    mask = tf.constant([[True, True, False], [False, False, False]])
    with tf.GradientTape() as tape:
        a = tf.nn.softmax(tf.where(mask, scores, -np.inf))
        loss = tf.reduce_sum(a ** 2)
    tape.gradient(loss, scores)
    """
    (cause,) = traced(text, tmp_path, np=np)
    assert cause.kind == "fully-masked-softmax"
    assert cause.sentence.startswith(
        "`loss` is not finite, and the gradient of `loss` with respect to `scores` is zero"
    )
