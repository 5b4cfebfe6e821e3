"""The explanation of `diverged`."""

import pytest

from tests.support.explanations import NotFinite, checks

# Line 1 of each program is empty.
CASES = {
    "a learning rate that is too large": NotFinite(
        """
        x = tf.Variable(1.0)
        for step in range(300):
            with tf.GradientTape() as tape:
                loss = x ** 2
            x.assign_sub(3.0 * tape.gradient(loss, x))
        """,
        "diverged",
        [(5, "x ** 2", "born here"), (6, "tape.gradient(loss, x)", "asked here")],
        {"x": "float32 ()", "2": "float32 ()"},
        ["`x ** 2` leaves the range of float32 (3.4e+38)", "lower the learning rate", "tf.clip_by_global_norm"],
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)
