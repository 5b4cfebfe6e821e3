"""The explanation of `loss-computed-once`."""

import pytest

from tests.support.explanations import WrongValue, checks

# Line 1 of each program is empty.
CASES = {
    "the block before the loop": WrongValue(
        """
        w = tf.Variable([3.0, -2.0])
        with tf.GradientTape(persistent=True) as tape:
            loss = tf.reduce_sum(w ** 2)
        for step in range(5):
            w.assign_sub(0.1 * tape.gradient(loss, w))
        """,
        "loss-computed-once",
        [
            (6, "tape.gradient(loss, w)", "asked again here"),
            (4, "tf.reduce_sum(w ** 2)", "computed once, here"),
        ],
        {},
        ["`loss` was computed once", "`w` has changed", "inside the loop"],
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)
