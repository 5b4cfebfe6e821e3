"""Rows for `whygrad.ops.linalg_*` and `whygrad.ops.clipping`."""

import numpy as np

from tests.support.cases import BadInput, Case, anything, positive


def definite(tf, x):
    """A positive definite matrix made of any square one."""
    size = x.shape[-1]
    return tf.matmul(x, x, adjoint_b=True) + tf.eye(size, dtype=x.dtype) * size


def self_adjoint(tf, x):
    return 0.5 * (x + tf.linalg.adjoint(x))


def regular(tf, x):
    """A matrix far from singular made of any square one."""
    return x + tf.eye(x.shape[-1], dtype=x.dtype) * 6


def spread(tf, x):
    """A matrix whose eigenvalues lie apart and have a fixed order."""
    return 0.2 * x + tf.linalg.diag(tf.cast(tf.range(x.shape[-1]) * 3, x.dtype))


def _rebuilt(tf, values, vectors):
    """The matrix that has these eigenvalues and eigenvectors."""
    return tf.matmul(vectors * tf.cast(values, vectors.dtype), vectors, adjoint_b=True)


def same_up_to_sign(tf, v):
    """Vectors, in the columns of v, in a form in which sign and phase do not show: their products with themselves."""
    return weighted(tf, tf.einsum("...ik,...jk->...kij", v, tf.math.conj(v)))


def weighted(tf, x):
    """Each element with a weight of its own: sums of eigenvalues and of projections have gradients that say little."""
    size = int(np.prod(x.shape))
    return x * tf.constant(np.cos(np.arange(size)).reshape(x.shape), x.dtype)


PRODUCTS = [
    Case("matmul", lambda tf, a, b: tf.matmul(a, b), (anything(2, 3), anything(3, 4)), complex=True),
    Case("matmul operator", lambda tf, a, b: a @ b, (anything(2, 3), anything(3, 1))),
    Case(
        "matmul half",
        lambda tf, a, b: a @ b,
        (anything(3, 40), anything(40, 2)),
        dtypes=("float16", "bfloat16"),
        order=1,
    ),
    Case("matmul batch", lambda tf, a, b: a @ b, (anything(2, 2, 3), anything(2, 3, 2)), complex=True),
    Case("matmul batch with one matrix", lambda tf, a, b: a @ b, (anything(2, 3, 2, 3), anything(3, 2)), complex=True),
    Case("matmul matrix with batch", lambda tf, a, b: a @ b, (anything(2, 3), anything(4, 3, 2))),
    Case(
        "matmul broadcasting batches", lambda tf, a, b: a @ b, (anything(3, 1, 2, 2), anything(4, 2, 1)), complex=True
    ),
    Case(
        "matmul transposed",
        lambda tf, a, b: tf.linalg.matmul(a, b, transpose_a=True, transpose_b=True),
        (anything(3, 2), anything(4, 3)),
        complex=True,
    ),
    Case(
        "matmul transposed first", lambda tf, a, b: tf.matmul(a, b, transpose_a=True), (anything(3, 2), anything(3, 4))
    ),
    Case(
        "matmul batch with one transposed matrix",
        lambda tf, a, b: tf.matmul(a, b, transpose_b=True),
        (anything(2, 3, 2, 3), anything(4, 3)),
    ),
    Case(
        "matmul transposed batch with one matrix",
        lambda tf, a, b: tf.matmul(a, b, transpose_a=True),
        (anything(2, 3, 2), anything(3, 4)),
    ),
    Case(
        "matmul transposed broadcasting batches",
        lambda tf, a, b: tf.matmul(a, b, transpose_b=True),
        (anything(3, 1, 2, 2), anything(4, 1, 2)),
    ),
    Case(
        "matmul adjoint",
        lambda tf, a, b: tf.matmul(a, b, adjoint_a=True, adjoint_b=True),
        (anything(2, 3, 2), anything(2, 4, 3)),
        complex=True,
    ),
    Case("matmul empty rows", lambda tf, a, b: a @ b, (anything(0, 3), anything(3, 2))),
    Case("matmul empty sum", lambda tf, a, b: a @ b, (anything(2, 0), anything(0, 2))),
    Case("matmul empty batch", lambda tf, a, b: a @ b, (anything(0, 2, 3), anything(3, 2))),
    Case(
        "matmul of ints",
        lambda tf: [tf.matmul(tf.constant([[1, 2]], t), tf.constant([[3], [4]], t)) for t in ("int32", "int64")],
        (),
        order=0,
    ),
    Case("matvec", lambda tf, a, b: tf.linalg.matvec(a, b), (anything(2, 3), anything(3)), complex=True),
    Case("matvec batch", lambda tf, a, b: tf.linalg.matvec(a, b, transpose_a=True), (anything(2, 3, 4), anything(3))),
    Case("matrix_transpose", lambda tf, x: tf.linalg.matrix_transpose(x), (anything(2, 3, 4),), complex=True),
    Case("adjoint", lambda tf, x: tf.linalg.adjoint(x), (anything(2, 3),), complex=True),
    Case("tensordot 1", lambda tf, a, b: tf.tensordot(a, b, 1), (anything(2, 3), anything(3, 4)), complex=True),
    Case("tensordot 0", lambda tf, a, b: tf.tensordot(a, b, 0), (anything(2, 3), anything(2)), complex=True),
    Case("tensordot all", lambda tf, a, b: tf.tensordot(a, b, 2), (anything(2, 3), anything(2, 3))),
    Case(
        "tensordot axes",
        lambda tf, a, b: tf.tensordot(a, b, [[-1, 0], [1, 2]]),
        (anything(2, 3, 4), anything(5, 4, 2)),
        complex=True,
    ),
    Case("tensordot axis numbers", lambda tf, a, b: tf.tensordot(a, b, (0, 1)), (anything(2, 3), anything(3, 2))),
    Case(
        "tensordot tensor axes",
        lambda tf, a, b: tf.tensordot(a, b, tf.constant([[0], [1]])),
        (anything(2), anything(3, 2)),
    ),
    Case("tensordot empty", lambda tf, a, b: tf.tensordot(a, b, 1), (anything(2, 0), anything(0, 3))),
    Case(
        "einsum matmul", lambda tf, a, b: tf.einsum("ij,jk->ik", a, b), (anything(2, 3), anything(3, 4)), complex=True
    ),
    Case("einsum implicit", lambda tf, a, b: tf.einsum("ij,jB", a, b), (anything(2, 3), anything(3, 4))),
    Case(
        "einsum batch",
        lambda tf, a, b: tf.einsum("bhqd,bhkd->bhqk", a, b),
        (anything(2, 2, 3, 2), anything(2, 2, 2, 2)),
        complex=True,
    ),
    Case("einsum elementwise", lambda tf, a, b: tf.einsum("ij,ji->ij", a, b), (anything(2, 3), anything(3, 2))),
    Case("einsum outer", lambda tf, a, b: tf.einsum("i,j->ji", a, b), (anything(2), anything(3))),
    Case(
        "einsum sums", lambda tf, a, b: tf.einsum("ijk,jl->l", a, b), (anything(2, 3, 2), anything(3, 4)), complex=True
    ),
    Case("einsum transpose", lambda tf, x: tf.einsum("ijk->kij", x), (anything(2, 3, 4),), complex=True),
    Case("einsum sum", lambda tf, x: tf.einsum("ijk->k", x), (anything(2, 3, 4),), complex=True),
    Case("einsum trace", lambda tf, x: tf.einsum("ii", x), (anything(3, 3),), complex=True),
    Case("einsum diagonal", lambda tf, x: tf.einsum("iij->ji", x), (anything(3, 3, 2),), complex=True),
    Case(
        "einsum diagonal product", lambda tf, a, b: tf.einsum("iij,jk->ik", a, b), (anything(2, 2, 3), anything(3, 2))
    ),
    Case(
        "einsum ellipsis",
        lambda tf, a, b: tf.einsum("...ij,...jk->...ik", a, b),
        (anything(4, 2, 3), anything(3, 2)),
        complex=True,
    ),
    Case(
        "einsum ellipsis broadcast",
        lambda tf, a, b: tf.einsum("i...,j...->...ij", a, b),
        (anything(2, 1, 3), anything(3, 2, 1)),
    ),
    Case("einsum implicit ellipsis", lambda tf, a, b: tf.einsum("k...,ji", a, b), (anything(2, 3), anything(2, 2))),
    Case("einsum ellipsis alone", lambda tf, x: tf.einsum("i...j->j...", x), (anything(2, 3, 4),)),
    Case(
        "einsum three",
        lambda tf, a, b, c: tf.einsum("ij,jk,kl->il", a, b, c),
        (anything(2, 3), anything(3, 4), anything(4, 2)),
    ),
    Case(
        "einsum four",
        lambda tf, a, b: tf.einsum("a,b,c,d->", a, a, b, b, optimize="optimal"),
        (anything(2), anything(3)),
    ),
    Case("einsum scalars", lambda tf, a, b: tf.einsum(",i->i", a, b), (anything(), anything(3))),
    Case("einsum empty", lambda tf, a, b: tf.einsum("ij,jk->ki", a, b), (anything(2, 0), anything(0, 3))),
    Case(
        "einsum half",
        lambda tf, a, b: tf.einsum("ijk,jk->i", a, b),
        (anything(2, 3, 4), anything(3, 4)),
        dtypes=("float16", "bfloat16"),
        order=1,
    ),
    Case("cross", lambda tf, a, b: tf.linalg.cross(a, b), (anything(2, 3), anything(2, 3))),
    Case("cross empty", lambda tf, a, b: tf.linalg.cross(a, b), (anything(0, 3), anything(0, 3))),
]

DIAGONALS = [
    Case("diag", lambda tf, x: tf.linalg.diag(x), (anything(2, 3),), complex=True),
    Case("diag k", lambda tf, x: tf.linalg.diag(x, k=-2), (anything(3),)),
    Case("diag sizes", lambda tf, x: tf.linalg.diag(x, k=1, num_rows=3, num_cols=5, padding_value=7), (anything(3),)),
    Case("diag rows", lambda tf, x: tf.linalg.diag(x, k=(0, 1), num_rows=3), (anything(2, 3),)),
    Case("diag band", lambda tf, x: tf.linalg.diag(x, k=(-1, 1)), (anything(2, 3, 4),), complex=True),
    *[
        Case(
            f"diag band {align}",
            lambda tf, x, a=align: tf.linalg.diag(x, k=(-2, 1), align=a, num_cols=3),
            (anything(4, 3),),
        )
        for align in ("LEFT_RIGHT", "RIGHT_LEFT", "LEFT_LEFT", "RIGHT_RIGHT")
    ],
    Case("diag empty", lambda tf, x: tf.linalg.diag(x), (anything(2, 0),)),
    Case("diag of bools", lambda tf: tf.linalg.diag([True, False], padding_value=True), (), order=0),
    Case(
        "diag_part of bools",
        lambda tf: tf.linalg.diag_part([[True], [False]], k=(-1, 0), padding_value=True),
        (),
        order=0,
    ),
    Case("diag of ints", lambda tf: tf.linalg.diag([1, 2, 3], k=1, padding_value=9), (), order=0),
    Case("diag_part", lambda tf, x: tf.linalg.diag_part(x), (anything(2, 3, 4),), complex=True),
    Case("diag_part k", lambda tf, x: [tf.linalg.diag_part(x, k=k) for k in (-2, -1, 1, 3)], (anything(3, 4),)),
    *[
        Case(
            f"diag_part {align}",
            lambda tf, x, a=align: tf.linalg.diag_part(x, k=(-2, 3), align=a, padding_value=5),
            (anything(3, 4),),
        )
        for align in ("LEFT_RIGHT", "RIGHT_LEFT", "LEFT_LEFT", "RIGHT_RIGHT")
    ],
    Case("diag_part above", lambda tf, x: tf.linalg.diag_part(x, k=(1, 2)), (anything(2, 3, 4),)),
    Case("diag_part empty", lambda tf, x: tf.linalg.diag_part(x), (anything(0, 3),)),
    Case("set_diag", lambda tf, x, d: tf.linalg.set_diag(x, d), (anything(2, 3, 4), anything(2, 3)), complex=True),
    Case("set_diag k", lambda tf, x, d: tf.linalg.set_diag(x, d, k=-1), (anything(3, 4), anything(2))),
    Case(
        "set_diag band",
        lambda tf, x, d: tf.linalg.set_diag(x, d, k=(-1, 1), align="LEFT_RIGHT"),
        (anything(3, 4), anything(3, 3)),
    ),
    Case("tensor_diag", lambda tf, x: tf.linalg.tensor_diag(x), (anything(2, 3),), complex=True),
    Case("tensor_diag_part", lambda tf, x: tf.linalg.tensor_diag_part(x), (anything(2, 3, 2, 3),), complex=True),
    Case("band_part", lambda tf, x: tf.linalg.band_part(x, 1, 0), (anything(2, 3, 4),), complex=True),
    Case(
        "band_part triangles",
        lambda tf, x: [tf.linalg.band_part(x, -1, 0), tf.linalg.band_part(x, 0, -1)],
        (anything(3, 4),),
    ),
    Case("band_part empty", lambda tf, x: tf.linalg.band_part(x, 0, 0), (anything(0, 3),)),
    Case("trace", lambda tf, x: tf.linalg.trace(x), (anything(2, 3, 4),), complex=True),
    Case("trace of ints", lambda tf: tf.linalg.trace([[1, 2], [3, 4]]), (), order=0),
]

SOLVERS = [
    Case("inv", lambda tf, x: tf.linalg.inv(regular(tf, x)), (anything(2, 3, 3),), complex=True),
    Case("inv adjoint", lambda tf, x: tf.linalg.inv(regular(tf, x), adjoint=True), (anything(3, 3),), complex=True),
    Case("inv empty", lambda tf, x: tf.linalg.inv(x), (anything(2, 0, 0),)),
    Case("inv half", lambda tf, x: tf.linalg.inv(regular(tf, x)), (anything(2, 2),), dtypes=("float16",), order=1),
    Case(
        "solve",
        lambda tf, a, b: tf.linalg.solve(regular(tf, a), b),
        (anything(2, 3, 3), anything(2, 3, 2)),
        complex=True,
    ),
    Case(
        "solve adjoint",
        lambda tf, a, b: tf.linalg.solve(regular(tf, a), b, adjoint=True),
        (anything(3, 3), anything(3, 1)),
        complex=True,
    ),
    Case("solve empty", lambda tf, a, b: tf.linalg.solve(a, b), (anything(0, 0), anything(0, 2))),
    *[
        Case(
            f"triangular_solve {lower} {adjoint}",
            lambda tf, a, b, lower=lower, adjoint=adjoint: tf.linalg.triangular_solve(
                regular(tf, a), b, lower=lower, adjoint=adjoint
            ),
            (anything(3, 3), anything(3, 2)),
            complex=True,
        )
        for lower in (True, False)
        for adjoint in (True, False)
    ],
    Case(
        "triangular_solve broadcast",
        lambda tf, a, b: tf.linalg.triangular_solve(regular(tf, a), b),
        (anything(2, 1, 2, 2), anything(3, 2, 1)),
    ),
    Case("triangular_solve empty", lambda tf, a, b: tf.linalg.triangular_solve(a, b), (anything(0, 0), anything(0, 2))),
    Case(
        "triangular_solve singular",
        lambda tf, a, b: tf.linalg.triangular_solve(a, b),
        (np.zeros((2, 2)), np.ones((2, 1))),
        order=0,
    ),
    Case(
        "cholesky_solve",
        lambda tf, a, b: tf.linalg.cholesky_solve(regular(tf, a), b),
        (anything(3, 3), anything(3, 2)),
        complex=True,
    ),
    Case(
        "banded_triangular_solve",
        lambda tf, a, b: tf.linalg.banded_triangular_solve(a, b),
        (positive(2, 3, 4), anything(2, 4, 2)),
        complex=True,
    ),
    Case(
        "banded_triangular_solve upper",
        lambda tf, a, b: tf.linalg.banded_triangular_solve(a, b, lower=False, adjoint=True),
        (positive(2, 4), anything(4, 1)),
        complex=True,
    ),
    Case(
        "banded_triangular_solve diagonal",
        lambda tf, a, b: tf.linalg.banded_triangular_solve(a, b),
        (positive(1, 3), anything(3, 1)),
        tensorflow=False,  # gives a (3,) gradient for bands of shape (1, 3)
    ),
    Case(
        "tridiagonal_solve",
        lambda tf, d, b: tf.linalg.tridiagonal_solve(d + [[0], [6], [0]], b),
        (anything(2, 3, 4), anything(2, 4, 2)),
    ),
    Case(
        "tridiagonal_solve complex",
        lambda tf, d, b: tf.linalg.tridiagonal_solve(d + [[0], [6], [0]], b),
        (anything(2, 3, 4), anything(2, 4, 2)),
        complex=True,
        tensorflow=False,  # its gradient for complex diagonals lacks a conjugate: finite differences do not agree
    ),
    Case(
        "tridiagonal_solve vector",
        lambda tf, d, b: tf.linalg.tridiagonal_solve(d + [[0], [6], [0]], b),
        (anything(3, 4), anything(4)),
    ),
    Case(
        "tridiagonal_solve sequence",
        lambda tf, u, m, b: tf.linalg.tridiagonal_solve([u, m + 6, u], b, diagonals_format="sequence"),
        (anything(3), anything(4), anything(4, 2)),
    ),
    Case(
        "tridiagonal_solve matrix",
        lambda tf, a, b: tf.linalg.tridiagonal_solve(
            regular(tf, a), b, "matrix", transpose_rhs=True, conjugate_rhs=True
        ),
        (anything(3, 3), anything(2, 3)),
    ),
    Case(
        "tridiagonal_solve perturbed",
        lambda tf, d, b: tf.linalg.tridiagonal_solve(d, b, perturb_singular=True),
        (anything(2, 3, 4), anything(2, 4, 2)),
    ),
    *[
        # Zero pivots: in the first and last row, after an exchange of rows, and in a matrix of one element.
        Case(
            f"tridiagonal_solve of a singular matrix {i}",
            lambda tf, d, b: tf.linalg.tridiagonal_solve(d, b, perturb_singular=True),
            (np.array(diagonals), np.arange(1.0, len(diagonals[0]) + 1)[:, None]),
            order=0,
            complex=True,
            second=False,  # numbers of the size of 1 / eps in TensorFlow's own float32 arithmetic
        )
        for i, diagonals in enumerate(
            [
                [[0.0, 0.0, 0.0], [0.0, 1.0, 2.0], [0.0, 0.0, 0.0]],
                [[1.0, 1.0, 0.0], [0.0, 0.0, 0.0], [0.0, 1.0, 1.0]],
                [[1.0, 2.0, 0.0, 9.0], [1.0, 3.0, 0.0, 0.0], [9.0, 1.0, 1.0, 0.0]],
                [[0.0], [0.0], [0.0]],
            ]
        )
    ],
    Case("tridiagonal_solve one", lambda tf, d, b: tf.linalg.tridiagonal_solve(d, b), (positive(3, 1), anything(1))),
    Case(
        "tridiagonal_matmul",
        lambda tf, d, b: tf.linalg.tridiagonal_matmul(d, b),
        (anything(2, 3, 4), anything(2, 4, 2)),
        complex=True,
    ),
    Case(
        "tridiagonal_matmul sequence",
        lambda tf, u, b: tf.linalg.tridiagonal_matmul([u, u, u], b, "sequence"),
        (anything(3), anything(3, 2)),
    ),
    Case(
        "tridiagonal_matmul matrix",
        lambda tf, a, b: tf.linalg.tridiagonal_matmul(a, b, "matrix"),
        (anything(3, 3), anything(3, 2)),
    ),
    Case("lstsq", lambda tf, a, b: tf.linalg.lstsq(a, b), (positive(2, 4, 2), anything(2, 4, 2))),
    Case(
        "lstsq regularised",
        lambda tf, a, b: tf.linalg.lstsq(a, b, l2_regularizer=0.5),
        (anything(4, 2), anything(4, 2)),
    ),
    Case(
        "lstsq wide",
        lambda tf, a, b: tf.linalg.lstsq(a, b, l2_regularizer=0.5),
        (anything(2, 4), anything(2, 1)),
    ),
    Case(
        "lstsq slow",
        lambda tf, a, b: tf.linalg.lstsq(a, b, fast=False),
        (anything(4, 2), anything(4, 1)),
        tensorflow=False,
    ),
    Case("pinv", lambda tf, x: tf.linalg.pinv(x), (anything(2, 4, 2),)),
    Case("pinv wide", lambda tf, x: tf.linalg.pinv(x), (anything(2, 3),)),
    Case("pinv of low rank", lambda tf, x: tf.linalg.pinv(x, rcond=0.1), (np.ones((2, 3)),), order=0),
    Case("pinv empty", lambda tf, x: tf.linalg.pinv(x), (anything(0, 3),), order=0),
]

DECOMPOSITIONS = [
    Case("cholesky", lambda tf, x: tf.linalg.cholesky(definite(tf, x)), (anything(2, 3, 3),), complex=True),
    Case("cholesky empty", lambda tf, x: tf.linalg.cholesky(x), (anything(0, 0),)),
    Case(
        "cholesky reads the lower triangle",
        lambda tf, x: tf.linalg.cholesky(x),
        (np.array([[4.0, 9.0], [2.0, 5.0]]),),
        order=0,
    ),
    Case("qr", lambda tf, x: same_up_to_sign(tf, tf.linalg.qr(x)[0]), (anything(2, 4, 3),), complex=True),
    Case(
        "qr r", lambda tf, x: same_up_to_sign(tf, tf.linalg.adjoint(tf.linalg.qr(x).r)), (anything(3, 3),), complex=True
    ),
    Case(
        "qr wide",
        lambda tf, x: [same_up_to_sign(tf, t) for t in (tf.linalg.qr(x).q, tf.linalg.adjoint(tf.linalg.qr(x).r))],
        (anything(2, 4),),
        complex=True,
    ),
    Case("qr full", lambda tf, x: same_up_to_sign(tf, tf.linalg.qr(x, full_matrices=True)[0]), (anything(2, 3),)),
    Case("qr itself", lambda tf, x: tf.linalg.qr(x), (anything(3, 2),), tensorflow=False, complex=True),
    Case("svd", lambda tf, x: weighted(tf, tf.linalg.svd(x)[0] ** 2), (anything(2, 3, 4),)),
    Case("svd values", lambda tf, x: weighted(tf, tf.linalg.svd(x, compute_uv=False) ** 2), (anything(2, 3, 4),)),
    Case(
        "svd complex",
        lambda tf, x: [tf.linalg.svd(x)[0], tf.linalg.svd(x, compute_uv=False)],
        (anything(3, 2),),
        complex=True,
        tensorflow=False,
    ),
    Case(
        "svd vectors",
        lambda tf, x: [same_up_to_sign(tf, v) for v in tf.linalg.svd(x)[1:]],
        (anything(4, 2),),
    ),
    Case(
        "svd vectors complex",
        lambda tf, x: [same_up_to_sign(tf, v) for v in tf.linalg.svd(x)[1:]],
        (anything(4, 2),),
        complex=True,
        tensorflow=False,
    ),
    Case(
        "svd both vectors",
        lambda tf, x: tf.einsum("ik,jk->kij", *[tf.linalg.svd(x)[1], tf.math.conj(tf.linalg.svd(x)[2])]),
        (anything(2, 3),),
        complex=True,
        tensorflow=False,
    ),
    Case(
        "svd full",
        lambda tf, x: [same_up_to_sign(tf, v) for v in tf.linalg.svd(x, full_matrices=True)[1:]],
        (anything(2, 3),),
    ),
    Case("svd empty", lambda tf, x: tf.linalg.svd(x), (anything(2, 0),), order=0),
    Case(
        "svd of equal values",
        lambda tf, x: same_up_to_sign(tf, tf.linalg.svd(x)[1]),
        (np.eye(3),),
        order=0,
        tensorflow=False,
    ),
    Case(
        "eigh",
        lambda tf, x: weighted(tf, tf.linalg.eigh(self_adjoint(tf, x))[0] ** 2),
        (anything(2, 3, 3),),
        complex=True,
    ),
    Case(
        "eigh vectors",
        lambda tf, x: same_up_to_sign(tf, tf.linalg.eigh(self_adjoint(tf, x))[1]),
        (anything(2, 3, 3),),
        complex=True,
    ),
    Case(
        "eigh reads the lower triangle",
        lambda tf, x: weighted(tf, tf.linalg.eigh(x)[0] ** 2),
        (anything(3, 3),),
        complex=True,
    ),
    Case("eigh of equal values", lambda tf, x: tf.linalg.eigh(x)[0], (np.eye(3),), order=0),
    Case("eigh empty", lambda tf, x: tf.linalg.eigh(x), (anything(0, 0),), order=0),
    Case(
        "eigvalsh",
        lambda tf, x: weighted(tf, tf.linalg.eigvalsh(self_adjoint(tf, x)) ** 2),
        (anything(2, 3, 3),),
        complex=True,
    ),
    Case(
        "eig",
        lambda tf, x: tf.math.real(tf.linalg.eig(spread(tf, x))[0]),
        (anything(2, 3, 3),),
        tensorflow=False,
        complex=True,
    ),
    Case(
        "eig products",
        lambda tf, x: tf.reduce_prod(tf.linalg.eig(spread(tf, x))[0] + 1, axis=-1),
        (anything(2, 3, 3),),
        complex=True,
    ),
    Case(
        "eig vectors",
        lambda tf, x: tf.reduce_sum(same_up_to_sign(tf, tf.linalg.eig(spread(tf, x))[1]), axis=-3),
        (anything(3, 3),),
        complex=True,
    ),
    Case(
        "eigvals",
        lambda tf, x: tf.reduce_prod(tf.linalg.eigvals(spread(tf, x)) + 1, axis=-1),
        (anything(2, 3, 3),),
        complex=True,
    ),
    Case(
        "eigh_tridiagonal",
        # Weighted: the sum of all eigenvalues does not depend on what stands beside the diagonal.
        lambda tf, a, b: tf.linalg.eigh_tridiagonal(a, b) * tf.cast([1.0, 2.0, -1.0, 0.5], a.dtype),
        (anything(4), positive(3)),
        tensorflow=False,
    ),
    Case(
        "eigh_tridiagonal values",
        lambda tf: tf.linalg.eigh_tridiagonal(
            tf.constant([1, 2, 3], tf.float64), tf.constant([0.5, 0.25], tf.float64), select="i", select_range=(1, 2)
        ),
        (),
        order=0,
    ),
    Case(
        "eigh_tridiagonal complex",  # what the vectors make of the matrix does not depend on their phases
        lambda tf: _rebuilt(
            tf,
            *tf.linalg.eigh_tridiagonal(
                tf.constant([1, 3, 6], tf.complex128),
                tf.constant([0.5 + 1j, 1.5 - 2j], tf.complex128),
                eigvals_only=False,
            ),
        ),
        (),
        order=0,
    ),
    Case(
        "eigh_tridiagonal vectors",
        lambda tf, a, b: same_up_to_sign(tf, tf.linalg.eigh_tridiagonal(a, b, eigvals_only=False)[1]),
        (anything(4), positive(3)),
        tensorflow=False,
    ),
    Case("lu", lambda tf, x: tf.linalg.lu(regular(tf, x)).lu, (anything(2, 3, 3),), complex=True, tensorflow=False),
    Case(
        "lu exchanged",
        lambda tf, x: tf.linalg.lu(tf.reverse(regular(tf, x), [-1])),
        (anything(3, 3),),
        complex=True,
        tensorflow=False,
    ),
    Case("lu values", lambda tf: tf.linalg.lu([[1.0, 2.0], [3.0, 4.0]], output_idx_type=tf.int64), (), order=0),
    Case("lu_reconstruct", lambda tf, x: tf.linalg.lu_reconstruct(x, [2, 0, 1]), (anything(3, 3),), complex=True),
    Case(
        "lu_solve",
        lambda tf, a, b: tf.linalg.lu_solve(regular(tf, a), [2, 0, 1], b),
        (anything(3, 3), anything(3, 2)),
        complex=True,
    ),
    Case(
        "lu_matrix_inverse",
        lambda tf, x: tf.linalg.lu_matrix_inverse(regular(tf, x), [[1, 0], [0, 1]]),
        (anything(2, 2, 2),),
        complex=True,
    ),
    Case("det", lambda tf, x: tf.linalg.det(x), (anything(2, 3, 3),)),
    Case("det empty", lambda tf, x: tf.linalg.det(x), (anything(0, 0),)),
    Case("slogdet", lambda tf, x: tf.linalg.slogdet(x)[1], (anything(2, 3, 3),), complex=True),
    Case("slogdet sign", lambda tf, x: tf.linalg.slogdet(x).sign, (anything(3, 3),), complex=True, tensorflow=False),
    Case("logdet", lambda tf, x: tf.linalg.logdet(definite(tf, x)), (anything(2, 3, 3),), complex=True),
    Case("expm", lambda tf, x: tf.linalg.expm(x), (anything(2, 3, 3),), complex=True),
    Case("expm empty", lambda tf, x: tf.linalg.expm(x), (anything(0, 0),), second=False),
    Case(
        "logm",
        lambda tf, x: tf.linalg.logm(regular(tf, tf.cast(x, tf.complex128))),
        (anything(2, 2, 2),),
        complex=True,
        tensorflow=False,
        dtypes=("float64",),
    ),
    Case("logm values", lambda tf: tf.linalg.logm(tf.constant([[2.0, 1.0], [0.5, 3.0]], tf.complex128)), (), order=0),
    Case("sqrtm", lambda tf, x: tf.linalg.sqrtm(regular(tf, x)), (anything(2, 3, 3),)),
    # TensorFlow's gradients of the complex square root and determinant lack a conjugate: finite differences do not agree.
    Case(
        "sqrtm complex",
        lambda tf, x: tf.linalg.sqrtm(regular(tf, x)),
        (anything(2, 2),),
        complex=True,
        tensorflow=False,
    ),
    Case("det complex", lambda tf, x: tf.linalg.det(x), (anything(3, 3),), complex=True, tensorflow=False),
    Case("sqrtm of a negative", lambda tf: tf.linalg.sqrtm([[-1.0, 0.0], [0.0, -1.0]]), (), order=0),
    Case("matrix_rank", lambda tf, x: tf.linalg.matrix_rank(x), (np.array([[1.0, 2.0], [2.0, 4.0]]),), order=0),
]

NORMS = [
    Case("norm", lambda tf, x: tf.square(tf.norm(x)), (anything(2, 3),), complex=True),
    Case("norm axis", lambda tf, x: tf.square(tf.linalg.norm(x, axis=-1, keepdims=True)), (anything(2, 3),)),
    *[
        Case(
            f"norm {ord}",
            lambda tf, x, ord=ord: tf.square(tf.norm(x, ord=ord, axis=0)),
            (anything(3, 2),),
            complex=True,
        )
        for ord in (1, 2, 3, 0.5, np.inf)
    ],
    *[
        Case(
            f"norm of matrices {ord}",
            lambda tf, x, ord=ord: tf.square(tf.norm(x, ord=ord, axis=(-2, -1))),
            (anything(2, 3, 2),),
            complex=ord in ("fro", 1, np.inf),
        )
        for ord in ("euclidean", "fro", 1, 2, np.inf)
    ],
    Case(
        "norm of matrices kept",
        lambda tf, x: [tf.norm(x, ord=o, axis=[2, 0], keepdims=True) for o in (1, 2, np.inf)],
        (anything(2, 3, 2),),
    ),
    Case("norm at 0", lambda tf, x: tf.norm(x), (np.zeros(3),), order=0),
    Case("norm 1 at 0", lambda tf, x: tf.norm(x, ord=1), (np.zeros(3),), order=0),
    Case("norm empty", lambda tf, x: tf.norm(x, axis=1), (anything(0, 3),)),
    Case("normalize", lambda tf, x: tf.linalg.normalize(x, axis=1), (anything(2, 3),), complex=True),
    Case("normalize 1", lambda tf, x: tf.linalg.normalize(x, ord=1), (anything(2, 3),)),
    Case("l2_normalize", lambda tf, x: tf.math.l2_normalize(x, axis=1), (anything(2, 3),), complex=True),
    Case("l2_normalize at 0", lambda tf, x: tf.nn.l2_normalize(x), (np.zeros(3),), order=0),
    Case("global_norm", lambda tf, a, b: tf.linalg.global_norm([a, None, b]), (anything(2, 3), anything(2))),
    Case("clip_by_norm", lambda tf, x: tf.clip_by_norm(x, 1.0), (anything(2, 3),)),
    Case("clip_by_norm axes", lambda tf, x: tf.clip_by_norm(x, 1.0, axes=1), (anything(2, 3),)),
    Case("clip_by_norm short", lambda tf, x: tf.clip_by_norm(x, 10.0), (anything(3),)),
    Case("clip_by_norm at 0", lambda tf, x: [tf.clip_by_norm(x, c) for c in (1.0, 0.0, -1.0)], (np.zeros(2),), order=0),
    Case("clip_by_norm negative", lambda tf, x: tf.clip_by_norm(x, -1.0), (anything(2),), order=0),
    Case(
        "clip_by_global_norm",
        lambda tf, a, b: [t for t in tf.clip_by_global_norm([a, None, b], 1.0)[0] if t is not None],
        (anything(2, 3), anything(2)),
    ),
    Case("clip_by_global_norm short", lambda tf, a: tf.clip_by_global_norm([a], 100.0)[0], (anything(2, 3),)),
    Case("clip_by_global_norm at 0", lambda tf, a: tf.clip_by_global_norm([a], 1.0)[0], (np.zeros(2),), order=0),
    Case(
        "clip_by_global_norm infinite",
        lambda tf, a: tf.clip_by_global_norm([a], 1.0),
        (np.array([1.0, np.inf]),),
        order=0,
    ),
    Case("clip_by_average_norm", lambda tf, x: tf.clip_by_average_norm(x, 0.1), (anything(2, 3),), tensorflow=False),
]

CASES = [*PRODUCTS, *DIAGONALS, *SOLVERS, *DECOMPOSITIONS, *NORMS]


BAD_PRODUCTS = [
    BadInput("matmul of vectors", lambda tf: tf.matmul(tf.ones(3), tf.ones(3)), "In[0] ndims must be >= 2"),
    BadInput("matmul with a vector", lambda tf: tf.matmul(tf.ones((2, 3)), tf.ones(3)), "In[1] ndims must be >= 2"),
    BadInput(
        "matmul sizes",
        lambda tf: tf.matmul(tf.ones((2, 3)), tf.ones((2, 3))),
        "Matrix size-incompatible: In[0]: [2,3], In[1]: [2,3]",
    ),
    BadInput(
        "matmul batches",
        lambda tf: tf.matmul(tf.ones((5, 2, 3)), tf.ones((4, 3, 3))),
        "In[0] and In[1] must have compatible batch dimensions: [5,2,3] vs. [4,3,3]",
    ),
    BadInput(
        "matmul dtypes",
        lambda tf: tf.matmul(tf.ones((2, 2)), tf.ones((2, 2), tf.float64)),
        "as input #1(zero-based) was expected to be a float tensor but is a double tensor [Op:MatMul]",
    ),
    BadInput(
        "matmul of bool",
        lambda tf: tf.matmul(tf.ones((2, 2), tf.bool), tf.ones((2, 2), tf.bool)),
        "Value for attr 'T' of bool is not in the list of allowed values: bfloat16, half",
    ),
    BadInput(
        "matmul transposed and adjoint",
        lambda tf: tf.matmul(tf.ones((2, 2)), tf.ones((2, 2)), transpose_a=True, adjoint_a=True),
        "Only one of `transpose_a` and `adjoint_a` can be True",
        error=ValueError,
    ),
    BadInput("@ of a vector", lambda tf: tf.ones((2, 3)) @ tf.ones(3), "In[1] ndims must be >= 2"),
    BadInput(
        "@ sizes",
        lambda tf: tf.ones((2, 3)) @ tf.Variable(tf.ones((2, 3))),
        "Matrix size-incompatible: In[0]: [2,3], In[1]: [2,3]",
    ),
    BadInput(
        "@ batches",
        lambda tf: tf.ones((5, 2, 3)) @ tf.ones((4, 3, 3)),
        "In[0] and In[1] must have compatible batch dimensions: [5,2,3] vs. [4,3,3]",
    ),
    BadInput(
        "@ of bool",
        lambda tf: tf.ones((2, 2), tf.bool) @ tf.ones((2, 2), tf.bool),
        "Value for attr 'T' of bool is not in the list of allowed values: bfloat16, half",
    ),
    BadInput("matvec sizes", lambda tf: tf.linalg.matvec(tf.ones((2, 3)), tf.ones(2)), "Matrix size-incompatible"),
    BadInput(
        "matrix_transpose of a vector",
        lambda tf: tf.linalg.matrix_transpose(tf.ones(3)),
        "should be a (batch) matrix with rank >= 2",
        error=ValueError,
    ),
    BadInput(
        "tensordot negative",
        lambda tf: tf.tensordot(tf.ones((2, 3)), tf.ones((3, 2)), -1),
        "`axes` must be at least 0. Received: -1.",
        error=ValueError,
    ),
    BadInput(
        "tensordot too many",
        lambda tf: tf.tensordot(tf.ones((2, 3)), tf.ones((3, 2)), 3),
        "`axes` must not be larger than the number of dimensions of tensor",
        error=ValueError,
    ),
    BadInput(
        "tensordot axes differ",
        lambda tf: tf.tensordot(tf.ones((2, 3)), tf.ones((3, 2)), [[0, 1], [0]]),
        "Different number of contraction axes `a` and `b`, 2 != 1.",
        error=ValueError,
    ),
    BadInput(
        "tensordot three lists",
        lambda tf: tf.tensordot(tf.ones((2, 3)), tf.ones((3, 2)), [[1], [0], [0]]),
        "`axes` must be an integer or have length 2",
        error=ValueError,
    ),
    BadInput(
        "tensordot sizes",
        lambda tf: tf.tensordot(tf.ones((2, 3)), tf.ones((3, 2)), [[0], [0]]),
        "Matrix size-incompatible",
    ),
    BadInput(
        "tensordot axis out of range",
        lambda tf: tf.tensordot(tf.ones((2, 3)), tf.ones((3, 2)), [[7], [0]]),
        "list index out of range",
        error=IndexError,
    ),
    BadInput(
        "einsum format",
        lambda tf: tf.einsum("ij;jk->ik", tf.ones((2, 2)), tf.ones((2, 2))),
        "Subscripts have incorrect format: ij;jk->ik",
        error=ValueError,
    ),
    BadInput(
        "einsum count",
        lambda tf: tf.einsum("ij,jk->ik", tf.ones((2, 2))),
        'Got 1 inputs for equation "ij,jk->ik", expecting 2',
        error=ValueError,
    ),
    BadInput(
        "einsum rank",
        lambda tf: tf.einsum("ijk->i", tf.ones((2, 2))),
        "Expected input 0 to have rank 3 but got: 2",
    ),
    BadInput(
        "einsum rank of three",
        lambda tf: tf.einsum("ij,j,k->i", tf.ones((2, 2)), tf.ones((2, 2)), tf.ones(2)),
        "Number of named labels in input #1 of equation ij,j,k->i must be equal to the number of dimensions in shape [2, 2]",
        error=ValueError,
    ),
    BadInput(
        "einsum ellipsis rank",
        lambda tf: tf.einsum("ijk...->i...", tf.ones((2, 2))),
        "Expected input 0 to have rank at least 3 but got: 2",
    ),
    BadInput(
        "einsum size",
        lambda tf: tf.einsum("ij,jk->ik", tf.ones((2, 3)), tf.ones((2, 3))),
        "Expected dimension 3 at axis 0 of the input shaped [2,3] but got dimension 2",
    ),
    BadInput(
        "einsum label of the result",
        lambda tf: tf.einsum("ij->ik", tf.ones((2, 3))),
        "Output subscripts contain the label k not present in the input subscripts.",
        error=ValueError,
    ),
    BadInput(
        "einsum repeated in the result",
        lambda tf: tf.einsum("i->ii", tf.ones(2)),
        "Output subscripts contain a label appearing more than once: i->ii",
        error=ValueError,
    ),
    BadInput(
        "einsum without ellipsis in the result",
        lambda tf: tf.einsum("ij...->i", tf.ones((2, 3, 4))),
        "Output contains 1 broadcasting dimension(s) but no ellipsis (...) was found in the output subscripts.",
    ),
    BadInput(
        "einsum batches",
        lambda tf: tf.einsum("i...,i...->i...", tf.ones((3, 2)), tf.ones((3, 4))),
        "In[0] and In[1] must have compatible batch dimensions",
    ),
    BadInput(
        "einsum keyword",
        lambda tf: tf.einsum("i->i", tf.ones(2), best=True),
        "Invalid keyword arguments for einsum: best. Valid arguments: name, optimize, greedy.",
        error=TypeError,
    ),
    BadInput(
        "cross shapes",
        lambda tf: tf.linalg.cross(tf.ones((2, 3)), tf.ones(3)),
        "Both inputs must be of same shape",
    ),
    BadInput(
        "cross of pairs",
        lambda tf: tf.linalg.cross(tf.ones(2), tf.ones(2)),
        "Cross-products are only defined for 3-element vectors",
        error="FailedPreconditionError",
    ),
]

BAD_DIAGONALS = [
    BadInput("diag of a number", lambda tf: tf.linalg.diag(1.0), "diagonal must be at least 1-dim, received shape: []"),
    BadInput(
        "diag count",
        lambda tf: tf.linalg.diag(tf.ones((2, 3)), k=(-1, 1)),
        "The number of diagonals provided in the input does not match the lower_diag_index and upper_diag_index range.",
    ),
    BadInput("diag rows", lambda tf: tf.linalg.diag([1, 2, 3], num_rows=2), "The number of rows is too small."),
    BadInput(
        "diag columns",
        lambda tf: tf.linalg.diag([1, 2, 3], k=5, num_rows=3, num_cols=3),
        "The number of columns is too small.",
    ),
    BadInput(
        "diag sizes",
        lambda tf: tf.linalg.diag([1, 2, 3], num_rows=7, num_cols=7),
        "The number of rows or columns is not consistent with the specified d_lower, d_upper, and diagonal.",
    ),
    BadInput(
        "diag order of k",
        lambda tf: tf.linalg.diag([1, 2, 3], k=(1, 0)),
        "lower_diag_index must not be larger than upper_diag_index: 1 > 0",
    ),
    BadInput(
        "diag three k",
        lambda tf: tf.linalg.diag([1, 2], k=[0, 0, 0]),
        "diag_index must have only one or two elements, received 3 elements.",
    ),
    BadInput(
        "diag align",
        lambda tf: tf.linalg.diag([1, 2], align="MIDDLE"),
        "Value for attr 'align' of \"MIDDLE\" is not in the list of allowed values",
    ),
    BadInput(
        "diag padding",
        lambda tf: tf.linalg.diag([1, 2], padding_value=1.5),
        "Cannot convert 1.5 to EagerTensor of dtype int32",
        error=TypeError,
    ),
    BadInput(
        "diag_part of a vector",
        lambda tf: tf.linalg.diag_part(tf.ones(3)),
        "input must be at least 2-dim, received shape: [3]",
    ),
    BadInput(
        "diag_part k", lambda tf: tf.linalg.diag_part(tf.ones((3, 4)), k=4), "lower_diag_index is out of bound: 4"
    ),
    BadInput(
        "diag_part upper k",
        lambda tf: tf.linalg.diag_part(tf.ones((3, 4)), k=(0, 4)),
        "upper_diag_index is out of bound: 4",
    ),
    BadInput(
        "set_diag shape",
        lambda tf: tf.linalg.set_diag(tf.ones((3, 4)), tf.ones(2)),
        "Either first dimensions of diagonal don't match input.shape[:-2]",
    ),
    BadInput("tensor_diag", lambda tf: tf.linalg.tensor_diag(3), "Input must be at least rank 1, got 0"),
    BadInput(
        "tensor_diag_part rank", lambda tf: tf.linalg.tensor_diag_part(tf.ones(3)), "The rank of the tensor should be"
    ),
    BadInput(
        "tensor_diag_part shape",
        lambda tf: tf.linalg.tensor_diag_part(tf.ones((3, 4))),
        "Invalid shape [3,4]: dimensions 0 and 1 do not match.",
    ),
    BadInput(
        "band_part lower",
        lambda tf: tf.linalg.band_part(tf.ones((3, 4)), 5, 1),
        "num_lower must be negative or less or equal to number of rows (3) got: 5",
    ),
    BadInput(
        "band_part upper",
        lambda tf: tf.linalg.band_part(tf.ones((3, 4)), 1, 5),
        "num_upper must be negative or less or equal to number of columns (4) got: 5",
    ),
    BadInput(
        "band_part of a vector",
        lambda tf: tf.linalg.band_part(tf.ones(3), 1, 1),
        "input must be at least 2-dim, received shape: [3]",
    ),
    BadInput(
        "trace of a vector",
        lambda tf: tf.linalg.trace(tf.ones(3)),
        "input must be at least 2-dim, received shape: [3]",
    ),
]

SQUARE_ONLY = ("inv", "cholesky", "det", "slogdet", "logdet", "eigh", "eigvalsh", "eig", "eigvals", "lu", "sqrtm")

BAD_MATRICES = [
    *[
        BadInput(
            f"{name} of what is not square",
            lambda tf, name=name: getattr(tf.linalg, name)(tf.ones((2, 3))),
            "Input matrix must be square.",
        )
        for name in SQUARE_ONLY
    ],
    *[
        BadInput(
            f"{name} of a vector",
            lambda tf, name=name: getattr(tf.linalg, name)(tf.ones(3)),
            "must have rank >= 2, got 1",
        )
        for name in (*SQUARE_ONLY, "qr", "svd")
    ],
    *[
        BadInput(
            f"{name} of ints",
            lambda tf, name=name: getattr(tf.linalg, name)(tf.ones((2, 2), tf.int32)),
            "Value for attr 'T' of int32 is not in the list of allowed values",
        )
        for name in ("inv", "cholesky", "det", "qr", "svd", "lu", "sqrtm", "logm")
    ],
    BadInput(
        "inv of a singular matrix", lambda tf: tf.linalg.inv([[1.0, 2.0], [2.0, 4.0]]), "Input is not invertible."
    ),
    BadInput(
        "solve singular",
        lambda tf: tf.linalg.solve([[1.0, 2.0], [2.0, 4.0]], [[1.0], [1.0]]),
        "Input matrix is not invertible.",
    ),
    BadInput("lu of a singular matrix", lambda tf: tf.linalg.lu(tf.zeros((2, 2))), "Input is not invertible."),
    BadInput(
        "solve not square",
        lambda tf: tf.linalg.solve(tf.ones((2, 3)), tf.ones((2, 1))),
        "First input (lhs) must be a square matrix.",
    ),
    BadInput(
        "solve sizes",
        lambda tf: tf.linalg.solve(tf.eye(2), tf.ones((3, 1))),
        "Input matrix and rhs are incompatible.",
    ),
    BadInput(
        "solve vector",
        lambda tf: tf.linalg.solve(tf.eye(2), tf.ones(2)),
        "All input tensors must have the same rank.",
    ),
    BadInput(
        "solve batches",
        lambda tf: tf.linalg.solve(tf.eye(2, batch_shape=[3]), tf.ones((4, 2, 1))),
        "All input tensors must have the same outer dimensions.",
    ),
    BadInput(
        "triangular_solve sizes",
        lambda tf: tf.linalg.triangular_solve(tf.eye(2), tf.ones((3, 1))),
        "In[0] mismatch In[1] shape: 2 vs. 3: [2,2] [3,1]",
    ),
    BadInput(
        "triangular_solve vector",
        lambda tf: tf.linalg.triangular_solve(tf.eye(2), tf.ones(2)),
        "In[1] ndims must be >= 2: 1",
    ),
    BadInput(
        "triangular_solve not square",
        lambda tf: tf.linalg.triangular_solve(tf.ones((2, 3)), tf.ones((3, 1))),
        "In[0] matrices in the last dimensions must be square (3 =/= 2)",
    ),
    BadInput(
        "banded_triangular_solve singular",
        lambda tf: tf.linalg.banded_triangular_solve([[0.0, 2.0], [1.0, 1.0]], [[1.0], [1.0]]),
        "Input matrix is not invertible.",
    ),
    BadInput(
        "tridiagonal_solve of a vector",
        lambda tf: tf.linalg.tridiagonal_solve(tf.ones(3), tf.ones(3)),
        "Expected diagonals to have rank at least 2, got 1",
        error=ValueError,
    ),
    BadInput(
        "tridiagonal_solve of two diagonals",
        lambda tf: tf.linalg.tridiagonal_solve(tf.ones((2, 3)), tf.ones(3)),
        "Expected 3 diagonals got 2",
        error=ValueError,
    ),
    BadInput(
        "tridiagonal_solve long diagonal",
        lambda tf: tf.linalg.tridiagonal_solve((tf.ones(5), tf.ones(3), tf.ones(2)), tf.ones(3), "sequence"),
        "Expected superdiagonal to be have length 3 or 2, got 5.",
        error=ValueError,
    ),
    BadInput(
        "tridiagonal_solve no square",
        lambda tf: tf.linalg.tridiagonal_solve(tf.ones((3, 2)), tf.ones(2), "matrix"),
        "Expected last two dimensions of diagonals to be same, got 2 and 3",
        error=ValueError,
    ),
    BadInput(
        "tridiagonal_solve batches",
        lambda tf: tf.linalg.tridiagonal_solve(
            (tf.ones((5, 4)), tf.ones((7, 4)), tf.ones((5, 4))), tf.ones((5, 4)), "sequence"
        ),
        "Tensors representing the three diagonals must have the same shape",
        error=ValueError,
    ),
    BadInput(
        "tridiagonal_solve format",
        lambda tf: tf.linalg.tridiagonal_solve(tf.ones((3, 3)), tf.ones(3), diagonals_format="packed"),
        "Unrecognized diagonals_format: packed",
        error=ValueError,
    ),
    BadInput(
        "tridiagonal_solve perturbed",
        lambda tf: tf.linalg.tridiagonal_solve(
            tf.ones((3, 3)), tf.ones(3), partial_pivoting=False, perturb_singular=True
        ),
        "partial_pivoting must be True if perturb_singular is.",
        error=ValueError,
    ),
    BadInput(
        "tridiagonal_matmul vector",
        lambda tf: tf.linalg.tridiagonal_matmul(tf.ones((3, 3)), tf.ones(3)),
        "All input tensors must have the same rank.",
    ),
    BadInput(
        "tridiagonal_matmul sizes",
        lambda tf: tf.linalg.tridiagonal_matmul(tf.ones((3, 3)), tf.ones((4, 1))),
        "Invalid superdiagonal shape.",
    ),
    BadInput(
        "expm of ints",
        lambda tf: tf.linalg.expm(tf.ones((2, 2), tf.int32)),
        "tf.linalg.expm does not support matrices of type <dtype: 'int32'>",
        error=ValueError,
    ),
    BadInput("expm not square", lambda tf: tf.linalg.expm(tf.ones((2, 3))), "Matrix size-incompatible"),
    BadInput(
        "logm of a real matrix",
        lambda tf: tf.linalg.logm(tf.eye(2)),
        "Value for attr 'T' of float is not in the list of allowed values: complex64, complex128",
    ),
    BadInput(
        "pinv of ints",
        lambda tf: tf.linalg.pinv(tf.ones((2, 2), tf.int32)),
        "Input `a` must have `float`-like `dtype` (saw int32).",
        error=TypeError,
    ),
    BadInput(
        "matrix_rank of a vector",
        lambda tf: tf.linalg.matrix_rank(tf.ones(2)),
        "Input `a` must have at least 2 dimensions (saw: 1).",
        error=ValueError,
    ),
    BadInput(
        "eig of nan",
        lambda tf: tf.linalg.eigvals(tf.constant([[1.0, float("nan")], [-3.0, 4.0]])),
        "Eigen decomposition was not successful. The input might not be valid.",
    ),
    BadInput(
        "lu_solve vector",
        lambda tf: tf.linalg.lu_solve(tf.eye(2), [0, 1], tf.ones(2)),
        "Input `rhs` must have at least 2 dimensions.",
        error=ValueError,
    ),
    BadInput(
        "lu_reconstruct vector",
        lambda tf: tf.linalg.lu_reconstruct(tf.ones(2), [0, 1], validate_args=True),
        "Input `lower_upper` must have at least 2 dimensions.",
        error=ValueError,
    ),
    BadInput(
        "lu_reconstruct perm",
        lambda tf: tf.linalg.lu_reconstruct(tf.eye(2), [1, 1]),
        "duplicated in the input.",
    ),
    BadInput(
        "eigh_tridiagonal dtypes",
        lambda tf: tf.linalg.eigh_tridiagonal(tf.ones(2), tf.ones(1, tf.float64)),
        "'alpha' and 'beta' must have the same type.",
        error=ValueError,
    ),
    BadInput(
        "eigh_tridiagonal select",
        lambda tf: tf.linalg.eigh_tridiagonal(tf.ones(2), tf.ones(1), select="x"),
        "'select must have a value in {'a', 'i', 'v'}.",
        error=ValueError,
    ),
    BadInput(
        "eigh_tridiagonal range",
        lambda tf: tf.linalg.eigh_tridiagonal(tf.ones(2), tf.ones(1), select="i", select_range=(1, 0)),
        "Got empty index range in select_range.",
    ),
]

BAD_NORMS = [
    BadInput(
        "norm fro of vectors",
        lambda tf: tf.norm(tf.ones(3), ord="fro"),
        "'ord' must be a supported vector norm, got fro",
        error=ValueError,
    ),
    BadInput(
        "norm 3 of matrices",
        lambda tf: tf.norm(tf.ones((3, 3)), ord=3, axis=[0, 1]),
        "'ord' must be a supported matrix norm in ['euclidean', 'fro', 1, 2, inf], got 3",
        error=ValueError,
    ),
    BadInput(
        "norm axes",
        lambda tf: tf.norm(tf.ones((3, 3)), axis=(0, 1, 2)),
        "'axis' must be None, an integer, or a tuple of 2 unique integers, got (0, 1, 2)",
        error=ValueError,
    ),
    BadInput("norm axis", lambda tf: tf.norm(tf.ones(3), axis=2), "Invalid reduction dimension (2 for input with 1"),
    BadInput(
        "norm of ints", lambda tf: tf.norm([1, 2]), "Value for attr 'T' of int32 is not in the list of allowed values"
    ),
    BadInput(
        "global_norm of a tensor",
        lambda tf: tf.linalg.global_norm(tf.ones(2)),
        "`t_list` should be a sequence of tensors.",
        error=TypeError,
    ),
    BadInput(
        "clip_by_global_norm of a number",
        lambda tf: tf.clip_by_global_norm(3.0, 1.0),
        "`t_list` should be a sequence of tensors.",
        error=TypeError,
    ),
    BadInput(
        "clip_by_norm shapes",
        lambda tf: tf.clip_by_norm(tf.ones(2), tf.ones((3, 2))),
        "are incompatible",
        error=ValueError,
    ),
]

BAD_INPUT = [*BAD_PRODUCTS, *BAD_DIAGONALS, *BAD_MATRICES, *BAD_NORMS]
