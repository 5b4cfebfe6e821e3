"""The explanation of `recording-switched-off`."""

import pytest

from tests.support.explanations import NoGradient, checks

# Line 1 of each program is empty.
CASES = {
    "trainable=False": NoGradient(
        """
        w = tf.Variable([0.2], trainable=False)
        with tf.GradientTape() as tape:
            y = w * 2.0
        tape.gradient(y, w)
        """,
        "recording-switched-off",
        [(2, "tf.Variable([0.2], trainable=False)", "made here"), (5, "tape.gradient(y, w)", "asked here")],
        {"w": "float32 (1,)"},
    ),
    "watch_accessed_variables=False": NoGradient(
        """
        w = tf.Variable([0.2])
        with tf.GradientTape(watch_accessed_variables=False) as tape:
            y = w * 2.0
        tape.gradient(y, w)
        """,
        "recording-switched-off",
        [
            (3, "tf.GradientTape(watch_accessed_variables=False)", "switched off here"),
            (4, "w * 2.0", "read here"),
            (5, "tape.gradient(y, w)", "asked here"),
        ],
        {"w": "float32 (1,)"},
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)
