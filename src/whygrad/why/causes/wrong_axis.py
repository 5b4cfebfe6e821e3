"""wrong-axis: a reduction over another axis than was meant. Its result does not fit the other operand; over another axis it would."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING

from whygrad.ops.primitive import Record
from whygrad.values.tensor import Key, Tensor
from whygrad.why.cause import Cause
from whygrad.why.evidence.failed_op import failed_op
from whygrad.why.evidence.history import History, outputs_of
from whygrad.why.source.edits import along_axis
from whygrad.why.source.sites import site
from whygrad.why.source.wording import described

if TYPE_CHECKING:
    from whygrad.why.evidence.trace import Trace


def explain(mismatch: Cause, frame: TracebackType, trace: Trace) -> Cause | None:
    """The cause, if two shapes do not fit because of the axis over which one of them was reduced."""
    op = failed_op(frame) if mismatch.kind == "shape-mismatch" else None
    if op is None or len(op.arrays) != 2:
        return None
    history = trace.history()
    for operand, other in (op.arrays, op.arrays[::-1]):
        key = operand.value._key if isinstance(operand.value, Tensor) else None
        reducer = None if key is None else _reduction(history, key)
        axis = None if reducer is None else _fitting_axis(reducer, other.shape)
        if reducer is None or axis is None:
            continue
        shape, over = reducer.inputs[0].shape, reducer.attributes["axis"][0]
        made = site(
            reducer.code, reducer.instruction, f"over axis {over} here", f"{shape} becomes {described(operand.value)}"
        )
        return Cause(
            "wrong-axis",
            "exception",
            f"{operand.quoted} {operand.shape} does not fit {other.quoted} {other.shape}: it was reduced over axis {over} of "
            f"{shape}, and over axis {axis} it would fit",
            (made, *mismatch.sites),
            f"use axis={axis} here",
            mismatch.shapes,
            likely=True,
            edits=along_axis(reducer.code, reducer.instruction, axis),
        )
    return None


def _reduction(history: History, key: Key) -> Record | None:
    """The op that reduced one axis of a value, back through what happens to it element by element."""
    while isinstance(maker := history.made_by.get(key), Record):
        if maker.traits.reduces is not None:
            one = isinstance(axis := maker.attributes.get("axis"), tuple) and len(axis) == 1
            return maker if one and len(maker.inputs[0].shape) > 1 else None
        same = [each for each in maker.inputs if each.shape == key.shape]
        if not same or len(outputs_of(maker)) > 1:
            return None
        key = same[0]
    return None


def _fitting_axis(reducer: Record, wanted: tuple[int, ...]) -> int | None:
    """The one other axis whose reduction gives the shape that is wanted."""
    shape, over = reducer.inputs[0].shape, reducer.attributes["axis"][0]
    kept = (1,) if reducer.attributes.get("keepdims") else ()
    fitting = [i for i in range(len(shape)) if i != over and (*shape[:i], *kept, *shape[i + 1 :]) == wanted]
    return fitting[0] if len(fitting) == 1 else None
