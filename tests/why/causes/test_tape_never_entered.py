"""The explanation of `tape-never-entered`."""

import pytest

from tests.why.cases import Raised

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


@pytest.mark.parametrize("name", CASES)
def test_explanation(name, tmp_path):
    CASES[name].check(tmp_path)
