"""Where a rule gives inf or nan, or raises, the forward op's line is named, its operand, and a form that is safe: it is applied here."""

import numpy as np
import pytest

from tests.support.programs import raised, traced

PROGRAM = """
x = tf.Variable({value})
{before}
with tf.GradientTape() as tape:
    loss = {loss}
g = tape.gradient(loss, x)
"""

# The target, the values of the source, the kind, what is written there, and what the help says to write instead.
CASES = {
    "a singular determinant": ("tf.linalg.det(x)", "[[1.0, 2.0], [2.0, 4.0]]", "singular-matrix", "x", "x + 1e-5 * tf.eye(2)"),
    "a determinant in float64": (
        "tf.linalg.det(x)",
        "np.zeros((3, 3))",
        "singular-matrix",
        "x",
        "x + 1e-6 * tf.eye(3, dtype=tf.float64)",
    ),
    "a log determinant": (
        "tf.linalg.slogdet(x)[1]",
        "[[1.0, 1.0], [1.0, 1.0]]",
        "singular-matrix",
        "x",
        "x + 1e-5 * tf.eye(2)",
    ),
    "an inverse": (
        "tf.reduce_sum(tf.linalg.inv(tf.transpose(x) @ x))",
        "[[1.0, 1.0], [1.0, 1.0]]",
        "singular-matrix",
        "tf.transpose(x) @ x",
        "(tf.transpose(x) @ x) + 1e-5 * tf.eye(2)",
    ),
    "a system of equations": (
        "tf.reduce_sum(tf.linalg.solve(x, tf.ones((2, 1))))",
        "[[1.0, 2.0], [2.0, 4.0]]",
        "singular-matrix",
        "x",
        "x + 1e-5 * tf.eye(2)",
    ),
    "a Cholesky factor": (
        "tf.reduce_sum(tf.linalg.cholesky(x))",
        "[[100.0, 100.0], [100.0, 100.0]]",
        "singular-matrix",
        "x",
        "x + 1e-3 * tf.eye(2)",
    ),
    "a power of 0": ("tf.reduce_sum(tf.pow(x, 0.3))", "[0.0, 1.0]", "infinite-slope", "tf.pow(x, 0.3)", "tf.pow(x + 1e-6, 0.3)"),
    "the power 0 of 0": ("tf.reduce_sum(x ** p)", "[0.0, 1.0]", "infinite-slope", "x ** p", "(x + 1e-12) ** p"),
    "a norm of another order": (
        "tf.norm(x, ord=3)",
        "[0.0, 0.0]",
        "infinite-slope",
        "tf.norm(x, ord=3)",
        "(tf.reduce_sum(tf.abs(x) ** 3) + 1e-12) ** (1 / 3)",
    ),
    "norms of rows": (
        "tf.reduce_sum(tf.norm(x, axis=1))",
        "[[0.0, 0.0], [1.0, 1.0]]",
        "infinite-slope",
        "tf.norm(x, axis=1)",
        "tf.sqrt(tf.reduce_sum(tf.square(x), axis=1) + 1e-12)",
    ),
    "a standard deviation": (
        "tf.reduce_sum(tf.math.reduce_std(x, axis=0))",
        "[[1.0, 2.0], [1.0, 3.0]]",
        "infinite-slope",
        "tf.math.reduce_std(x, axis=0)",
        "tf.sqrt(tf.math.reduce_variance(x, axis=0) + 1e-12)",
    ),
    "a reciprocal root": (
        "tf.reduce_sum(tf.math.rsqrt(x))",
        "[0.0, 1.0]",
        "division-by-zero",
        "tf.math.rsqrt(x)",
        "tf.math.rsqrt(x + 1e-12)",
    ),
    "a reciprocal": (
        "tf.reduce_sum(tf.math.reciprocal(x))",
        "[0.0, 1.0]",
        "division-by-zero",
        "tf.math.reciprocal(x)",
        "tf.math.reciprocal_no_nan(x)",
    ),
    "a quotient": ("tf.reduce_sum(p / x)", "[0.0, 1.0]", "zero-divided-by-zero", "p / x", "tf.math.divide_no_nan(p, x)"),
    "a cosine similarity": (
        "tf.reduce_sum(x * p) / (tf.norm(x) * tf.norm(p + 1.0))",
        "[0.0, 0.0]",
        "zero-divided-by-zero",
        "tf.norm(x)",
        "tf.sqrt(tf.reduce_sum(tf.square(x)) + 1e-12)",
    ),
    "a normalisation": (
        "tf.reduce_sum(p * tf.math.l2_normalize(x, epsilon=0.0))",
        "[0.0, 0.0]",
        "zero-divided-by-zero",
        "tf.math.l2_normalize(x, epsilon=0.0)",
        "tf.math.l2_normalize(x, epsilon=1e-12)",
    ),
    "an angle": (
        "tf.reduce_sum(tf.atan2(x, p))",
        "[0.0, 1.0]",
        "zero-divided-by-zero",
        "tf.atan2(x, p)",
        "tf.atan2(x, tf.where((x == 0) & (p == 0), tf.ones_like(p), p))",
    ),
    "an angle of a complex number": (
        "tf.reduce_sum(tf.math.angle(tf.complex(x, x)))",
        "[0.0, 1.0]",
        "zero-divided-by-zero",
        "tf.math.angle(tf.complex(x, x))",
        "tf.math.angle(tf.where(tf.complex(x, x) == 0, tf.ones_like(tf.complex(x, x)), tf.complex(x, x)))",
    ),
    "an arc cosine": (
        "tf.reduce_sum(tf.acos(x))",
        "[1.0, 0.5]",
        "infinite-slope",
        "x",
        "x * (1 - 1e-6)",
    ),
    "a gamma function": (
        "tf.reduce_sum(tf.math.lgamma(x))",
        "[0.0, 0.5]",
        "outside-domain",
        "x",
        "tf.maximum(x, 1e-6)",
    ),
    "an incomplete gamma function": (
        "tf.reduce_sum(tf.math.igamma(0.5, x))",
        "[0.0, 0.5]",
        "infinite-slope",
        "x",
        "tf.maximum(x, 1e-6)",
    ),
    "the full factors of a tall matrix": (
        "tf.reduce_sum(tf.linalg.qr(x, full_matrices=True)[0])",
        "[[1.0, 1.0], [1.0, 2.0], [1.0, 4.0]]",
        "op-without-gradient",
        "full_matrices=True",
        "full_matrices=False",
    ),
}  # fmt: skip


def _findings(loss, value, folder):
    program = PROGRAM.format(loss=loss, value=value, before="p = tf.constant([0.0, 2.0])")
    return traced(program, folder, np=np) if _runs(program, folder) else raised(program, folder, np=np)


def _runs(program, folder):
    try:
        traced(program, folder, np=np)
    except Exception:
        return False
    return True


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_the_forward_op_is_named_and_the_help_repairs_it(case, tmp_path):
    loss, value, kind, written, instead = case
    cause = _findings(loss, value, tmp_path)[0]
    assert (cause.kind, cause.site.line) == (kind, 5)
    assert instead in cause.help
    assert "look at the values" not in cause.help
    changed = loss.replace(f"({written})", f"({instead})") if f"({written})" in loss else loss.replace(written, instead)
    assert changed != loss
    assert _findings(changed, value, tmp_path) == []


@pytest.mark.parametrize(
    ("loss", "value", "says"),
    [
        ("tf.linalg.det(x)", "[[1.0, 2.0], [2.0, 4.0]]", "the gradient of tf.linalg.det needs the inverse of `x`"),
        ("tf.linalg.det(x)", "[[1.0, 2.0], [2.0, 4.0]]", "which is singular: its rank is 1, not 2"),
        ("tf.reduce_sum(tf.linalg.cholesky(x))", "[[1.0, 2.0], [2.0, 1.0]]", "its smallest eigenvalue is -1"),
        ("tf.math.reduce_std(x)", "[3.0, 3.0]", "tf.math.reduce_std is exactly 0"),
        ("tf.reduce_sum(x ** p)", "[0.0, 1.0]", "its slope is 0 * 0 ** -1, which is nan"),
        ("tf.reduce_sum(tf.math.igamma(0.5, x))", "[0.0, 1.0]", "at the end of its domain (`x` is 0)"),
        (
            "tf.reduce_sum(tf.linalg.lstsq(x, tf.ones((3, 1))))",
            "np.ones((3, 2), np.float32)",
            "the matrix inside of tf.linalg.lstsq",
        ),
        ("tf.reduce_sum(tf.nn.log_softmax(x + float('-inf') * p) * p)", "[1.0, 2.0]", "inf"),
    ],
)
def test_the_operand_is_named_in_the_words_of_its_op(loss, value, says, tmp_path):
    assert says in _findings(loss, value, tmp_path)[0].sentence


def test_a_matrix_far_from_positive_definite_is_not_mended_by_a_small_number(tmp_path):
    (cause,) = _findings("tf.reduce_sum(tf.linalg.cholesky(x))", "[[1.0, 2.0], [2.0, 1.0]]", tmp_path)
    assert "1e-" not in cause.help
    assert "tf.matmul(a, a, transpose_b=True)" in cause.help
