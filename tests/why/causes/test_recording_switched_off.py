"""The explanation of `recording-switched-off`."""

import pytest

from tests.why.cases import NoGradient

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


@pytest.mark.parametrize("name", CASES)
def test_explanation(name, tmp_path):
    CASES[name].check(tmp_path)


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.is_warned])
def test_warning_without_a_trace(name, tmp_path):
    CASES[name].check_warning(tmp_path)
