"""The explanation of `variable-assigned-in-tape`."""

import pytest

from tests.why.cases import NoGradient, WrongValue

# Line 1 of each program is empty.
CASES = {
    "through an assignment": NoGradient(
        """
        w, state = tf.Variable(0.2), tf.Variable(0.0)
        with tf.GradientTape() as tape:
            state.assign(w * 2.0)
            y = state * 3.0
        tape.gradient(y, w)
        """,
        "variable-assigned-in-tape",
        [(4, "state.assign(w * 2.0)", "cut here"), (6, "tape.gradient(y, w)", "asked here")],
        {"w": "float32 ()"},
    ),
    "a way through a variable": WrongValue(
        """
        w, state = tf.Variable(0.5), tf.Variable(1.0, trainable=False)
        with tf.GradientTape() as tape:
            state.assign(w * state)
            loss = w * state
        tape.gradient(loss, w)
        """,
        "variable-assigned-in-tape",
        [(4, "state.assign(w * state)", "cut here"), (6, "tape.gradient(loss, w)", "asked here")],
        {"Variable:0": "float32 ()"},
        ["lacks a term", "assigning cuts it"],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_explanation(name, tmp_path):
    CASES[name].check(tmp_path)


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.is_warned])
def test_warning_without_a_trace(name, tmp_path):
    CASES[name].check_warning(tmp_path)
