"""The explanation of `tape-used-twice`."""

import pytest

from tests.support.explanations import Raised, checks
from tests.support.programs import raised

# Line 1 of each program is empty.
CASES = {
    "spent": Raised(
        """
        a = tf.Variable(1.0)
        with tf.GradientTape() as tape:
            y = a * 2.0
        tape.gradient(y, a)
        tape.gradient(y, a)
        """,
        "tape-used-twice",
        [
            (6, "tape.gradient(y, a)", "asked here"),
            (5, "tape.gradient(y, a)", "used up here"),
            (3, "tf.GradientTape()", "tape made here"),
        ],
        {},
        message="A non-persistent GradientTape can only be used to compute one set of gradients",
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)


def test_a_second_derivative_asked_of_a_spent_tape(tmp_path):
    (cause,) = raised(
        """
        x = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            y = x ** 3
        slope = tape.gradient(y, x)
        tape.gradient(slope, x)
        """,
        tmp_path,
    )
    assert cause.kind == "tape-used-twice"
    assert "outer.gradient(g, x)" in cause.help  # and not persistent=True, with which it would be None
