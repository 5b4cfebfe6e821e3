"""NumPy's `linalg` on Tensors."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.linalg import LinAlgError as LinAlgError  # public here as well

from whygrad.numpy.elementwise import absolute, conj, power, real, sqrt
from whygrad.numpy.errors import OpLinAlgError
from whygrad.numpy.products import cross as _cross
from whygrad.numpy.products import diagonal as _diagonal
from whygrad.numpy.products import dot, matmul
from whygrad.numpy.products import outer as _outer
from whygrad.numpy.products import tensordot as tensordot  # public here as well
from whygrad.numpy.products import trace as _trace
from whygrad.numpy.products import vecdot as vecdot
from whygrad.numpy.promotion import (
    as_dtype,
    ask_numpy,
    floating,
    normal_axes,
    normal_axis,
    number,
    tensor,
    together,
    whole,
)
from whygrad.numpy.reductions import max as _max
from whygrad.numpy.reductions import min as _min
from whygrad.numpy.reductions import sum as _sum
from whygrad.numpy.shaping import matrix_transpose, moveaxis
from whygrad.ops import creation, elementwise, linalg_decompositions, linalg_solvers, reductions, shaping
from whygrad.ops.advice import safe_form
from whygrad.ops.arguments import flag, items, text, unexpected
from whygrad.ops.arguments import number as real_number
from whygrad.values.errors import InvalidArgumentError, OpTypeError, OpValueError, behind
from whygrad.values.faults import NotPositiveDefinite, NotSquare
from whygrad.values.tensor import Tensor, are_known, wrap


class EigResult(NamedTuple):
    """The result of `eig`."""

    eigenvalues: Tensor
    eigenvectors: Tensor


class EighResult(NamedTuple):
    """The result of `eigh`."""

    eigenvalues: Tensor
    eigenvectors: Tensor


class QRResult(NamedTuple):
    """The result of `qr`."""

    Q: Tensor
    R: Tensor


class SlogdetResult(NamedTuple):
    """The result of `slogdet`."""

    sign: Tensor
    logabsdet: Tensor


class SVDResult(NamedTuple):
    """The result of `svd`."""

    U: Tensor
    S: Tensor
    Vh: Tensor


def _matrix(function: str, a: Any, square: bool = False) -> Tensor:
    """A matrix, or a stack of them, in a floating dtype."""
    x = floating(a)
    if x.ndim < 2:
        raise OpLinAlgError(f"{function}() takes matrices: at least 2 dimensions, not {x.ndim}")
    if square and x._array.shape[-1] != x._array.shape[-2]:
        wording = f"{function}() takes square matrices, not {{shape!s}}"
        raise OpLinAlgError(NotSquare(shape=x._array.shape, wording=wording))
    return x


def _solved(function: str, compute: Any, *operands: Any) -> Any:
    """Run an op, and raise NumPy's exception class for a singular matrix."""
    try:
        return compute(*operands)
    except InvalidArgumentError as error:
        raise OpLinAlgError(behind(f"{function}(): ", error)) from None


# -- decompositions --


def cholesky(a: Any, /, *, upper: bool = False) -> Tensor:
    """The lower (or upper) triangular matrix L with L Lᴴ = a."""
    x = _matrix("cholesky", a, square=True)
    factor: Tensor = _solved("cholesky", linalg_decompositions.cholesky, x)
    if are_known(factor) and np.isnan(factor._array).any() and not np.isnan(x._array).any():
        raise OpLinAlgError(NotPositiveDefinite().behind("cholesky(): "))
    return conj(matrix_transpose(factor)) if flag(upper, "upper") else factor


def qr(a: Any, mode: str = "reduced") -> Any:
    """An orthogonal and an upper triangular matrix whose product is `a`."""
    x = _matrix("qr", a)
    mode = text(mode, "mode")
    if mode not in ("reduced", "complete", "r"):
        raise OpValueError(f"qr(mode={mode!r}) is not supported: 'reduced', 'complete' and 'r' are")
    q, r = linalg_decompositions.qr(x, full_matrices=mode == "complete")
    return r if mode == "r" else QRResult(q, r)


def eigh(a: Any, UPLO: str = "L") -> EighResult:
    """Eigenvalues in ascending order and eigenvectors of a Hermitian matrix; only one triangle is read."""
    values, vectors = linalg_decompositions.eigh(_hermitian("eigh", a, UPLO))
    return EighResult(real(values), vectors)  # TensorFlow's are complex where the matrix is


def eigvalsh(a: Any, UPLO: str = "L") -> Tensor:
    """The eigenvalues of a Hermitian matrix in ascending order."""
    return real(linalg_decompositions.eigvalsh(_hermitian("eigvalsh", a, UPLO)))


def _hermitian(function: str, a: Any, UPLO: str) -> Tensor:
    x = _matrix(function, a, square=True)
    if text(UPLO, "UPLO").upper() not in ("L", "U"):
        raise OpValueError(f"{function}() takes UPLO='L' or 'U', not {UPLO!r}")
    return x if UPLO.upper() == "L" else conj(matrix_transpose(x))


def eig(a: Any) -> EigResult:
    """Eigenvalues and eigenvectors, possibly complex; real if all eigenvalues are real."""
    return EigResult(*linalg_decompositions.eig(_matrix("eig", a, square=True)))


def eigvals(a: Any) -> Tensor:
    """The eigenvalues, possibly complex."""
    return linalg_decompositions.eigvals(_matrix("eigvals", a, square=True))


def svd(a: Any, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False) -> Any:
    """The singular value decomposition a = U S Vᴴ."""
    x = _matrix("svd", a)
    if not flag(compute_uv, "compute_uv"):
        return svdvals(x)
    s, u, v = linalg_decompositions.svd(x, full_matrices=full_matrices)
    return SVDResult(u, s, conj(matrix_transpose(v)))


def svdvals(x: Any, /) -> Tensor:
    """The singular values, largest first."""
    values: Tensor = linalg_decompositions.svd(_matrix("svdvals", x), compute_uv=False)
    return values


# -- solving --


def inv(a: Any) -> Tensor:
    """The inverse."""
    return _solved("inv", linalg_solvers.inv, _matrix("inv", a, square=True))  # type: ignore[no-any-return]


def pinv(a: Any, rcond: Any = None, hermitian: bool = False, *, rtol: Any = np._NoValue) -> Tensor:
    """The Moore-Penrose inverse: singular values below `rcond` times the largest count as zero."""
    x = _matrix("pinv", a)
    cutoff = rtol if rcond is None and rtol is not np._NoValue else rcond
    if cutoff is None:
        cutoff = 1e-15 if rtol is np._NoValue else max(x._array.shape[-2:]) * np.finfo(x._array.dtype).eps
    return linalg_solvers.pinv(x, rcond=as_dtype(tensor(cutoff), x._array.real.dtype))


def solve(a: Any, b: Any) -> Tensor:
    """The x with a x = b; `b` is a vector if it has one axis, else a stack of matrices."""
    x, y = together(a, b)
    x, y = _matrix("solve", x, square=True), floating(y)
    if y.ndim == 1:
        shape = (*(1,) * (x.ndim - 2), y._array.shape[0], 1)
        return shaping.squeeze(_solved("solve", linalg_solvers.solve, *_batched(x, shaping.reshape(y, shape))), [-1])
    return _solved("solve", linalg_solvers.solve, *_batched(x, y))  # type: ignore[no-any-return]


def _batched(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    """Two stacks of matrices with the same leading axes."""
    batch = np.broadcast_shapes(x._array.shape[:-2], y._array.shape[:-2])
    return tuple([shaping.broadcast_to(t, (*batch, *t._array.shape[-2:])) for t in (x, y)])  # type: ignore[return-value]


def lstsq(a: Any, b: Any, rcond: Any = None) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """The x that minimizes |a x - b|, the residuals, the rank of `a` and its singular values.

    In a compiled function the residuals are always returned; NumPy omits them if `a` does not have full rank.
    """
    x, y = together(a, b)
    x, y = _matrix("lstsq", x), floating(y)
    columns = shaping.expand_dims(y, 1) if y.ndim == 1 else y
    if x.ndim != 2:
        raise OpLinAlgError(f"lstsq() takes a matrix, not a tensor of {x.ndim} dimensions")
    rows, count = x._array.shape
    cutoff = max(rows, count) * np.finfo(x._array.dtype).eps if rcond is None else real_number(rcond, "rcond")
    solution = matmul(pinv(x, cutoff), columns)
    s = svdvals(x)
    rank = (s._array > cutoff * s._array.max(initial=0)).sum()
    away = columns - matmul(x, solution)
    squares = _sum(real(away * conj(away)), 0)
    if rows <= count or (are_known(s) and rank != count):
        squares = squares[:0]
    return (solution[:, 0] if y.ndim == 1 else solution), squares, wrap(rank.astype(np.int32)), s


def matrix_rank(A: Any, tol: Any = None, hermitian: bool = False, *, rtol: Any = None) -> Tensor:
    """The number of nonzero singular values."""
    x = floating(A)
    if x.ndim < 2:
        return wrap((x._array != 0).any().astype(np.int64))
    if tol is not None and rtol is not None:
        raise OpValueError("matrix_rank() takes `tol` or `rtol`, not both")
    s = svdvals(x)._array
    if tol is None:
        relative = max(x._array.shape[-2:]) * np.finfo(s.dtype).eps if rtol is None else _tolerance(rtol, "rtol", s)
        limit = s.max(axis=-1, keepdims=True, initial=0) * relative
    else:
        limit = _tolerance(tol, "tol", s)
    return wrap((s > limit).sum(-1).astype(np.int64))


def _tolerance(value: Any, parameter: str, singular_values: Any) -> Any:
    """A tolerance for each matrix, with an axis for its singular values."""
    given = value._array if isinstance(value, Tensor) else ask_numpy(np.asarray, number(value))
    if given.dtype.kind not in "fiub":
        raise unexpected("float", parameter, value)
    given = given.reshape((*getattr(value, "shape", given.shape), 1))  # as a list an empty array has lost its shape
    try:
        np.broadcast_shapes(given.shape, singular_values.shape)
    except ValueError:
        raise OpValueError(
            f"`{parameter}` of shape {given.shape[:-1]} does not broadcast to the matrices' batch {singular_values.shape[:-1]}"
        ) from None
    return given


def det(a: Any) -> Tensor:
    """The determinant."""
    return linalg_decompositions.det(_matrix("det", a, square=True))


def slogdet(a: Any) -> SlogdetResult:
    """The sign of the determinant and the logarithm of its absolute value."""
    sign, logarithm = linalg_decompositions.slogdet(_matrix("slogdet", a, square=True))
    return SlogdetResult(sign, real(logarithm))


def matrix_power(a: Any, n: int) -> Tensor:
    """The n-th power of a square matrix; of its inverse for negative n."""
    x = tensor(a)
    if x.ndim < 2 or x._array.shape[-1] != x._array.shape[-2]:
        raise OpLinAlgError(f"matrix_power() takes square matrices, not {x._array.shape}")
    if not isinstance(n, int):
        raise OpTypeError(f"matrix_power() takes a whole exponent, not {n!r}")
    if n < 0:
        x, n = inv(x), -n
    if n == 0:
        return shaping.broadcast_to(creation.eye(x._array.shape[-1], dtype=x.dtype), x._array.shape)
    result = None
    while n:  # by squaring
        n, odd = divmod(n, 2)
        if odd:
            result = x if result is None else matmul(result, x)
        if n:
            x = matmul(x, x)
    return tensor(result)


def multi_dot(arrays: Any, *, out: Any = None) -> Tensor:
    """The product of several matrices."""
    matrices = items(arrays, "arrays")
    if not matrices:
        raise OpValueError("multi_dot() needs at least one matrix")
    first, *others = together(*matrices)
    for each in others:
        first = dot(first, each)
    return first


def tensorinv(a: Any, ind: int = 2) -> Tensor:
    """The inverse of a tensor whose first `ind` axes are the rows."""
    x = tensor(a)
    ind = whole(ind, "ind")
    if ind <= 0:
        raise OpValueError(f"tensorinv() takes a positive ind, not {ind}")
    rows, columns = x._array.shape[:ind], x._array.shape[ind:]
    return shaping.reshape(inv(shaping.reshape(x, (math.prod(rows), -1))), (*columns, *rows))


def tensorsolve(a: Any, b: Any, axes: Any = None) -> Tensor:
    """The x with tensordot(a, x, x.ndim) = b."""
    x, y = tensor(a), tensor(b)
    if axes is not None:
        last = normal_axes(axes, x.ndim)
        x = shaping.transpose(x, [i for i in range(x.ndim) if i not in last] + list(last))
    shape = x._array.shape[y.ndim :]
    return shaping.reshape(solve(shaping.reshape(x, (-1, math.prod(shape))), shaping.reshape(y, (-1,))), shape)


# -- norms --


def vector_norm(x: Any, /, *, axis: Any = None, keepdims: bool = False, ord: Any = 2) -> Tensor:
    """The norm of the vectors along axes; of all elements if `axis` is None."""
    t = floating(x)
    axes = normal_axes(axis, t.ndim)
    size, ord = absolute(t), _order(ord)
    if ord == math.inf:
        return _max(size, axes, keepdims=keepdims, initial=0)
    if ord == -math.inf:
        return _min(size, axes, keepdims=keepdims)
    if ord == 0:
        return _sum(
            elementwise.cast(elementwise.not_equal(size, creation.zeros((), size.dtype)), size.dtype),
            axes,
            keepdims=keepdims,
        )
    if ord == 1:
        return _sum(size, axes, keepdims=keepdims)
    if ord == 2:
        squares = (
            elementwise.square(t)
            if t._array.dtype.kind != "c"
            else elementwise.square(real(t)) + elementwise.square(elementwise.imag(t))
        )
        return sqrt(_sum(squares, axes, keepdims=keepdims))
    if isinstance(ord, str):
        raise OpValueError(f"vector_norm(ord={ord!r}) is not defined")
    return power(_sum(power(size, ord), axes, keepdims=keepdims), 1.0 / ord)


def _order(ord: Any) -> Any:
    """Return the order of a norm: None, a word or a number."""
    return ord if ord is None or isinstance(ord, str) else real_number(ord, "ord")


def matrix_norm(x: Any, /, *, keepdims: bool = False, ord: Any = "fro") -> Tensor:
    """The norm of matrices over the last two axes."""
    t = _matrix("matrix_norm", x)
    keepdims, ord = flag(keepdims, "keepdims"), _order(ord)
    if ord == "fro":
        return vector_norm(t, axis=(-2, -1), keepdims=keepdims)
    if ord in (2, -2, "nuc"):
        s = svdvals(t)
        y = _sum(s, -1) if ord == "nuc" else s[..., 0] if ord == 2 else s[..., -1]
    elif ord in (1, -1, math.inf, -math.inf):
        sums = _sum(absolute(t), -2 if ord in (1, -1) else -1)
        y = (_max if ord > 0 else _min)(sums, -1)
    else:
        raise OpValueError(f"matrix_norm(ord={ord!r}) is not defined")
    return shaping.reshape(y, (*y._array.shape, 1, 1)) if keepdims else y


@safe_form(reductions.safe_norm)
def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Tensor:
    """The norm of vectors (one axis) or matrices (two); without `ord` and `axis`, of all elements."""
    t = floating(x)
    keepdims, ord = flag(keepdims, "keepdims"), _order(ord)
    if axis is None and (ord is None or (ord in ("f", "fro") and t.ndim == 2) or (ord == 2 and t.ndim == 1)):
        return vector_norm(t, keepdims=keepdims)
    axes = tuple(range(t.ndim)) if axis is None else normal_axes(axis, t.ndim)
    if len(axes) == 1:
        return vector_norm(t, axis=axes, keepdims=keepdims, ord=2 if ord is None else ord)
    if len(axes) != 2:
        raise OpValueError(f"norm() takes vectors or matrices: one axis or two, not {len(axes)}")
    y = matrix_norm(moveaxis(t, axes, (-2, -1)), ord="fro" if ord in (None, "f") else ord)
    return shaping.reshape(y, [1 if i in axes else n for i, n in enumerate(t._array.shape)]) if keepdims else y


def cond(x: Any, p: Any = None) -> Tensor:
    """The condition number: the norm times that of the inverse."""
    t = _matrix("cond", x)
    p = p if p is None or isinstance(p, str) else real_number(p, "p")
    if p in (None, 2, -2):
        s = svdvals(t)
        return s[..., -1] / s[..., 0] if p == -2 else s[..., 0] / s[..., -1]
    return norm(t, p, (-2, -1)) * norm(inv(t), p, (-2, -1))


# -- products and diagonals, in the form of the array-API standard --


def cross(x1: Any, x2: Any, /, *, axis: int = -1) -> Tensor:
    """The cross product of vectors of 3 components."""
    a, b = together(tensor(x1), tensor(x2))
    sizes = [x._array.shape[normal_axis(axis, x.ndim)] for x in (a, b)]
    if sizes != [3, 3]:
        raise OpValueError(f"linalg.cross() takes vectors of 3 components, not of {sizes[0]} and {sizes[1]}")
    return _cross(a, b, axis=axis)


def outer(x1: Any, x2: Any, /) -> Tensor:
    """The product of each element of one vector with each element of the other."""
    a, b = tensor(x1), tensor(x2)
    if a.ndim != 1 or b.ndim != 1:
        raise OpValueError(f"outer() takes vectors, not tensors of {a.ndim} and {b.ndim} dimensions")
    return _outer(a, b)


def diagonal(x: Any, /, *, offset: int = 0) -> Tensor:
    """The diagonal over the last two axes."""
    return _diagonal(x, offset, -2, -1)


def trace(x: Any, /, *, offset: int = 0, dtype: Any = None) -> Tensor:
    """The sum of the diagonal over the last two axes."""
    return _trace(x, offset, -2, -1, dtype)
