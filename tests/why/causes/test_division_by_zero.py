"""The explanation of `division-by-zero`."""

import numpy as np

from tests.support.programs import traced


def test_the_count_and_the_first_place_are_noted(tmp_path):
    (cause,) = traced(
        """
        x = tf.Variable(tf.zeros((4, 32)))
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(1.0 / (x + np.eye(4, 32, 2, dtype="float32")))
        tape.gradient(y, x)
        """,
        tmp_path,
        np=np,
    )
    assert cause.sites[0].note == "124 of 128 elements, the first at [0, 0]"


def test_no_guard_is_suggested_for_a_power(tmp_path):
    program = """
    x = tf.Variable(0.0)
    with tf.GradientTape() as tape:
        y = tf.pow(x, -1.0)
    tape.gradient(y, x)
    """
    (cause,) = traced(program, tmp_path)
    assert (cause.kind, cause.help) == ("division-by-zero", "add a small constant to `x`: tf.pow(x + 1e-7, -1.0)")
