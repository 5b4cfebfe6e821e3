"""The explanation of `degenerate-eigenvectors`."""

import pytest

from tests.support.explanations import WrongValue, checks

# Line 1 of each program is empty.
CASES = {
    "repeated eigenvalues": WrongValue(
        """
        a = tf.Variable([[2.0, 0.0], [0.0, 2.0]])
        with tf.GradientTape() as tape:
            e, v = tf.linalg.eigh(a)
            y = tf.reduce_sum(v * [[1.0, 2.0], [3.0, 4.0]])
        tape.gradient(y, a)
        """,
        "degenerate-eigenvectors",
        [(4, "tf.linalg.eigh(a)", "decomposed here"), (6, "tape.gradient(y, a)", "asked here")],
        {"a": "float32 (2, 2)"},
        ["`a` has repeated eigenvalues"],
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)
