"""Ops that refused a position: an axis that a tensor does not have, an index outside of its axis."""

from __future__ import annotations

import re

from whygrad.why.causes.explanation import Explanations, Refusal
from whygrad.why.evidence.failed_op import FailedOp, Operand
from whygrad.why.source.wording import counted

EXPLANATIONS = Explanations()

_AXIS = (
    r"Invalid reduction dimension \((?P<a>-?\d+) for input"
    r"|in the range \[-?\d+, \d+\),? (?:but got|where .*Received: dim=) ?(?P<b>-?\d+)"
    r"|Tried to (?:expand|squeeze) dim index (?P<c>-?\d+) for tensor"
    r"|Argument `axis` = (?P<d>-?\d+) not in range"
    r"|split_dim < input rank \(\d+\), but got (?P<e>-?\d+)"
    r"|(?P<f>-?\d+) is out of range \[0 \.\. \d+\) \[Op:Transpose\]"
    r"|axis (?P<g>-?\d+) is (?:not in|out of (?:range|bounds))"
    r"|'axis'\[\d+\] = (?P<h>-?\d+) is out of valid range"
    r"|axis=(?P<i>-?\d+) out of bounds"
    r"|between \[0, \d+\)\.  But received: (?P<j>-?\d+)"
    r"|axes must be within \[-?\d+, \d+\), got (?P<k>-?\d+)"
    r"|list index out of range: axis (?P<l>-?\d+) of a tensor"
)


@EXPLANATIONS.of(_AXIS)
def _axis(op: FailedOp, match: re.Match[str]) -> Refusal | None:
    axis = int(next(each for each in match.groups() if each is not None))
    tensor = next((each for each in op.arrays if each.parameter not in ("axis", "axes", "perm", "dims")), None)
    if tensor is None:
        return Refusal("axis-out-of-range", "", "axes are counted from 0; the last is -1")
    rank = len(tensor.shape)
    more = 1 if op.name in ("expand_dims", "stack", "one_hot") else 0  # which make an axis
    if rank + more == 0:
        return Refusal(
            "axis-out-of-range",
            f"{tensor.quoted} is a scalar, shape (): it has no axes, and no axis {axis}",
            "leave the axis out, or see where the axes were summed over before",
        )
    ends = f"{-rank - more} to {rank + more - 1}"
    if more:
        sentence = f"{tensor.quoted} has {counted(rank, 'axis')}, shape {tensor.shape}: a new one cannot be at {axis}"
        help = f"the new axis can be at {ends}; -1 is after the last"
    else:
        sentence = f"{tensor.quoted} has {counted(rank, 'axis')}, shape {tensor.shape}: there is no axis {axis}"
        help = f"axes of {tensor.quoted} run from {ends}: the first is 0, the last is -1"
    return Refusal("axis-out-of-range", sentence, help)


@EXPLANATIONS.of(r"transpose expects a vector of size (\d+)\. But input\(1\) is a vector of size (\d+)")
def _permutation(op: FailedOp, match: re.Match[str]) -> Refusal | None:
    tensor = op.array("a")
    if tensor is None:
        return None
    rank, named = int(match.group(1)), int(match.group(2))
    return Refusal(
        "axis-out-of-range",
        f"{tensor.quoted} has {counted(rank, 'axis')}, shape {tensor.shape}, but perm names {named}",
        f"perm names each axis of {tensor.quoted} once, in the new order: {list(range(rank))[::-1]} reverses them",
    )


@EXPLANATIONS.of(r"Can not squeeze dim\[(\d+)\], expected a dimension of 1, got (\d+)")
def _squeezed(op: FailedOp, match: re.Match[str]) -> Refusal | None:
    tensor = op.array("input")
    if tensor is None:
        return None
    ones = [i for i, size in enumerate(tensor.shape) if size == 1]
    return Refusal(
        "shape-mismatch",
        f"axis {match.group(1)} of {tensor.quoted} has {match.group(2)} elements; squeeze takes away axes of size 1",
        f"the axes of size 1 are {ones}"
        if ones
        else f"{tensor.quoted} has no axis of size 1: leave squeeze out, or reduce",
    )


@EXPLANATIONS.of(r"Index out of range using input dim (\d+); input has only \d+ dims")
def _too_many(op: FailedOp, match: re.Match[str]) -> Refusal | None:
    tensor = _indexed(op)
    if tensor is None:
        return None
    rank = len(tensor.shape)
    return Refusal(
        "index-out-of-range",
        f"{tensor.quoted} has {counted(rank, 'axis')}, shape {tensor.shape}, and is given more indices than that",
        f"give {rank} of them at most",
    )


def _indexed(op: FailedOp) -> Operand | None:
    """What was indexed: `x[...]` or `tf.strided_slice(x, ...)`."""
    return op.in_order[0] if op.arrays else None


@EXPLANATIONS.of(r"Only integers, slices .* are valid indices, got")
def _no_index(op: FailedOp, match: re.Match[str]) -> Refusal | None:
    tensor = _indexed(op)
    if tensor is None:
        return None
    index = op.in_order[1] if len(op.arrays) > 1 else None
    if index is not None and not index.shape:
        help = f"an index is an integer: tf.cast({index.text}, tf.int32)"
    else:
        help = "indices are integers and slices; tf.gather takes a list of positions, tf.boolean_mask a mask"
    return Refusal("invalid-argument", f"{tensor.quoted} cannot be indexed so: {match.string.splitlines()[0]}", help)


@EXPLANATIONS.of(r"slice index (-?\d+) of dimension (\d+) out of bounds\. \[")
def _sliced(op: FailedOp, match: re.Match[str]) -> Refusal | None:
    tensor = _indexed(op)
    index, axis = int(match.group(1)), int(match.group(2))
    if tensor is None or axis >= len(tensor.shape):
        return None
    return _outside(tensor, index, axis, "")


@EXPLANATIONS.of(r"indices(\[[\d,]*\])? = (-?\d+) is not in \[0, (\d+)\)")
def _gathered(op: FailedOp, match: re.Match[str]) -> Refusal | None:
    tensor = op.array("params", "data")
    size = int(match.group(3))
    axes = [] if tensor is None else [i for i, each in enumerate(tensor.shape) if each == size]
    if tensor is None or not axes:
        return Refusal("index-out-of-range", "", f"indices run from 0 to {size - 1}" if size else "the axis is empty")
    axis = op.argument("axis")
    where = axis % len(tensor.shape) if type(axis) is int and tensor.shape[axis] == size else axes[0]
    ids = op.operand("indices", "ids")
    return _outside(tensor, int(match.group(2)), where, "" if ids is None or ids.is_number else f" of {ids.quoted}")


def _outside(tensor: Operand, index: int, axis: int, whose: str) -> Refusal:
    size = tensor.shape[axis]
    sentence = (
        f"the index {index}{whose} lies outside axis {axis} of {tensor.quoted}, which has {counted(size, 'element')}"
    )
    if size == 0:
        help = f"axis {axis} of {tensor.quoted} is empty: there is nothing to take from it"
    elif index == size:
        help = f"indices run from 0 to {size - 1}: what counts from 1 needs one less, or {tensor.quoted} one more"
    elif index < 0:
        help = f"indices run from 0 to {size - 1}"
    else:
        help = f"indices run from 0 to {size - 1}: check the index, or give {tensor.quoted} more along axis {axis}"
    return Refusal("index-out-of-range", sentence, help)


@EXPLANATIONS.of(r"does not index into (?:param )?shape \[([\d,]*)\]")
def _pointed(op: FailedOp, match: re.Match[str]) -> Refusal | None:
    return Refusal(
        "index-out-of-range",
        "",
        f"each index runs from 0 to the size of its axis less one, of shape ({match.group(1)})",
    )


@EXPLANATIONS.of(r"Expected (begin|size)\[(\d+)\] in \[0, (-?\d+)\], but got (-?\d+) \[Op:Slice\]")
def _part(op: FailedOp, match: re.Match[str]) -> Refusal | None:
    tensor = op.array("input_")
    axis = int(match.group(2))
    if tensor is None or axis >= len(tensor.shape):
        return None
    return Refusal(
        "index-out-of-range",
        f"the slice leaves axis {axis} of {tensor.quoted}, which has {counted(tensor.shape[axis], 'element')}: "
        f"{match.group(1)}[{axis}] is {match.group(4)}",
        f"{match.group(1)}[{axis}] may be {match.group(3)} at most; a size of -1 takes all that is left",
    )


@EXPLANATIONS.of(r"slice index|ind(?:ex|ices)\b.*(?:out of (?:bounds?|range)|is not in \[0)")
def _index(op: FailedOp, match: re.Match[str]) -> Refusal | None:
    return Refusal("index-out-of-range", "", "indices run from 0 to the size less one")
