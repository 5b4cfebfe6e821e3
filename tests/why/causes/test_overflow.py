"""The explanation of `overflow`."""

import pytest

from tests.support.explanations import NotFinite, checks
from tests.support.programs import traced

# Line 1 of each program is empty.
CASES = {
    "a square": NotFinite(
        """
        x = tf.Variable([2.0, 3e38])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(x * x)
        tape.gradient(y, x)
        """,
        "overflow",
        [(4, "x * x", "born here"), (5, "tape.gradient(y, x)", "asked here")],
        {"here": "float32 (2,)"},
        ["`x * x` leaves the range of float32 (3.4e+38)", "logarithms"],
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)


def test_the_square_of_a_number_near_the_end_of_the_range(tmp_path):
    program = """
        x = tf.Variable(1e200, dtype="float64")
        with tf.GradientTape() as tape:
            loss = x**2
        tape.gradient(loss, x)
        """
    (cause,) = traced(program, tmp_path)
    assert (cause.kind, cause.site.text) == ("overflow", "x**2")


def test_a_simulation_whose_steps_are_too_long(tmp_path):
    program = """
        k = tf.Variable(1.0)
        with tf.GradientTape() as tape:
            u = tf.constant([1.0, 0.0, 0.0])
            for _ in range(60):
                u = u + 20.0 * k * (tf.roll(u, 1, 0) - 2.0 * u + tf.roll(u, -1, 0))
            loss = tf.reduce_sum(u)
        tape.gradient(loss, k)
        """
    (cause,) = traced(program, tmp_path)
    assert (cause.kind, cause.site.line) == ("overflow", 6)
    assert "it grows in each turn of a loop, 59 times in the last" in cause.sentence
    assert "take shorter ones" in cause.help
