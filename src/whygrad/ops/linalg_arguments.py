"""Helpers shared by the rules and the checks of linear algebra."""

from __future__ import annotations

from typing import Any

from whygrad.values.conversion import convert
from whygrad.values.errors import NotFoundError, OpTypeError, OpValueError, invalid
from whygrad.values.faults import DtypeNotAllowed, NotSquare, RankTooLow
from whygrad.values.tensor import Tensor


def matrices(value: Any, op_name: str, *, square: bool = True, half: bool = False) -> Tensor:
    """Convert an argument to a Tensor of floating point or complex matrices, square by default."""
    x = convert(value, None)
    if x._array.dtype.kind not in "fc":
        raise invalid(
            DtypeNotAllowed(dtype=x.dtype, allowed=("double", "float", "half", "complex64", "complex128"), op=op_name)
        )
    if x._array.dtype == "float16" and not half:
        raise NotFoundError(
            None,
            None,
            f"Could not find device for node: {op_name}[T=DT_HALF]. It takes no half precision: use float32.",
        )
    if x.ndim < 2:
        wording = "Input tensor 0 must have rank >= {at_least}, got {rank}"
        raise invalid(RankTooLow(shape=x._array.shape, at_least=2, op=op_name, wording=wording))
    if square and x.shape[-1] != x.shape[-2]:
        raise invalid(NotSquare(shape=x._array.shape, op=op_name))
    return x


def check_float_matrices(a: Tensor) -> None:
    """Raise like `pinv` and `matrix_rank` unless the argument is a floating point matrix."""
    if a._array.dtype.kind not in "fVc":
        raise OpTypeError(f"Input `a` must have `float`-like `dtype` (saw {a.dtype.name}).")
    if a.ndim < 2:
        wording = "Input `a` must have at least {at_least} dimensions (saw: {rank})."
        raise OpValueError(RankTooLow(shape=a._array.shape, at_least=2, wording=wording))


def is_complex(x: Any) -> bool:
    """Return whether an array or Tensor in a rule is complex."""
    return bool(getattr(x, "_array", x).dtype.kind == "c")


def adjoint(xp: Any, x: Any) -> Any:
    """The conjugate transpose, in a rule."""
    transposed = xp.matrix_transpose(x)
    return xp.conj(transposed) if is_complex(x) else transposed


def diagonal_matrix(xp: Any, diagonal: Any) -> Any:
    """Square matrices with the given main diagonal, in a rule."""
    size = diagonal.shape[-1]
    return xp.matrix_diag(diagonal, low=0, high=0, shape=(size, size), align="RIGHT_LEFT", padding=0)


def main_diagonal(xp: Any, x: Any) -> Any:
    """The main diagonals of matrices, in a rule."""
    return xp.matrix_diag_part(x, low=0, high=0, align="RIGHT_LEFT", padding=0)


def lower_triangle(xp: Any, x: Any) -> Any:
    """Matrices with zeros above the diagonal, in a rule."""
    return xp.matrix_band_part(x, lower=-1, upper=0)


def upper_triangle(xp: Any, x: Any) -> Any:
    """Matrices with zeros below the diagonal, in a rule."""
    return xp.matrix_band_part(x, lower=0, upper=-1)


def gap_reciprocals(xp: Any, values: Any) -> Any:
    """1 / (values[j] - values[i]) for all pairs, and 0 for equal values: their terms are dropped, as in TensorFlow."""
    reciprocals = safe_reciprocal(values[..., None, :] - values[..., :, None])
    # The diagonal is already 0, but with a steep slope that would swamp the second derivative.
    return xp.matrix_set_diag(reciprocals, xp.zeros_like(values), low=0, high=0, align="RIGHT_LEFT")


def safe_reciprocal(x: Any) -> Any:
    """1 / x, or 0 at 0."""
    return x / (x * x + 1e-20)
