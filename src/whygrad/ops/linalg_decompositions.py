"""Decompositions of matrices: Cholesky, QR, singular values, eigenvalues, LU; determinants."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.ops.arguments import flag, integer, items, number
from whygrad.ops.elementwise import cast, conj, log, real
from whygrad.ops.linalg_arguments import (
    adjoint,
    check_float_matrices,
    diagonal_matrix,
    gap_reciprocals,
    is_complex,
    lower_triangle,
    main_diagonal,
    matrices,
    safe_reciprocal,
    upper_triangle,
)
from whygrad.ops.linalg_diagonals import band_part, diag, diag_part, set_diag
from whygrad.ops.linalg_products import matmul
from whygrad.ops.primitive import Primitive, apply, apply_several
from whygrad.ops.reductions import reduce_sum
from whygrad.ops.traits import MOVES_ALL, Invertible, Traits
from whygrad.values import dtypes
from whygrad.values.conversion import convert
from whygrad.values.errors import OpNotImplementedError, OpTypeError, OpValueError, invalid
from whygrad.values.faults import DtypeNotAllowed, NoRuleForCase, NotSquare, RankTooLow, literal
from whygrad.values.tensor import Tensor, are_known, value_of, wrap

# -- Cholesky --


def _halved_diagonal(xp: Any, x: Any) -> Any:
    """The lower triangle, with half the diagonal."""
    lower = lower_triangle(xp, x)
    return lower - 0.5 * diagonal_matrix(xp, main_diagonal(xp, lower))


def _cholesky_vjp(xp: Any, g: Any, y: Any) -> Any:
    middle = _halved_diagonal(xp, xp.matmul(adjoint(xp, y), g))
    left = xp.triangular_solve(y, middle, lower=True, adjoint=True)
    both = xp.triangular_solve(y, adjoint(xp, left), lower=True, adjoint=True)
    return 0.5 * (both + adjoint(xp, both))  # the input is assumed self-adjoint, and so is its cotangent


_cholesky = Primitive(
    "matrix_cholesky",
    lambda xp, x: xp.matrix_cholesky(x),
    vjp=_cholesky_vjp,
    op_name="Cholesky",
    conjugates=False,
    traits=Traits(domain=(Invertible(definite=True),)),
)


@export("linalg.cholesky")
def cholesky(input: Any, name: str | None = None) -> Tensor:
    """The lower triangular L with L @ adjoint(L) = input, for positive definite matrices; nan for others.

    Only the lower triangle of the input is read.

    >>> import whygrad as tf
    >>> tf.linalg.cholesky([[4.0, 2.0], [2.0, 5.0]]).numpy()
    array([[2., 0.],
           [1., 2.]], dtype=float32)
    """
    return apply(_cholesky, matrices(input, "Cholesky"))


# -- QR --

Qr = namedtuple("Qr", ["q", "r"])


def _qr_vjp(xp: Any, g: Any, x: Any, y: Any, full_matrices: bool) -> Any:
    gq, gr = g
    q, r = y
    rows, columns = x.shape[-2:]
    if full_matrices and rows > columns:
        wording = (
            "QrGrad not implemented when nrows > ncols and full_matrices is true. Received "
            f"r.shape={tuple(r.shape)} with nrows={rows} and ncols={columns}."
        )
        raise OpNotImplementedError(NoRuleForCase(wording=literal(wording), instead="pass full_matrices=False"))
    if rows >= columns:
        return _tall_qr_vjp(xp, gq, gr, q, r)
    # x = [left, right]: left = q @ r_left is square, and r_right = adjoint(q) @ right.
    right, g_right = x[..., rows:], gr[..., rows:]
    gq = gq + xp.matmul(right, adjoint(xp, g_right))
    g_left = _tall_qr_vjp(xp, gq, gr[..., :rows], q, r[..., :rows])
    return xp.concatenate([g_left, xp.matmul(q, g_right)], axis=-1)


def _tall_qr_vjp(xp: Any, gq: Any, gr: Any, q: Any, r: Any) -> Any:
    m = xp.matmul(r, adjoint(xp, gr)) - xp.matmul(adjoint(xp, gq), q)
    half = _halved_diagonal(xp, m)
    gx = gq + xp.matmul(q, half + adjoint(xp, half))  # the diagonal of r is real, so its cotangent is made real
    return adjoint(xp, xp.triangular_solve(r, adjoint(xp, gx), lower=False, adjoint=False))


_qr = Primitive(
    "matrix_qr",
    lambda xp, x, *, full_matrices: xp.matrix_qr(x, full_matrices=full_matrices),
    vjp=_qr_vjp,
    op_name="Qr",
    conjugates=False,
    traits=Traits(domain=(Invertible(),)),
)


@export("linalg.qr")
def qr(input: Any, full_matrices: bool = False, name: str | None = None) -> Any:
    """An orthogonal q and an upper triangular r with q @ r = input.

    >>> import whygrad as tf
    >>> q, r = tf.linalg.qr([[3.0, 1.0], [4.0, 2.0]])
    >>> abs(r[0, 0].numpy().round(4))
    np.float32(5.0)
    """
    return Qr(
        *apply_several(_qr, matrices(input, "Qr", square=False), full_matrices=flag(full_matrices, "full_matrices"))
    )


# -- singular values --


def _svd_vjp(xp: Any, g: Any, x_shape: tuple[int, ...], y: Any) -> Any:
    gs, gu, gv = g
    s, u, v = y
    count = s.shape[-1]
    u, gu = _without_complement(xp, u, gu, count)
    v, gv = _without_complement(xp, v, gv, count)
    uh, vh = adjoint(xp, u), adjoint(xp, v)
    ugu, vgv = xp.matmul(uh, gu), xp.matmul(vh, gv)
    gaps = gap_reciprocals(xp, s * s)
    inverse = safe_reciprocal(s)
    from_u, from_v = gaps * ugu, gaps * vgv
    middle = (from_u + adjoint(xp, from_u)) * s[..., None, :] + s[..., :, None] * (from_v + adjoint(xp, from_v))
    if is_complex(s):
        # Singular values are real, though their dtype is complex; the common phase of two vectors is free, and assigned to u.
        phase = main_diagonal(xp, ugu)
        gs = 0.5 * (gs + xp.conj(gs) + inverse * (phase - xp.conj(phase)))
    middle = middle + diagonal_matrix(xp, gs)
    gx = xp.matmul(u, xp.matmul(middle, vh))
    if x_shape[-2] > count:
        gx = gx + xp.matmul((gu - xp.matmul(u, ugu)) * inverse[..., None, :], vh)
    if x_shape[-1] > count:
        gx = gx + xp.matmul(u, adjoint(xp, (gv - xp.matmul(v, vgv)) * inverse[..., None, :]))
    return gx


def _without_complement(xp: Any, u: Any, gu: Any, count: int) -> tuple[Any, Any]:
    """The first `count` vectors and their cotangent, including that of the others, which stay orthogonal to the first."""
    if u.shape[-1] == count:
        return u, gu
    first, others = u[..., :count], u[..., count:]
    pull = xp.matmul(others, xp.matmul(adjoint(xp, gu[..., count:]), first))
    return first, gu[..., :count] - pull


def _singular_values_vjp(xp: Any, g: Any, x: Any) -> Any:
    _, u, v = xp.matrix_svd(x, full_matrices=False)
    return xp.matmul(u * g[..., None, :], adjoint(xp, v))


# In these primitives the singular values have the matrices' dtype, possibly complex, so that rules need no casts.
_svd = Primitive(
    "matrix_svd",
    lambda xp, x, *, full_matrices: xp.matrix_svd(x, full_matrices=full_matrices),
    vjp=_svd_vjp,
    op_name="Svd",
    conjugates=False,
    traits=Traits(decomposes="singular values"),
)
_singular_values = Primitive(
    "singular_values",
    lambda xp, x: xp.singular_values(x),
    vjp=_singular_values_vjp,
    op_name="Svd",
    conjugates=False,
)


@export("linalg.svd")
def svd(tensor: Any, full_matrices: bool = False, compute_uv: bool = True, name: str | None = None) -> Any:
    """Singular values s, descending, and the matrices u and v with u @ diag(s) @ adjoint(v) = tensor; only s if not `compute_uv`.

    >>> import whygrad as tf
    >>> tf.linalg.svd([[3.0, 0.0], [0.0, 4.0]], compute_uv=False).numpy()
    array([4., 3.], dtype=float32)
    """
    x = matrices(tensor, "Svd", square=False)
    if not flag(compute_uv, "compute_uv"):
        return _real_part(apply(_singular_values, x))
    s, u, v = apply_several(_svd, x, full_matrices=flag(full_matrices, "full_matrices"))
    return _real_part(s), u, v


def _real_part(x: Tensor) -> Tensor:
    return real(x) if x._array.dtype.kind == "c" else x


@export("linalg.matrix_rank")
def matrix_rank(a: Any, tol: Any = None, validate_args: bool = False, name: str | None = None) -> Tensor:
    """The number of singular values above `tol`.

    >>> import whygrad as tf
    >>> tf.linalg.matrix_rank([[1.0, 2.0], [2.0, 4.0]]).numpy()
    np.int32(1)
    """
    x = convert(a, None)
    check_float_matrices(x)
    s = svd(x, compute_uv=False)
    if tol is None:
        tol = apply(_rounding_beside, s, size=max(x.shape[-2:]))
    return apply(_count_above, s, convert(tol, None if isinstance(tol, Tensor) else s.dtype))


_rounding_beside = Primitive(
    "rounding_beside",
    lambda xp, s, *, size: (np.finfo(s.dtype).eps * size * xp.max(s, axis=-1, keepdims=True, initial=0)).astype(
        s.dtype
    ),
    no_gradient="matrix_rank counts singular values: the count does not change under a small step",
)


_count_above = Primitive(
    "count_above",
    lambda xp, s, tol: xp.count_nonzero(s > tol, axis=-1).astype("int32"),
    no_gradient="matrix_rank counts singular values: the count does not change under a small step",
    op_name="MatrixRank",
)


# -- eigenvalues --


def _lower_part(xp: Any, gx: Any) -> Any:
    """The cotangent of a self-adjoint matrix of which only the lower triangle was read."""
    return 2 * _halved_diagonal(xp, 0.5 * (gx + adjoint(xp, gx)))


def _eigh_vjp(xp: Any, g: Any, y: Any) -> Any:
    gw, gv = g
    w, v = y
    vh = adjoint(xp, v)
    middle = diagonal_matrix(xp, gw) + gap_reciprocals(xp, w) * xp.matmul(vh, gv)
    return _lower_part(xp, xp.matmul(v, xp.matmul(middle, vh)))


def _eigvalsh_vjp(xp: Any, g: Any, x: Any) -> Any:
    _, v = xp.matrix_eigh(x)
    return _lower_part(xp, xp.matmul(v * g[..., None, :], adjoint(xp, v)))


# As in TensorFlow, the eigenvalues have the matrices' dtype, possibly complex.
_eigh = Primitive(
    "matrix_eigh",
    lambda xp, x: xp.matrix_eigh(x),
    vjp=_eigh_vjp,
    op_name="SelfAdjointEigV2",
    conjugates=False,
    traits=Traits(decomposes="eigenvalues"),
)
_eigvalsh = Primitive(
    "matrix_eigvalsh",
    lambda xp, x: xp.matrix_eigvalsh(x),
    vjp=_eigvalsh_vjp,
    op_name="SelfAdjointEigV2",
    conjugates=False,
)


@export("linalg.eigh")
def eigh(tensor: Any, name: str | None = None) -> tuple[Tensor, Tensor]:
    """Eigenvalues, ascending, and eigenvectors (columns) of self-adjoint matrices; only the lower triangle is read.

    >>> import whygrad as tf
    >>> tf.linalg.eigh([[2.0, 0.0], [0.0, 1.0]])[0].numpy()
    array([1., 2.], dtype=float32)
    """
    w, v = apply_several(_eigh, matrices(tensor, "SelfAdjointEigV2"))
    return w, v


@export("linalg.eigvalsh")
def eigvalsh(tensor: Any, name: str | None = None) -> Tensor:
    """Eigenvalues, ascending, of self-adjoint matrices; only the lower triangle is read.

    >>> import whygrad as tf
    >>> tf.linalg.eigvalsh([[2.0, 0.0], [0.0, 1.0]]).numpy()
    array([1., 2.], dtype=float32)
    """
    return apply(_eigvalsh, matrices(tensor, "SelfAdjointEigV2"))


def _eig_vjp(xp: Any, g: Any, y: Any, x_dtype: Any) -> Any:
    gw, gv = g
    w, v = y
    vh = adjoint(xp, v)
    vgv = xp.matmul(vh, gv)
    along = main_diagonal(xp, vgv)
    along = 0.5 * (along + xp.conj(along))  # eigenvectors keep length 1
    middle = xp.conj(gap_reciprocals(xp, w)) * (vgv - xp.matmul(vh, v) * along[..., None, :])
    return _back_to_matrix(xp, middle + diagonal_matrix(xp, gw), vh, x_dtype)


def _back_to_matrix(xp: Any, middle: Any, vh: Any, dtype: Any) -> Any:
    gx = xp.matrix_solve(vh, xp.matmul(middle, vh))
    return gx if dtype.kind == "c" else xp.real(gx)


def _eigvals_vjp(xp: Any, g: Any, x: Any, x_dtype: Any) -> Any:
    _, v = xp.matrix_eig(x)
    return _back_to_matrix(xp, diagonal_matrix(xp, g), adjoint(xp, v), x_dtype)


_eig = Primitive("matrix_eig", lambda xp, x: xp.matrix_eig(x), vjp=_eig_vjp, op_name="Eig", conjugates=False)
_eigvals = Primitive(
    "matrix_eigvals", lambda xp, x: xp.matrix_eigvals(x), vjp=_eigvals_vjp, op_name="Eig", conjugates=False
)


@export("eig", "linalg.eig")
def eig(tensor: Any, name: str | None = None) -> tuple[Tensor, Tensor]:
    """Eigenvalues and eigenvectors (columns) of any square matrices; both are complex.

    >>> import whygrad as tf
    >>> tf.linalg.eig([[0.0, -1.0], [1.0, 0.0]])[0].numpy()
    array([0.+1.j, 0.-1.j], dtype=complex64)
    """
    w, v = apply_several(_eig, matrices(tensor, "Eig"))
    return w, v


@export("eigvals", "linalg.eigvals")
def eigvals(tensor: Any, name: str | None = None) -> Tensor:
    """Eigenvalues of any square matrices, complex.

    >>> import whygrad as tf
    >>> tf.linalg.eigvals([[0.0, -1.0], [1.0, 0.0]]).numpy()
    array([0.+1.j, 0.-1.j], dtype=complex64)
    """
    return apply(_eigvals, matrices(tensor, "Eig"))


@export("linalg.eigh_tridiagonal")
def eigh_tridiagonal(
    alpha: Any,
    beta: Any,
    eigvals_only: bool = True,
    select: str = "a",
    select_range: Any = None,
    tol: Any = None,
    name: str | None = None,
) -> Any:
    """Eigenvalues (and eigenvectors) of the tridiagonal self-adjoint matrix with diagonal `alpha` and off-diagonal `beta`.

    `select` takes all ("a"), those with indices in `select_range` ("i", both ends included) or with values in it ("v").

    >>> import whygrad as tf
    >>> tf.linalg.eigh_tridiagonal([1.0, 1.0], [1.0]).numpy().round(6)
    array([0., 2.], dtype=float32)
    """
    a, b = convert(alpha, None), convert(beta, None)
    if a.dtype is not b.dtype:
        raise OpValueError("'alpha' and 'beta' must have the same type.")
    if a._array.dtype.kind not in "fc":
        raise OpValueError(f"data type {a.dtype.as_numpy_dtype} not inexact")
    if not isinstance(select, str) or select not in ("a", "i", "v"):
        raise OpValueError("'select must have a value in {'a', 'i', 'v'}.")
    size = a.shape[-1] if a.ndim == 1 else -1
    if size < 0 or b.ndim != 1 or b.shape[0] != max(size - 1, 0):
        raise invalid(
            f"Incompatible shapes: alpha has shape {a.shape} and beta {b.shape}: a vector and one shorter by 1"
        )
    if size <= 1:
        return _real_part(a)
    matrix = diag(a) + diag(conj(b), k=-1)  # `beta` is above the diagonal, but eigh reads the lower triangle
    w, v = eigh(matrix)
    w = _real_part(w)
    chosen = _selected(w, select, select_range)
    if chosen != slice(None):
        w, v = w[chosen], v[:, chosen]
    return w if flag(eigvals_only, "eigvals_only") else (w, v)


def _selected(w: Tensor, select: str, select_range: Any) -> slice:
    if select == "a":
        return slice(None)
    if select_range is None:
        raise OpTypeError("select_range must be given when select is 'i' or 'v'.")
    ends = [number(each, "select_range") for each in items(select_range, "select_range")]
    if len(ends) != 2:
        raise OpValueError(f"select_range must have 2 elements, the first and the last. Received {len(ends)}.")
    first, last = ends
    if first > last:
        raise invalid(f"Got empty {'index' if select == 'i' else 'interval'} range in select_range.: {first} > {last}")
    if select == "i":
        return slice(integer(first, "select_range"), integer(last, "select_range") + 1)
    values = value_of(w)
    return slice(int(np.searchsorted(values, first, side="left")), int(np.searchsorted(values, last, side="right")))


# -- LU --

Lu = namedtuple("Lu", ["lu", "p"])


def _unit_lower(xp: Any, lu: Any) -> Any:
    """The lower factor, whose unit diagonal is not stored."""
    ones = xp.ones_like(main_diagonal(xp, lu))
    return xp.matrix_set_diag(lower_triangle(xp, lu), ones, low=0, high=0, align="RIGHT_LEFT")


def _lu_vjp(xp: Any, g: Any, y: Any) -> Any:
    factors, order = y
    g = g[0]
    lower, upper = _unit_lower(xp, factors), upper_triangle(xp, factors)
    below = xp.matmul(adjoint(xp, lower), g - upper_triangle(xp, g))
    above = xp.matmul(upper_triangle(xp, g), adjoint(xp, upper))
    middle = below - upper_triangle(xp, below) + upper_triangle(xp, above)
    left = xp.triangular_solve(lower, middle, lower=True, adjoint=True)
    both = xp.triangular_solve(upper, adjoint(xp, left), lower=False, adjoint=False)
    return xp.permute_rows(adjoint(xp, both), order, inverse=True)


_lu = Primitive(
    "matrix_lu",
    lambda xp, x: xp.matrix_lu(x),
    vjp=_lu_vjp,
    op_name="Lu",
    conjugates=False,
    traits=Traits(domain=(Invertible(),)),
)
_permute_rows = Primitive(
    "permute_rows",
    lambda xp, x, order, *, inverse: xp.permute_rows(x, order, inverse=inverse),
    vjp=(lambda xp, g, order, inverse: xp.permute_rows(g, order, inverse=not inverse), None),
    op_name="GatherV2",
    traits=MOVES_ALL,
)


@export("linalg.lu")
def lu(input: Any, output_idx_type: Any = dtypes.int32, name: str | None = None) -> Any:
    """The LU decomposition with pivoting: both triangular factors in one matrix, and the row permutation.

    >>> import whygrad as tf
    >>> lu, p = tf.linalg.lu([[1.0, 2.0], [4.0, 8.5]])
    >>> p.numpy()
    array([1, 0], dtype=int32)
    >>> lu.numpy()
    array([[ 4.   ,  8.5  ],
           [ 0.25 , -0.125]], dtype=float32)
    """
    factors, order = apply_several(_lu, matrices(input, "Lu"))
    return Lu(factors, order if dtypes.as_dtype(output_idx_type) is dtypes.int32 else cast(order, output_idx_type))


def _too_few_axes(x: Tensor, parameter: str) -> RankTooLow:
    wording = f"Input `{parameter}` must have at least {{at_least}} dimensions."
    return RankTooLow(shape=x._array.shape, at_least=2, wording=wording)


def _factors(lower_upper: Any, perm: Any) -> tuple[Tensor, Tensor]:
    """Check the arguments of functions that take an LU decomposition."""
    factors, order = convert(lower_upper, None), convert(perm, None)
    if factors.ndim < 2:
        raise OpValueError(_too_few_axes(factors, "lower_upper"))
    if order.ndim < 1:
        raise OpValueError("Input `perm` must have at least 1 dimension.")
    if factors.shape[-1] != factors.shape[-2]:
        raise OpValueError("Input `lower_upper` must be square.")
    if tuple(order.shape) != tuple(factors.shape)[:-1]:
        raise OpValueError(f"Input `perm` has shape {order.shape}, which does not fit `lower_upper`'s {factors.shape}.")
    expected = np.arange(factors.shape[-1])
    if are_known(order) and not np.array_equal(np.sort(order._array, axis=-1), np.broadcast_to(expected, order.shape)):
        raise invalid(
            f"perm is no permutation: a row is duplicated in the input. {order._array} [Op:InvertPermutation]"
        )
    return factors, order


def _triangles(factors: Tensor) -> tuple[Tensor, Tensor]:
    ones = wrap(np.ones(factors.shape[:-1], factors._array.dtype))
    return set_diag(band_part(factors, -1, 0), ones), band_part(factors, 0, -1)


@export("linalg.lu_reconstruct")
def lu_reconstruct(lower_upper: Any, perm: Any, validate_args: bool = False, name: str | None = None) -> Tensor:
    """The matrix whose LU decomposition is `lower_upper` and `perm`.

    >>> import whygrad as tf
    >>> tf.linalg.lu_reconstruct(*tf.linalg.lu([[1.0, 2.0], [4.0, 8.5]])).numpy()
    array([[1. , 2. ],
           [4. , 8.5]], dtype=float32)
    """
    factors, order = _factors(lower_upper, perm)
    return apply(_permute_rows, matmul(*_triangles(factors)), order, inverse=True)


@export("linalg.lu_solve")
def lu_solve(lower_upper: Any, perm: Any, rhs: Any, validate_args: bool = False, name: str | None = None) -> Tensor:
    """The y with A @ y = rhs, given the LU decomposition of A.

    >>> import whygrad as tf
    >>> tf.linalg.lu_solve(*tf.linalg.lu([[2.0, 0.0], [0.0, 4.0]]), [[2.0], [2.0]]).numpy()
    array([[1. ],
           [0.5]], dtype=float32)
    """
    from whygrad.ops.linalg_solvers import triangular_solve
    from whygrad.ops.shaping import broadcast_to

    factors, order = _factors(lower_upper, perm)
    b = convert(rhs, None if isinstance(rhs, Tensor) else factors.dtype)
    if b.ndim < 2:
        raise OpValueError(_too_few_axes(b, "rhs"))
    if b.shape[-2] != factors.shape[-1]:
        raise OpValueError("`lower_upper.shape[-1]` must equal `rhs.shape[-1]`.")
    batch = np.broadcast_shapes(tuple(b.shape)[:-2], tuple(factors.shape)[:-2])
    if tuple(b.shape)[:-2] != batch:
        b = broadcast_to(b, (*batch, *b.shape[-2:]))
    if tuple(order.shape)[:-1] != batch:
        order = broadcast_to(order, (*batch, order.shape[-1]))
    lower, upper = _triangles(factors)
    permuted = apply(_permute_rows, b, order, inverse=False)
    return triangular_solve(upper, triangular_solve(lower, permuted), lower=False)


@export("linalg.lu_matrix_inverse")
def lu_matrix_inverse(lower_upper: Any, perm: Any, validate_args: bool = False, name: str | None = None) -> Tensor:
    """The inverse of the matrix whose LU decomposition is `lower_upper` and `perm`.

    >>> import whygrad as tf
    >>> tf.linalg.lu_matrix_inverse(*tf.linalg.lu([[2.0, 0.0], [0.0, 4.0]])).numpy()
    array([[0.5 , 0.  ],
           [0.  , 0.25]], dtype=float32)
    """
    factors, order = _factors(lower_upper, perm)
    identity = np.eye(factors.shape[-1], dtype=factors._array.dtype)
    return lu_solve(factors, order, wrap(np.broadcast_to(identity, factors.shape)))


# -- determinants --

LogMatrixDeterminant = namedtuple("LogMatrixDeterminant", ["sign", "log_abs_determinant"])


def _determinant_vjp(xp: Any, g: Any, x: Any, y: Any) -> Any:
    return (g * y)[..., None, None] * xp.matrix_transpose(xp.matrix_inverse(x))


def _log_determinant_vjp(xp: Any, g: Any, x: Any, y: Any) -> Any:
    g_sign, g_log = g
    # The logarithm is real; the sign rotates with the imaginary part of the determinant's logarithm.
    if is_complex(g_log):
        turned = g_sign * y[0]  # the sweep passes y conjugated
        g_log = 0.5 * (g_log + xp.conj(g_log) + turned - xp.conj(turned))
    return g_log[..., None, None] * xp.matrix_transpose(xp.matrix_inverse(x))


_determinant = Primitive(
    "matrix_determinant",
    lambda xp, x: xp.matrix_determinant(x),
    vjp=_determinant_vjp,
    traits=Traits(domain=(Invertible(vanishes=True),)),
)
_log_determinant = Primitive(
    "log_determinant",
    lambda xp, x: xp.log_determinant(x),
    vjp=_log_determinant_vjp,
    op_name="LogMatrixDeterminant",
    traits=Traits(domain=(Invertible(),)),
)


@export("linalg.det")
def det(input: Any, name: str | None = None) -> Tensor:
    """The determinant of each matrix.

    >>> import whygrad as tf
    >>> tf.linalg.det([[2.0, 0.0], [0.0, 4.0]]).numpy()
    np.float32(8.0)
    """
    return apply(_determinant, matrices(input, "MatrixDeterminant"))


@export("linalg.slogdet")
def slogdet(input: Any, name: str | None = None) -> Any:
    """The sign of each matrix's determinant, and the logarithm of its absolute value.

    >>> import whygrad as tf
    >>> sign, logarithm = tf.linalg.slogdet([[-2.0, 0.0], [0.0, 0.5]])
    >>> sign.numpy(), logarithm.numpy()
    (np.float32(-1.0), np.float32(0.0))
    """
    return LogMatrixDeterminant(*apply_several(_log_determinant, matrices(input, "LogMatrixDeterminant")))


@export("linalg.logdet")
def logdet(matrix: Any, name: str | None = None) -> Tensor:
    """The logarithm of the determinant of positive definite matrices.

    >>> import whygrad as tf
    >>> tf.linalg.logdet([[1.0, 0.0], [0.0, 1.0]]).numpy()
    np.float32(0.0)
    """
    return 2.0 * reduce_sum(log(_real_part(diag_part(cholesky(matrix)))), axis=-1)


# -- functions of matrices --


def _function_vjp(name: str) -> Any:
    """The rule of a matrix function f: the derivative in direction g is the upper right block of f([[x, g], [0, x]])."""

    def vjp(xp: Any, g: Any, x: Any) -> Any:
        size = x.shape[-1]
        transposed = xp.matrix_transpose(x)
        upper = xp.concatenate([transposed, g], axis=-1)
        lower = xp.concatenate([xp.zeros_like(g), transposed], axis=-1)
        return getattr(xp, name)(xp.concatenate([upper, lower], axis=-2))[..., :size, size:]

    return vjp


_exponential = Primitive(
    "matrix_exponential", lambda xp, x: xp.matrix_exponential(x), vjp=_function_vjp("matrix_exponential")
)
_logarithm = Primitive(
    "matrix_logarithm",
    lambda xp, x: xp.matrix_logarithm(x),
    vjp=_function_vjp("matrix_logarithm"),
    traits=Traits(domain=(Invertible(),)),
)
_square_root = Primitive(
    "matrix_square_root",
    lambda xp, x: xp.matrix_square_root(x),
    vjp=_function_vjp("matrix_square_root"),
    traits=Traits(domain=(Invertible(),)),
)


@export("linalg.expm")
def expm(input: Any, name: str | None = None) -> Tensor:
    """The exponential of each matrix: the sum of input^n / n!.

    >>> import whygrad as tf
    >>> tf.linalg.expm([[0.0, 1.0], [0.0, 0.0]]).numpy()
    array([[1., 1.],
           [0., 1.]], dtype=float32)
    """
    x = convert(input, None)
    if x._array.dtype.kind not in "fc":
        raise OpValueError(f"tf.linalg.expm does not support matrices of type {x.dtype}")
    x = matrices(x, "MatrixExponential", square=False)
    if x.shape[-1] != x.shape[-2]:
        wording = "Matrix size-incompatible: Input matrix must be square. Its shape is {shape!s}"
        raise invalid(NotSquare(shape=x._array.shape, wording=wording))
    return apply(_exponential, x)


@export("linalg.logm")
def logm(input: Any, name: str | None = None) -> Tensor:
    """The principal logarithm of each matrix, which must be complex.

    >>> import whygrad as tf
    >>> tf.linalg.logm([[1.0 + 0.0j, 0.0], [0.0, 1.0]]).numpy()
    array([[0.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]])
    """
    x = convert(input, None)
    if x._array.dtype.kind != "c":
        raise invalid(DtypeNotAllowed(dtype=x.dtype, allowed=("complex64", "complex128"), op="MatrixLogarithm"))
    return apply(_logarithm, matrices(x, "MatrixLogarithm"))


@export("linalg.sqrtm")
def sqrtm(input: Any, name: str | None = None) -> Tensor:
    """The principal square root of each matrix; nan for a real matrix whose root is complex.

    >>> import whygrad as tf
    >>> tf.linalg.sqrtm([[4.0, 0.0], [0.0, 9.0]]).numpy()
    array([[2., 0.],
           [0., 3.]], dtype=float32)
    """
    return apply(_square_root, matrices(input, "MatrixSquareRoot"))
