"""wrong-axis: a reduction, split or concatenation along another axis than was meant.

Its result does not fit the other operand; along another axis it would.
"""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, NamedTuple

from whygrad.ops.primitive import Record
from whygrad.ops.traits import Moves
from whygrad.values.faults import Fault, InnerSizesDiffer
from whygrad.values.tensor import Key, Tensor
from whygrad.why.cause import Cause
from whygrad.why.evidence.failed_op import FailedOp, failed_op
from whygrad.why.evidence.history import History, outputs_of
from whygrad.why.source.edits import along_axis
from whygrad.why.source.sites import site
from whygrad.why.source.wording import described

if TYPE_CHECKING:
    from whygrad.why.evidence.trace import Trace


def explain(mismatch: Cause, fault: Fault | None, frame: TracebackType, trace: Trace) -> Cause | None:
    """The cause, if two shapes do not fit because of the axis along which one of them was reduced, split or joined."""
    op = failed_op(frame) if mismatch.kind == "shape-mismatch" else None
    if op is None or len(op.arrays) != 2:
        return None
    history = trace.history()
    for position, operand in enumerate(op.arrays):
        other = op.arrays[1 - position]
        key = operand.value._key if isinstance(operand.value, Tensor) else None
        along = None if key is None else _along_one_axis(history, key)
        if along is None:
            continue
        fitting = [axis for axis, shape in along.others.items() if _fits(op, fault, position, shape, other.shape)]
        if len(fitting) != 1:
            continue
        (axis,) = fitting
        record, shape = along.record, along.record.inputs[0].shape
        made = site(
            record.code,
            record.instruction,
            f"{along.over} axis {along.axis} here",
            f"{shape} becomes {described(operand.value)}",
        )
        return Cause(
            "wrong-axis",
            "exception",
            f"{operand.quoted} {operand.shape} does not fit {other.quoted} {other.shape}: it was {along.done} {along.over} axis "
            f"{along.axis} of {shape}, and {along.over} axis {axis} it would fit",
            (made, *mismatch.sites),
            f"use axis={axis} here",
            mismatch.shapes,
            likely=True,
            edits=along_axis(record.code, record.instruction, axis, position=along.parameter),
        )
    return None


class _Along(NamedTuple):
    """An op along one axis, and the shapes that its result would have along the others."""

    record: Record
    axis: int
    others: dict[int, tuple[int, ...]]
    done: str
    over: str
    parameter: int  # the position of `axis` among the parameters


def _along_one_axis(history: History, key: Key) -> _Along | None:
    """The op that reduced, split or joined along one axis, back through what happens to a value element by element."""
    while isinstance(maker := history.made_by.get(key), Record):
        found = _reduced(maker) or _split(maker) or _joined(maker)
        if found is not None:
            return found
        same = [each for each in maker.inputs if each.shape == key.shape]
        if not same or maker.traits.reduces is not None or len(outputs_of(maker)) > 1:
            return None
        key = same[0]
    return None


def _reduced(record: Record) -> _Along | None:
    axes, shape = record.attributes.get("axis"), record.inputs[0].shape
    if record.traits.reduces is None or not isinstance(axes, tuple) or len(axes) != 1 or len(shape) < 2:
        return None
    kept = (1,) if record.attributes.get("keepdims") else ()
    others = {i: (*shape[:i], *kept, *shape[i + 1 :]) for i in range(len(shape)) if i != axes[0]}
    return _Along(record, axes[0], others, "reduced", "over", 1)


def _split(record: Record) -> _Along | None:
    axis, shape, sizes = record.attributes.get("axis"), record.inputs[0].shape, record.attributes.get("sizes", ())
    if record.traits.moves is not Moves.SOME or type(axis) is not int or len(set(sizes)) != 1:
        return None
    count = len(sizes)
    others = {
        i: (*shape[:i], size // count, *shape[i + 1 :])
        for i, size in enumerate(shape)
        if i != axis and size % count == 0
    }
    return _Along(record, axis, others, "split up", "along", 2)


def _joined(record: Record) -> _Along | None:
    axis, shapes = record.attributes.get("axis"), [key.shape for key in record.inputs]
    if (
        record.traits.moves is not Moves.JOINED
        or type(axis) is not int
        or len(outputs_of(record)[0].shape) != len(shapes[0])
    ):
        return None
    others = {}
    for i in range(len(shapes[0])):
        rest = {(*shape[:i], *shape[i + 1 :]) for shape in shapes}
        if i != axis and len(rest) == 1:
            others[i] = (*shapes[0][:i], sum(shape[i] for shape in shapes), *shapes[0][i + 1 :])
    return _Along(record, axis, others, "joined", "along", 1)


def _fits(op: FailedOp, fault: Fault | None, position: int, shape: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Whether an op that failed would have taken another shape for one of its two operands."""
    if not isinstance(fault, InnerSizesDiffer):
        return shape == other
    if any(op.argument(f"transpose_{each}") or op.argument(f"adjoint_{each}") for each in "ab") or len(other) != 2:
        return False
    left, right = (shape, other) if position == 0 else (other, shape)
    return len(shape) > 1 and left[-1] == right[-2]
