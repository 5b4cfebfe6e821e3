"""The explanation of `wrong-variable-list`."""

import pytest

from tests.why.cases import NoGradient

# Line 1 of each program is empty.
CASES = {
    "another list of variables": NoGradient(
        """
        a, b = tf.Variable(1.0, name="online"), tf.Variable(2.0, name="frozen")
        with tf.GradientTape() as tape:
            y = a * 2.0
        tape.gradient(y, [b])
        """,
        "wrong-variable-list",
        [(5, "tape.gradient(y, [b])", "asked here"), (5, "tape.gradient(y, [b])", "asked here")],
        {"b": "float32 ()"},
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_explanation(name, tmp_path):
    CASES[name].check(tmp_path)


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.is_warned])
def test_warning_without_a_trace(name, tmp_path):
    CASES[name].check_warning(tmp_path)
