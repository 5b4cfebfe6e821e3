"""The explanation of `half-precision-range`."""

import pytest

from tests.support.explanations import NotFinite, Zero, checks
from tests.support.programs import traced

# Line 1 of each program is empty.
CASES = {
    "float16": NotFinite(
        """
        x = tf.Variable(tf.constant([300.0, 2.0], tf.float16))
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(x * x) - 1.0
        tape.gradient(y, x)
        """,
        "half-precision-range",
        [(4, "x * x", "born here"), (5, "tape.gradient(y, x)", "asked here")],
        {"here": "float16 (2,)"},
        ["`x * x` leaves the range of float16 (65504)"],
    ),
    "a root of float16's infinity": Zero(
        """
        f = tf.Variable(tf.constant([200.0, 300.0], tf.float16))
        with tf.GradientTape() as tape:
            size = tf.sqrt(tf.reduce_sum(f * f))
        tape.gradient(size, f)
        """,
        "half-precision-range",
        [(4, "f * f", "born here"), (5, "tape.gradient(size, f)", "asked here")],
        {"here": "float16 (2,)"},
        ["is zero everywhere: `f * f` leaves the range of float16 (65504)"],
    ),
    "a constant that float16 rounds to 0": NotFinite(
        """
        x = tf.Variable(tf.constant([2.0, 2.0], tf.float16))
        with tf.GradientTape() as tape:
            centred = x - tf.reduce_mean(x)
            y = tf.reduce_sum(centred / (tf.sqrt(tf.reduce_mean(centred**2)) + 1e-8))
        tape.gradient(y, x)
        """,
        "half-precision-range",
        [
            (5, "tf.sqrt(tf.reduce_mean(centred**2)) + 1e-8", "born here"),
            (5, "centred / (tf.sqrt(tf.reduce_mean(centred**2)) + 1e-8)", "not finite here"),
            (6, "tape.gradient(y, x)", "asked here"),
        ],
        {"tf.sqrt(tf.reduce_mean(centred ** 2))": "float16 ()", "1e-08": "float16 ()"},
        ["`1e-08` is too small for float16 (below 6e-8) and is 0", "add a constant that float16 holds:", "+ 0.0001"],
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)


ROUNDED = """
x = tf.constant([[1e-3, 0.5], [3e-3, 0.25]], tf.float16)
w = tf.Variable(tf.constant([[0.5], [0.25]], tf.float16))
with tf.GradientTape() as tape:
    y = tf.matmul(x, w) * tf.constant(SCALE, tf.float16)
    loss = tf.reduce_sum(y)
tape.gradient(loss, w)
"""


def test_a_product_that_rounds_half_of_a_gradient_to_0_is_likely_a_mistake(tmp_path):
    (cause,) = traced(ROUNDED.replace("SCALE", "1e-6"), tmp_path)
    assert (cause.kind, cause.symptom, cause.likely) == ("half-precision-range", "wrong_value", True)
    assert (cause.site.line, cause.site.text) == (5, "tf.matmul(x, w)")
    assert cause.sentence.startswith("1 of 2 elements of the gradient that goes back through tf.matmul are too small")


def test_a_product_that_keeps_a_gradient_is_none(tmp_path):
    assert traced(ROUNDED.replace("SCALE", "1.0"), tmp_path) == []
