"""What happened inside a Python function that an op called: a tape of the op's own recorded it."""

from __future__ import annotations

from typing import Any

from whygrad.ops.primitive import Record
from whygrad.values.recorders import Event
from whygrad.values.tensor import Key
from whygrad.why.evidence.history import History


def exit_inside(record: Record, reached: set[Key]) -> Event | None:
    """Where something computed from the inputs in `reached` left for NumPy inside the function."""
    inner: Any = record.attributes["call"]
    starts = [tensor._key for tensor, key in zip(inner.inputs, record.inputs) if key in reached]
    history = History(inner.tape.records, inner.tape.events)
    inside = history.descendants(key for key in starts if key is not None)
    return next((e for e in inner.tape.events if e.kind == "left" and e.source in inside), None)
