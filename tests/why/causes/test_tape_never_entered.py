"""The explanation of `tape-never-entered`."""

import pytest

from tests.support.explanations import Raised, checks

# Line 1 of each program is empty.
CASES = {
    "never entered": Raised(
        """
        a = tf.Variable(1.0)
        tape = tf.GradientTape()
        tape.gradient(a * 2.0, a)
        """,
        "tape-never-entered",
        [(3, "tf.GradientTape()", "made here"), (4, "tape.gradient(a * 2.0, a)", "asked here")],
        {},
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)
