"""The explanation of `branch-not-taken`."""

import pytest

from tests.why.asked import told, traced, warned
from tests.why.cases import NoGradient

# Line 1 of each program is empty.
CASES = {
    "a branch not taken": NoGradient(
        """
        a, b, late = tf.Variable(1.0), tf.Variable(2.0), False
        with tf.GradientTape() as tape:
            y = a * 2.0
            if late:
                y = y * b
        tape.gradient(y, [a, b])
        """,
        "branch-not-taken",
        [(5, "late", "decided here"), (6, "b", "not reached"), (7, "tape.gradient(y, [a, b])", "asked here")],
        {"b": "float32 ()"},
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_explanation(name, tmp_path):
    CASES[name].check(tmp_path)


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.is_warned])
def test_warning_without_a_trace(name, tmp_path):
    CASES[name].check_warning(tmp_path)


def test_a_branch_that_the_source_itself_decided(tmp_path):
    text = """
        w = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            if w > 2.0:
                loss = tf.constant(1.0)
            else:
                loss = w * 2.0
        tape.gradient(loss, w)
        """
    for (cause,) in (traced(text, tmp_path), warned(text, tmp_path)):
        assert told(cause)[:2] == (
            "branch-not-taken",
            [(4, "w > 2.0", "decided here"), (7, "w", "not reached"), (8, "tape.gradient(loss, w)", "asked here")],
        )
        assert "only in a branch that was not taken, and in deciding which one is" in cause.sentence
