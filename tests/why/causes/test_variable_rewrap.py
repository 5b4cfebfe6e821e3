"""The explanation of `variable-rewrap`."""

import pytest

from tests.why.cases import NoGradient

# Line 1 of each program is empty.
CASES = {
    "wrapped in a Variable": NoGradient(
        """
        w = tf.Variable([0.2, 0.4])
        with tf.GradientTape() as tape:
            v = tf.Variable(w * 2.0)
            y = tf.reduce_sum(v)
        tape.gradient(y, w)
        """,
        "variable-rewrap",
        [(4, "tf.Variable(w * 2.0)", "cut here"), (6, "tape.gradient(y, w)", "asked here")],
        {"w": "float32 (2,)"},
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_explanation(name, tmp_path):
    CASES[name].check(tmp_path)


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.is_warned])
def test_warning_without_a_trace(name, tmp_path):
    CASES[name].check_warning(tmp_path)
