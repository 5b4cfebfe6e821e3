"""A gradient that is zero because a Python function under `py_function` took the value to NumPy."""

from __future__ import annotations

from typing import Any

from whygrad.ops.primitive import Record
from whygrad.tape.gradient_tape import GradientCall
from whygrad.values.conversion import convert
from whygrad.values.recorders import Event
from whygrad.values.tensor import Key
from whygrad.why.cause import Cause
from whygrad.why.history import History
from whygrad.why.source import site
from whygrad.why.words import described, gradient_names, quoted


def explain(call: GradientCall) -> Cause | None:
    """The cause, if a source got zeros and all its ways to the target lead through such a function."""
    callbacks = [record for record in call.tape.records if record.plan.primitive.name == "py_function"]
    if not callbacks:
        return None
    history = History(call.tape.records, ())
    for position, gradient in enumerate(call.gradients):
        if gradient is None or convert(gradient, None)._array.any():
            continue
        reached = history.descendants(call.tape._keys(call.sources[position]))
        for record in callbacks:
            left = _exit(record, reached)
            if left is not None:
                return _cause(call, position, record, left)
    return None


def _exit(record: Record, reached: set[Key]) -> Event | None:
    """Where an input that was computed from the source, or something computed from it, left inside the function."""
    inner: Any = record.attributes["call"]
    starts = [tensor._key for tensor, key in zip(inner.inputs, record.inputs) if key in reached]
    history = History(inner.tape.records, inner.tape.events)
    inside = history.descendants(key for key in starts if key is not None)
    return next((e for e in inner.tape.events if e.kind == "left" and e.source in inside), None)


def _cause(call: GradientCall, position: int, record: Record, left: Event) -> Cause:
    targets, sources = gradient_names(call.code, call.instruction, len(call.targets), len(call.sources))
    target = targets[0] if len(targets) == 1 else "the target"
    name = sources[position]
    return Cause(
        "python-callback-opaque",
        "zero",
        f"the gradient of {quoted(target)} with respect to {quoted(name)} is zero: the function under tf.py_function takes the "
        "value to NumPy, where no tape can follow",
        (
            site(left.code, left.instruction, "left here", described(left.source)),
            site(record.code, record.instruction, "called here"),
            site(call.code, call.instruction, "asked here"),
        ),
        "write the function with tf.* ops: without .numpy() and np.* inside it, its gradient is right",
        {name: described(call.sources[position])},
    )
