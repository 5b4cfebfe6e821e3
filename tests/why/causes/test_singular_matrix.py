"""The explanation of `singular-matrix`."""

import pytest

from tests.support.explanations import NotFinite, checks

# Line 1 of each program is empty.
CASES = {
    "a matrix without an inverse": NotFinite(
        """
        k = tf.Variable([[1.0, 1.0], [1.0, 1.0]])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.linalg.cholesky(k))
        tape.gradient(y, k)
        """,
        "singular-matrix",
        [(4, "tf.linalg.cholesky(k)", "born here"), (5, "tape.gradient(y, k)", "asked here")],
        {"k": "float32 (2, 2)"},
        ["the matrix `k` given to tf.linalg.cholesky is singular: its smallest eigenvalue is 0"],
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)
