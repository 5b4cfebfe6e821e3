"""`tf.linalg`."""

from whygrad.ops.creation import eye
from whygrad.ops.linalg_decompositions import (
    cholesky,
    det,
    eig,
    eigh,
    eigh_tridiagonal,
    eigvals,
    eigvalsh,
    expm,
    logdet,
    logm,
    lu,
    lu_matrix_inverse,
    lu_reconstruct,
    lu_solve,
    matrix_rank,
    qr,
    slogdet,
    sqrtm,
    svd,
)
from whygrad.ops.linalg_diagonals import band_part, diag, diag_part, set_diag, tensor_diag, tensor_diag_part, trace
from whygrad.ops.linalg_norms import global_norm, l2_normalize, norm, normalize
from whygrad.ops.linalg_products import adjoint, cross, einsum, matmul, matrix_transpose, matvec, tensordot
from whygrad.ops.linalg_solvers import (
    banded_triangular_solve,
    cholesky_solve,
    inv,
    lstsq,
    pinv,
    solve,
    triangular_solve,
    tridiagonal_matmul,
    tridiagonal_solve,
)
