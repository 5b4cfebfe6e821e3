"""The explanation of `variable-assigned-in-tape`."""

import pytest

from tests.support.explanations import NoGradient, WrongValue, checks

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


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)
