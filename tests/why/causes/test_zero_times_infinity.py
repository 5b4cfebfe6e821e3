"""The explanation of `zero-times-infinity`."""

import pytest

from tests.support.explanations import NotFinite, checks

# Line 1 of each program is empty.
CASES = {
    "a mask of -inf by multiplication": NotFinite(
        """
        scores, padding = tf.Variable([0.1, 0.4]), tf.constant([0.0, 1.0])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.nn.softmax(scores + padding * float("-inf")) ** 2)
        tape.gradient(y, scores)
        """,
        "zero-times-infinity",
        [(4, 'padding * float("-inf")', "born here"), (5, "tape.gradient(y, scores)", "asked here")],
        {"padding": "float32 (2,)", "float('-inf')": "float32 ()"},
        ["0 is multiplied by -inf", "-1e9"],
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)
