"""The history of a computation: recorded ops and events as a graph that can be searched in both directions."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from whygrad.ops.indexing import Position
from whygrad.ops.primitive import Record
from whygrad.ops.traits import Selects
from whygrad.values.recorders import Event
from whygrad.values.tensor import Key


class Step(NamedTuple):
    """One edge of a path: the value `start` went into `through`, which made `end`."""

    start: Key
    through: Record | Event
    end: Key


def outputs_of(record: Record) -> tuple[Key, ...]:
    """A record's outputs, one or several."""
    return record.output if isinstance(record.output, tuple) else (record.output,)


def inputs_of(record: Record) -> tuple[Key, ...]:
    """The operands of an op: its inputs, and tensors among its indices."""
    index = record.attributes.get("index", ()) if record.traits.selects is Selects.SLICE else ()
    chosen = [each.key for each in index if type(each) is Position]
    return (*record.inputs, *chosen) if chosen else record.inputs


class History:
    """Records and events, indexed by what they made and by what they used."""

    def __init__(self, records: Sequence[Record], events: Iterable[Event]) -> None:
        self.records = records
        self.events = list(events)
        self.made_by: dict[Key, Record | Event] = {}
        self.used_by: dict[Key, list[Record | Event]] = {}
        for record in records:
            for key in outputs_of(record):
                self.made_by[key] = record
            for key in inputs_of(record):
                self.used_by.setdefault(key, []).append(record)
        for event in self.events:
            if event.result is not None:
                self.made_by.setdefault(event.result, event)
            if event.source is not None:
                self.used_by.setdefault(event.source, []).append(event)

    def towards(self, targets: Iterable[Key]) -> dict[Key, Step | None]:
        """Everything that the targets were computed from, each with the first step of a shortest path to a target.

        A gradient that was assigned to a variable is a step of training: its own target is not counted as an origin.
        """
        steps: dict[Key, Step | None] = dict.fromkeys(targets)
        pending = deque((key, False) for key in steps)
        seen = set(pending)
        while pending:
            key, assigned = pending.popleft()
            maker = self.made_by.get(key)
            if maker is None or (assigned and _is(maker, "differentiated")):
                continue
            for origin in inputs_of(maker) if isinstance(maker, Record) else (maker.source,):
                if origin is None:
                    continue
                steps.setdefault(origin, Step(origin, maker, key))
                here = (origin, assigned or _is(maker, "assigned"))
                if here not in seen:
                    seen.add(here)
                    pending.append(here)
        return steps

    def path(self, start: Key, towards: dict[Key, Step | None]) -> list[Step]:
        """The path from `start` to the target that `towards` was made for."""
        steps = []
        step = towards.get(start)
        while step is not None:
            steps.append(step)
            step = towards.get(step.end)
        return steps

    def descendants(self, starts: Iterable[Key]) -> set[Key]:
        """The keys in `starts` and everything computed from them, except variables that were trained with their gradients."""
        pending = deque((key, False) for key in starts)
        seen = set(pending)
        while pending:
            key, differentiated = pending.popleft()
            for user in self.used_by.get(key, ()):
                if differentiated and _is(user, "assigned"):
                    continue
                for end in outputs_of(user) if isinstance(user, Record) else (user.result,):
                    if end is None:
                        continue
                    here = (end, differentiated or _is(user, "differentiated"))
                    if here not in seen:
                        seen.add(here)
                        pending.append(here)
        return {key for key, _ in seen}

    def differentiable_from(self, starts: Iterable[Key]) -> set[Key]:
        """The keys in `starts` and everything from which a gradient can go back to them: not what lies behind a `stop_gradient`."""
        pending = deque(starts)
        seen = set(pending)
        while pending:
            for user in self.used_by.get(pending.popleft(), ()):
                if not isinstance(user, Record) or user.plan.primitive.no_gradient is not None:
                    continue
                new = [each for each in outputs_of(user) if each not in seen]
                seen.update(new)
                pending.extend(new)
        return seen


def _is(step: Record | Event, kind: str) -> bool:
    return isinstance(step, Event) and step.kind == kind
