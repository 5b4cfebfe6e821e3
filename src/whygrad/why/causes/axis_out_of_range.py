"""An axis that a tensor does not have, a place where no new axis can be, an order that does not name each axis."""

from __future__ import annotations

from whygrad.values.faults import AxisOutOfRange, PermutationCount
from whygrad.why.causes.explanation import Explanation, explains
from whygrad.why.evidence.failed_op import FailedOp
from whygrad.why.source.wording import counted

KIND = "axis-out-of-range"


@explains(AxisOutOfRange)
def _axis(op: FailedOp, fault: AxisOutOfRange) -> Explanation | None:
    axis = fault.axis
    tensor = next((each for each in op.arrays if each.parameter not in ("axis", "axes", "perm", "dims")), None)
    if tensor is None:
        return Explanation(KIND, "", "axes are counted from 0; the last is -1")
    rank = len(tensor.shape)
    more = int(fault.adds or fault.rank == rank + 1)
    if rank + more == 0:
        return Explanation(
            KIND,
            f"{tensor.quoted} is a scalar, shape (): it has no axes, and no axis {axis}",
            "leave the axis out, or check which op removed its axes",
        )
    ends = f"{-rank - more} to {rank + more - 1}"
    if more:
        sentence = f"{tensor.quoted} has {counted(rank, 'axis')}, shape {tensor.shape}: a new one cannot be at {axis}"
        help = f"the new axis can be at {ends}; -1 is after the last"
    else:
        sentence = f"{tensor.quoted} has {counted(rank, 'axis')}, shape {tensor.shape}: there is no axis {axis}"
        help = f"axes of {tensor.quoted} run from {ends}: the first is 0, the last is -1"
    return Explanation(KIND, sentence, help)


@explains(PermutationCount)
def _permutation(op: FailedOp, fault: PermutationCount) -> Explanation | None:
    tensor = op.array("a")
    if tensor is None:
        return None
    return Explanation(
        KIND,
        f"{tensor.quoted} has {counted(fault.rank, 'axis')}, shape {tensor.shape}, but perm names {fault.named}",
        f"perm names each axis of {tensor.quoted} once, in the new order: {list(range(fault.rank))[::-1]} reverses them",
    )
