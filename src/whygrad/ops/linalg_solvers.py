"""Linear systems: inverses, solutions, least squares, banded systems."""

from __future__ import annotations

from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.ops.arguments import flag, number, unexpected
from whygrad.ops.elementwise import add, multiply
from whygrad.ops.linalg_arguments import adjoint as adjoint_in_rule
from whygrad.ops.linalg_arguments import check_float_matrices, lower_triangle, matrices, upper_triangle
from whygrad.ops.linalg_decompositions import cholesky
from whygrad.ops.linalg_diagonals import diag, diag_part
from whygrad.ops.linalg_products import adjoint as adjoint_of
from whygrad.ops.linalg_products import check_batches, conjugated, matmul, matrix_transpose
from whygrad.ops.primitive import Primitive, apply, check_same_dtype, convert_operands
from whygrad.ops.shaping import reshape, stack
from whygrad.ops.traits import Batching, Invertible, Traits
from whygrad.values import dtypes
from whygrad.values.conversion import convert
from whygrad.values.errors import OpNotImplementedError, OpValueError, invalid, shape_text
from whygrad.values.faults import NotAMatrix, RightSideRank, RowsDiffer, Singular
from whygrad.values.tensor import Tensor, are_known, wrap

# -- any square matrix --


def _inverse_vjp(xp: Any, g: Any, y: Any) -> Any:
    transposed = xp.matrix_transpose(y)
    return -xp.matmul(transposed, xp.matmul(g, transposed))


_inverse = Primitive(
    "matrix_inverse",
    lambda xp, x: xp.matrix_inverse(x),
    vjp=_inverse_vjp,
    traits=Traits(domain=(Invertible(),), batching=Batching.MATRICES),
)


@export("linalg.inv")
def inv(input: Any, adjoint: bool = False, name: str | None = None) -> Tensor:
    """The inverse of each matrix or, with `adjoint`, of its adjoint.

    >>> import whygrad as tf
    >>> tf.linalg.inv([[2.0, 0.0], [0.0, 4.0]]).numpy()
    array([[0.5 , 0.  ],
           [0.  , 0.25]], dtype=float32)
    """
    y = apply(_inverse, matrices(input, "MatrixInverse", half=True))
    return adjoint_of(y) if flag(adjoint, "adjoint") else y


def _solve_vjp(xp: Any, g: Any, a: Any, y: Any) -> tuple[Any, Any]:
    gb = xp.matrix_solve(xp.matrix_transpose(a), g)
    return -xp.matmul(gb, xp.matrix_transpose(y)), gb


_solve = Primitive(
    "matrix_solve",
    lambda xp, a, b: xp.matrix_solve(a, b),
    joint=_solve_vjp,
    traits=Traits(domain=(Invertible(),), batching=Batching.MATRICES),
)


@export("linalg.solve")
def solve(matrix: Any, rhs: Any, adjoint: bool = False, name: str | None = None) -> Tensor:
    """The y with matrix @ y = rhs; with `adjoint`, the matrix's adjoint is used.

    >>> import whygrad as tf
    >>> tf.linalg.solve([[2.0, 0.0], [0.0, 4.0]], [[2.0], [2.0]]).numpy()
    array([[1. ],
           [0.5]], dtype=float32)
    """
    a, b = convert_operands(matrix, rhs)
    a = matrices(a, "MatrixSolve", square=False)
    check_same_dtype(a, b, "MatrixSolve")
    if a.ndim != b.ndim:
        raise invalid(RightSideRank(matrix=a._array.shape, rhs=b._array.shape, op="MatrixSolve"))
    if a.shape[-1] != a.shape[-2]:
        raise invalid(f"First input (lhs) must be a square matrix. Its shape is {a.shape} [Op:MatrixSolve]")
    if a.shape[:-2] != b.shape[:-2]:
        raise invalid(
            f"All input tensors must have the same outer dimensions. The shapes are {a.shape} and {b.shape} [Op:MatrixSolve]"
        )
    if a.shape[-1] != b.shape[-2]:
        raise invalid(RowsDiffer(matrix=a._array.shape, rhs=b._array.shape, op="MatrixSolve"))
    return apply(_solve, adjoint_of(a) if flag(adjoint, "adjoint") else a, b)


# -- triangular matrices --


def _triangular_solve_vjp(xp: Any, g: Any, a: Any, y: Any, lower: bool, adjoint: bool) -> tuple[Any, Any]:
    gb = xp.triangular_solve(a, g, lower=lower, adjoint=not adjoint)
    ga = xp.matmul(y, adjoint_in_rule(xp, gb)) if adjoint else xp.matmul(gb, adjoint_in_rule(xp, y))
    return -(lower_triangle(xp, ga) if lower else upper_triangle(xp, ga)), gb


_triangular_solve = Primitive(
    "triangular_solve",
    lambda xp, a, b, *, lower, adjoint: xp.triangular_solve(a, b, lower=lower, adjoint=adjoint),
    joint=_triangular_solve_vjp,
    op_name="MatrixTriangularSolve",
    broadcasts=True,
    conjugates=False,
    traits=Traits(domain=(Invertible(),), batching=Batching.MATRICES),
)


@export("linalg.triangular_solve")
def triangular_solve(
    matrix: Any, rhs: Any, lower: bool = True, adjoint: bool = False, name: str | None = None
) -> Tensor:
    """The y with matrix @ y = rhs, reading only the lower (or upper) triangle of the matrix; batches broadcast.

    >>> import whygrad as tf
    >>> tf.linalg.triangular_solve([[2.0, 9.0], [1.0, 1.0]], [[2.0], [3.0]]).numpy()
    array([[1.],
           [2.]], dtype=float32)
    """
    a, b = convert_operands(matrix, rhs)
    check_same_dtype(a, b, "MatrixTriangularSolve")
    _check_solvable(a, b, "MatrixTriangularSolve")
    if a.shape[-1] != a.shape[-2]:
        raise invalid(
            f"In[0] matrices in the last dimensions must be square ({a.shape[-1]} =/= {a.shape[-2]}) [Op:MatrixTriangularSolve]"
        )
    check_batches(a.shape, b.shape, "MatrixTriangularSolve")
    return apply(_triangular_solve, a, b, lower=flag(lower, "lower"), adjoint=flag(adjoint, "adjoint"))


def _check_solvable(a: Tensor, b: Tensor, op_name: str) -> None:
    if a.ndim < 2:
        wording = "In[{position}] ndims must be >= 2: {rank}"
        raise invalid(NotAMatrix(position=0, shape=a._array.shape, op=op_name, wording=wording))
    if b.ndim < 2:
        wording = "In[1] ndims must be >= 2: {rank}"
        raise invalid(RightSideRank(matrix=a._array.shape, rhs=b._array.shape, op=op_name, wording=wording))
    matrices(a, op_name, square=False)
    if a.shape[-1] != b.shape[-2]:
        raise invalid(
            f"In[0] mismatch In[1] shape: {a.shape[-1]} vs. {b.shape[-2]}: {shape_text(a.shape)} {shape_text(b.shape)} "
            f"[Op:{op_name}]"
        )


@export("linalg.cholesky_solve")
def cholesky_solve(chol: Any, rhs: Any, name: str | None = None) -> Tensor:
    """The y with A @ y = rhs, given the Cholesky factor of A.

    >>> import whygrad as tf
    >>> tf.linalg.cholesky_solve([[2.0, 0.0], [0.0, 1.0]], [[4.0], [3.0]]).numpy()
    array([[1.],
           [3.]], dtype=float32)
    """
    chol, rhs = convert_operands(chol, rhs)
    return triangular_solve(chol, triangular_solve(chol, rhs), adjoint=True)


@export("linalg.banded_triangular_solve")
def banded_triangular_solve(
    bands: Any, rhs: Any, lower: bool = True, adjoint: bool = False, name: str | None = None
) -> Tensor:
    """The y with A @ y = rhs, for a triangular A given by its diagonals, each aligned by A's rows.

    The main diagonal comes first if `lower`, last if not.

    >>> import whygrad as tf
    >>> tf.linalg.banded_triangular_solve([[1.0, 1.0], [0.0, 2.0]], [[1.0], [3.0]]).numpy()
    array([[1.],
           [1.]], dtype=float32)
    """
    bands, rhs = convert_operands(bands, rhs)
    check_same_dtype(bands, rhs, "BandedTriangularSolve")
    _check_solvable(bands, rhs, "BandedTriangularSolve")
    below = bands.shape[-2] - 1
    lower = flag(lower, "lower")
    if are_known(bands) and np.any(bands._array[..., 0 if lower else below, :] == 0):
        raise invalid(Singular(op="BandedTriangularSolve"))
    # Aligned by rows: lower diagonals lack their first elements, upper ones their last.
    if lower:
        matrix = diag(bands, k=(-below, 0), align="LEFT_RIGHT") if below else diag(bands[..., 0, :])
    else:
        matrix = diag(bands, k=(0, below), align="LEFT_RIGHT") if below else diag(bands[..., 0, :])
    return triangular_solve(matrix, rhs, lower=lower, adjoint=adjoint)


# -- tridiagonal matrices: upper, main and lower diagonal, each aligned by the matrix's rows --


def _transposed_diagonals(xp: Any, diagonals: Any) -> Any:
    upper, main, lower = (diagonals[..., i, :] for i in range(3))
    return xp.stack([_shifted(xp, lower, 1), main, _shifted(xp, upper, -1)], axis=-2)


def _shifted(xp: Any, x: Any, by: int, axis: int = -1) -> Any:
    """Shift x by one: element i of the result is element i + by of x, or zero past the ends."""
    at = (Ellipsis,) if axis == -1 else (Ellipsis, slice(None))
    zeros = xp.zeros_like(x[(at[0], slice(0, 1), *at[1:])])
    if by > 0:
        return xp.concatenate([x[(at[0], slice(1, None), *at[1:])], zeros], axis=axis)
    return xp.concatenate([zeros, x[(at[0], slice(0, -1), *at[1:])]], axis=axis)


def _band_products(xp: Any, g: Any, y: Any) -> Any:
    """The three diagonals of g @ y^T."""
    rows = [xp.sum(g * each, axis=-1) for each in (_shifted(xp, y, 1, -2), y, _shifted(xp, y, -1, -2))]
    return xp.stack(rows, axis=-2)


def _tridiagonal_solve_vjp(xp: Any, g: Any, diagonals: Any, y: Any, perturb: bool) -> tuple[Any, Any]:
    gb = xp.tridiagonal_solve(_transposed_diagonals(xp, diagonals), g, perturb=perturb)
    return -_band_products(xp, gb, y), gb


_tridiagonal_solve = Primitive(
    "tridiagonal_solve",
    lambda xp, diagonals, rhs, *, perturb: xp.tridiagonal_solve(diagonals, rhs, perturb=perturb),
    joint=_tridiagonal_solve_vjp,
    op_name="TridiagonalSolve",
    traits=Traits(domain=(Invertible(),), batching=Batching.MATRICES),
)


@export("linalg.tridiagonal_solve")
def tridiagonal_solve(
    diagonals: Any,
    rhs: Any,
    diagonals_format: str = "compact",
    transpose_rhs: bool = False,
    conjugate_rhs: bool = False,
    name: str | None = None,
    partial_pivoting: bool = True,
    perturb_singular: bool = False,
) -> Tensor:
    """The y with T @ y = rhs, for a tridiagonal T.

    `diagonals` holds the upper, the main and the lower diagonal ("compact", each of T's size and aligned by T's rows), or
    is a sequence of three ("sequence"), or the matrix itself ("matrix"). With `perturb_singular` a singular T is treated as
    the closest T that is not: tiny pivots are moved away from zero, as LAPACK does for inverse iteration.

    >>> import whygrad as tf
    >>> tf.linalg.tridiagonal_solve([[1.0, 0.0], [2.0, 2.0], [0.0, 1.0]], [3.0, 3.0]).numpy()
    array([1., 1.], dtype=float32)
    """
    if flag(perturb_singular, "perturb_singular") and not flag(partial_pivoting, "partial_pivoting"):
        raise OpValueError("partial_pivoting must be True if perturb_singular is.")
    bands = _compact(diagonals, diagonals_format)
    b = convert(rhs, bands.dtype if not isinstance(rhs, Tensor) else None)
    check_same_dtype(bands, b, "TridiagonalSolve")
    if b.ndim not in (bands.ndim, bands.ndim - 1):
        raise OpValueError(
            f"Expected the rank of rhs to be {bands.ndim - 1} or {bands.ndim}, but its shape is {b.shape}."
        )
    vector = b.ndim == bands.ndim - 1
    if vector:
        b = reshape(b, (*b.shape, 1))
    elif flag(transpose_rhs, "transpose_rhs"):
        b = matrix_transpose(b)
    if flag(conjugate_rhs, "conjugate_rhs"):
        b = conjugated(b)
    if bands.shape[:-2] != b.shape[:-2]:
        raise OpValueError(f"Batch shapes {bands.shape[:-2]} and {b.shape[:-2]} are incompatible")
    if bands.shape[-1] != b.shape[-2]:
        raise OpValueError(
            "Expected number of left-hand sided and right-hand sides to be equal, got "
            f"{bands.shape[-1]} and {b.shape[-2]}"
        )
    y = apply(_tridiagonal_solve, bands, b, perturb=bool(perturb_singular))
    return reshape(y, tuple(y.shape)[:-1]) if vector else y


def _tridiagonal_product(xp: Any, diagonals: Any, rhs: Any) -> Any:
    upper, main, lower = (diagonals[..., i, :, None] for i in range(3))
    return upper * _shifted(xp, rhs, 1, -2) + main * rhs + lower * _shifted(xp, rhs, -1, -2)


_tridiagonal_matmul = Primitive(
    "tridiagonal_matmul",
    _tridiagonal_product,
    vjp=(
        lambda xp, g, rhs: _band_products(xp, g, rhs),
        lambda xp, g, diagonals: _tridiagonal_product(xp, _transposed_diagonals(xp, diagonals), g),
    ),
    op_name="TridiagonalMatMul",
)


@export("linalg.tridiagonal_matmul")
def tridiagonal_matmul(diagonals: Any, rhs: Any, diagonals_format: str = "compact", name: str | None = None) -> Tensor:
    """The product of a tridiagonal matrix and `rhs`; `diagonals` as for `tridiagonal_solve`.

    >>> import whygrad as tf
    >>> tf.linalg.tridiagonal_matmul([[1.0, 0.0], [2.0, 2.0], [0.0, 1.0]], [[1.0], [1.0]]).numpy()
    array([[3.],
           [3.]], dtype=float32)
    """
    bands = _compact(diagonals, diagonals_format)
    b = convert(rhs, bands.dtype if not isinstance(rhs, Tensor) else None)
    check_same_dtype(bands, b, "TridiagonalMatMul")
    if b.ndim != bands.ndim:
        raise invalid(
            f"All input tensors must have the same rank. The shapes are {bands.shape} and {b.shape} [Op:TridiagonalMatMul]"
        )
    expected = (*b.shape[:-2], 3, b.shape[-2])
    if tuple(bands.shape) != expected:
        raise invalid(
            f"Invalid superdiagonal shape. Diagonals of shape {shape_text(expected)} were expected for a right hand side of "
            f"shape {shape_text(b.shape)}, got {shape_text(bands.shape)} [Op:TridiagonalMatMul]"
        )
    return apply(_tridiagonal_matmul, bands, b)


def _compact(diagonals: Any, diagonals_format: str) -> Tensor:
    """The three diagonals as one tensor, in "compact" format."""
    if not isinstance(diagonals_format, str):
        raise unexpected("string", "diagonals_format", diagonals_format)
    if diagonals_format == "compact":
        bands = convert(diagonals, None)
        if bands.ndim < 2:
            raise OpValueError(f"Expected diagonals to have rank at least 2, got {bands.ndim}")
        if bands.shape[-2] != 3:
            raise OpValueError(
                f"Expected 3 diagonals got {bands.shape[-2]}: their shape is {bands.shape}, not [..., 3, M]"
            )
    elif diagonals_format == "sequence":
        if not isinstance(diagonals, list | tuple) or len(diagonals) != 3:
            raise OpValueError("Expected diagonals to be a sequence of length 3.")
        upper, main, lower = (convert(each, None) for each in diagonals)
        for each in (upper, main, lower):
            each.shape.with_rank_at_least(1)
        if not upper.shape[:-1] == main.shape[:-1] == lower.shape[:-1]:
            raise OpValueError(
                "Tensors representing the three diagonals must have the same shape, except for the last dimension, got "
                f"{upper.shape}, {main.shape}, {lower.shape}"
            )
        size = main.shape[-1]
        bands = stack([_lengthened(upper, size, "super"), main, _lengthened(lower, size, "sub")], axis=-2)
    elif diagonals_format == "matrix":
        matrix = convert(diagonals, None)
        if matrix.ndim < 2 or matrix.shape[-1] != matrix.shape[-2]:
            sizes = " and ".join(str(size) for size in matrix.shape[:-3:-1])
            raise OpValueError(f"Expected last two dimensions of diagonals to be same, got {sizes}")
        bands = _bands_of(matrix)
    else:
        raise OpValueError(f"Unrecognized diagonals_format: {diagonals_format}")
    return matrices(bands, "TridiagonalSolve", square=False)


def _lengthened(diagonal: Tensor, size: int, which: str) -> Tensor:
    """Pad a diagonal with a zero in place of its element outside the matrix."""
    if diagonal.shape[-1] == size:
        return diagonal
    if diagonal.shape[-1] != size - 1:
        raise OpValueError(
            f"Expected {which}diagonal to be have length {size} or {size - 1}, got {diagonal.shape[-1]}."
        )
    from whygrad.ops.shaping import concat

    zeros = wrap(np.zeros((*diagonal.shape[:-1], 1), diagonal._array.dtype))
    return concat([diagonal, zeros] if which == "super" else [zeros, diagonal], axis=-1)


def _bands_of(matrix: Tensor) -> Tensor:
    size = matrix.shape[-1]
    if size < 2:
        zeros = wrap(np.zeros((*matrix.shape[:-2], size), matrix._array.dtype))
        return stack([zeros, diag_part(matrix), zeros], axis=-2)
    return diag_part(matrix, k=(-1, 1), align="LEFT_RIGHT")


# -- least squares --


@export("linalg.lstsq")
def lstsq(matrix: Any, rhs: Any, l2_regularizer: Any = 0.0, fast: bool = True, name: str | None = None) -> Tensor:
    """The y that minimizes |matrix @ y - rhs|^2 + l2_regularizer * |y|^2; the shortest one if there are several.

    `fast` solves the normal equations; otherwise the pseudo-inverse is used, which also handles matrices without full rank, and
    `l2_regularizer` is ignored.

    >>> import whygrad as tf
    >>> tf.linalg.lstsq([[2.0], [0.0]], [[2.0], [3.0]]).numpy()
    array([[1.]], dtype=float32)
    """
    a, b = convert_operands(matrix, rhs)
    check_same_dtype(a, b, "MatrixSolveLs")
    a = matrices(a, "MatrixSolveLs", square=False)
    regularised = isinstance(l2_regularizer, Tensor) or number(l2_regularizer, "l2_regularizer") != 0
    if a.dtype is dtypes.complex128 and regularised:
        raise OpNotImplementedError(
            "matrix_solve_ls is currently disabled for complex128 and l2_regularizer != 0 due to poor accuracy."
        )
    if not flag(fast, "fast"):
        return matmul(pinv(a), b)
    wide = a.shape[-2] < a.shape[-1]
    gram = matmul(a, a, adjoint_b=True) if wide else matmul(a, a, adjoint_a=True)
    if regularised:
        identity = wrap(np.eye(gram.shape[-1], dtype=gram._array.dtype))
        gram = add(gram, multiply(identity, l2_regularizer))
    factor = cholesky(gram)
    if wide:
        return matmul(a, cholesky_solve(factor, b), adjoint_a=True)
    return cholesky_solve(factor, matmul(a, b, adjoint_a=True))


def _pinv_vjp(xp: Any, g: Any, x: Any, y: Any) -> Any:
    yh, gh = adjoint_in_rule(xp, y), adjoint_in_rule(xp, g)
    left = xp.matmul(gh, xp.matmul(y, yh))
    right = xp.matmul(xp.matmul(yh, y), gh)
    left = left - xp.matmul(x, xp.matmul(y, left))
    right = right - xp.matmul(xp.matmul(right, y), x)
    return left + right - xp.matmul(yh, xp.matmul(g, yh))


_pinv = Primitive(
    "matrix_pinv",
    lambda xp, x, rcond: xp.matrix_pinv(x, rcond),
    vjp=(_pinv_vjp, None),
    op_name="Pinv",
    conjugates=False,
    traits=Traits(domain=(Invertible(),)),
)


@export("linalg.pinv")
def pinv(a: Any, rcond: Any = None, validate_args: bool = False, name: str | None = None) -> Tensor:
    """The Moore-Penrose pseudo-inverse; singular values at most `rcond` times the largest count as zero.

    >>> import whygrad as tf
    >>> tf.linalg.pinv([[2.0], [0.0]]).numpy()
    array([[0.5, 0. ]], dtype=float32)
    """
    x = convert(a, None)
    check_float_matrices(x)
    real = x._array.real.dtype
    if rcond is None:
        rcond = 10.0 * max(x.shape[-2:]) * np.finfo(real).eps
    return apply(_pinv, x, convert(rcond, None if isinstance(rcond, Tensor) else dtypes.as_dtype(real)))
