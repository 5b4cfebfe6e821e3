"""`scipy.linalg` on tensors: factorizations, solvers and functions of matrices.

>>> import numpy as np, whygrad
>>> from whygrad.scipy import linalg
>>> whygrad.grad(lambda a: np.trace(linalg.expm(a)))(np.zeros((2, 2)))
array([[1., 0.],
       [0., 1.]])
"""

from __future__ import annotations

from typing import Any

import numpy as np

from whygrad.numpy import creation, elementwise, indexing, linalg, products, shaping
from whygrad.numpy.linalg import det, inv, norm, pinv, svdvals
from whygrad.numpy.promotion import floating
from whygrad.ops import linalg_decompositions, linalg_solvers
from whygrad.scipy.special import floats
from whygrad.values.errors import OpTypeError, OpValueError
from whygrad.values.tensor import Tensor

__all__ = [
    "block_diag", "cho_factor", "cho_solve", "cholesky", "circulant", "det", "eigh", "eigvalsh", "expm", "hankel", "inv", "norm", "pinv",
    "polar", "qr", "solve", "solve_triangular", "sqrtm", "svd", "svdvals", "toeplitz",
]  # fmt: skip

# Arguments of SciPy that say how to compute, and not what: they are accepted, and nothing is checked or overwritten here.


def cholesky(a: Any, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> Tensor:
    """The Cholesky factor: upper, unless `lower` is asked for."""
    return linalg.cholesky(a, upper=not lower)


def cho_factor(
    a: Any, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True
) -> tuple[Tensor, bool]:
    """The Cholesky factor for `cho_solve`, and whether it is the lower one."""
    return cholesky(a, lower), lower


def cho_solve(c_and_lower: tuple[Any, bool], b: Any, overwrite_b: bool = False, check_finite: bool = True) -> Tensor:
    """Solve for the matrix whose Cholesky factor is given."""
    factor, lower = c_and_lower
    first = solve_triangular(factor, b, trans=0 if lower else 1, lower=lower)
    return solve_triangular(factor, first, trans=1 if lower else 0, lower=lower)


def solve_triangular(
    a: Any,
    b: Any,
    trans: Any = 0,
    lower: bool = False,
    unit_diagonal: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = True,
) -> Tensor:
    """Solve a triangular system; `trans` is 0 for `a`, 1 for its transpose, 2 for its conjugate transpose."""
    a, b = floats(a, b)
    codes = {0: 0, "N": 0, 1: 1, "T": 1, 2: 2, "C": 2}
    if trans not in codes:
        raise OpValueError(f"trans must be one of 0, 1, 2, 'N', 'T' and 'C', not {trans!r}")
    kind = codes[trans]
    if unit_diagonal:
        size = a._array.shape[-1]
        strict = products.tril(a, -1) if lower else products.triu(a, 1)
        a = strict + creation.eye(size, dtype=a._array.dtype)
    if kind == 1 and a._array.dtype.kind == "c":
        a, kind, lower = shaping.swapaxes(a, -1, -2), 0, not lower
    is_vector = b.ndim == a.ndim - 1
    right = shaping.expand_dims(b, -1) if is_vector else b
    found = linalg_solvers.triangular_solve(a, right, lower=lower, adjoint=kind != 0)
    return shaping.squeeze(found, axis=-1) if is_vector else found


def solve(a: Any, b: Any, lower: bool = False, overwrite_a: bool = False, overwrite_b: bool = False,
          check_finite: bool = True, assume_a: Any = None, transposed: bool = False) -> Tensor:  # fmt: skip
    """Solve a linear system."""
    a, b = floats(a, b)
    return linalg.solve(shaping.swapaxes(a, -1, -2) if transposed else a, b)


def eigh(a: Any, b: Any = None, lower: bool = True, eigvals_only: bool = False) -> Any:
    """Eigenvalues, in ascending order, and eigenvectors of a symmetric matrix."""
    if b is not None:
        raise OpTypeError("eigh(a, b), of two matrices, is not supported on tensors")
    part = "L" if lower else "U"
    if eigvals_only:
        return linalg.eigvalsh(a, part)
    values, vectors = linalg.eigh(a, part)
    return values, vectors


def eigvalsh(a: Any, b: Any = None, lower: bool = True) -> Any:
    """Eigenvalues of a symmetric matrix, in ascending order."""
    return eigh(a, b, lower, eigvals_only=True)


def svd(
    a: Any, full_matrices: bool = True, compute_uv: bool = True, overwrite_a: bool = False, check_finite: bool = True
) -> Any:
    """The singular value decomposition."""
    found = linalg.svd(a, full_matrices, compute_uv)
    return tuple(found) if compute_uv else found


def expm(A: Any) -> Tensor:
    """The exponential of a matrix."""
    return linalg_decompositions.expm(floating(A))


def sqrtm(A: Any) -> Tensor:
    """The square root of a matrix."""
    return linalg_decompositions.sqrtm(floating(A))


def block_diag(*arrs: Any) -> Tensor:
    """The matrices along the diagonal of one."""
    blocks = [shaping.atleast_2d(each) for each in floats(*arrs)] if arrs else [creation.zeros((1, 0))]
    width = sum(each._array.shape[1] for each in blocks)
    rows, start = [], 0
    for each in blocks:
        end = start + each._array.shape[1]
        rows.append(shaping.pad(each, ((0, 0), (start, width - end))))
        start = end
    return shaping.concatenate(rows)


def toeplitz(c: Any, r: Any = None) -> Tensor:
    """The matrix whose diagonals are constant, from its first column and first row."""
    c = shaping.ravel(floating(c))
    r = elementwise.conj(c) if r is None else shaping.ravel(floating(r))
    values = shaping.concatenate([shaping.flip(c), r[1:]])
    rows, columns = c._array.shape[0], r._array.shape[0]
    index = (rows - 1) + np.arange(columns)[None, :] - np.arange(rows)[:, None]
    return indexing.take(values, index)


def hankel(c: Any, r: Any = None) -> Tensor:
    """The matrix whose antidiagonals are constant, from its first column and last row, which is 0 by default."""
    c = shaping.ravel(floating(c))
    r = c * 0.0 if r is None else shaping.ravel(floating(r))
    values = shaping.concatenate([c, r[1:]])
    rows, columns = c._array.shape[0], r._array.shape[0]
    return indexing.take(values, np.arange(columns)[None, :] + np.arange(rows)[:, None])


def circulant(c: Any) -> Tensor:
    """The matrix whose columns are `c`, each turned by one more."""
    c = shaping.ravel(floating(c))
    size = c._array.shape[0]
    return indexing.take(c, (np.arange(size)[:, None] - np.arange(size)[None, :]) % size)


def qr(a: Any, overwrite_a: bool = False, lwork: Any = None, mode: str = "full", pivoting: bool = False) -> Any:
    """An orthogonal and an upper triangular matrix whose product is `a`; with mode="economic" only as many columns as are needed."""
    modes = {"full": "complete", "economic": "reduced", "r": "r"}
    if pivoting or mode not in modes:
        raise OpValueError(
            f"qr(mode={mode!r}, pivoting={pivoting}) is not supported: without pivoting, {', '.join(modes)} are"
        )
    found = linalg.qr(a, modes[mode])
    return (found,) if mode == "r" else tuple(found)


def polar(a: Any, side: str = "right") -> tuple[Tensor, Tensor]:
    """A unitary and a positive semidefinite matrix whose product is `a`, in this order for side="right"."""
    if side not in ("left", "right"):
        raise OpValueError(f"polar: side must be 'left' or 'right', not {side!r}")
    u, s, vh = linalg.svd(a, False)
    factors = (
        (linalg.matrix_transpose(elementwise.conj(vh)), vh)
        if side == "right"
        else (u, linalg.matrix_transpose(elementwise.conj(u)))
    )
    return products.matmul(u, vh), products.matmul(factors[0] * s, factors[1])
