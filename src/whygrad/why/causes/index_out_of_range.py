"""An index outside of its axis: in brackets, in a lookup, in a slice."""

from __future__ import annotations

from whygrad.values.faults import (
    DiagonalOutOfRange,
    IndexOutOfRange,
    PositionOutOfRange,
    SliceOutOfRange,
    TooManyIndices,
)
from whygrad.why.causes.explanation import Explanation, explains
from whygrad.why.evidence.failed_op import FailedOp
from whygrad.why.source.wording import counted

KIND = "index-out-of-range"


@explains(IndexOutOfRange)
def _index(op: FailedOp, fault: IndexOutOfRange) -> Explanation | None:
    index, size, axis = fault.index, fault.size, fault.axis
    if index is None or size is None or axis is None:
        return Explanation(KIND, "", "indices run from 0 to the size minus 1")
    tensor = op.indexed
    if tensor is None or tensor.shape[axis : axis + 1] != (size,):
        return Explanation(KIND, "", _help("the axis", index, size))
    ids = op.operand("indices", "ids")
    whose = "" if ids is None or ids.is_number else f" of {ids.quoted}"
    sentence = (
        f"the index {index}{whose} lies outside axis {axis} of {tensor.quoted}, which has {counted(size, 'element')}"
    )
    whole = f"axis {axis} of {tensor.quoted}" if size == 0 else tensor.quoted
    if index < 0 < size and ids is not None and ids.is_array and ids.text != ids.parameter:
        looked_up = f"tf.maximum({ids.text}, 0)"
        help = f"indices run from 0 to {size - 1}: where a negative one stands for padding, look up {looked_up} and mask what it gives"
        return Explanation(KIND, sentence, help, edits=op.with_operand(ids, "tf.maximum({0}, 0)"))
    return Explanation(KIND, sentence, _help(whole, index, size, axis))


def _help(whole: str, index: int, size: int, axis: int | None = None) -> str:
    """What to do about an index that lies outside of what has `size` elements along an axis."""
    along = "" if axis is None else f" along axis {axis}"
    if size == 0:
        return f"{whole} is empty: there is nothing to take from it"
    if index == size:
        return f"indices run from 0 to {size - 1}: subtract 1 if they count from 1, or make {whole} larger"
    if index < 0:
        return f"indices run from 0 to {size - 1}"
    return f"indices run from 0 to {size - 1}: check the index, or give {whole} more{along}"


@explains(TooManyIndices)
def _too_many(op: FailedOp, fault: TooManyIndices) -> Explanation | None:
    tensor = op.indexed
    if tensor is None:
        return None
    rank = len(tensor.shape)
    return Explanation(
        KIND,
        f"{tensor.quoted} has {counted(rank, 'axis')}, shape {tensor.shape}, and is given more indices than that",
        f"give {rank} of them at most",
    )


@explains(PositionOutOfRange)
def _position(op: FailedOp, fault: PositionOutOfRange) -> Explanation | None:
    return Explanation(KIND, "", f"each index runs from 0 to the size of its axis minus 1, in shape {fault.shape}")


@explains(DiagonalOutOfRange)
def _diagonal(op: FailedOp, fault: DiagonalOutOfRange) -> Explanation | None:
    return Explanation(
        KIND, "", f"diagonals run from {1 - fault.rows}, below the main diagonal 0, to {fault.columns - 1}, above it"
    )


@explains(SliceOutOfRange)
def _slice(op: FailedOp, fault: SliceOutOfRange) -> Explanation | None:
    tensor, axis = op.array("input_"), fault.axis
    if tensor is None or axis >= len(tensor.shape):
        return None
    return Explanation(
        KIND,
        f"the slice leaves axis {axis} of {tensor.quoted}, which has {counted(tensor.shape[axis], 'element')}: "
        f"{fault.parameter}[{axis}] is {fault.given}",
        f"{fault.parameter}[{axis}] may be {fault.limit} at most; a size of -1 takes all that is left",
    )
