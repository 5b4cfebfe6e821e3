"""The explanation of `singular-matrix`."""

import contextlib

import pytest

import whygrad as tf
from tests.support.explanations import NotFinite, checks
from tests.support.programs import raised

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


@pytest.mark.parametrize(
    ("op", "sentence"),
    [
        ("np.linalg.cholesky(K)", "`K` is singular: its smallest eigenvalue is 0 up to rounding"),
        ("np.linalg.inv(K)", "`K` is singular: its rank is 1, not 3"),
        ("np.linalg.solve(K, np.ones(3))", "`K` is singular: its rank is 1, not 3"),
    ],
)
def test_an_error_of_numpys_linalg(op, sentence, tmp_path):
    program = f"""
        import numpy as np

        def total(p):
            K = p * np.ones((3, 3))
            return np.sum({op})

        tf.grad(total)(2.0)
        """
    (cause,) = raised(program, tmp_path)
    assert (cause.kind, cause.sentence) == ("singular-matrix", sentence)
    assert "K + 1e-6 * np.eye(3, dtype=np.float64)" in cause.help


@pytest.mark.parametrize("is_traced", [False, True])
def test_a_decomposition_of_a_matrix_that_is_not_finite(is_traced, tmp_path):
    program = """
        masses = tf.Variable([1.0, 0.0])
        with tf.GradientTape() as tape:
            root = tf.linalg.diag(tf.math.rsqrt(masses))
            modes = tf.linalg.eigvalsh(root @ tf.ones((2, 2)) @ root)
        """
    with tf.tracing() if is_traced else contextlib.nullcontext():
        (cause,) = raised(program, tmp_path)
    assert cause.kind == "not-finite-here"
    assert "is not finite at 3 of 4 elements" in cause.sentence
    assert cause.site.text == (
        "tf.math.rsqrt(masses)" if is_traced else "tf.linalg.eigvalsh(root @ tf.ones((2, 2)) @ root)"
    )
