"""The explanation of `where-nan-branch`."""

import numpy as np
import pytest

import whygrad as tf
from tests.support.explanations import NotFinite, checks

# Line 1 of each program is empty.
CASES = {
    "a branch that is not chosen": NotFinite(
        """
        x = tf.Variable([1.0, 0.0, 2.0])
        with tf.GradientTape() as tape:
            logs = tf.math.log(x)
            safe = tf.where(x > 0.0, logs, 0.0)
            y = tf.reduce_sum(safe)
        tape.gradient(y, x)
        """,
        "where-nan-branch",
        [
            (4, "tf.math.log(x)", "not finite here"),
            (5, "tf.where(x > 0.0, logs, 0.0)", "hidden here"),
            (7, "tape.gradient(y, x)", "asked here"),
        ],
        {"x": "float32 (3,)"},
        [
            "tf.where hides an invalid value of tf.math.log at 1 of 3 elements, the first at [1]",
            "tf.math.log(tf.where(x > 0.0, x, 1.0))",
        ],
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)


def test_the_help_writes_where_as_the_program_does():
    def energy(x):
        return np.sum(np.where(x > 0.0, np.log(x), 0.0))

    with tf.tracing() as trace:
        tf.grad(energy)(np.array([1.0, 0.0]))
    assert "np.log(np.where(x > 0.0, x, 1.0))" in trace.findings[0].help
