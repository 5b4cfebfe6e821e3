"""Tracing: all ops and events of a program, inside tapes and outside, for explanations that need more than a tape records."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import weakref
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import CodeType, FrameType
from typing import Any

from whygrad._public import export
from whygrad.ops.primitive import RawRecord, outputs_in, record_of
from whygrad.runtime.call_sites import is_ours, replayed, users_site
from whygrad.tape.gradient_tape import GradientCall, GradientTape
from whygrad.values.recorders import Event, Recorder, ThreadState, observers, state
from whygrad.values.tensor import Key, Tensor, key_of
from whygrad.values.variable import Variable
from whygrad.why.cause import SYMPTOMS, Cause
from whygrad.why.evidence.history import History
from whygrad.why.evidence.numerics import Numerics
from whygrad.why.evidence.reported import Reported

# The older half is forgotten when this much has happened: explanations rarely reach further back.
_MOST_RECORDS = 100_000
_MOST_EVENTS = 50_000


@dataclass
class Streak:
    """How often one source of a call site got zeros in a row, and the finding that was entered for it."""

    calls: int = 0
    zeros: int = 0  # in a row, up to now
    cause: Cause | None = None


class Trace(Recorder):
    """What happened while tracing, and what was found wrong."""

    def __init__(self) -> None:
        super().__init__()
        self._records: list[RawRecord] = []
        self._forgotten = 0  # how many were forgotten
        self.events: list[Event] = []
        self.numerics = Numerics()
        self.findings: list[Cause] = []
        self._gradients = 0
        self._order: dict[int, int] = {}  # when an event happened, among the events
        self._noted = 0
        self._made: dict[Key, tuple[CodeType, int]] = {}
        self._owner: dict[Key, Variable] = {}
        self._values: dict[Variable, list[Key]] = {}
        self._tapes: set[int] = set()
        self._growth: dict[int, tuple[int, int]] = {}  # by number of the tape
        self._times: dict[tuple[CodeType, int], int] = {}  # calls of gradient at each call site
        self._sources: dict[tuple[CodeType, int], list[list[Any]]] = {}  # of the last calls at each call site
        self._streaks: dict[tuple[CodeType, int, int], Streak] = {}
        self.reported = Reported()
        self._stacks: dict[Key, tuple[tuple[CodeType, int], ...]] = {}
        self._threads: dict[Key, int] = {}  # of values computed while no tape was recording
        self._given: set[Variable] = set()  # variables for which some call gave a gradient
        self._provisional: dict[Variable, list[Cause]] = {}
        self.skipped: dict[
            tuple[CodeType, int], Cause
        ] = {}  # causes of inf and nan that the program checks for, by call site
        self.made_while_recording: set[Key] = set()  # first values of variables that were made inside a tape
        self._graph: tuple[tuple[int, int], History] | None = None

    # -- as a recorder --

    def append(self, raw: RawRecord, /) -> None:
        """Note an op."""
        records = self._records
        records.append(raw)
        if len(state.recorders) == 1:  # no tape is recording: the callers may matter more than the op's own line
            key = outputs_in(raw)[0]
            self._stacks[key] = users_stack()
            self._threads[key] = threading.get_ident()
        if len(records) > _MOST_RECORDS:
            self._forget_records()

    @property
    def counts(self) -> dict[str, int]:
        """The numbers of tapes that gave gradients, of calls of gradient, and of ops."""
        ops = self._forgotten + len(self._records)
        return {"tapes": len(self._tapes), "gradients": self._gradients, "ops": ops}

    def variable_set(self, kind: str, variable: Variable, origin: Tensor | None) -> None:
        """Note a variable's new value."""
        key = key_of(variable.value_here)
        self._owner[key] = variable
        self._values.setdefault(variable, []).append(key)
        if kind == "created":
            self._stacks[key] = users_stack()
            if any(each.differentiates for each in state.recorders):
                self.made_while_recording.add(key)
        self._note(Event(kind, None if origin is None else key_of(origin), key, variable, *users_site()))

    def left_for_numpy(self, tensor: Tensor) -> None:
        """Note a value that left for NumPy or Python."""
        self._note(Event("left", key_of(tensor), None, None, *users_site()))

    def converted(self, tensor: Tensor, value: Any) -> None:
        """Note a NumPy or Python value that became a tensor."""
        self._note(Event("converted", None, key_of(tensor), type(value).__name__, *users_site()))

    def _note(self, event: Event) -> None:
        self.events.append(event)
        self._order[id(event)] = self._noted
        self._noted += 1
        if len(self.events) > _MOST_EVENTS:
            self._forget_events()
        if event.result is not None:
            self._made.setdefault(event.result, (event.code, event.instruction))

    def _forget_records(self) -> None:
        for old in self._records[: _MOST_RECORDS // 2]:
            key = outputs_in(old)[0]
            self._stacks.pop(key, None)
            self._threads.pop(key, None)
        del self._records[: _MOST_RECORDS // 2]
        self._forgotten += _MOST_RECORDS // 2

    def _forget_events(self) -> None:
        """Forget the older half of the events; where variables were created is remembered."""
        half = _MOST_EVENTS // 2
        forgotten = [event for event in self.events[:half] if event.kind != "created"]
        self.events = [event for event in self.events[:half] if event.kind == "created"][-half // 2 :] + self.events[
            half:
        ]
        self._order = {id(event): self._order[id(event)] for event in self.events}
        gone = {event.result for event in forgotten if event.result is not None}
        for table in (self._made, self._owner, self._stacks):
            for key in gone:
                table.pop(key, None)
        self._values = {variable: [key for key in keys if key not in gone] for variable, keys in self._values.items()}

    # -- as an observer of values --

    looks_inside_functions = True

    def computed(self, raw: RawRecord, inputs: tuple[Tensor, ...], outputs: Any) -> None:
        """Look at what an op made."""
        if state.context is None:  # in a function that another thread compiles there are no values
            self.numerics.computed(raw, inputs, outputs)

    def pulled(self, raw: RawRecord, key: Key, g: Any, gx: Any) -> None:
        """Look at what a rule gave."""
        if state.context is None:
            self.numerics.pulled(raw, key, g, gx)

    def called(self, traced: Any, given: Sequence[Tensor], outputs: Sequence[Tensor]) -> None:
        """Nothing to note: functions run as Python here, except concrete functions, which were compiled before."""

    # -- what explanations read --

    def history(self) -> History:
        """All recorded ops and events, as a graph."""
        now = (self._forgotten + len(self._records), self._noted)
        if self._graph is None or self._graph[0] != now:
            self._graph = (now, History([record_of(raw) for raw in self._records], self.events))
        return self._graph[1]

    def stack_of(self, key: Key) -> tuple[tuple[CodeType, int], ...]:
        """The user's calls in which a value was made, innermost first; empty where that was not noted.

        It is noted for variables and for what was computed while no tape was recording.
        """
        return self._stacks.get(key, ())

    def thread_of(self, key: Key) -> int | None:
        """The thread in which a value was computed, if no tape was recording there."""
        return self._threads.get(key)

    def made_at(self, key: Key) -> tuple[CodeType, int] | None:
        """Where a constant or a variable's value was made."""
        return self._made.get(key)

    def order_of(self, event: Event) -> int:
        """The number of an event, in the order in which they happened."""
        return self._order.get(id(event), -1)

    def variable_of(self, key: Key) -> Variable | None:
        """The variable that had this value."""
        return self._owner.get(key)

    def values_of(self, variable: Variable) -> list[Key]:
        """All values that a variable had."""
        return self._values.get(variable, [])

    def growth_of(self, call: GradientCall) -> tuple[int, int, int]:
        """The calls of gradient of a persistent tape that is still recording, and its ops at the first of them and now."""
        tape = call.tape
        if not tape.is_growing:
            return 0, 0, 0
        times, first = self._growth.get(tape.number, (0, tape.length))
        self._growth[tape.number] = (times + 1, first)
        return times + 1, first, tape.length

    def counted(self, tape: GradientTape) -> None:
        """Count a call of gradient, also one that raised, and its tape."""
        self._gradients += 1
        self._tapes.add(tape.number)

    def asked(self, call: GradientCall) -> None:
        """Count a call of gradient, and note the gradients it gave."""
        self.counted(call.tape)
        place = (call.code, call.instruction)
        self._times[place] = self._times.get(place, 0) + 1
        for source, gradient in zip(call.sources, call.gradients):
            if gradient is not None and isinstance(source, Variable) and source not in self._given:
                self._given.add(source)
                for cause in self._provisional.pop(source, ()):
                    self.withdraw(cause)
        target = next((key for key in map(call.key_of, call.targets) if key is not None), None)
        stack, recording = users_stack(), [weakref.ref(each) for each in state.recorders if each.differentiates]
        for gradient in call.gradients:
            if isinstance(gradient, Tensor):
                key = key_of(gradient)
                self._stacks[key] = stack
                self._note(Event("differentiated", target, key, recording, call.code, call.instruction))

    def times_asked(self, call: GradientCall) -> int:
        """How often gradient was called at this call site, including this time."""
        return self._times.get((call.code, call.instruction), 0)

    def last_sources(self, call: GradientCall, most: int) -> list[list[Any]]:
        """The sources of the last calls at this call site, including this one."""
        known = self._sources.setdefault((call.code, call.instruction), [])
        known.append(call.sources)
        del known[:-most]
        return known

    def last_change_of(self, variable: Variable) -> Event | None:
        """Where a variable was assigned last."""
        return next((e for e in reversed(self.events) if e.kind == "assigned" and e.subject is variable), None)

    def streak(self, call: GradientCall, position: int) -> Streak:
        """How often source number `position` got zeros at this call site."""
        return self._streaks.setdefault((call.code, call.instruction, position), Streak())

    def was_given(self, source: Any) -> bool:
        """Whether some call gave a gradient for this variable."""
        return isinstance(source, Variable) and source in self._given

    def stands_until_given(self, cause: Cause, source: Any) -> None:
        """Keep a finding only until some call gives a gradient for this variable."""
        if isinstance(source, Variable):
            self._provisional.setdefault(source, []).append(cause)

    def withdraw(self, cause: Cause) -> None:
        """Take back a finding that later steps have refuted."""
        if cause in self.findings:
            self.findings.remove(cause)

    def found(self, cause: Cause) -> None:
        """Enter a finding, each once, most serious first."""
        place = cause.site
        known = {(c.kind, c.site and (c.site.file, c.site.line)) for c in self.findings}
        if (cause.kind, place and (place.file, place.line)) not in known:
            self.findings.append(cause)
            self.findings.sort(key=lambda c: (c.likely, SYMPTOMS.index(c.symptom)))


def users_stack(most: int = 12) -> tuple[tuple[CodeType, int], ...]:
    """The user's calls that led here, innermost first."""
    found: list[tuple[CodeType, int]] = [] if replayed.place is None else [replayed.place]
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and len(found) < most:
        code = frame.f_code
        is_users = _is_users.get(code.co_filename)
        if is_users is None:
            is_users = _is_users[code.co_filename] = _may_be_users(code.co_filename)
        if is_users:
            found.append((code, frame.f_lasti))
        frame = frame.f_back
    return tuple(found)


def _may_be_users(filename: str) -> bool:
    return not is_ours(filename) and not (filename.startswith(_PYTHONS_OWN) and "site-packages" not in filename)


_is_users: dict[str, bool] = {}  # by source file


# Where Python's own modules lie: those that start threads and call back are no places of causes.
_PYTHONS_OWN = os.path.dirname(threading.__file__) + os.sep


def current() -> Trace | None:
    """The innermost trace that is running."""
    return next((observer for observer in reversed(observers) if isinstance(observer, Trace)), None)


@export("tracing")
@contextlib.contextmanager
def tracing() -> Iterator[Trace]:
    """Record everything inside the block, in all threads: ops outside tapes, conversions, assignments, births of inf and nan.

    >>> import whygrad as tf
    >>> with tf.tracing() as trace:
    ...     x = tf.Variable([1.0, 0.0])
    ...     with tf.GradientTape() as tape:
    ...         y = tf.reduce_sum(tf.sqrt(x))
    ...     g = tape.gradient(y, x)
    >>> [cause.kind for cause in trace.findings]
    ['infinite-slope']
    """
    trace = Trace()
    threads, mine = ThreadState.recorders, state.recorders
    observers.append(trace)
    ThreadState.recorders = (*threads, trace)  # the recorders of a new thread
    state.recorders = (*mine, trace)
    try:
        yield trace
    finally:
        observers.remove(trace)
        ThreadState.recorders = tuple(r for r in ThreadState.recorders if r is not trace)
        state.recorders = tuple(r for r in state.recorders if r is not trace)
