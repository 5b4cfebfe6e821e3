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
