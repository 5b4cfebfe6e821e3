"""NumPy kernels of `whygrad.ops.linalg_*` that NumPy lacks, or that differ from TensorFlow."""

from __future__ import annotations

import functools
import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from whygrad.values.errors import invalid
from whygrad.values.faults import NotDecomposed, Singular

Array = Any

_FLOAT32, _FLOAT64 = np.dtype(np.float32), np.dtype(np.float64)
_INPUT = "Input is not invertible."  # as inverse and LU decomposition word it
Labels = tuple[int, ...]

SMALL_PRODUCT = 10**6  # rows * columns * inner size up to which OpenBLAS multiplies without packing


def in_float32(array: Array) -> Array:
    """Convert half precision to float32, in which TensorFlow computes; return any other array unchanged."""
    return array.astype(np.float32) if array.dtype.itemsize == 2 and array.dtype.kind in "fV" else array


class LinalgKernels:
    """The linear algebra of the NumPy engine."""

    # -- products --

    def matmul(self, a: Array, b: Array) -> Array:
        """Matrix products over the last two axes; half precision is summed in float32 and rounded once."""
        dtype = a.dtype
        if (dtype is _FLOAT32 or dtype is _FLOAT64) and a.ndim == b.ndim == 2:
            return a.dot(b)  # the same product in BLAS as matmul's, which takes half a microsecond more around it
        if a.dtype.itemsize == 2 and a.dtype.kind in "fV":
            return self.matmul(in_float32(a), in_float32(b)).astype(a.dtype)
        if b.ndim == 2 and a.ndim > 2:  # one large product instead of many small ones
            rows = np.matmul(a.reshape(math.prod(a.shape[:-1]), a.shape[-1]), b)
            return rows.reshape(*a.shape[:-1], b.shape[1])
        if b.ndim > 2 and a.ndim > 1:
            strides = b.strides
            if strides[-2] == b.itemsize != strides[-1]:
                rows = a.shape[-2]
                if rows >= 48 and rows * b.shape[-2] * b.shape[-1] <= SMALL_PRODUCT:
                    b = np.ascontiguousarray(b)  # OpenBLAS is slower on a small transposed matrix than copying it takes
            elif strides[-2] > strides[-3] > 0 and strides[-1] == b.itemsize and a.shape[:-2] == b.shape[:-2]:
                # With several heads, the heads of one position are adjacent in memory. Give the product the same layout, so that
                # merging the heads again needs no copy, in either direction.
                *outer, heads, rows = a.shape[:-1]
                room = np.empty((*outer, rows, heads, b.shape[-1]), a.dtype)
                return np.matmul(a, b, out=room.swapaxes(-2, -3))
        return np.matmul(a, b)

    def matrix_transpose(self, x: Array) -> Array:
        """Swap the last two axes, as a view."""
        return x.swapaxes(-1, -2)

    def cross_product(self, a: Array, b: Array) -> Array:
        """The cross product of vectors of three elements along the last axis."""
        return np.cross(a, b)

    def contract(self, a: Array, b: Array, *, a_labels: Labels, b_labels: Labels, labels: Labels) -> Array:
        """The product of two arrays with labelled axes, summed over the labels that both have and the result lacks.

        A label occurs once per array, and each label of `a` or `b` also occurs in the other or in the result.
        """
        a_order, b_order, order, batch, rows, summed = _contraction(a_labels, b_labels, labels)
        a, b = a.transpose(a_order), b.transpose(b_order)
        outer, left, inner, right = (
            a.shape[:batch],
            a.shape[batch : batch + rows],
            a.shape[batch + rows :],
            b.shape[batch + summed :],
        )
        a = a.reshape(*outer, math.prod(left), math.prod(inner))
        b = b.reshape(*outer, math.prod(inner), math.prod(right))
        product = self.matmul(a, b) if summed else a * b
        return product.reshape(outer + left + right).transpose(order)

    def einsum_reduce(self, x: Array, *, x_labels: Labels, labels: Labels) -> Array:
        """The diagonals of axes with the same label, summed over the labels that the result lacks."""
        distinct = tuple(dict.fromkeys(x_labels))
        x = _diagonals(x, x_labels, distinct)
        gone = tuple([i for i, label in enumerate(distinct) if label not in labels])
        if gone:
            x = (
                in_float32(x)
                .sum(axis=gone, dtype=None if x.dtype.kind in "fVc" else x.dtype)
                .astype(x.dtype, copy=False)
            )
        left = [label for label in distinct if label in labels]
        return x.transpose([left.index(label) for label in labels])

    def einsum_spread(self, y: Array, *, x_labels: Labels, labels: Labels, shape: tuple[int, ...]) -> Array:
        """The transpose of `einsum_reduce` as a linear map: an array of `shape` with `y` on its diagonals, repeated."""
        distinct = tuple(dict.fromkeys(x_labels))
        size = dict(zip(x_labels, shape))
        kept = [label for label in distinct if label in labels]
        y = y.transpose([labels.index(label) for label in kept])
        y = y.reshape([size[label] if label in labels else 1 for label in distinct])
        if len(distinct) == len(x_labels):
            return np.broadcast_to(y, shape)
        out = np.zeros(shape, y.dtype)
        _diagonals(out, x_labels, distinct)[...] = y
        return out

    # -- diagonals --

    def matrix_diag_part(self, x: Array, *, low: int, high: int, align: str, padding: Any) -> Array:
        """The diagonals `low` to `high`, the uppermost first; short ones are padded with `padding`."""
        if low == high:
            return np.diagonal(x, low, axis1=-2, axis2=-1)
        rows, columns = x.shape[-2:]
        places, filled = band_places(rows, columns, low, high, align)
        out = np.full((*x.shape[:-2], *filled.shape), padding, x.dtype)
        out[..., filled] = x.reshape(*x.shape[:-2], rows * columns)[..., places]
        return out

    def matrix_diag(self, x: Array, *, low: int, high: int, shape: tuple[int, int], align: str, padding: Any) -> Array:
        """Matrices of `shape` that are `padding` outside the diagonals `low` to `high`."""
        batch = x.shape[: x.ndim - (1 if low == high else 2)]
        out = np.full((*batch, *shape), padding, x.dtype)
        return _put_diagonals(out, x, low, high, align)

    def matrix_set_diag(self, x: Array, diagonal: Array, *, low: int, high: int, align: str) -> Array:
        """`x` with the diagonals `low` to `high` replaced."""
        return _put_diagonals(np.array(x, order="C"), diagonal, low, high, align)

    def matrix_band_part(self, x: Array, *, lower: int, upper: int) -> Array:
        """`x` with zeros outside a band of diagonals; a negative width keeps all."""
        return np.where(band_mask(*x.shape[-2:], lower, upper), x, x.dtype.type(0))

    # -- solving --

    def matrix_inverse(self, x: Array) -> Array:
        """Inverses of matrices."""
        try:
            return np.linalg.inv(in_float32(x)).astype(x.dtype, copy=False)
        except np.linalg.LinAlgError:
            raise invalid(Singular(op="MatrixInverse", wording=_INPUT)) from None

    def matrix_solve(self, a: Array, b: Array) -> Array:
        """The y with a @ y = b."""
        try:
            return np.linalg.solve(in_float32(a), in_float32(b)).astype(b.dtype, copy=False)
        except np.linalg.LinAlgError:
            raise invalid(Singular(op="MatrixSolve")) from None

    def triangular_solve(self, a: Array, b: Array, *, lower: bool, adjoint: bool) -> Array:
        """The y with a @ y = b, reading only one triangle of `a`; with `adjoint`, for a's adjoint."""
        from scipy.linalg import get_blas_funcs

        (trsm,) = get_blas_funcs(("trsm",), dtype=in_float32(b[..., :0, :0]).dtype)
        batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
        a = np.broadcast_to(a, (*batch, *a.shape[-2:]))
        b = np.broadcast_to(b, (*batch, *b.shape[-2:]))
        out = np.empty(b.shape, b.dtype)
        if out.size:
            for at in np.ndindex(batch):
                out[at] = trsm(1, a[at], b[at], lower=lower, trans_a=2 if adjoint else 0)
        return out

    def matrix_pinv(self, x: Array, rcond: Array) -> Array:
        """Pseudo-inverses; singular values at most `rcond` times the largest count as zero."""
        s, u, v = self.matrix_svd(x, full_matrices=False)
        s = s.real
        largest = s.max(axis=-1, initial=0)
        kept = s > (rcond * largest)[..., None]
        weights = np.where(kept, 1 / np.where(kept, s, 1), 0).astype(s.dtype)
        return np.matmul(v * weights[..., None, :], u.swapaxes(-1, -2).conj())

    def tridiagonal_solve(self, diagonals: Array, rhs: Array, *, perturb: bool = False) -> Array:
        """The y with T @ y = rhs, T given by its upper, main and lower diagonal (rows of `diagonals`, aligned by T's rows).

        With `perturb`, pivots that are zero or tiny are moved away from zero, so that a singular T has a finite solution too.
        """
        if perturb:
            from whygrad.engines.tridiagonal import solve_perturbed

            out = np.empty(rhs.shape, rhs.dtype)
            for at in np.ndindex(rhs.shape[:-2]) if out.size else ():
                upper, main, lower = diagonals[at]
                out[at] = solve_perturbed(upper, main, lower, rhs[at])
            return out
        from scipy.linalg import get_lapack_funcs

        (gtsv,) = get_lapack_funcs(("gtsv",), dtype=rhs.dtype)
        out = np.empty(rhs.shape, rhs.dtype)
        if not out.size:
            return out
        for at in np.ndindex(rhs.shape[:-2]):
            upper, main, lower = diagonals[at]
            if len(main) == 1:
                out[at] = rhs[at] / (main[0] or np.nan)
                continue
            *_, solution, info = gtsv(lower[1:], main, upper[:-1], rhs[at])
            out[at] = np.nan if info > 0 else solution  # an exactly singular matrix: TensorFlow divides by its zero
        return out

    # -- decompositions --

    def matrix_cholesky(self, x: Array) -> Array:
        """Lower triangular factors; nan for matrices that are not positive definite."""
        return _each_or_nan(np.linalg.cholesky, x, lambda one: np.tril(np.full_like(one, np.nan)))

    def matrix_qr(self, x: Array, *, full_matrices: bool) -> tuple[Array, Array]:
        """Orthogonal and upper triangular factors."""
        q, r = np.linalg.qr(x, mode="complete" if full_matrices else "reduced")
        return q, r

    def matrix_svd(self, x: Array, *, full_matrices: bool) -> tuple[Array, Array, Array]:
        """Singular values in the dtype of x, left and right singular vectors as columns; nan where the input has nan."""
        rows, columns = x.shape[-2:]
        if not rows or not columns:  # no singular values; the vectors of full matrices may be any basis
            count = (rows, columns) if full_matrices else (0, 0)
            u, v = (
                np.broadcast_to(np.eye(n, k, dtype=x.dtype), (*x.shape[:-2], n, k)) for n, k in zip(x.shape[-2:], count)
            )
            return np.zeros((*x.shape[:-2], 0), x.dtype), u, v

        def nothing(one: Array) -> tuple[Array, ...]:
            u, s, vh = np.linalg.svd(np.zeros_like(one), full_matrices=full_matrices)
            return u * np.nan, s * np.nan, vh * np.nan

        u, s, vh = _each_or_nan(functools.partial(np.linalg.svd, full_matrices=full_matrices), x, nothing)
        return s.astype(x.dtype, copy=False), u, vh.swapaxes(-1, -2).conj()

    def singular_values(self, x: Array) -> Array:
        """Only the singular values, in the dtype of x."""
        if 0 in x.shape[-2:]:
            return np.zeros((*x.shape[:-2], 0), x.dtype)
        values = functools.partial(np.linalg.svd, compute_uv=False)
        return _each_or_nan(values, x, lambda one: np.full(min(one.shape), np.nan)).astype(x.dtype, copy=False)

    def matrix_eigh(self, x: Array) -> tuple[Array, Array]:
        """Eigenvalues, ascending and in the dtype of x, and eigenvectors; only the lower triangle is read."""
        with _Decomposition("Self-adjoint eigen", "SelfAdjointEigV2"):
            w, v = np.linalg.eigh(x)
            _check_finite(w)
        return w.astype(x.dtype, copy=False), v

    def matrix_eigvalsh(self, x: Array) -> Array:
        """Only the eigenvalues of `matrix_eigh`."""
        with _Decomposition("Self-adjoint eigen", "SelfAdjointEigV2"):
            w = np.linalg.eigvalsh(x)
            _check_finite(w)
        return w.astype(x.dtype, copy=False)

    def matrix_eig(self, x: Array) -> tuple[Array, Array]:
        """Eigenvalues and eigenvectors of any square matrices, complex."""
        with _Decomposition("Eigen", "Eig"):
            w, v = np.linalg.eig(x)
        wanted = np.result_type(x.dtype, np.complex64)
        return w.astype(wanted, copy=False), v.astype(wanted, copy=False)

    def matrix_eigvals(self, x: Array) -> Array:
        """Only the eigenvalues of `matrix_eig`."""
        with _Decomposition("Eigen", "Eig"):
            return np.linalg.eigvals(x).astype(np.result_type(x.dtype, np.complex64), copy=False)

    def matrix_lu(self, x: Array) -> tuple[Array, Array]:
        """Both triangular factors in one matrix, without the lower one's unit diagonal, and the row permutation."""
        from scipy.linalg import get_lapack_funcs

        (getrf,) = get_lapack_funcs(("getrf",), dtype=x.dtype)
        out = np.empty(x.shape, x.dtype)
        order = np.empty(x.shape[:-1], np.int32)
        for at in np.ndindex(x.shape[:-2]) if x.size else ():
            out[at], swaps, info = getrf(x[at])
            if info > 0:
                raise invalid(Singular(op="Lu", wording=_INPUT))
            rows = list(range(len(swaps)))
            for i, j in enumerate(swaps):
                rows[i], rows[j] = rows[j], rows[i]
            order[at] = rows
        return out, order

    def permute_rows(self, x: Array, order: Array, *, inverse: bool) -> Array:
        """Permute the rows of matrices: row i of the result is row order[i] of x; `inverse` undoes it."""
        order = np.argsort(order, axis=-1) if inverse else order
        return np.take_along_axis(x, order[..., None], axis=-2)

    def matrix_determinant(self, x: Array) -> Array:
        """Determinants."""
        return np.asarray(np.linalg.det(in_float32(x))).astype(x.dtype, copy=False)

    def log_determinant(self, x: Array) -> tuple[Array, Array]:
        """Signs of the determinants, and logarithms of their absolute values in the same dtype."""
        sign, logarithm = np.linalg.slogdet(in_float32(x))
        return np.asarray(sign).astype(x.dtype, copy=False), np.asarray(logarithm).astype(x.dtype, copy=False)

    # -- functions of matrices --

    def matrix_exponential(self, x: Array) -> Array:
        """The exponential of matrices."""
        from scipy.linalg import expm

        return expm(x).astype(x.dtype, copy=False) if x.size else x

    def matrix_logarithm(self, x: Array) -> Array:
        """The principal logarithm of matrices."""
        from scipy.linalg import logm

        out = np.empty(x.shape, x.dtype)
        with warnings.catch_warnings():  # an inaccurate or infinite result is visible in the values
            warnings.simplefilter("ignore")
            for at in np.ndindex(x.shape[:-2]) if x.size else ():
                out[at] = logm(x[at])
        return out

    def matrix_square_root(self, x: Array) -> Array:
        """The principal square root of matrices; nan for a real matrix whose root is complex."""
        from scipy.linalg import schur

        out = np.empty(x.shape, x.dtype)
        for at in np.ndindex(x.shape[:-2]) if x.size else ():
            t, z = schur(x[at], output="complex")
            root = z @ _triangular_root(t) @ z.conj().T
            if x.dtype.kind != "c":
                eigenvalues = np.diagonal(t)
                tiny = np.finfo(x.dtype).eps * np.abs(eigenvalues).max() * len(t)
                negative = (eigenvalues.real < -tiny) & (np.abs(eigenvalues.imag) <= tiny)
                root = np.full_like(root.real, np.nan) if negative.any() else root.real
            out[at] = root
        return out


def _diagonals(x: Array, x_labels: Labels, distinct: Labels) -> Array:
    """A view of the elements where axes of the same label have the same index: one axis per label."""
    if len(distinct) == len(x_labels):
        return x
    strides = [sum(s for s, label in zip(x.strides, x_labels) if label == each) for each in distinct]
    sizes = [x.shape[x_labels.index(each)] for each in distinct]
    return np.lib.stride_tricks.as_strided(x, sizes, strides)


@functools.lru_cache(maxsize=1024)
def _contraction(a_labels: Labels, b_labels: Labels, labels: Labels) -> tuple[Any, ...]:
    """How `contract` becomes a matrix product: the axis order of both operands (batch, rows, inner; batch, inner,
    columns) and of the result, and the numbers of batch, row and inner axes."""
    batch = [label for label in labels if label in a_labels and label in b_labels]
    inner = [label for label in a_labels if label in b_labels and label not in labels]
    rows = [label for label in a_labels if label not in b_labels]
    columns = [label for label in b_labels if label not in a_labels]
    produced = [*batch, *rows, *columns]
    return (
        [a_labels.index(label) for label in (*batch, *rows, *inner)],
        [b_labels.index(label) for label in (*batch, *inner, *columns)],
        [produced.index(label) for label in labels],
        len(batch),
        len(rows),
        len(inner),
    )


def _put_diagonals(out: Array, diagonals: Array, low: int, high: int, align: str) -> Array:
    """Overwrite the diagonals of `out`, which is contiguous and owned by the caller."""
    rows, columns = out.shape[-2:]
    places, filled = band_places(rows, columns, low, high, align)
    if low == high:
        diagonals = diagonals[..., None, :]
    out.reshape(*out.shape[:-2], rows * columns)[..., places] = diagonals[..., filled]
    return out


@functools.lru_cache(maxsize=256)
def band_places(rows: int, columns: int, low: int, high: int, align: str) -> tuple[Array, Array]:
    """For the packed diagonals of a band: the flat indices of its elements in the matrix, and which of them are not padding."""
    longest = max(min(rows + min(high, 0), columns - max(low, 0)), 0)
    above, below = align.split("_")
    offset = np.arange(high, low - 1, -1)[:, None]
    length = np.minimum(rows + np.minimum(offset, 0), columns - np.maximum(offset, 0))
    right = np.where(offset > 0, above == "RIGHT", (offset < 0) & (below == "RIGHT"))
    along = np.arange(longest)[None, :] - np.where(right, longest - length, 0)
    filled = (along >= 0) & (along < length)
    places = (along + np.maximum(-offset, 0)) * columns + along + np.maximum(offset, 0)
    return places[filled], filled


@functools.lru_cache(maxsize=64)
def band_mask(rows: int, columns: int, lower: int, upper: int) -> Array:
    """Which elements of a matrix lie within a band."""
    distance = np.arange(columns)[None, :] - np.arange(rows)[:, None]
    return (distance >= (-lower if lower >= 0 else -rows)) & (distance <= (upper if upper >= 0 else columns))


def _check_finite(eigenvalues: Array) -> None:
    """Raise for infinite matrices: LAPACK rejects some of them, and returns nan for others."""
    if not np.isfinite(eigenvalues).all():
        raise np.linalg.LinAlgError


class _Decomposition:
    """Translate LAPACK's errors into TensorFlow's. (A generator would leave frames of contextlib in the user's traceback.)"""

    def __init__(self, name: str, op_name: str) -> None:
        self.fault = NotDecomposed(decomposition=name, op=op_name)

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, error: BaseException | None, traceback: Any) -> None:
        if isinstance(error, np.linalg.LinAlgError):
            raise invalid(self.fault) from None


def _each_or_nan(function: Callable[[Array], Any], x: Array, nothing: Callable[[Array], Any]) -> Any:
    """`function` of all matrices at once; if it raises, one by one, with `nothing` for those where it raises."""
    try:
        return function(x)
    except np.linalg.LinAlgError:
        pass
    results = []
    for at in np.ndindex(x.shape[:-2]):
        try:
            results.append(function(x[at]))
        except np.linalg.LinAlgError:
            results.append(nothing(x[at]))
    if not isinstance(results[0], tuple):
        return np.reshape(np.stack(results), x.shape[:-2] + results[0].shape)
    return tuple([np.reshape(np.stack(part), x.shape[:-2] + part[0].shape) for part in zip(*results)])


def _triangular_root(t: Array) -> Array:
    """The square root of an upper triangular matrix, column by column."""
    root = np.zeros_like(t)
    for j in range(len(t)):
        root[j, j] = np.sqrt(t[j, j])
        for i in range(j - 1, -1, -1):
            rest = t[i, j] - root[i, i + 1 : j] @ root[i + 1 : j, j]
            root[i, j] = rest / (root[i, i] + root[j, j]) if rest != 0 else 0
    return root
