"""The explanation of `singular-matrix`."""

import pytest

from tests.why.cases import NotFinite

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
        ["the matrix `k` given to tf.linalg.cholesky is singular or not positive definite"],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_explanation(name, tmp_path):
    CASES[name].check(tmp_path)
