"""The explanation of `discrete-sampling`."""

import pytest

from tests.support.explanations import NoGradient, checks

# Line 1 of each program is empty.
CASES = {
    "a discrete sample": NoGradient(
        """
        logits = tf.Variable([[0.1, 0.2]])
        with tf.GradientTape() as tape:
            picks = tf.random.categorical(logits, 4)
            y = tf.reduce_mean(tf.gather(tf.constant([1.0, 2.0]), picks[0]))
        tape.gradient(y, logits)
        """,
        "discrete-sampling",
        [(4, "tf.random.categorical(logits, 4)", "cut here"), (6, "tape.gradient(y, logits)", "asked here")],
        {"logits": "float32 (1, 2)"},
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)
