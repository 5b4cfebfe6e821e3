"""The explanation of `op-without-gradient`."""

import pytest

from tests.support.explanations import Raised, checks

# Line 1 of each program is empty.
CASES = {
    "no gradient registered": Raised(
        """
        picture = tf.Variable(tf.ones([1, 4, 4, 1]))
        with tf.GradientTape() as tape:
            y = tf.image.resize(picture, [2, 2], method="area")
        tape.gradient(y, picture)
        """,
        "op-without-gradient",
        [
            (4, 'tf.image.resize(picture, [2, 2], method="area")', "called here"),
            (5, "tape.gradient(y, picture)", "asked here"),
        ],
        {},
        message="gradient registry has no entry for: ResizeArea",
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)
