"""CallEvidence: what is known of the computation around one call of `gradient`.

Causes read this and neither the tape nor the trace, so that another witness can stand in for them.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from types import CodeType
from typing import TYPE_CHECKING, Any

from whygrad.ops.primitive import Record, record_of
from whygrad.tape.gradient_calls import Derivative, GradientCall
from whygrad.tape.places import place_of
from whygrad.values.recorders import Event
from whygrad.values.tensor import Key
from whygrad.values.variable import Variable
from whygrad.why.evidence.history import History, Step, outputs_of
from whygrad.why.source.kept_values import kept_at
from whygrad.why.source.sites import Site, site
from whygrad.why.source.wording import described

if TYPE_CHECKING:
    from whygrad.why.evidence.trace import Trace

Place = tuple[CodeType, int]


class CallEvidence:
    """Ops, events and variables around a call: as its tape recorded them and, while a program is traced, as the trace did."""

    def __init__(self, call: GradientCall, trace: Trace | None = None) -> None:
        self._call, self._tape, self._trace = call, call.tape, trace

    @functools.cached_property
    def history(self) -> History:
        """All ops and events that are known, as a graph."""
        if self._trace is not None:
            return self._trace.history()
        traced = self._call.traced
        return History(self.records if traced is None else [record_of(raw) for raw in traced.ops], self.tape_events)

    @functools.cached_property
    def target_keys(self) -> list[Key]:
        """The identities of the targets, at their last known values."""
        return [key for target in self._call.targets for key in self.values_of(target)[-1:]]

    @functools.cached_property
    def towards(self) -> dict[Key, Step | None]:
        """Everything that the targets were computed from, each with the first step of a shortest path to a target."""
        return self.history.towards(self.target_keys)

    @property
    def is_traced(self) -> bool:
        """Whether all ops of the program are known, in all threads, and not only those in the tape's block."""
        return self._trace is not None

    # -- what the tape recorded --

    @property
    def records(self) -> Sequence[Record]:
        """The ops in the tape's block, in order."""
        return self._tape.records

    @property
    def tape_events(self) -> Sequence[Event]:
        """The events in the tape's block."""
        return self._tape.events

    @functools.cached_property
    def tape_history(self) -> History:
        """The ops in the tape's block alone, as a graph."""
        return History(self.records, ())

    @functools.cached_property
    def recorded(self) -> dict[Key, int]:
        """The values that recorded ops made, each with the number of its op."""
        return {key: i for i, record in enumerate(self.records) for key in outputs_of(record)}

    @property
    def watched(self) -> set[Key]:
        """The values that the tape watches: the roots, and what was computed from them."""
        return self._tape.live

    def watched_from(self, key: Key) -> int | None:
        """How many ops had been recorded when the tape began to watch a value; None if it does not."""
        return self._tape.watched_from(key)

    def watched_at(self, key: Key) -> Place | None:
        """Where the tape began to watch a value."""
        return self._tape.watched_at(key)

    @property
    def watched_variables(self) -> dict[Variable, list[Key]]:
        """The variables that the tape watches, each with the values of it that were read."""
        return self._tape._versions

    @property
    def read_variables(self) -> list[Variable]:
        """The variables that were read in the tape's block, whether it watches them or not."""
        return list(dict.fromkeys((*self._tape._versions, *self._tape.unwatched)))

    def read_unwatched_at(self, source: Any) -> Place | None:
        """Where a variable was read that the tape does not watch."""
        return self._tape.unwatched.get(source) if isinstance(source, Variable) else None

    @functools.cached_property
    def differentiated_targets(self) -> list[Key]:
        """The identities of the targets with which the sweep began."""
        return [key for key in map(self._call.key_of, self._call.targets) if key is not None]

    def was_a_variable(self, position: int) -> bool:
        """Whether a source of this call, which is a tensor now, was a variable when gradients were last taken here."""
        before = place_of(self._call.code, self._call.instruction).had_variables
        return len(before) == len(self._call.sources) and before[position]

    @property
    def target_is_known(self) -> bool:
        """Whether the tape recorded a target, or watches it."""
        return any(key in self.recorded or key in self.watched for key in self.target_keys)

    def read_values_of(self, source: Any) -> list[Key]:
        """The identities for which the sweep computed a source's gradient: of a variable, of its values that were read."""
        return self._tape._keys(source)

    @property
    def stopped_at(self) -> Place | None:
        """Where recording was last stopped for a while."""
        return self._tape.stopped_at

    @property
    def reset_at(self) -> Place | None:
        """Where the tape was reset."""
        return self._tape.reset_at

    @property
    def derivatives(self) -> Sequence[Derivative]:
        """The gradients that were taken while the tape was recording."""
        return self._tape.derivatives

    def is_recording(self, event: Event) -> bool:
        """Whether the tape was recording when a gradient was taken."""
        return any(ref() is self._tape for ref in event.subject or ())

    # -- values --

    def values_of(self, value: Any) -> list[Key]:
        """The identities of a target or source: of a variable, of all its known values."""
        if not isinstance(value, Variable):
            return [value._key] if value._key is not None else []
        found = list(self.watched_variables.get(value, ()))
        found += [key for key in self.traced_values_of(value) if key not in found]
        now = value.value_here._key
        return found if now is None or now in found else [*found, now]

    def traced_values_of(self, variable: Variable) -> list[Key]:
        """All values that a variable had, in order, as far as a trace has seen them, or in the function that was being traced."""
        if self._call.traced is not None:
            return self._call.traced.values.get(variable.handle, [])
        return [] if self._trace is None else self._trace.values_of(variable)

    def variable_of(self, key: Key) -> Variable | None:
        """The variable that had a value, as far as a trace has seen that."""
        return None if self._trace is None else self._trace.variable_of(key)

    def was_made_while_recording(self, key: Key) -> bool:
        """Whether a variable with this first value was made while this tape was recording, or any that a trace has seen."""
        return key in self._tape.created or (self._trace is not None and key in self._trace.made_while_recording)

    # -- places --

    def stack_of(self, key: Key) -> tuple[Place, ...]:
        """The user's calls in which a value was made, innermost first, as far as a trace has noted them."""
        return () if self._trace is None else self._trace.stack_of(key)

    def thread_of(self, key: Key) -> int | None:
        """The thread in which a value was computed, as far as a trace has noted it."""
        return None if self._trace is None else self._trace.thread_of(key)

    def converted_at(self, key: Key) -> Place | None:
        """Where a constant or a variable's value was made of Python's data, as far as a trace has noted it."""
        return None if self._trace is None else self._trace.made_at(key)

    def order_of(self, event: Event) -> int:
        """When an event happened, among those that a trace has noted."""
        return -1 if self._trace is None else self._trace.order_of(event)

    def site_of_key(self, key: Key, place: Place, role: str, note: str = "") -> Site:
        """The place that made a value; where functions only return it, the place of the call that keeps it.

        The function that asks for the gradient uses what it computed, whether it returns that too or not.
        """
        stack = self.stack_of(key)
        asking = next((depth for depth, (code, _) in enumerate(stack) if code is self._call.code), len(stack))
        return site(*(kept_at(stack[: asking + 1]) or place), role, note)

    def made_at(self, key: Key | None, role: str = "made here") -> Site | None:
        """Where a value was made, as far as that was recorded."""
        if key is None:
            return None
        maker = self.history.made_by.get(key)
        place = (maker.code, maker.instruction) if isinstance(maker, Record) else self.converted_at(key)
        return None if place is None else self.site_of_key(key, place, role, described(key))
