"""Diagonals and bands of matrices: extract, create, set."""

from __future__ import annotations

import math
from typing import Any

from whygrad._public import export
from whygrad.ops.arguments import integer, word
from whygrad.ops.primitive import Primitive, apply
from whygrad.ops.reductions import reduce_sum
from whygrad.ops.shaping import reshape
from whygrad.ops.traits import Batching, Moves, Traits
from whygrad.values import dtypes
from whygrad.values.conversion import as_array, convert
from whygrad.values.errors import invalid, shape_text
from whygrad.values.faults import DiagonalOutOfRange, RankTooLow
from whygrad.values.tensor import Tensor, value_of

# The diagonals `low` to `high` of a matrix (0 is the main one, positive ones are above it), as TensorFlow packs them: the
# uppermost first, each along the last axis, short ones padded on the side given by `align`.
_diag_part = Primitive(
    "matrix_diag_part",
    lambda xp, x, *, low, high, align, padding: xp.matrix_diag_part(
        x, low=low, high=high, align=align, padding=padding
    ),
    vjp=lambda xp, g, low, high, align, x_shape: xp.matrix_diag(
        g, low=low, high=high, shape=x_shape[-2:], align=align, padding=0
    ),
    op_name="MatrixDiagPartV3",
    traits=Traits(moves=Moves.SOME, batching=Batching.LEADING),
)
_diag = Primitive(
    "matrix_diag",
    lambda xp, x, *, low, high, shape, align, padding: xp.matrix_diag(
        x, low=low, high=high, shape=shape, align=align, padding=padding
    ),
    vjp=lambda xp, g, low, high, align: xp.matrix_diag_part(g, low=low, high=high, align=align, padding=0),
    op_name="MatrixDiagV3",
    traits=Traits(moves=Moves.PADDED, batching=Batching.LEADING),
)
_set_diag = Primitive(
    "matrix_set_diag",
    lambda xp, x, diagonal, *, low, high, align: xp.matrix_set_diag(x, diagonal, low=low, high=high, align=align),
    vjp=(
        lambda xp, g, diagonal_shape, low, high, align: xp.matrix_set_diag(
            g, xp.zeros(diagonal_shape, g.dtype), low=low, high=high, align=align
        ),
        lambda xp, g, low, high, align: xp.matrix_diag_part(g, low=low, high=high, align=align, padding=0),
    ),
    op_name="MatrixSetDiagV3",
    traits=Traits(batching=Batching.LEADING),
)
_band_part = Primitive(
    "matrix_band_part",
    lambda xp, x, *, lower, upper: xp.matrix_band_part(x, lower=lower, upper=upper),
    vjp=lambda xp, g, lower, upper: xp.matrix_band_part(g, lower=lower, upper=upper),
    op_name="MatrixBandPart",
    traits=Traits(batching=Batching.LEADING),
)

_ALIGNMENTS = ("LEFT_RIGHT", "RIGHT_LEFT", "LEFT_LEFT", "RIGHT_RIGHT")


@export("linalg.diag")
def diag(
    diagonal: Any,
    name: str = "diag",
    k: Any = 0,
    num_rows: Any = -1,
    num_cols: Any = -1,
    padding_value: Any = 0,
    align: str = "RIGHT_LEFT",
) -> Tensor:
    """Matrices with the given diagonals, and `padding_value` elsewhere.

    `k` is the number of the diagonal (0 the main one, positive above it) or a range `(lowest, highest)`.

    >>> import whygrad as tf
    >>> tf.linalg.diag([1, 2], k=1).numpy()
    array([[0, 1, 0],
           [0, 0, 2],
           [0, 0, 0]], dtype=int32)
    """
    x = convert(diagonal, None)
    low, high = _band(k, "MatrixDiagV3")
    _check_align(align, "MatrixDiagV3")
    if x.ndim < 1 + (low != high):
        raise invalid(_too_few_axes(x, "diagonal", 1 + (low != high), "MatrixDiagV3"))
    if low != high and x.shape[-2] != high - low + 1:
        raise invalid(
            "The number of diagonals provided in the input does not match the lower_diag_index and upper_diag_index "
            "range. [Op:MatrixDiagV3]"
        )
    length = x.shape[-1]
    fewest_rows, fewest_columns = length - min(high, 0), length + max(low, 0)
    rows, columns = integer(num_rows, "num_rows"), integer(num_cols, "num_cols")
    if rows == -1 and columns == -1:
        rows = columns = max(fewest_rows, fewest_columns)
    rows = fewest_rows if rows == -1 else rows
    columns = fewest_columns if columns == -1 else columns
    if rows < fewest_rows:
        raise invalid(f"The number of rows is too small. ({rows}, at least {fewest_rows} are needed) [Op:MatrixDiagV3]")
    if columns < fewest_columns:
        raise invalid(
            f"The number of columns is too small. ({columns}, at least {fewest_columns} are needed) [Op:MatrixDiagV3]"
        )
    if rows != fewest_rows and columns != fewest_columns:
        raise invalid(
            "The number of rows or columns is not consistent with the specified d_lower, d_upper, and diagonal. "
            "[Op:MatrixDiagV3]"
        )
    padding = _padding(padding_value, x.dtype)
    return apply(_diag, x, low=low, high=high, shape=(rows, columns), align=align, padding=padding)


@export("linalg.diag_part")
def diag_part(
    input: Any, name: str = "diag_part", k: Any = 0, padding_value: Any = 0, align: str = "RIGHT_LEFT"
) -> Tensor:
    """Diagonals of matrices: diagonal `k`, or a range `(lowest, highest)` of them, the uppermost first.

    >>> import whygrad as tf
    >>> tf.linalg.diag_part([[1, 2], [3, 4]]).numpy()
    array([1, 4], dtype=int32)
    >>> tf.linalg.diag_part([[1, 2], [3, 4]], k=(-1, 0)).numpy()
    array([[1, 4],
           [3, 0]], dtype=int32)
    """
    x = convert(input, None)
    low, high = _band_within(k, x, "MatrixDiagPartV3")
    _check_align(align, "MatrixDiagPartV3")
    return apply(_diag_part, x, low=low, high=high, align=align, padding=_padding(padding_value, x.dtype))


@export("linalg.set_diag")
def set_diag(input: Any, diagonal: Any, name: str = "set_diag", k: Any = 0, align: str = "RIGHT_LEFT") -> Tensor:
    """The matrices with diagonal `k`, or a range `(lowest, highest)` of them, replaced.

    >>> import whygrad as tf
    >>> tf.linalg.set_diag([[1, 2], [3, 4]], [8, 9]).numpy()
    array([[8, 2],
           [3, 9]], dtype=int32)
    """
    x = convert(input, None)
    values = convert(diagonal, x.dtype)
    low, high = _band_within(k, x, "MatrixSetDiagV3")
    _check_align(align, "MatrixSetDiagV3")
    expected = diagonals_shape(tuple(x.shape), low, high)
    if tuple(values.shape) != expected:
        raise invalid(
            "Either first dimensions of diagonal don't match input.shape[:-2], or diagonal.shape[:-1] is not equal to the "
            f"longests diagonal in range [lower_diag_index:upper_diag_index].\nInput shape: {shape_text(x.shape)}\nDiagonal "
            f"shape: {shape_text(values.shape)}\nExpected diagonal shape: {shape_text(expected)} [Op:MatrixSetDiagV3]"
        )
    return apply(_set_diag, x, values, low=low, high=high, align=align)


def diagonals_shape(shape: tuple[int, ...], low: int, high: int) -> tuple[int, ...]:
    """The shape of the diagonals `low` to `high` of matrices of `shape`."""
    length = min(shape[-2] + min(high, 0), shape[-1] - max(low, 0))
    return (*shape[:-2], *([high - low + 1] if low != high else []), length)


def _band(k: Any, op_name: str) -> tuple[int, int]:
    """Convert a `k` argument to the lowest and the highest diagonal."""
    numbers = as_array(value_of(k) if isinstance(k, Tensor) else k, dtypes.int32).reshape(-1).tolist()
    if len(numbers) not in (1, 2):
        raise invalid(
            f"diag_index must have only one or two elements, received {len(numbers)} elements. [Op:{op_name}]"
        )
    low, high = numbers[0], numbers[-1]
    if low > high:
        raise invalid(f"lower_diag_index must not be larger than upper_diag_index: {low} > {high} [Op:{op_name}]")
    return low, high


def _band_within(k: Any, x: Tensor, op_name: str) -> tuple[int, int]:
    """Like `_band`, checked against the matrices that the diagonals belong to."""
    if x.ndim < 2:
        raise invalid(_too_few_axes(x, "input", 2, op_name))
    low, high = _band(k, op_name)
    rows, columns = x.shape[-2:]
    for which, number in (("lower", low), ("upper", high)):
        if not -rows < number < columns and number != 0:
            raise invalid(DiagonalOutOfRange(which=which, diagonal=number, rows=rows, columns=columns, op=op_name))
    return low, high


def _too_few_axes(x: Tensor, parameter: str, at_least: int, op_name: str) -> RankTooLow:
    wording = f"{parameter} must be at least {{at_least}}-dim, received shape: {{shape}}"
    return RankTooLow(shape=x._array.shape, at_least=at_least, op=op_name, wording=wording)


def _check_align(align: str, op_name: str) -> None:
    word(align, "align", tuple(_ALIGNMENTS), op_name)


def _padding(value: Any, dtype: dtypes.DType) -> Any:
    """Convert a padding value to a plain number of the tensor's dtype."""
    if isinstance(value, Tensor):
        value = value_of(value)
    if dtype is dtypes.bool_ and isinstance(value, int | float):  # the default, 0, means False
        value = bool(value)
    padding = as_array(value, dtype)
    if padding.size != 1:
        raise invalid(f"padding_value must be a scalar, received shape {shape_text(padding.shape)}")
    return padding.item()


@export("linalg.tensor_diag")
def tensor_diag(diagonal: Any, name: str | None = None) -> Tensor:
    """A tensor of twice the rank with the given values on its diagonal and zeros elsewhere.

    >>> import whygrad as tf
    >>> tf.linalg.tensor_diag([1, 2]).numpy()
    array([[1, 0],
           [0, 2]], dtype=int32)
    """
    x = convert(diagonal, None)
    if x.ndim < 1:
        wording = "Input must be at least rank {at_least}, got {rank}"
        raise invalid(RankTooLow(shape=(), at_least=1, op="Diag", wording=wording))
    size = math.prod(x.shape)
    return reshape(diag(reshape(x, (size,))), (*x.shape, *x.shape))


@export("linalg.tensor_diag_part")
def tensor_diag_part(input: Any, name: str | None = None) -> Tensor:
    """The diagonal of a tensor whose first half of axes has the same sizes as the second half.

    >>> import whygrad as tf
    >>> tf.linalg.tensor_diag_part([[1, 2], [3, 4]]).numpy()
    array([1, 4], dtype=int32)
    """
    x = convert(input, None)
    if x.ndim == 0:
        return reshape(x, ())
    if x.ndim % 2:
        raise invalid(
            f"The rank of the tensor should be even and positive, got shape {shape_text(x.shape)} [Op:DiagPart]"
        )
    half = x.ndim // 2
    for i in range(half):
        if x.shape[i] != x.shape[i + half]:
            raise invalid(
                f"Invalid shape {shape_text(x.shape)}: dimensions {i} and {i + half} do not match. [Op:DiagPart]"
            )
    sizes = tuple(x.shape)[:half]
    return reshape(diag_part(reshape(x, (math.prod(sizes), math.prod(sizes)))), sizes)


@export("linalg.band_part")
def band_part(input: Any, num_lower: Any, num_upper: Any, name: str | None = None) -> Tensor:
    """Set everything outside a band of diagonals to zero; a negative number keeps all.

    >>> import whygrad as tf
    >>> tf.linalg.band_part([[1, 2], [3, 4]], -1, 0).numpy()
    array([[1, 0],
           [3, 4]], dtype=int32)
    """
    x = convert(input, None)
    if x.ndim < 2:
        raise invalid(_too_few_axes(x, "input", 2, "MatrixBandPart"))
    lower = _band_width(num_lower, "num_lower", "rows", x.shape[-2])
    upper = _band_width(num_upper, "num_upper", "columns", x.shape[-1])
    return apply(_band_part, x, lower=lower, upper=upper)


def _band_width(value: Any, argument: str, of: str, size: int) -> int:
    number = value_of(convert(value, None if isinstance(value, Tensor) else dtypes.int64))
    if number.ndim:
        raise invalid(f"{argument} must be scalar, got shape {shape_text(number.shape)} [Op:MatrixBandPart]")
    width = integer(number, argument, "MatrixBandPart")
    if width > size:
        raise invalid(
            f"{argument} must be negative or less or equal to number of {of} ({size}) got: {width} [Op:MatrixBandPart]"
        )
    return width


@export("linalg.trace")
def trace(x: Any, name: str | None = None) -> Tensor:
    """The sum of the main diagonal of each matrix.

    >>> import whygrad as tf
    >>> tf.linalg.trace([[1.0, 2.0], [3.0, 4.0]]).numpy()
    np.float32(5.0)
    """
    return reduce_sum(diag_part(x), axis=-1)
