"""Ops that index into a tensor: slices, lookups, scatters."""

from __future__ import annotations

import math
import numbers
from collections.abc import Sequence
from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.ops.advice import shape_by_values
from whygrad.ops.arguments import integer, text
from whygrad.ops.index_checks import (
    INDEX_DTYPES,
    bad_position,
    check_in_range,
    check_index_dtype,
    check_scatter_shapes,
    check_update_ranks,
    outside_nd,
)
from whygrad.ops.partial import Rows, Slot
from whygrad.ops.primitive import Primitive, apply
from whygrad.ops.shaping import concat, reshape
from whygrad.ops.traits import MOVES_SOME, Batching, Moves, Selects, Traits
from whygrad.values import dtypes
from whygrad.values.conversion import convert
from whygrad.values.errors import (
    NotFoundError,
    OpNotImplementedError,
    OpTypeError,
    OpValueError,
    invalid,
    shape_text,
)
from whygrad.values.faults import (
    DtypeNotAllowed,
    DtypesDiffer,
    IndexOutOfRange,
    NotAnIndex,
    RankTooLow,
    ShapeDependsOnValues,
    SliceOutOfRange,
    TooManyIndices,
    UpdatesMisshapen,
)
from whygrad.values.recorders import state
from whygrad.values.shapes import of_tuple
from whygrad.values.tensor import Key, Tensor, are_known, key_of, value_of, wrap
from whygrad.values.variable import Variable

Array = Any

# -- x[...]: basic indices, known when the op runs --

_getitem = Primitive(
    "getitem",
    lambda xp, x, *, index: x[index],
    vjp=lambda xp, g, index: Slot(g, index),
    op_name="StridedSlice",
    traits=Traits(moves=Moves.SOME, selects=Selects.SLICE, passes_numeric_checks=True),
)

# The accumulated cotangents of `getitem` and `gather` as ops, for sweeps that are themselves differentiated.
_place_slots = Primitive(
    "place_slots",
    lambda xp, *values, slots, shape: xp.place_slots(*values, slots=slots, shape=shape),
    joint=lambda xp, g, slots: tuple([g[index] for index in slots]),
)
_scatter_rows = Primitive(
    "scatter_rows",
    lambda xp, values, indices, *, shape: xp.scatter_rows(values, indices, shape=shape),
    vjp=(lambda xp, g, indices: xp.gather(g, indices, axis=0, batch_dims=0), None),
    traits=Traits(selects=Selects.PLACES, batching=Batching.ROWS),
)

newaxis: None = export("newaxis")(None)


# What to write where a mask is not known while a function is being compiled (`ShapeByValues`).
_KEEP_THE_SHAPE = (
    "keep the shape: sum over tf.where({0}, {1}, 0.0); for a mean, divide by the number that is kept, "
    "tf.reduce_sum(tf.cast({0}, {1}.dtype)); or select before the function is called"
)


@shape_by_values(
    instead="keep the whole axis and mask what lies outside of the slice, or take tf.slice(x, begin, size): its begin may be "
    "computed, but its size is a number that is known",
    for_mask=_KEEP_THE_SHAPE,
)
def getitem(tensor: Any, key: Any) -> Tensor:
    """`tensor[key]`: ints, slices, `...`, None, scalar integer tensors among those; or a boolean mask."""
    x = tensor if type(tensor) is Tensor else convert(tensor, None)
    if type(key) is not int:  # the most common case
        if is_mask(key):
            return boolean_mask(x, key)
        if state.context is not None:
            x, key = _looked_up(x, key)
    return apply(_getitem, x, index=basic_index(key, x._array.shape))


def _looked_up(x: Tensor, key: Any) -> tuple[Tensor, Any]:
    """The rest of `x[key]` after the lookups at symbolic positions."""
    items = list(key) if isinstance(key, list | tuple) else [key]
    if not any(map(_is_symbolic_position, items)):
        return x, key
    count = sum(item is not None and item is not Ellipsis for item in items)
    axis = x.ndim if any(item is Ellipsis for item in items) else count
    for place in reversed(range(len(items))):  # from the last axis on, so that the numbers of earlier axes stay valid
        item = items[place]
        if item is Ellipsis:
            axis -= x.ndim - count
        elif item is not None:
            axis -= 1
            if _is_symbolic_position(item) and 0 <= axis < x.ndim:
                x = element_at(x, item, axis)
                del items[place]
                count -= 1
    return x, tuple(items)


def placed_index(key: Any, shape: tuple[int, ...]) -> tuple[Any, ...]:
    """Like `basic_index`, with the XLA engine's scalars for symbolic positions."""
    items = list(key) if isinstance(key, list | tuple) else [key]
    places = [place for place, item in enumerate(items) if _is_symbolic_position(item)]
    index = list(basic_index([0 if place in places else item for place, item in enumerate(items)], shape))
    for place in places:
        index[place] = convert(items[place], None)._array
    return tuple(index)


def _is_symbolic_position(item: Any) -> bool:
    return (
        isinstance(item, Tensor | Variable)
        and item.dtype in INDEX_DTYPES
        and not item.ndim
        and not are_known(convert(item, None))
    )


def basic_index(key: Any, shape: tuple[int, ...]) -> tuple[Any, ...]:
    """Convert a key, for a tensor of `shape`, to NumPy's basic index with an Ellipsis; raises TensorFlow's errors."""
    if type(key) is int and shape and 0 <= key < shape[0]:  # the most common case
        return (key, ...)
    items = [_resolved(item) for item in (key if isinstance(key, list | tuple) else (key,))]
    return checked_index(items, shape)


def checked_index(items: list[Any], shape: tuple[int, ...]) -> tuple[Any, ...]:
    """Convert ints, slices, None and Ellipsis to a basic index that fits `shape`."""
    ellipses = sum(item is Ellipsis for item in items)
    if ellipses > 1:
        raise invalid("Multiple ellipses in slice spec not allowed [Op:StridedSlice]")
    count = sum(item is not None and item is not Ellipsis for item in items)
    rank = len(shape)
    if count > rank:
        if not rank:
            raise invalid("Attempting to slice scalar input. [Op:StridedSlice]")
        raise invalid(TooManyIndices(rank=rank, op="StridedSlice"))
    axis = 0
    for position, item in enumerate(items):
        if item is Ellipsis:
            axis += rank - count
        elif type(item) is slice:
            if item.step == 0:
                raise invalid(f"strides[{position}] must be non-zero [Op:StridedSlice]")
            axis += 1
        elif item is not None:
            _check_position(item, shape[axis], axis)
            axis += 1
    return (*items,) if ellipses else (*items, ...)  # with an Ellipsis NumPy returns arrays, never scalars


def _check_position(position: int, size: int, axis: int) -> None:
    """Raise InvalidArgumentError for a position outside of an axis, which may count from its end."""
    if not -size <= position < size:
        counted = position + size if position < 0 else position
        wording = "slice index {index} of dimension {axis} out of bounds."
        raise invalid(IndexOutOfRange(index=counted, size=size, axis=axis, op="StridedSlice", wording=wording))


def _resolved(item: Any) -> Any:
    """One index as an int, a slice of ints, None or Ellipsis."""
    if type(item) is int or item is None or item is Ellipsis:
        return item
    if isinstance(item, slice):
        return slice(*[None if bound is None else _as_int(bound) for bound in (item.start, item.stop, item.step)])
    return _as_int(item)


class Position(int):
    """An index that was read from a tensor, and remembers which."""

    key: Key

    def __new__(cls, tensor: Tensor) -> Position:
        position = super().__new__(cls, int(value_of(tensor)))
        position.key = key_of(tensor)
        return position


def _as_int(item: Any) -> int:
    """An integer, a NumPy integer or a scalar integer tensor or variable as an int."""
    if isinstance(item, bool):
        raise invalid(
            DtypeNotAllowed(
                dtype=dtypes.bool_, allowed=("int16", "int32", "int64"), attribute="Index", op="StridedSlice"
            )
        )
    if isinstance(item, Position):
        return item
    if isinstance(item, numbers.Integral):
        return int(item)
    if isinstance(item, Tensor | Variable):
        tensor = convert(item, None)
        if item.dtype in INDEX_DTYPES and not tensor._array.shape:
            return Position(tensor)
    elif isinstance(item, np.ndarray) and not item.shape and item.dtype.kind in "iu":
        return int(item)
    raise OpTypeError(NotAnIndex(shown=repr(item)))


def is_mask(key: Any) -> bool:
    """Return whether the whole key is a boolean mask."""
    if isinstance(key, Tensor):
        return key.dtype is dtypes.bool_
    return isinstance(key, bool) or (isinstance(key, np.ndarray) and key.dtype == np.bool_)


Tensor.__getitem__ = getitem  # type: ignore[method-assign]


@export("slice")
def slice_(input_: Any, begin: Any, size: Any, name: str | None = None) -> Tensor:
    """The block of `size` that starts at `begin`; a size of -1 extends to the end of its axis.

    >>> import whygrad as tf
    >>> tf.slice([[1, 2, 3], [4, 5, 6]], begin=[0, 1], size=[-1, 2]).numpy()
    array([[2, 3],
           [5, 6]], dtype=int32)
    """
    x = convert(input_, None)
    starts, sizes = _convert_alike(begin, size)
    check_index_dtype(starts, "Slice", attribute="Index", allowed=(dtypes.int32, dtypes.int64))
    if sizes.dtype is not starts.dtype:
        raise invalid(DtypesDiffer(wanted=starts.dtype, dtype=sizes.dtype, position=2, op="Slice"))
    shape = x._array.shape
    if starts._array.shape != (len(shape),) or sizes._array.shape != (len(shape),):
        raise invalid(
            f"Expected begin and size arguments to be 1-D tensors of size {len(shape)}, but got shapes "
            f"{shape_text(starts.shape)} and {shape_text(sizes.shape)} instead. [Op:Slice]"
        )
    if not are_known(starts):
        return slice_at(x, starts, value_of(sizes).tolist())
    index = []
    for axis, (start, count, limit) in enumerate(zip(value_of(starts).tolist(), value_of(sizes).tolist(), shape)):
        if not 0 <= start <= limit:
            raise invalid(SliceOutOfRange(parameter="begin", axis=axis, limit=limit, given=start, op="Slice"))
        if count == -1:
            count = limit - start
        if not 0 <= count <= limit - start:
            raise invalid(SliceOutOfRange(parameter="size", axis=axis, limit=limit - start, given=count, op="Slice"))
        index.append(slice(start, start + count))
    return apply(_getitem, x, index=(*index, ...))


_slice_at = Primitive(
    "slice_at",
    lambda xp, x, starts, *, sizes: xp.slice_at(x, starts, sizes=sizes),
    vjp=(lambda xp, g, starts, x_shape: xp.unslice_at(g, starts, shape=x_shape), None),
    op_name="Slice",
    traits=MOVES_SOME,
)
_unslice_at = Primitive(
    "unslice_at",
    lambda xp, values, starts, *, shape: xp.unslice_at(values, starts, shape=shape),
    vjp=(lambda xp, g, starts, values_shape: xp.slice_at(g, starts, sizes=values_shape), None),
)


def slice_at(tensor: Any, starts: Tensor, sizes: Sequence[int]) -> Tensor:
    """The block of `sizes` at a symbolic position."""
    x = convert(tensor, None)
    shape = x._array.shape
    for axis, (count, limit) in enumerate(zip(sizes, shape)):
        if count == -1:
            wording = (
                f"size[{axis}] = -1 goes from a begin that is symbolic to the end of the axis: how many elements that are is "
                "not known while a function is being compiled. Give the size as a number."
            )
            raise OpValueError(ShapeDependsOnValues(wording=wording))
        if not 0 <= count <= limit:
            raise invalid(SliceOutOfRange(parameter="size", axis=axis, limit=limit, given=count, op="Slice"))
    return apply(_slice_at, x, starts, sizes=tuple(sizes))


@export("strided_slice")
def strided_slice(
    input_: Any,
    begin: Any,
    end: Any,
    strides: Any = None,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
    var: Any = None,
    name: str | None = None,
) -> Tensor:
    """`input_[begin[0]:end[0]:strides[0], ...]`, with the rest of Python's notation as bit masks, one bit per entry:
    omitted bounds (`begin_mask`, `end_mask`), `...`, a new axis, or a single index instead of a slice.

    >>> import whygrad as tf
    >>> tf.strided_slice([[1, 2, 3], [4, 5, 6]], [0, 0], [2, 3], [1, 2]).numpy()
    array([[1, 3],
           [4, 6]], dtype=int32)
    >>> tf.strided_slice([[1, 2, 3], [4, 5, 6]], [1], [2], shrink_axis_mask=1).numpy()
    array([4, 5, 6], dtype=int32)
    """
    x = convert(input_, None)
    starts = convert(begin, None)
    stops = convert(end, None)
    steps = wrap(np.ones(starts._array.shape, starts._array.dtype)) if strides is None else convert(strides, None)
    bounds = (starts, stops, steps)
    for each in bounds:
        check_index_dtype(each, "StridedSlice", attribute="Index")
    if starts.ndim != 1 or any(each.shape != starts.shape for each in bounds):
        shapes = [shape_text(each.shape) for each in bounds]
        raise invalid(
            "Expected begin, end, and strides to be 1D equal size tensors, but got shapes "
            f"{shapes[0]}, {shapes[1]}, and {shapes[2]} instead. [Op:StridedSlice]"
        )
    begins, ends = integer(begin_mask, "begin_mask"), integer(end_mask, "end_mask")
    ellipses, new_axes = integer(ellipsis_mask, "ellipsis_mask"), integer(new_axis_mask, "new_axis_mask")
    shrunk = integer(shrink_axis_mask, "shrink_axis_mask")
    index: list[Any] = []
    for i, (start, stop, step) in enumerate(zip(*[value_of(each).tolist() for each in bounds])):
        bit = 1 << i
        if ellipses & bit:
            index.append(Ellipsis)
        elif new_axes & bit:
            index.append(None)
        elif shrunk & bit and step != 0:
            if step < 0:
                raise invalid("only stride 1 allowed on non-range indexing. [Op:StridedSlice]")
            index.append(start)
        else:
            index.append(slice(None if begins & bit else start, None if ends & bit else stop, step))
    return apply(_getitem, x, index=checked_index(index, x._array.shape))


# -- lookups --


def gather_vjp(xp: Any, g: Any, indices: Any, params_shape: tuple[int, ...], axis: int, batch_dims: int) -> Any:
    """Sparse rows for axis 0; for other axes they are added into zeros. (TensorFlow's axis -rank is dense too.)"""
    if axis == 0:
        count = math.prod(indices.shape)
        return Rows(xp.reshape(g, (count, *params_shape[1:])), xp.reshape(indices, (count,)))
    return xp.ungather(g, indices, shape=params_shape, axis=axis, batch_dims=batch_dims)


def _gather_rows(xp: Any, params: Any, indices: Any, *, axis: int, batch_dims: int) -> Any:
    """The lookup, which checks its indices here: a traced function runs this again, with others."""
    check_in_range(indices, params.shape, axis % len(params.shape), "GatherV2")
    return xp.gather(params, indices, axis=axis, batch_dims=batch_dims)


gather_primitive = Primitive(
    "gather",
    _gather_rows,
    vjp=(gather_vjp, None),
    op_name="GatherV2",
    traits=Traits(moves=Moves.SOME, selects=Selects.VALUES, passes_numeric_checks=True, batching=Batching.ROWS),
)


def _element_forward(xp: Any, x: Any, position: Any, *, axis: int) -> Any:
    """`x[i]` along an axis, checked as in `_gather_rows`; a negative position counts from the end."""
    if type(position) is np.ndarray:
        _check_position(int(position), x.shape[axis], axis % len(x.shape))
    return xp.gather(x, position, axis=axis, batch_dims=0)


_element = Primitive(
    "element_at",
    _element_forward,
    vjp=(
        lambda xp, g, position, x_shape, axis: xp.ungather(g, position, shape=x_shape, axis=axis, batch_dims=0),
        None,
    ),
    op_name="StridedSlice",
    traits=gather_primitive.traits,
)


def element_at(x: Tensor, position: Any, axis: int) -> Tensor:
    """The part of a tensor at a symbolic position along an axis, which may count from the end. Its gradient is dense."""
    return apply(_element, x, convert(position, None), axis=axis)


_ungather = Primitive(
    "ungather",
    lambda xp, values, indices, *, shape, axis, batch_dims: xp.ungather(
        values, indices, shape=shape, axis=axis, batch_dims=batch_dims
    ),
    vjp=(
        lambda xp, g, indices, axis, batch_dims: xp.gather(g, indices, axis=axis, batch_dims=batch_dims),
        None,
    ),
    traits=Traits(selects=Selects.PLACES, batching=Batching.ROWS),
)


@export("gather")
def gather(
    params: Any,
    indices: Any,
    validate_indices: Any = None,
    axis: Any = None,
    batch_dims: int = 0,
    name: str | None = None,
) -> Tensor:
    """`params` at `indices` along `axis`; the first `batch_dims` axes of both are batch axes.

    The gradient of a lookup along axis 0 is an `IndexedSlices`: it costs only the rows touched, not the table.

    >>> import whygrad as tf
    >>> tf.gather([[1, 2], [3, 4], [5, 6]], [2, 0]).numpy()
    array([[5, 6],
           [1, 2]], dtype=int32)
    >>> tf.gather([[1, 2], [3, 4]], [[1], [0]], axis=1, batch_dims=1).numpy()
    array([[2],
           [3]], dtype=int32)
    """
    x = params if type(params) is Tensor else convert(params, None)
    where = indices if type(indices) is Tensor else convert(indices, None)
    check_index_dtype(where, "GatherV2")
    shape = x._array.shape
    batch = 0 if batch_dims is None else integer(batch_dims, "batch_dims")
    along = batch if axis is None else integer(axis, "axis")
    if along == 0:
        batch = 0  # TensorFlow ignores batch_dims along axis 0
    if not shape:
        raise invalid("params must be at least 1 dimensional [Op:GatherV2]")
    needed = along + 1 if along >= 0 else -along
    if needed > len(shape):
        wording = "Shape must be at least rank {at_least} but is rank {rank}"
        raise invalid(RankTooLow(shape=shape, at_least=needed, op="GatherV2", wording=wording))
    if batch:
        batch = _checked_batch_dims(batch, along % len(shape), shape, where._array.shape)
    return apply(gather_primitive, x, where, axis=along, batch_dims=batch)


def _checked_batch_dims(batch_dims: int, axis: int, shape: tuple[int, ...], indices_shape: tuple[int, ...]) -> int:
    rank = len(indices_shape)
    if not -rank <= batch_dims <= rank:
        raise invalid(f"Expected batch_dims in the range [{-rank}, {rank}], but got {batch_dims} [Op:GatherV2]")
    batch_dims = batch_dims + rank if batch_dims < 0 else batch_dims
    if batch_dims >= len(shape):
        raise invalid(f"batch_dims ({batch_dims}) must be less than rank(params) ({len(shape)}). [Op:GatherV2]")
    if batch_dims > axis:
        raise invalid(f"batch_dims ({batch_dims}) must be less than or equal to axis ({axis}). [Op:GatherV2]")
    for i in range(batch_dims):
        if shape[i] != indices_shape[i]:
            raise invalid(
                f"params.shape[{i}]: {shape[i]} should be equal to indices.shape[{i}]: {indices_shape[i]} [Op:GatherV2]"
            )
    return batch_dims


def gather_nd_vjp(xp: Any, g: Any, indices: Any, params_shape: tuple[int, ...]) -> Any:
    """Sparse rows where the positions are a list of rows, as in TensorFlow."""
    if len(indices.shape) == 2 and indices.shape[1] == 1:
        return Rows(g, xp.reshape(indices, indices.shape[:1]))
    return xp.scatter_nd(indices, g, shape=params_shape)


_gather_nd = Primitive(
    "gather_nd",
    lambda xp, params, indices: xp.gather_nd(params, indices),
    vjp=(gather_nd_vjp, None),
    op_name="GatherNd",
    traits=Traits(moves=Moves.SOME, selects=Selects.VALUES, batching=Batching.ROWS),
)
_scatter_nd = Primitive(
    "scatter_nd",
    lambda xp, indices, updates, *, shape: xp.scatter_nd(indices, updates, shape=shape),
    vjp=(None, lambda xp, g, indices: xp.gather_nd(g, indices)),
    op_name="ScatterNd",
    traits=Traits(selects=Selects.PLACES, batching=Batching.ROWS),
)


@export("gather_nd")
def gather_nd(
    params: Any, indices: Any, batch_dims: int = 0, name: str | None = None, bad_indices_policy: str = ""
) -> Tensor:
    """The elements (or slices) of `params` at the positions in the last axis of `indices`.

    Positions out of range raise, or give zeros with `bad_indices_policy="IGNORE"`.

    >>> import whygrad as tf
    >>> tf.gather_nd([[1, 2], [3, 4]], [[0, 1], [1, 0]]).numpy()
    array([2, 3], dtype=int32)
    """
    x = convert(params, None)
    where = convert(indices, None)
    batch = integer(batch_dims, "batch_dims")
    if batch:
        where = _with_batch_positions(x, where, batch)
    check_index_dtype(where, "GatherNd")
    shape, index_shape = x._array.shape, where._array.shape
    if not shape:
        raise invalid("params must be at least a vector [Op:GatherNd]")
    if not index_shape:
        raise invalid("indices must be at least a vector [Op:GatherNd]")
    if index_shape[-1] > len(shape):
        raise invalid(
            f"index innermost dimension length must be <= params rank; saw: {index_shape[-1]} vs. {len(shape)} [Op:GatherNd]"
        )
    if 0 in shape[: index_shape[-1]] and math.prod(index_shape[:-1]):
        raise invalid(
            f"Requested more than 0 entries, but params is empty.  Params shape: {shape_text(shape)} [Op:GatherNd]"
        )
    text(bad_indices_policy, "bad_indices_policy", "GatherNd")
    outside = outside_nd(where._array, shape[: index_shape[-1]])
    if outside is None and (bad_indices_policy != "IGNORE" or are_known(where)):
        return apply(_gather_nd, x, where)
    if bad_indices_policy != "IGNORE":
        wording = "indices{place} = [{position}] does not index into param shape {shape}, node name: GatherNd"
        raise bad_position(where._array, outside, shape, "GatherNd", wording)
    inside = where if outside is None else wrap(np.where(outside[..., None], 0, where._array))
    found = apply(_gather_nd, x, inside)
    kept = apply(_lies_inside, where, sizes=shape[: index_shape[-1]], dtype=found._array.dtype)
    return found * reshape(kept, (*index_shape[:-1], *[1] * (found.ndim - len(index_shape) + 1)))


_lies_inside = Primitive(
    "lies_inside",
    lambda xp, indices, *, sizes, dtype: ((indices >= 0) & (indices < np.array(sizes))).all(axis=-1).astype(dtype),
    no_gradient="whether a position lies inside an array does not change under a small step",
)


def _with_batch_positions(x: Tensor, indices: Tensor, batch_dims: int) -> Tensor:
    """Convert positions within each element of a batch to positions within the whole tensor."""
    shape = indices._array.shape
    if batch_dims < 0:
        raise OpValueError("tf.gather_nd does not allow negative batch_dims.")
    if batch_dims >= len(shape):
        raise OpValueError(f"Argument `batch_dims` = {batch_dims} must be less than rank(`indices`) = {len(shape)}")
    if batch_dims >= x.ndim:
        raise OpValueError(f"Argument `batch_dims` = {batch_dims} must be less than rank(`params`) = {x.ndim}")
    if x._array.shape[:batch_dims] != shape[:batch_dims]:
        raise invalid(
            f"params.shape[:{batch_dims}]: {shape_text(x._array.shape[:batch_dims])} should be equal to "
            f"indices.shape[:{batch_dims}]: {shape_text(shape[:batch_dims])} [Op:GatherNd]"
        )
    batch = np.indices(shape[:batch_dims], dtype=indices._array.dtype)
    spread = np.moveaxis(batch, 0, -1).reshape(*shape[:batch_dims], *[1] * (len(shape) - 1 - batch_dims), batch_dims)
    return concat([wrap(np.array(np.broadcast_to(spread, (*shape[:-1], batch_dims)))), indices], axis=-1)


@shape_by_values(chooses=True, instead=_KEEP_THE_SHAPE)
@export("boolean_mask")
def boolean_mask(tensor: Any, mask: Any, axis: Any = None, name: str = "boolean_mask") -> Tensor:
    """The elements (or slices along `axis`) of `tensor` where `mask` is True.

    >>> import whygrad as tf
    >>> tf.boolean_mask([1.0, 2.0, 3.0], [True, False, True]).numpy()
    array([1., 3.], dtype=float32)
    """
    x = convert(tensor, None)
    where = convert(mask, None)
    if not are_known(where):
        wording = (
            f"How many elements a mask of shape {where.shape} leaves is not known while a function is being compiled. Keep the "
            "shape: tf.where(mask, x, 0.0), with sums and means over what the mask keeps, or select before the function is called."
        )
        raise OpNotImplementedError(ShapeDependsOnValues(wording=wording))
    chosen = value_of(where)
    if not chosen.ndim:
        raise OpValueError("mask cannot be scalar.")
    shape = x._array.shape
    first = 0 if axis is None else integer(axis, "axis")
    covered = shape[first : first + chosen.ndim]
    if covered != chosen.shape:
        raise OpValueError(f"Shapes {of_tuple(covered)} and {of_tuple(chosen.shape)} are incompatible")
    first %= len(shape)
    after = shape[first + chosen.ndim :]
    rows = reshape(x, (*shape[:first], chosen.size, *after))  # a separate path: the gradient is dense, as in TensorFlow
    return apply(gather_primitive, rows, wrap(np.flatnonzero(chosen)), axis=first, batch_dims=0)


# -- scatters --


@export("scatter_nd")
def scatter_nd(indices: Any, updates: Any, shape: Any, bad_indices_policy: str = "", name: str | None = None) -> Tensor:
    """A tensor of `shape` with `updates` added into zeros at the positions in the last axis of `indices`.

    >>> import whygrad as tf
    >>> tf.scatter_nd([[1], [3], [1]], [1.0, 2.0, 4.0], [5]).numpy()
    array([0., 5., 0., 2., 0.], dtype=float32)
    """
    where, sizes = _convert_alike(indices, shape)
    values = convert(updates, None)
    check_index_dtype(where, "ScatterNd")
    if sizes.ndim != 1:
        raise invalid("Shape must be a vector [Op:ScatterNd]")
    dense_shape = tuple(value_of(sizes).tolist())
    for size in dense_shape:
        if size < 0:
            raise invalid(f"Dimension {size} must be >= 0 [Op:ScatterNd]")
    index_shape, update_shape = where._array.shape, values._array.shape
    check_update_ranks(index_shape, update_shape, "ScatterNd")
    if 0 in (math.prod(dense_shape), len(dense_shape)) and math.prod(index_shape) * math.prod(update_shape):
        raise invalid(
            f"Indices and updates specified for empty output.  indices shape: {shape_text(index_shape)} [Op:ScatterNd]"
        )
    check_scatter_shapes(dense_shape, index_shape, update_shape, "ScatterNd")
    where, values = _inside_only(where, values, dense_shape, bad_indices_policy, "ScatterNd")
    return apply(_scatter_nd, where, values, shape=dense_shape)


write_nd_primitive = Primitive(
    "write_nd",
    lambda xp, x, indices, updates: xp.write_nd(x, indices, updates),
    vjp=(
        lambda xp, g, indices, updates_shape, x_dtype: xp.write_nd(g, indices, xp.zeros(updates_shape, x_dtype)),
        None,
        lambda xp, g, indices: xp.gather_nd(g, indices),
    ),
    op_name="TensorScatterUpdate",
)


def extreme_nd_vjp(xp: Any, g: Any, x: Any, indices: Any, updates: Any, y: Any, x_shape: Any, x_dtype: Any) -> Any:
    """Split evenly among all that equal the extreme: the original element and its updates."""
    there = xp.astype(x == y, x_dtype)
    new = xp.astype(updates == xp.gather_nd(y, indices), x_dtype)
    share = g / (there + xp.scatter_nd(indices, new, shape=x_shape))
    return share * there, None, xp.gather_nd(share, indices) * new


_extreme_nd = Primitive(
    "extreme_nd",
    lambda xp, x, indices, updates, *, how: xp.extreme_nd(x, indices, updates, how=how),
    joint=extreme_nd_vjp,
)


@export("tensor_scatter_nd_update")
def tensor_scatter_nd_update(tensor: Any, indices: Any, updates: Any, name: str | None = None) -> Tensor:
    """Replace the elements of `tensor` at the positions in the last axis of `indices` by `updates`.

    >>> import whygrad as tf
    >>> tf.tensor_scatter_nd_update([0.0, 0.0, 0.0], [[2], [0]], [5.0, 6.0]).numpy()
    array([6., 0., 5.], dtype=float32)
    """
    return apply(write_nd_primitive, *_scatter_arguments(tensor, indices, updates, "TensorScatterUpdate"))


@export("tensor_scatter_nd_add")
def tensor_scatter_nd_add(
    tensor: Any, indices: Any, updates: Any, bad_indices_policy: str = "", name: str | None = None
) -> Tensor:
    """Add `updates` to `tensor` at the positions in the last axis of `indices`.

    >>> import whygrad as tf
    >>> tf.tensor_scatter_nd_add([1.0, 1.0, 1.0], [[2], [2]], [5.0, 6.0]).numpy()
    array([ 1.,  1., 12.], dtype=float32)
    """
    x, where, values = _scatter_arguments(tensor, indices, updates, "TensorScatterAdd", bad_indices_policy, "number")
    return x + apply(_scatter_nd, where, values, shape=x._array.shape)


@export("tensor_scatter_nd_sub")
def tensor_scatter_nd_sub(
    tensor: Any, indices: Any, updates: Any, bad_indices_policy: str = "", name: str | None = None
) -> Tensor:
    """Subtract `updates` from `tensor` at the positions in the last axis of `indices`.

    >>> import whygrad as tf
    >>> tf.tensor_scatter_nd_sub([1.0, 1.0, 1.0], [[2], [2]], [5.0, 6.0]).numpy()
    array([  1.,   1., -10.], dtype=float32)
    """
    x, where, values = _scatter_arguments(tensor, indices, updates, "TensorScatterSub", bad_indices_policy, "number")
    return x - apply(_scatter_nd, where, values, shape=x._array.shape)


@export("tensor_scatter_nd_max")
def tensor_scatter_nd_max(
    tensor: Any, indices: Any, updates: Any, bad_indices_policy: str = "", name: str | None = None
) -> Tensor:
    """The maximum of `tensor` and `updates` at the positions in the last axis of `indices`.

    >>> import whygrad as tf
    >>> tf.tensor_scatter_nd_max([1.0, 1.0, 1.0], [[2], [0]], [5.0, -6.0]).numpy()
    array([1., 1., 5.], dtype=float32)
    """
    arguments = _scatter_arguments(tensor, indices, updates, "TensorScatterMax", bad_indices_policy, "real")
    return apply(_extreme_nd, *arguments, how="maximum")


@export("tensor_scatter_nd_min")
def tensor_scatter_nd_min(
    tensor: Any, indices: Any, updates: Any, bad_indices_policy: str = "", name: str | None = None
) -> Tensor:
    """The minimum of `tensor` and `updates` at the positions in the last axis of `indices`.

    >>> import whygrad as tf
    >>> tf.tensor_scatter_nd_min([1.0, 1.0, 1.0], [[2], [0]], [5.0, -6.0]).numpy()
    array([-6.,  1.,  1.], dtype=float32)
    """
    arguments = _scatter_arguments(tensor, indices, updates, "TensorScatterMin", bad_indices_policy, "real")
    return apply(_extreme_nd, *arguments, how="minimum")


_KINDS = {"any": "fVciubO", "number": "fVciu", "real": "fViu"}


def _scatter_arguments(
    tensor: Any, indices: Any, updates: Any, op_name: str, policy: str = "", allowed: str = "any"
) -> tuple[Tensor, Tensor, Tensor]:
    """A tensor, positions in it and values for them, checked."""
    x = convert(tensor, None)
    where = convert(indices, None)
    values = convert(updates, None if isinstance(updates, Tensor | Variable) else x.dtype)
    check_index_dtype(where, op_name, allowed=(*INDEX_DTYPES, dtypes.uint16))
    if values.dtype is not x.dtype:
        raise invalid(DtypesDiffer(wanted=x.dtype, dtype=values.dtype, position=2, op=op_name))
    if x._array.dtype.kind not in _KINDS[allowed]:
        message = (
            f"Could not find device for node: {{{{node {op_name}}}}}: it does not take {x.dtype.name} [Op:{op_name}]"
        )
        raise NotFoundError(None, None, message)
    check_updates(x._array.shape, where._array.shape, values._array.shape, op_name)
    return x, *_inside_only(where, values, x._array.shape, policy, op_name)


def check_updates(
    shape: tuple[int, ...], index_shape: tuple[int, ...], update_shape: tuple[int, ...], op_name: str
) -> None:
    """Raise InvalidArgumentError unless updates of this shape fit the positions and a tensor of `shape`."""
    check_update_ranks(index_shape, update_shape, op_name)
    if math.prod(shape) == 0 and math.prod(index_shape) * math.prod(update_shape):
        raise invalid(f"Indices and updates specified for empty output shape [Op:{op_name}]")
    depth, outer = index_shape[-1], len(index_shape) - 1
    if update_shape[:outer] != index_shape[:-1]:
        wording = "Outer dimensions of indices and update must match. Indices shape: {indices}, updates shape:{updates}"
        raise invalid(
            UpdatesMisshapen(shape=shape, indices=index_shape, updates=update_shape, op=op_name, wording=wording)
        )
    if depth > len(shape) or update_shape[outer:] != shape[depth:]:
        raise invalid(UpdatesMisshapen(shape=shape, indices=index_shape, updates=update_shape, op=op_name))


def _inside_only(
    indices: Tensor, updates: Tensor, shape: tuple[int, ...], policy: str, op_name: str
) -> tuple[Tensor, Tensor]:
    """Positions and their updates; those outside `shape` raise, or are dropped if the policy says so."""
    text(policy, "bad_indices_policy", op_name)
    outside = outside_nd(indices._array, shape[: indices._array.shape[-1]])
    if outside is None:
        return indices, updates
    if policy != "IGNORE":
        raise bad_position(indices._array, outside, shape, op_name)
    return wrap(indices._array[~outside]), boolean_mask(updates, wrap(~outside))


def _convert_alike(first: Any, second: Any) -> tuple[Tensor, Tensor]:
    """Convert two integer arguments of one op: other values take the dtype of the tensor."""
    if isinstance(second, Tensor | Variable) and not isinstance(first, Tensor | Variable):
        other = convert(second, None)
        return convert(first, other.dtype), other
    one = convert(first, None)
    return one, convert(second, None if isinstance(second, Tensor | Variable) else one.dtype)
