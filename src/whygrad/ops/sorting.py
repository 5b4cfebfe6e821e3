"""Sorting, searching, and finding distinct elements."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from whygrad._public import export
from whygrad.ops import elementwise
from whygrad.ops.advice import shape_by_values
from whygrad.ops.arguments import integer
from whygrad.ops.primitive import Primitive, apply, apply_several, check_dtype, check_same_dtype
from whygrad.ops.reductions import checked_type, reduce_all, static_number
from whygrad.ops.shaping import reshape
from whygrad.ops.traits import Batching, Moves, Selects, Traits
from whygrad.ops.unregistered import unregistered
from whygrad.values import dtypes
from whygrad.values.conversion import convert
from whygrad.values.errors import OpTypeError, OpValueError, invalid, shape_text
from whygrad.values.faults import AxisOutOfRange, DtypeNotAllowed, IndexOutOfRange, NoneGiven, RankTooLow
from whygrad.values.tensor import Tensor, are_known, value_of, wrap

# -- sorting --

_NO_ORDER_GRADIENT = "positions are integers: they do not change under a small step"

# A rank is how many other elements are smaller.
_SORTED_VALUES = "the sorted values, which have a gradient (tf.sort, or the values of tf.math.top_k), or ranks that sum sigmoids of differences"

_sort_order = Primitive(
    "sort_order",
    lambda xp, x, *, axis, descending: xp.sort_order(x, axis=axis, descending=descending),
    no_gradient=_NO_ORDER_GRADIENT,
    op_name="TopKV2",
    traits=Traits(smooth_form=_SORTED_VALUES),
)
_place_along_axis = Primitive(
    "place_along_axis",
    lambda xp, values, positions, *, axis, size: xp.place_along_axis(values, positions, axis=axis, size=size),
    vjp=(lambda xp, g, positions, axis: xp.take_along_axis(g, positions, axis=axis), None),
    op_name="ScatterNd",
    traits=Traits(batching=Batching.LEADING),
)


def sort_vjp(xp: Any, g: Any, x: Any, x_shape: tuple[int, ...], axis: int, descending: bool) -> Any:
    """Scatter each cotangent back to its element's position."""
    order = xp.sort_order(x, axis=axis, descending=descending)
    return xp.place_along_axis(g, order, axis=axis, size=x_shape[axis])


_sort = Primitive(
    "sort",
    lambda xp, x, *, axis, descending: xp.sort_values(x, axis=axis, descending=descending),
    vjp=sort_vjp,
    op_name="TopKV2",
)


def _sorting_arguments(values: Any, axis: Any, direction: str) -> tuple[Tensor, int, bool]:
    if not isinstance(direction, str) or direction not in ("ASCENDING", "DESCENDING"):
        raise OpValueError(
            f"Argument `direction` should be one of ASCENDING, DESCENDING. Received: direction={direction}"
        )
    if axis is None:
        raise OpValueError(NoneGiven())
    x = convert(values, None)
    number = integer(axis, "axis")
    if not -x.ndim <= number < x.ndim:
        wording = (
            f"slice index {number if number >= 0 else number + x.ndim} of dimension 0 out of bounds. "
            "The axis to sort along is {axis}; the values have {rank} dimension(s)."
        )
        raise invalid(AxisOutOfRange(axis=number, rank=x.ndim, op="StridedSlice", wording=wording))
    check_dtype(x, "real", "TopKV2")
    return x, number % x.ndim, direction == "DESCENDING"


@export("sort")
def sort(values: Any, axis: Any = -1, direction: str = "ASCENDING", name: str | None = None) -> Tensor:
    """Sort the values along `axis`; `direction` is "ASCENDING" or "DESCENDING".

    >>> import whygrad as tf
    >>> tf.sort([3.0, 1.0, 2.0], direction="DESCENDING").numpy()
    array([3., 2., 1.], dtype=float32)
    """
    x, number, descending = _sorting_arguments(values, axis, direction)
    return apply(_sort, x, axis=number, descending=descending)


@export("argsort")
def argsort(
    values: Any, axis: Any = -1, direction: str = "ASCENDING", stable: bool = False, name: str | None = None
) -> Tensor:
    """The indices that sort the values along `axis`; always a stable sort, whatever `stable` says.

    >>> import whygrad as tf
    >>> tf.argsort([3.0, 1.0, 2.0]).numpy()
    array([1, 2, 0], dtype=int32)
    """
    x, number, descending = _sorting_arguments(values, axis, direction)
    return apply(_sort_order, x, axis=number, descending=descending)


# -- top_k --


class TopKV2(NamedTuple):
    """The result of `top_k`."""

    values: Tensor
    indices: Tensor


_INDEX_TYPES = ("int16", "int32", "int64")


def _top_k_forward(xp: Any, x: Any, *, k: int, dtype: Any) -> tuple[Any, Any]:
    values, positions = xp.top_k(x, k=k)
    return values, positions.astype(dtype)


_top_k = Primitive(
    "top_k",
    _top_k_forward,
    vjp=lambda xp, g, y, x_shape: xp.place_along_axis(g[0], y[1], axis=len(x_shape) - 1, size=x_shape[-1]),
    op_name="TopKV2",
    traits=Traits(
        moves=Moves.SOME,
        selects=Selects.PLACES,
        smooth_form="the values that it gives, which have a gradient, or a softmax, which weights all positions",
    ),
)


@export("math.top_k", "nn.top_k")
def top_k(
    input: Any, k: Any = 1, sorted: bool = True, index_type: Any = dtypes.int32, name: str | None = None
) -> TopKV2:
    """The k largest elements along the last axis and their indices, in descending order; ties go to the lower index.

    With `sorted=False` the order is unspecified; here it is the same.

    >>> import whygrad as tf
    >>> values, indices = tf.math.top_k([1.0, 9.0, 4.0], k=2)
    >>> values.numpy(), indices.numpy()
    (array([9., 4.], dtype=float32), array([1, 2], dtype=int32))
    """
    x = convert(input, None)
    number = static_number(k, "k must be scalar, got shape {}", "TopKV2", _INDEX_TYPES, "Tk")
    check_dtype(x, "real", "TopKV2")
    dtype = checked_type(index_type, _INDEX_TYPES, "index_type", "TopKV2")
    if not x.ndim:
        raise invalid("input must be >= 1-D, got shape [] [Op:TopKV2]")
    if number < 0:
        raise invalid(f"Need k >= 0, got {number} [Op:TopKV2]")
    columns = x._array.shape[-1]
    if number > columns:
        raise invalid(f"input must have at least k columns. Had {columns}, needed {number} [Op:TopKV2]")
    return TopKV2(*apply_several(_top_k, x, k=number, dtype=dtype))


def _in_top_k_forward(xp: Any, targets: Any, predictions: Any, *, k: int) -> Any:
    classes = predictions.shape[1]
    known = (targets >= 0) & (targets < classes) & xp.all(xp.isfinite(predictions), axis=1)
    if not classes:
        return known
    chosen = xp.take_along_axis(predictions, xp.where(known, targets, 0)[:, None], axis=1)
    return known & (xp.sum((predictions > chosen).astype("int32"), axis=1) < k)


_in_top_k = Primitive(
    "in_top_k",
    _in_top_k_forward,
    no_gradient=_NO_ORDER_GRADIENT,
    op_name="InTopKV2",
    traits=Traits(selects=Selects.PLACES),
)


@export("math.in_top_k", "nn.in_top_k")
def in_top_k(targets: Any, predictions: Any, k: Any, name: str | None = None) -> Tensor:
    """For each row of `predictions`, whether fewer than k are larger than the one at `targets`. It has no gradient.

    False if that is undefined: a target out of range, or predictions that are not finite.

    >>> import whygrad as tf
    >>> tf.math.in_top_k([1, 0], [[0.1, 0.7, 0.2], [0.1, 0.7, 0.2]], k=2).numpy()
    array([ True, False])
    """
    scores = convert(predictions, dtypes.float32)
    wanted = convert(targets, None)
    number = static_number(k, "k must be 0-D, got shape {}", "InTopKV2")
    checked_type(wanted.dtype, ("int32", "int64"), "T", "InTopKV2")
    if scores.ndim != 2:
        raise invalid("predictions must be 2-dimensional [Op:InTopKV2]")
    if wanted.ndim != 1:
        raise invalid("targets must be 1-dimensional [Op:InTopKV2]")
    rows, length = len(scores), len(wanted)
    if rows != length:
        raise invalid(f"First dimension of predictions {rows} must match length of targets {length} [Op:InTopKV2]")
    return apply(_in_top_k, wanted, scores, k=number)


# -- searching --

_search_sorted = Primitive(
    "search_sorted",
    lambda xp, sequence, values, *, right, dtype: xp.search_sorted(sequence, values, right=right).astype(dtype),
    no_gradient=_NO_ORDER_GRADIENT,
    op_name="LowerBound",
)


@export("searchsorted")
def searchsorted(
    sorted_sequence: Any, values: Any, side: str = "left", out_type: Any = dtypes.int32, name: str | None = None
) -> Tensor:
    """The insertion index of each of `values` in `sorted_sequence`: before equal elements, or after them if `side` is "right".

    The last axis is searched; leading axes must agree and are matched row by row. It has no gradient.

    >>> import whygrad as tf
    >>> tf.searchsorted([1, 3, 5], [0, 3, 6]).numpy()
    array([0, 1, 3], dtype=int32)
    """
    if not isinstance(side, str) or side not in ("left", "right"):
        raise OpValueError(f"Argument `side` must be either 'right' or 'left'. Received: `side` = '{side}'.")
    op_name = "LowerBound" if side == "left" else "UpperBound"
    sequence = convert(sorted_sequence, None)
    wanted = convert(values, None)
    for tensor in (sequence, wanted):
        if not tensor.ndim:
            wording = "slice index -1 of dimension 0 out of bounds. Both tensors need an axis."
            raise invalid(RankTooLow(shape=(), at_least=1, op="StridedSlice", wording=wording))
    check_same_dtype(sequence, wanted, op_name)
    check_dtype(sequence, "real", op_name)
    dtype = checked_type(out_type, ("int32", "int64"), "out_type", op_name)
    leading = [math.prod(tensor._array.shape[:-1]) for tensor in (sequence, wanted)]
    if leading[0] != leading[1]:
        raise invalid(
            f"Leading dim_size of both tensors must match. Shapes: {shape_text(sequence._array.shape)} and "
            f"{shape_text(wanted._array.shape)} [Op:{op_name}]"
        )
    return apply(_search_sorted, sequence, wanted, right=side == "right", dtype=dtype)


@export("raw_ops.Bucketize")
def bucketize(input: Any, boundaries: Any, name: str | None = None) -> Tensor:
    """For each element, the number of `boundaries`, in ascending order, that are at most as large.

    >>> import whygrad as tf
    >>> tf.raw_ops.Bucketize(input=[-5, 0, 3, 150], boundaries=[0.0, 10.0, 100.0]).numpy()
    array([0, 1, 1, 3], dtype=int32)
    """
    x = convert(input, None)
    allowed = ("int32", "int64", "float32", "float64")
    if x.dtype.name not in allowed:
        raise invalid(DtypeNotAllowed(dtype=x.dtype, allowed=allowed, attribute="T", op="Bucketize"))
    ends = np.asarray(boundaries, np.float32).astype(np.float64)
    if (ends[1:] < ends[:-1]).any():
        raise invalid("Expected sorted boundaries [Op:Bucketize]")
    wide = reshape(elementwise.cast(x, dtypes.float64), (-1,))
    return reshape(apply(_search_sorted, wrap(ends), wide, right=True, dtype=np.dtype(np.int32)), x._array.shape)


# -- distinct elements --


class Unique(NamedTuple):
    """The result of `unique`."""

    y: Tensor
    idx: Tensor


class UniqueWithCounts(NamedTuple):
    """The result of `unique_with_counts`."""

    y: Tensor
    idx: Tensor
    count: Tensor  # type: ignore[assignment]  # TensorFlow's name, which shadows tuple.count


def _unique_forward(xp: Any, x: Any, *, dtype: Any, axis: int = 0) -> tuple[Any, Any, Any]:
    y, places, counts = xp.unique_in_order(x, axis=axis)
    return y, places.astype(dtype), counts.astype(dtype)


_UNIQUE = {
    "Unique": Primitive("unique", _unique_forward, joint=unregistered("Unique")),
    "UniqueWithCounts": Primitive("unique_with_counts", _unique_forward, joint=unregistered("UniqueWithCounts")),
    "UniqueV2": Primitive("unique_slices", _unique_forward, joint=unregistered("UniqueV2")),
    "UniqueWithCountsV2": Primitive(
        "unique_slices_with_counts", _unique_forward, joint=unregistered("UniqueWithCountsV2")
    ),
}


def _distinct(x: Any, out_idx: Any, op_name: str) -> tuple[Tensor, ...]:
    vector = convert(x, None)
    dtype = checked_type(out_idx, ("int32", "int64"), "out_idx", op_name)
    if vector.ndim != 1:
        raise invalid(f"unique expects a 1D vector. [Op:{op_name}]")
    return apply_several(_UNIQUE[op_name], vector, dtype=dtype)


def _distinct_slices(x: Any, axis: Any, out_idx: Any, op_name: str) -> tuple[Tensor, ...]:
    tensor = convert(x, None)
    dtype = checked_type(out_idx, ("int32", "int64"), "out_idx", op_name)
    axes = value_of(convert(axis, dtypes.int64 if not np.size(axis) else None)).ravel().tolist()
    if len(axes) > 1:
        raise invalid(f"axis does not support input tensors larger than 1 elements [Op:{op_name}]")
    if not axes and tensor.ndim != 1:
        raise invalid(f"unique expects a 1D vector. [Op:{op_name}]")
    along = axes[0] if axes else 0
    if not -tensor.ndim <= along < tensor.ndim:
        raise invalid(AxisOutOfRange(axis=along, rank=tensor.ndim, op=op_name))
    return apply_several(_UNIQUE[op_name], tensor, dtype=dtype, axis=along % tensor.ndim)


@shape_by_values(chooses=True)
@export("unique")
def unique(x: Any, out_idx: Any = dtypes.int32, name: str | None = None) -> Unique:
    """The distinct elements of a vector in order of first appearance, and the index of each element among them.

    >>> import whygrad as tf
    >>> y, idx = tf.unique([7, 3, 7, 7, 1])
    >>> y.numpy(), idx.numpy()
    (array([7, 3, 1], dtype=int32), array([0, 1, 0, 0, 2], dtype=int32))
    """
    return Unique(*_distinct(x, out_idx, "Unique")[:2])


@shape_by_values(chooses=True)
@export("unique_with_counts")
def unique_with_counts(x: Any, out_idx: Any = dtypes.int32, name: str | None = None) -> UniqueWithCounts:
    """Like `unique`, and the count of each distinct element.

    >>> import whygrad as tf
    >>> tf.unique_with_counts([7, 3, 7, 7, 1]).count.numpy()
    array([3, 1, 1], dtype=int32)
    """
    return UniqueWithCounts(*_distinct(x, out_idx, "UniqueWithCounts"))


@shape_by_values(chooses=True)
@export("raw_ops.UniqueV2")
def unique_slices(x: Any, axis: Any, out_idx: Any = dtypes.int32, name: str | None = None) -> Unique:
    """The distinct slices along an axis in order of first appearance, and the index of each slice among them.

    >>> import whygrad as tf
    >>> y, idx = tf.raw_ops.UniqueV2(x=[[7, 3, 7], [1, 1, 1]], axis=[1])
    >>> y.numpy(), idx.numpy()
    (array([[7, 3],
           [1, 1]], dtype=int32), array([0, 1, 0], dtype=int32))
    """
    return Unique(*_distinct_slices(x, axis, out_idx, "UniqueV2")[:2])


@shape_by_values(chooses=True)
@export("raw_ops.UniqueWithCountsV2")
def unique_slices_with_counts(
    x: Any, axis: Any, out_idx: Any = dtypes.int32, name: str | None = None
) -> UniqueWithCounts:
    """Like `tf.raw_ops.UniqueV2`, and the count of each distinct slice.

    >>> import whygrad as tf
    >>> tf.raw_ops.UniqueWithCountsV2(x=[[7, 3, 7], [1, 1, 1]], axis=[1]).count.numpy()
    array([2, 1], dtype=int32)
    """
    return UniqueWithCounts(*_distinct_slices(x, axis, out_idx, "UniqueWithCountsV2"))


# -- positions --

_unravel_index = Primitive(
    "unravel_index",
    lambda xp, indices, *, dims: xp.stack(xp.unravel_index(indices, dims)).astype(indices.dtype),
    no_gradient=_NO_ORDER_GRADIENT,
)


@export("unravel_index")
def unravel_index(indices: Any, dims: Any, name: str | None = None) -> Tensor:
    """The coordinates, one row per axis, of flat `indices` into a tensor of shape `dims`.

    >>> import whygrad as tf
    >>> tf.unravel_index([2, 5, 7], [3, 3]).numpy()
    array([[0, 1, 2],
           [2, 2, 1]], dtype=int32)
    """
    flat, shape = convert(indices, None), convert(dims, None)
    # Python's numbers take the dtype of the other operand.
    if not hasattr(dims, "dtype") and flat.dtype is dtypes.int64:
        shape = convert(dims, flat.dtype)
    elif not hasattr(indices, "dtype") and shape.dtype is dtypes.int64:
        flat = convert(indices, shape.dtype)
    for tensor in (flat, shape):
        if tensor.dtype.name not in ("int32", "int64"):
            raise invalid(
                DtypeNotAllowed(dtype=tensor.dtype, allowed=("int32", "int64"), attribute="Tidx", op="UnravelIndex")
            )
    check_same_dtype(flat, shape, "UnravelIndex")
    if flat.ndim > 1:
        raise invalid(
            f'The indices can only be scalar or vector, got "{shape_text(flat._array.shape)}" [Op:UnravelIndex]'
        )
    if shape.ndim != 1:
        raise invalid(f'The indices can only be 1-D, got "{shape_text(shape._array.shape)}" [Op:UnravelIndex]')
    sizes = tuple(shape._array.tolist())
    for i, size in enumerate(sizes):
        if size < 0:
            raise invalid(f"Input dims cannot be negative. Got dim = {size} at index {i} [Op:UnravelIndex]")
        if not size:
            raise invalid(
                f"Input dims cannot contain a dim of zero, but dims contains zero at index {i} [Op:UnravelIndex]"
            )
    if math.prod(sizes) > shape.dtype.max:
        raise invalid(f"Input dims product is causing integer overflow: {sizes} [Op:UnravelIndex]")
    array = flat._array
    if not array.size:
        raise invalid(
            f"received empty tensor indices: Tensor<type: {flat.dtype.name} shape: {shape_text(array.shape)} values: > "
            f"[Op:UnravelIndex]"
        )
    if not sizes or (are_known(flat) and ((array < 0) | (array >= math.prod(sizes))).any()):
        raise invalid(IndexOutOfRange(op="UnravelIndex", wording="index is out of bound as with dims"))
    return apply(_unravel_index, flat, dims=sizes)


# -- monotonicity --


def _steps(x: Any) -> tuple[Tensor, Tensor]:
    """Each element of a flattened tensor, and the next one."""
    tensor = convert(x, None)
    if not tensor.dtype.is_numeric:
        raise OpTypeError(f"Expected x to be numeric, instead found: {tensor!s}")
    flat = reshape(tensor, (-1,))
    return flat[:-1], flat[1:]


@export("math.is_non_decreasing")
def is_non_decreasing(x: Any, name: str | None = None) -> Tensor:
    """Return whether no element, in row-major order, is less than the one before it.

    >>> import whygrad as tf
    >>> tf.math.is_non_decreasing([1, 1, 3]).numpy()
    np.True_
    """
    earlier, later = _steps(x)
    return reduce_all(elementwise.greater_equal(later, earlier))


@export("math.is_strictly_increasing")
def is_strictly_increasing(x: Any, name: str | None = None) -> Tensor:
    """Return whether every element, in row-major order, is greater than the one before it.

    >>> import whygrad as tf
    >>> tf.math.is_strictly_increasing([1, 1, 3]).numpy()
    np.False_
    """
    earlier, later = _steps(x)
    return reduce_all(elementwise.greater(later, earlier))
