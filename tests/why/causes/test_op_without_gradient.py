"""The explanation of `op-without-gradient`."""

import pytest

from tests.why.cases import Raised

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


@pytest.mark.parametrize("name", CASES)
def test_explanation(name, tmp_path):
    CASES[name].check(tmp_path)


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.message])
def test_message_keeps_tensorflows_sentence(name, tmp_path):
    CASES[name].check_message(tmp_path)
