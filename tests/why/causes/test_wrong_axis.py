"""The explanation of `wrong-axis`."""

import pytest

from tests.support.explanations import WrongValue, checks

# Line 1 of each program is empty.
CASES = {
    "softmax over the batch": WrongValue(
        """
        z = tf.Variable([[0.1, 0.9], [0.4, 0.2], [0.3, 0.8]])
        y = tf.one_hot([0, 1, 1], 2)
        with tf.GradientTape() as tape:
            p = tf.nn.softmax(z, axis=0)
            loss = -tf.reduce_sum(y * tf.math.log(p))
        tape.gradient(loss, z)
        """,
        "wrong-axis",
        [
            (5, "tf.nn.softmax(z, axis=0)", "along axis 0 here"),
            (6, "y * tf.math.log(p)", "along axis 1 here"),
            (7, "tape.gradient(loss, z)", "asked here"),
        ],
        {"here": "float32 (3, 2)"},
        ["use axis=-1 here"],
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)
