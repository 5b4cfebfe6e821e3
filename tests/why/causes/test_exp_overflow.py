"""The explanation of `exp-overflow`."""

import pytest

from tests.support.explanations import NotFinite, checks

# Line 1 of each program is empty.
CASES = {
    "exp beyond the range": NotFinite(
        """
        rate = tf.Variable([1.0, 100.0])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.math.log(1.0 + tf.exp(rate)))
        tape.gradient(y, rate)
        """,
        "exp-overflow",
        [(4, "tf.exp(rate)", "born here"), (5, "tape.gradient(y, rate)", "asked here")],
        {"rate": "float32 (2,)"},
        ["tf.exp of 100 is beyond the range of float32, which ends at exp(88.7)", "tf.nn.softplus"],
    ),
    "exp beyond the range, of which a quotient leaves 0": NotFinite(
        """
        z = tf.Variable([10.0, 90.0])
        with tf.GradientTape() as tape:
            share = tf.exp(z) / tf.reduce_sum(tf.exp(z))
            loss = -tf.math.log(share[0])
        tape.gradient(loss, z)
        """,
        "exp-overflow",
        [(4, "tf.exp(z)", "born here"), (6, "tape.gradient(loss, z)", "asked here")],
        {"z": "float32 (2,)"},
        ["tf.exp of 90 is beyond the range of float32", "tf.nn.softmax"],
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)
