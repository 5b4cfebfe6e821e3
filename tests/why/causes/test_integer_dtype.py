"""The explanation of `integer-dtype`."""

import pytest

from tests.why.cases import NoGradient

# Line 1 of each program is empty.
CASES = {
    "an integer variable": NoGradient(
        """
        k = tf.Variable([1, 2])
        with tf.GradientTape() as tape:
            y = tf.cast(k, tf.float32) * 2.0
        tape.gradient(y, k)
        """,
        "integer-dtype",
        [
            (2, "tf.Variable([1, 2])", "made here"),
            (4, "tf.cast(k, tf.float32)", "used here"),
            (5, "tape.gradient(y, k)", "asked here"),
        ],
        {"k": "int32 (2,)"},
    ),
    "a cast to int": NoGradient(
        """
        bias = tf.Variable([1.5, 2.5])
        with tf.GradientTape() as tape:
            codes = tf.cast(bias, tf.int32)
            y = tf.reduce_sum(tf.cast(codes, tf.float32))
        tape.gradient(y, bias)
        """,
        "integer-dtype",
        [(4, "tf.cast(bias, tf.int32)", "cut here"), (6, "tape.gradient(y, bias)", "asked here")],
        {"bias": "float32 (2,)"},
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_explanation(name, tmp_path):
    CASES[name].check(tmp_path)


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.is_warned])
def test_warning_without_a_trace(name, tmp_path):
    CASES[name].check_warning(tmp_path)
