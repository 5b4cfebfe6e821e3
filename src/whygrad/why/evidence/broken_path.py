"""Where the paths from a source to the target end, and how."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from enum import Enum, auto
from typing import NamedTuple

from whygrad.ops.primitive import Record
from whygrad.ops.traits import Arithmetic
from whygrad.values.recorders import Event
from whygrad.values.tensor import Key
from whygrad.why.evidence.call_evidence import CallEvidence
from whygrad.why.evidence.history import Step, outputs_of
from whygrad.why.evidence.question import SourceQuestion

_SUMS = (Arithmetic.SUM, Arithmetic.DIFFERENCE)
_MOST_VALUES = 20_000  # visited from the source


class Ending(Enum):
    """How a path from a source to the target ends."""

    NO_GRADIENT = auto()  # at an op without a gradient
    NO_GRADIENT_OF_INDEX = auto()  # at such an op, whose result only selects elements
    ONLY_SHAPE = auto()  # at an op that reads only the shape of its operand
    STOP_GRADIENT = auto()
    STOP_GRADIENT_OF_ROUNDING = auto()  # around something computed from a rounded value, in place of rounding's slope
    NOT_WATCHED = auto()  # the tape did not watch the value when the op ran
    NOT_RECORDED = auto()  # the op ran while the tape was not recording
    VARIABLE_MADE = auto()  # a new variable copies the value
    VARIABLE_ASSIGNED = auto()
    VARIABLE_MADE_BEFORE = auto()  # the same before the tape, which is often intended: a network that follows another
    VARIABLE_ASSIGNED_BEFORE = auto()
    DERIVATIVE_NOT_RECORDED = auto()  # a gradient was taken while the tape was not recording
    DERIVATIVE_RECORDED = auto()  # a gradient was recorded: the ops of its sweep are on the path, if anything is
    CUSTOM_GRADIENT = auto()  # a custom gradient returned None
    COMPILED = auto()  # the gradient of a compiled call is None
    LEFT_FOR_NUMPY = auto()  # the value left the tape's block as a NumPy array or Python number
    LEFT_FOR_NUMPY_BEFORE = auto()  # the same before the tape, which is often intended: frozen weights


class Cut(NamedTuple):
    """The step at which a path ends, and how."""

    step: Step
    ending: Ending


def cuts(q: SourceQuestion) -> list[Cut]:
    """The places at which the paths from the source to the target end, the nearest to the source first."""
    found: list[Cut] = []
    pending, seen = deque(q.keys), set(q.keys)
    while pending and len(seen) < _MOST_VALUES:
        for step in _steps(q.evidence, pending.popleft()):
            ending = _ending(q.evidence, step)
            if ending is not None:
                found.append(Cut(step, ending))
            elif step.end not in seen:
                seen.add(step.end)
                pending.append(step.end)
    return [_in_context(q.evidence, cut, found) for cut in found]


def _steps(evidence: CallEvidence, key: Key) -> Iterator[Step]:
    """The steps from a value that lead on to the target."""
    for user in evidence.history.used_by.get(key, ()):
        for end in outputs_of(user) if isinstance(user, Record) else (user.result,):
            if end is not None and end in evidence.towards:
                yield Step(key, user, end)


def _ending(evidence: CallEvidence, step: Step) -> Ending | None:
    """How a path ends at a step; None where it goes on."""
    if isinstance(step.through, Event):
        return _ending_at_event(evidence, step.through)
    record = step.through
    primitive = record.plan.primitive
    if primitive.no_gradient is not None:
        if record.traits.only_shape:  # nothing depends on the source through it
            return Ending.ONLY_SHAPE
        return _without_gradient(evidence, step, record)
    number = evidence.recorded.get(step.end)
    if number is None:
        return Ending.NOT_RECORDED
    watched_from = evidence.watched_from(step.start)
    if step.start not in evidence.watched or (watched_from is not None and number < watched_from):
        return Ending.NOT_WATCHED
    if (step.end not in evidence.watched and step.end.dtype.kind not in "fcV") or input_without_rule(
        record, step.start
    ):
        return _without_gradient(evidence, step, record)
    if primitive.takes_tensors:
        return Ending.COMPILED if hasattr(primitive, "compiled") else Ending.CUSTOM_GRADIENT
    return None


def input_without_rule(record: Record, key: Key) -> str | None:
    """The name that an op gives to this input of its, where it has rules for others alone: the order of `zeta`."""
    primitive = record.plan.primitive
    if not primitive.rules or primitive.variadic is not None:
        return None
    taken = [i for i, each in enumerate(record.inputs) if each is key]
    return primitive.inputs[taken[0]] if all(primitive.rules[i] is None for i in taken) else None


def _ending_at_event(evidence: CallEvidence, event: Event) -> Ending | None:
    if event.kind == "differentiated":
        return Ending.DERIVATIVE_RECORDED if evidence.is_recording(event) else Ending.DERIVATIVE_NOT_RECORDED
    if event.kind not in ("created", "assigned"):
        return None
    inside = any(each.result is event.result for each in evidence.tape_events)
    if event.kind == "created":
        return Ending.VARIABLE_MADE if inside else Ending.VARIABLE_MADE_BEFORE
    return Ending.VARIABLE_ASSIGNED if inside else Ending.VARIABLE_ASSIGNED_BEFORE


def _without_gradient(evidence: CallEvidence, step: Step, record: Record) -> Ending:
    if record.traits.stops_gradient:
        return Ending.STOP_GRADIENT
    users = [
        user
        for user in evidence.history.used_by.get(step.end, ())
        if isinstance(user, Record) and any(key in evidence.towards for key in outputs_of(user))
    ]
    selects = step.end.dtype.kind not in "fcV" and users and all(user.traits.selects is not None for user in users)
    return Ending.NO_GRADIENT_OF_INDEX if selects else Ending.NO_GRADIENT


def _in_context(evidence: CallEvidence, cut: Cut, all_cuts: list[Cut]) -> Cut:
    """The cut as one of all: a stop_gradient around something computed from a rounded value stands for rounding's slope."""
    record = cut.step.through
    if cut.ending is not Ending.STOP_GRADIENT or not isinstance(record, Record):
        return cut
    given = {record.inputs[0]}
    pending = [record.inputs[0]]
    while pending:  # sums and differences: `q - x` or, with the stop around all of it, `x + (q - x)`
        origin = evidence.history.made_by.get(pending.pop())
        if isinstance(origin, Record) and (origin.traits.arithmetic in _SUMS or len(given) == 1):
            pending += [key for key in origin.inputs if key not in given]
            given.update(origin.inputs)
    given.discard(record.inputs[0])
    if any(other.ending is Ending.NO_GRADIENT and other.step.end in given for other in all_cuts):
        return cut._replace(ending=Ending.STOP_GRADIENT_OF_ROUNDING)
    return cut
