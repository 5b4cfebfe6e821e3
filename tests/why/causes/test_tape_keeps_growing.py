"""The explanation of `tape-keeps-growing`."""

import pytest

from tests.support.explanations import WrongValue, checks

# Line 1 of each program is empty.
CASES = {
    "a loop inside a persistent tape": WrongValue(
        """
        x = tf.Variable(1.0)
        with tf.GradientTape(persistent=True) as tape:
            for step in range(200):
                loss = x ** 2
                g = tape.gradient(loss, x)
                x.assign_sub(0.01 * g)
        """,
        "tape-keeps-growing",
        [(6, "tape.gradient(loss, x)", "asked again and again here")],
        {},
        ["persistent tape", "1,001 ops", "the with block inside the loop"],
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)
