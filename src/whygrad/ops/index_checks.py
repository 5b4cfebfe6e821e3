"""Checks of indices: their dtypes, their range, and the shapes of what is written at them."""

from __future__ import annotations

from typing import Any

import numpy as np

from whygrad.values import dtypes
from whygrad.values.errors import InvalidArgumentError, invalid, shape_text
from whygrad.values.faults import DtypeNotAllowed, IndexOutOfRange, PositionOutOfRange
from whygrad.values.tensor import Tensor

Array = Any
INDEX_DTYPES = (dtypes.int16, dtypes.int32, dtypes.int64)
_UNSIGNED: dict[Any, Any] = {np.dtype(np.int32): np.dtype(np.uint32), np.dtype(np.int64): np.dtype(np.uint64)}


def check_index_dtype(
    indices: Tensor,
    op_name: str,
    attribute: str = "Tindices",
    allowed: tuple[dtypes.DType, ...] = INDEX_DTYPES,
) -> None:
    """Raise InvalidArgumentError unless the dtype is allowed for indices."""
    if indices.dtype not in allowed:
        names = tuple([dtype.name for dtype in allowed])
        parameter = "indices" if attribute == "Tindices" else ""
        raise invalid(
            DtypeNotAllowed(dtype=indices.dtype, allowed=names, attribute=attribute, parameter=parameter, op=op_name)
        )


def check_in_range(indices: Array, shape: tuple[int, ...], axis: int, op_name: str) -> None:
    """Raise InvalidArgumentError unless all `indices` lie inside an axis. Arrays of the XLA engine are not checked."""
    at = first_outside(indices, shape[axis])
    if at is not None:
        index, size = int(indices[at]), shape[axis]
        raise invalid(IndexOutOfRange(index=index, size=size, axis=axis, place=place_of(at), op=op_name))


def first_outside(indices: Array, size: int) -> tuple[Any, ...] | None:
    """Where the first of `indices` stands that is not in [0, size); None if there is none, or if that is not known."""
    if type(indices) is not np.ndarray or not indices.size:
        return None
    # Read as numbers without a sign, negative ones are larger than any size: one pass finds both kinds.
    unsigned: Array = indices.view(_UNSIGNED[indices.dtype]) if indices.dtype in _UNSIGNED else indices
    if unsigned.max() >= size or (unsigned is indices and indices.min() < 0):
        return np.unravel_index(np.argmax((indices < 0) | (indices >= size)), indices.shape)
    return None


def place_of(at: tuple[Any, ...]) -> str:
    return f"[{','.join(str(i) for i in at)}]" if at else ""


def outside_nd(indices: Array, sizes: tuple[int, ...]) -> Array | None:
    """Which positions in the last axis of `indices` are out of range for axes of these sizes; None if none is, or for arrays
    of the XLA engine, which are not checked."""
    if type(indices) is not np.ndarray or not indices.size:
        return None
    limits = np.array(sizes)
    if indices.min() >= 0 and (indices < limits).all():
        return None
    outside: Array = ((indices < 0) | (indices >= limits)).any(axis=-1)
    return outside


def bad_position(
    indices: Array, outside: Array, shape: tuple[int, ...], op_name: str, wording: str = ""
) -> InvalidArgumentError:
    """The error for the first position out of range."""
    at = np.unravel_index(np.argmax(outside), outside.shape)
    place = place_of(at)
    position = ", ".join(str(i) for i in indices[at].tolist())
    return invalid(PositionOutOfRange(position=position, place=place, shape=shape, op=op_name, wording=wording))


def check_scatter_shapes(
    shape: tuple[int, ...], index_shape: tuple[int, ...], update_shape: tuple[int, ...], op_name: str
) -> None:
    """Raise InvalidArgumentError unless updates of this shape fit the positions and a tensor of `shape` to scatter into."""
    check_update_ranks(index_shape, update_shape, op_name)
    depth, outer = index_shape[-1], len(index_shape) - 1
    if update_shape[:outer] != index_shape[:-1]:
        raise invalid(
            f"Dimensions [0,{outer}) of indices[shape={shape_text(index_shape)}] must match dimensions [0,{outer}) of "
            f"updates[shape={shape_text(update_shape)}] [Op:{op_name}]"
        )
    if depth > len(shape) or update_shape[outer:] != shape[depth:]:
        raise invalid(
            f"Dimensions [{depth},{len(shape)}) of input[shape={shape_text(shape)}] must match dimensions "
            f"[{outer},{len(update_shape)}) of updates[shape={shape_text(update_shape)}] [Op:{op_name}]"
        )


def check_update_ranks(index_shape: tuple[int, ...], update_shape: tuple[int, ...], op_name: str) -> None:
    for what, shape in (("Indices", index_shape), ("Updates", update_shape)):
        if not shape:
            raise invalid(f"{what} shape must have rank at least one. Found:[] [Op:{op_name}]")
