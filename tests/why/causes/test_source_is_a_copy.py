"""The explanation of `source-is-a-copy`."""

import pytest

from tests.why.cases import NoGradient

# Line 1 of each program is empty.
CASES = {
    "a slice": NoGradient(
        """
        x = tf.Variable([1.0, 2.0, 3.0])
        with tf.GradientTape() as tape:
            head = x[:2]
            y = tf.reduce_sum(x)
        tape.gradient(y, head)
        """,
        "source-is-a-copy",
        [
            (4, "x[:2]", "made here"),
            (5, "tf.reduce_sum(x)", "target made here"),
            (6, "tape.gradient(y, head)", "asked here"),
        ],
        {"head": "float32 (2,)"},
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_explanation(name, tmp_path):
    CASES[name].check(tmp_path)


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.is_warned])
def test_warning_without_a_trace(name, tmp_path):
    CASES[name].check_warning(tmp_path)
