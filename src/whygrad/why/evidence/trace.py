"""Tracing: all ops and events of a program, inside tapes and outside, for explanations that need more than a tape records."""

from __future__ import annotations

import contextlib
import inspect
import math
import os
import threading
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from threading import get_ident
from types import CodeType, FrameType
from typing import Any, NamedTuple

import numpy as np

from whygrad._public import export
from whygrad.ops.primitive import ATTRIBUTES, CODE, OUTPUT, RawRecord, outputs_in, record_of
from whygrad.runtime.call_sites import Scope, code_in_scope, frame_at, is_ours, pinned, users_site
from whygrad.runtime.collector import collect_less_often
from whygrad.tape.gradient_calls import GradientCall
from whygrad.tape.gradient_tape import GradientTape
from whygrad.values.recorders import Event, ObservingRecorder, ThreadState, observers, state
from whygrad.values.tensor import Key, Tensor, key_of
from whygrad.values.variable import Variable
from whygrad.why.cause import SYMPTOMS, Cause
from whygrad.why.evidence.gradient_series import GradientSeries
from whygrad.why.evidence.history import History
from whygrad.why.evidence.numerics import MOST_PENDING, MOST_PENDING_BYTES, Birth, Numerics, is_finite
from whygrad.why.evidence.reported import Reported
from whygrad.why.evidence.steps import Steps
from whygrad.why.evidence.updates import Updates

# The older half is forgotten when this much has happened: explanations rarely reach further back.
_MOST_RECORDS = 100_000
_MOST_EVENTS = 50_000
_MOST_ATTRIBUTE_BYTES = 1 << 26  # of arrays among the attributes of ops, such as indices
_MOST_VARIABLE_BYTES = 1 << 26  # of variables that the program may have dropped
_MOST_TAPES = 1_000  # of persistent tapes whose growth is noted

# The user's calls around an op: the thread, if no tape was recording there, then code and instruction of each call, innermost
# first, and last the calls around these, or None.
Calls = tuple[Any, ...]


class Around(NamedTuple):
    """The same for an op whose own line its record has: one object for all ops of one run of a function."""

    thread: int
    calls: Calls | None  # around that function


class VariableEvent(Event):
    """An event of a variable, which it does not keep alive: `subject` is None when the program has dropped the variable."""

    __slots__ = ()

    @property
    def subject(self) -> Variable | None:
        """The variable."""
        variable: Variable | None = self[3]()
        return variable


@dataclass
class Streak:
    """How often one source of a call site got zeros in a row, and the finding that was entered for it."""

    calls: int = 0
    zeros: int = 0  # in a row, up to now
    cause: Cause | None = None
    factors: set[Key] = field(default_factory=set)  # zeros that multiplied it each time
    of_data: bool = True  # whether data of zeros, perhaps others each time, multiplied it


@dataclass(frozen=True)
class OddResult:
    """A result, such as a metric's, that became inf or nan."""

    name: str  # "metric `accuracy`"
    birth: Birth
    place: tuple[CodeType, int]  # that updated it


class Trace(ObservingRecorder):
    """What happened while tracing, and what was found wrong."""

    def __init__(self) -> None:
        super().__init__()
        # Two entries for each op: its record, and the calls around it, if no tape was recording. They lie in one list, because a tuple
        # for each op, or a table by what it made, would take a fifth of the time.
        self._ops: list[Any] = []
        self._forgotten = 0  # how many ops were forgotten
        self.events: list[Event] = []
        self.numerics = Numerics()
        self._pending = self.numerics.pending
        self.updates = Updates()
        self._followed = 0  # how many of the ops `updates` has seen
        self.findings: list[Cause] = []
        self.warns = False  # whether the program gets its warnings too, as without a trace
        self.at_end: Callable[[Trace], None] | None = None  # called before the trace lets go of anything
        self._gradients = 0
        # How many events were noted then; and when each happened, by id.
        self._order: tuple[int, dict[int, int]] = (0, {})
        self._event_count = 0
        self._made: dict[Key, tuple[CodeType, int]] = {}
        # Variables are known by their numbers here, which do not keep them alive. Those made last are kept, because a program may
        # have dropped one by mistake.
        self._last_variables: deque[tuple[Variable, int]] = deque()
        self._variable_bytes = 0
        self._owner: dict[Key, weakref.ref[Variable]] = {}
        self._values: dict[int, list[Key]] = {}
        self._tapes = 0
        self._last_tapes: dict[int, None] = {}  # numbers of the tapes that gave gradients last
        self._attribute_bytes = 0
        self._growth: dict[int, tuple[int, int]] = {}  # by number of the tape
        self._times: dict[tuple[CodeType, int], int] = {}  # calls of gradient at each call site
        # By call site: what its last call asked, and how often it did so before.
        self._repeats: dict[tuple[CodeType, int], tuple[tuple[int, tuple[Key | None, ...]], int]] = {}
        self._sources: dict[tuple[CodeType, int], list[list[Any]]] = {}  # of the last calls at each call site
        self._made_anew: dict[tuple[tuple[CodeType, int], ...], dict[int, int]] = {}
        self._streaks: dict[tuple[CodeType, int, int, str], Streak] = {}
        self.reported = Reported()
        self._calls: dict[Key, Calls] = {}  # around what made variables and gradients
        # How many ops there were then; the calls around each.
        self._around: tuple[int, dict[Key, Calls | Around]] = (0, {})
        # The calls around those functions that were running when the trace began: they do not change while these run.
        self._outer: dict[FrameType, Calls | None] = {}
        self._last_frame: tuple[FrameType | None, Around | None] = (None, None)
        # The variables for which some call gave a gradient, and whether there was one that no other tape recorded.
        self._given: dict[int, bool] = {}
        # By number of the variable: findings, and whether a gradient that another tape records refutes them too.
        self._provisional: dict[int, list[tuple[Cause, bool]]] = {}
        # By call site: findings that hold while it gives no gradient at all; None where it gave one.
        self._fruitless: dict[tuple[CodeType, int], list[Cause] | None] = {}
        # By call site: how often in a row it gave no gradient; None where it gave one again after that.
        self._barren: dict[tuple[CodeType, int], int | None] = {}
        self._suspected: dict[int, Cause] = {}  # by number of the variable
        self._uncalled: dict[Scope, Cause] = {}  # by the library's object
        # Causes of inf and nan that the program checks for, by call site.
        self.skipped: dict[tuple[CodeType, int], Cause] = {}
        self.made_while_recording: set[Key] = set()  # first values of variables that were made inside a tape
        self.odd_result: OddResult | None = None  # the first one
        self._graph: tuple[tuple[int, int], History] | None = None
        self.steps = Steps()
        self.gradient_series = GradientSeries()
        self._asked_after = 0  # how many ops had run when a gradient was last taken

    def html(self, path: str | os.PathLike[str] | None = None) -> str:
        """The page of what was traced: the program with the findings in its margin, the graph, and the variables over the steps.

        It is one HTML file that needs no network. With `path`, it is written there too.

        >>> import whygrad as tf
        >>> with tf.tracing() as trace:
        ...     x = tf.Variable([1.0, 0.0])
        ...     with tf.GradientTape() as tape:
        ...         y = tf.reduce_sum(tf.sqrt(x))
        ...     g = tape.gradient(y, x)
        >>> page = trace.html()
        >>> page[:15], "infinite-slope" in page
        ('<!doctype html>', True)
        """
        from whygrad.view.page.page import page_of

        page = page_of(self)
        if path is not None:
            with open(path, "w", encoding="utf-8") as file:
                file.write(page)
        return page

    def __str__(self) -> str:
        from whygrad.view.report import report_of

        return report_of(self)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from whygrad.view.notebook import trace_as_html

        return trace_as_html(self)

    def __dir__(self) -> list[str]:
        return ["counts", "findings", "html"]

    # -- as a recorder --

    def append(self, raw: RawRecord, /) -> None:
        """Note an op."""
        ops = self._ops
        # Where no tape is recording, the callers may matter more than the op's own line.
        ops.extend((raw, self._calls_of(raw) if len(state.recorders) == 1 else None))
        if raw[ATTRIBUTES]:
            self._attribute_bytes += _array_bytes(raw[ATTRIBUTES].values())
        if len(ops) > 2 * _MOST_RECORDS or self._attribute_bytes > _MOST_ATTRIBUTE_BYTES:
            self._forget_ops()

    def noted(self, raw: RawRecord, frame: Any, inputs: tuple[Tensor, ...], made: Tensor) -> None:
        """`append` and `computed` in one, with `Numerics.look_at` written out, for a fast form of an op outside tapes."""
        last, around = self._last_frame
        self._ops.extend((raw, around if frame is last else self._calls_of(raw, frame)))
        array, pending = made._array, self._pending
        pending.extend((raw, inputs, raw[OUTPUT], array))
        if len(pending) >= MOST_PENDING or array.nbytes > MOST_PENDING_BYTES:
            self.numerics.look()
            if len(self._ops) > 2 * _MOST_RECORDS:
                self._forget_ops()

    @property
    def counts(self) -> dict[str, int]:
        """The numbers of tapes that gave gradients, of calls of gradient, and of ops."""
        return {"tapes": self._tapes, "gradients": self._gradients, "ops": self._op_count()}

    def _op_count(self) -> int:
        """How many ops were noted, those that were forgotten too."""
        return self._forgotten + len(self._ops) // 2

    def variable_set(self, kind: str, variable: Variable, origin: Tensor | None) -> None:
        """Note a variable's new value."""
        key = key_of(variable.value_here)
        known = weakref.ref(variable)
        self._owner[key] = known
        self._values.setdefault(variable._number, []).append(key)
        if kind == "created":
            size = 1024 + math.prod(key.shape) * key.dtype.itemsize
            self._last_variables.append((variable, size))
            self._variable_bytes += size
            while self._variable_bytes > _MOST_VARIABLE_BYTES:
                self._variable_bytes -= self._last_variables.popleft()[1]
            self._calls[key] = self._calls_from(frame_at(1))
            if any(each.differentiates for each in state.recorders):
                self.made_while_recording.add(key)
        self._follow()
        self.updates.variable_set(variable, origin, self._calls_here)
        self._note(VariableEvent(kind, None if origin is None else key_of(origin), key, known, *users_site()))
        if self.odd_result is None and variable._scope is not None and variable._scope.result:
            self._look_at_result(variable, key if origin is None else key_of(origin))

    def _look_at_result(self, variable: Variable, origin: Key) -> None:
        """Note a result that is not finite, with the op that made it so."""
        if not is_finite(variable.value_here._array) and (birth := self.numerics.births.get(origin)) is not None:
            assert variable._scope is not None and variable._scope.result is not None
            self.odd_result = OddResult(variable._scope.result(), birth, users_site())

    def _follow(self) -> None:
        """Let `updates` see the ops that it has not seen: all at once takes less time than each where it runs."""
        unseen = self._ops[2 * self._followed :: 2]
        self.updates.computed(unseen)
        self._followed += len(unseen)

    def _calls_here(self) -> list[tuple[CodeType, int]]:
        """The user's calls around what is being noted, innermost first."""
        return _places(self._calls_from(frame_at(1)))

    def left_for_numpy(self, tensor: Tensor) -> None:
        """Note a value that left for NumPy or Python."""
        key = key_of(tensor)
        self.updates.left(key)
        self._note(Event("left", key, None, self._op_count(), *users_site()))

    def converted(self, tensor: Tensor, value: Any) -> None:
        """Note a NumPy or Python value that became a tensor."""
        self._note(Event("converted", None, key_of(tensor), type(value).__name__, *users_site()))

    def _note(self, event: Event) -> None:
        self.events.append(event)
        self._event_count += 1
        if len(self.events) > _MOST_EVENTS:
            self._forget_events()
        if event.result is not None:
            self._made.setdefault(event.result, (event.code, event.instruction))

    def _forget_ops(self) -> None:
        """Forget the older half of the ops."""
        self._follow()
        half = (len(self._ops) // 2 + 1) // 2
        self.updates.forget_made(self._ops[: 2 * half : 2])
        del self._ops[: 2 * half]
        self._followed -= half
        self._forgotten += half
        if self._attribute_bytes:
            self._attribute_bytes = sum(
                [_array_bytes(raw[ATTRIBUTES].values()) for raw in self._ops[::2] if raw[ATTRIBUTES]]
            )

    def _forget_events(self) -> None:
        """Forget the older half of the events; where the variables that still exist were created is remembered."""
        half = _MOST_EVENTS // 2
        old = self.events[:half]
        created = [event for event in old if event.kind == "created" and event.subject is not None][-half // 2 :]
        stay = {id(event) for event in created}
        self.events = created + self.events[half:]
        gone = {event.result for event in old if id(event) not in stay and event.result is not None}
        for table in (self._made, self._owner, self._calls):
            for key in gone:
                table.pop(key, None)
        self.made_while_recording -= gone
        values = {number: [key for key in keys if key not in gone] for number, keys in self._values.items()}
        self._values = {number: keys for number, keys in values.items() if keys}
        self.updates.forget(gone, self._values)

    def began(self, frame: FrameType | None) -> None:
        """Note the calls that are running when the trace begins, from `frame` outwards."""
        while frame is not None:
            if not frame.f_code.co_flags & _RESUMED:
                self._outer[frame] = None if frame.f_back is None else self._calls_from(frame.f_back)
            frame = frame.f_back

    def ended(self) -> None:
        """Let go of the program's frames."""
        self._outer.clear()
        self._last_frame = (None, None)

    def _calls_of(self, raw: RawRecord, frame: Any = None) -> Calls | Around:
        """The user's calls around an op that is being recorded. `frame` is the user's, if it is known."""
        if type(frame) is FrameType:
            return self._calls_around_frame(frame)
        code, instruction = raw[CODE], raw[CODE + 1]
        # The depths in the fast form of an op and in `apply`: walking would make Python create an object for every frame.
        for depth in (3, 6, 7) if pinned.place is None else ():
            try:
                frame = frame_at(depth)
            except ValueError:  # the stack is not that deep
                break
            if frame.f_code is code and frame.f_lasti == instruction:
                return self._calls_around_frame(frame)
        return self._calls_from(frame_at(2), get_ident())

    def _calls_around_frame(self, frame: FrameType) -> Around:
        """The user's calls around one run of a function, which are the same for all its ops."""
        # Comparing frames is safe because the last one is kept alive, until the next op of another function.
        last, around = self._last_frame
        if last is not frame or around is None:
            outer = self._outer
            around = Around(get_ident(), outer[frame] if frame in outer else self._calls_from(frame.f_back))
            if not frame.f_code.co_flags & _RESUMED:
                self._last_frame = frame, around
        return around

    def _calls_from(self, frame: FrameType | None, thread: int | None = None) -> Calls:
        """The user's calls from a frame outwards. Asked for every op outside tapes, so it is kept short."""
        outer, known, innermost = self._outer, _is_users, frame
        found: list[Any] = [thread]
        if pinned.place is not None:
            found += chain(pinned.place, *pinned.around)
        while frame is not None:
            code = frame.f_code
            try:
                is_users = known[code.co_filename]
            except KeyError:
                is_users = known[code.co_filename] = _may_be_users(code.co_filename)
            if is_users:
                if innermost is not None:
                    code, innermost = code_in_scope(innermost, frame), None
                found.append(code)
                found.append(frame.f_lasti)
                if len(found) > 2 * _MOST_CALLS:
                    break
            if frame in outer:
                found.append(outer[frame])
                return tuple(found)
            frame = frame.f_back
        found.append(None)
        return tuple(found)

    # -- as an observer of values --

    looks_inside_functions = True

    def computed(self, raw: RawRecord, inputs: tuple[Tensor, ...], outputs: Any) -> None:
        """Look at what an op made."""
        if state.context is None:  # in a function that another thread compiles there are no values
            numerics = self.numerics
            # A step begins with a tape.
            if type(outputs) is tuple or (numerics.asked and state.recorders[-1] is not self):
                numerics.computed(raw, inputs, outputs)
            else:
                numerics.look_at(raw, inputs, outputs._key, outputs._array)

    def pulled(self, raw: RawRecord, key: Key, g: Any, gx: Any) -> None:
        """Look at what a rule gave."""
        if state.context is None:
            self.numerics.pulled(raw, key, g, gx)

    def called(self, traced: Any, given: Sequence[Tensor], outputs: Sequence[Tensor]) -> None:
        """Nothing to note: functions run as Python here, except concrete functions, which were compiled before."""

    # -- what explanations read --

    def history(self) -> History:
        """All recorded ops and events, as a graph."""
        now = (self._op_count(), self._event_count)
        if self._graph is None or self._graph[0] != now:
            self._graph = (now, History([record_of(raw) for raw in self._ops[::2]], self.events))
        return self._graph[1]

    def since_asked(self) -> list[RawRecord]:
        """The ops since the last call of `gradient`, as far as they are known."""
        return self._ops[2 * max(self._asked_after - self._forgotten, 0) :: 2]

    def last_ops(self, most: int) -> list[RawRecord]:
        """The last ops of the program, which `updates` has then seen."""
        self._follow()
        return self._ops[-2 * most :: 2]

    def last_variables(self) -> list[Variable]:
        """The variables that the program made last."""
        return [variable for variable, _ in self._last_variables]

    def stack_of(self, key: Key) -> tuple[tuple[CodeType, int], ...]:
        """The user's calls in which a value was made, innermost first; empty where that was not noted.

        It is noted for variables and for what was computed while no tape was recording.
        """
        calls = self._calls_around(key)
        if type(calls) is not Around:
            return tuple(_places(calls))
        op = self.history().made_by[key]
        return tuple(_places((calls.thread, op.code, op.instruction, calls.calls)))

    def thread_of(self, key: Key) -> int | None:
        """The thread in which a value was computed, if no tape was recording there."""
        calls = self._calls_around(key)
        return None if calls is None else calls[0]

    def _calls_around(self, key: Key) -> Calls | Around | None:
        if key in self._calls or key in self._owner:  # a variable's value, or a gradient
            return self._calls.get(key)
        count = self._op_count()
        if self._around[0] != count:
            noted = zip(self._ops[::2], self._ops[1::2])
            self._around = (count, {outputs_in(raw)[0]: around for raw, around in noted if around is not None})
        return self._around[1].get(key)

    def made_at(self, key: Key) -> tuple[CodeType, int] | None:
        """Where a constant or a variable's value was made."""
        return self._made.get(key)

    def order_of(self, event: Event) -> int:
        """The number of an event, in the order in which they happened."""
        if self._order[0] != self._event_count:
            self._order = (self._event_count, {id(each): number for number, each in enumerate(self.events)})
        return self._order[1].get(id(event), -1)

    def numbers(self) -> dict[Key, int]:
        """The values that ops made, each with the number of its op."""
        raws = enumerate(self._ops[::2], self._forgotten)
        return {output: number for number, raw in raws for output in outputs_in(raw)}

    def variable_of(self, key: Key) -> Variable | None:
        """The variable that had this value."""
        known = self._owner.get(key)
        return None if known is None else known()

    def values_of(self, variable: Variable) -> list[Key]:
        """All values that a variable had."""
        return self._values.get(variable._number, [])

    def growth_of(self, call: GradientCall) -> tuple[int, int, int]:
        """The calls of gradient of a persistent tape that is still recording, and its ops at the first of them and now."""
        tape = call.tape
        if not tape.is_growing:
            return 0, 0, 0
        times, first = self._growth.get(tape.number, (0, tape.length))
        self._growth[tape.number] = (times + 1, first)
        if len(self._growth) > _MOST_TAPES:
            del self._growth[next(iter(self._growth))]
        return times + 1, first, tape.length

    def counted(self, tape: GradientTape) -> None:
        """Count a call of gradient, also one that raised, and its tape."""
        self._gradients += 1
        if tape.number not in self._last_tapes:
            self._tapes += 1
            self._last_tapes[tape.number] = None
            if len(self._last_tapes) > _MOST_TAPES:
                del self._last_tapes[next(iter(self._last_tapes))]

    def asked(self, call: GradientCall) -> None:
        """Count a call of gradient, and note the gradients it gave."""
        self.counted(call.tape)
        self.gradient_series.add(call)
        self._asked_after = self._op_count()
        self._follow()
        self.updates.taken(call)
        place = (call.code, call.instruction)
        self._times[place] = self._times.get(place, 0) + 1
        self._note_question(call)
        without_path = call.without_path
        barren = self._barren.get(place, 0)
        if any(gradient is not None and i not in without_path for i, gradient in enumerate(call.gradients)):
            for cause in self._fruitless.get(place) or ():
                self.withdraw(cause)
            self._fruitless[place] = None
            self._barren[place] = 0 if barren == 0 else None
        elif barren is not None:
            self._barren[place] = barren + 1
        # What another tape records is a value on the way to a loss, as the steps of meta-learning are: it trains nothing by itself.
        is_inner = any(each.differentiates and each is not call.tape for each in state.recorders)
        for i, (source, gradient) in enumerate(zip(call.sources, call.gradients)):
            if gradient is None or i in without_path or not isinstance(source, Variable):
                continue
            number = source._number
            self._given[number] = not is_inner or self._given.get(number, False)
            stands: list[tuple[Cause, bool]] = []
            for cause, of_any in self._provisional.pop(number, ()):
                if of_any or not is_inner:
                    self.withdraw(cause)
                else:
                    stands.append((cause, of_any))
            if stands:
                self._provisional[number] = stands
        target = next((key for key in map(call.key_of, call.targets) if key is not None), None)
        call_here, recording = (
            self._calls_from(frame_at(1)),
            [weakref.ref(each) for each in state.recorders if each.differentiates],
        )
        for gradient in call.gradients:
            if isinstance(gradient, Tensor):
                key = key_of(gradient)
                self._calls[key] = call_here
                self._note(Event("differentiated", target, key, recording, call.code, call.instruction))

    def times_asked(self, call: GradientCall) -> int:
        """How often gradient was called at this call site, including this time."""
        return self.times_at((call.code, call.instruction))

    def times_at(self, place: tuple[CodeType, int]) -> int:
        """How often gradient was called at a place."""
        return self._times.get(place, 0)

    def repeats_of(self, call: GradientCall) -> int:
        """How often the last call at this call site had asked the same tape for the gradient of the same target before."""
        return self._repeats[call.code, call.instruction][1]

    def _note_question(self, call: GradientCall) -> None:
        place, asked = (call.code, call.instruction), (call.tape.number, tuple(map(call.key_of, call.targets)))
        known, times = self._repeats.get(place, (None, 0))
        self._repeats[place] = asked, times + 1 if asked == known else 0

    def last_sources(self, call: GradientCall, most: int) -> list[list[Any]]:
        """The sources of the last calls at this call site, including this one."""
        known = self._sources.setdefault((call.code, call.instruction), [])
        known.append(call.sources)
        del known[:-most]
        return known

    def asked_elsewhere(self, call: GradientCall) -> tuple[CodeType, int] | None:
        """Another call site that was asked for the same sources."""
        wanted = list(map(id, call.sources))
        for place, known in self._sources.items():
            if place != (call.code, call.instruction) and known and list(map(id, known[-1])) == wanted:
                return place
        return None

    def made_anew(self, place: tuple[tuple[CodeType, int], ...], variable: Variable) -> int:
        """In how many steps a variable was made in these calls, this one included; 0 if it is one of an earlier step."""
        steps = self._made_anew.setdefault(place, {})  # by the number of the variable
        if variable._number in steps:
            return 0
        steps[variable._number] = self._gradients
        return len(set(steps.values()))

    def last_change_of(self, variable: Variable) -> Event | None:
        """Where a variable was assigned last."""
        return next((e for e in reversed(self.events) if e.kind == "assigned" and e.subject is variable), None)

    def streak(self, call: GradientCall, position: int) -> Streak:
        """How often source number `position` got zeros at this call site; a call of `hessian` also takes the gradient by itself."""
        of = getattr(call.tape.named, "of", "")
        return self._streaks.setdefault((call.code, call.instruction, position, of), Streak())

    def was_given(self, source: Any) -> bool:
        """Whether some call gave a gradient for this variable."""
        return isinstance(source, Variable) and source._number in self._given

    def was_trained(self, source: Any) -> bool:
        """Whether some call gave a gradient for this variable that no other tape recorded."""
        return isinstance(source, Variable) and self.is_trained(source._number)

    def is_trained(self, number: int) -> bool:
        """The same for the number of a variable."""
        return self._given.get(number, False)

    def gave_nothing(self, call: GradientCall) -> bool:
        """Whether no call at this call site gave a gradient so far."""
        return self._fruitless.get((call.code, call.instruction), ()) is not None

    def is_exhausted(self, call: GradientCall) -> bool:
        """Whether the call site gave gradients at its first calls, and none at all at the last ones."""
        barren = self._barren.get((call.code, call.instruction))
        return not self.gave_nothing(call) and barren is not None and barren >= _BARREN

    def stands_while_fruitless(self, cause: Cause, call: GradientCall) -> None:
        """Keep a finding only until the call site gives a gradient for any source."""
        known = self._fruitless.setdefault((call.code, call.instruction), [])
        if known is not None:
            known.append(cause)

    def stands_until_given(self, cause: Cause, source: Any, of_any: bool = True) -> None:
        """Keep a finding only until some call gives a gradient for this variable, or one that no other tape records."""
        if isinstance(source, Variable):
            self._provisional.setdefault(source._number, []).append((cause, of_any))

    def suspect(self, cause: Cause, variable: Variable) -> None:
        """Keep a cause that holds if no call gives a gradient for this variable, and nothing assigns it, until the program ends."""
        self._suspected.setdefault(variable._number, cause)

    def is_suspected(self, variable: Variable) -> bool:
        """Whether `suspect` was called for this variable."""
        return variable._number in self._suspected

    def suspect_uncalled(self, cause: Cause, scope: Scope) -> None:
        """Keep a cause that holds if nothing calls a library's object until the program ends."""
        self._uncalled.setdefault(scope, cause)

    def confirmed(self) -> list[Cause]:
        """The suspected causes that hold, and that no finding explains at the same place."""
        explained = {(c.site.file, c.site.line) for c in self.findings if c.site is not None}
        untrained = [
            cause
            for number, cause in self._suspected.items()
            if number not in self._given and len(self._values.get(number, ())) < 2
        ]
        uncalled = [cause for scope, cause in self._uncalled.items() if not scope.what]  # named when it is first called
        return [
            cause
            for cause in (*untrained, *uncalled)
            if cause.site is None or (cause.site.file, cause.site.line) not in explained
        ]

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


_MOST_CALLS = 12  # user frames around an op
_BARREN = 2  # calls in a row without a gradient, after which that is no exception
_RESUMED = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR  # not always by the same caller


def _places(calls: Calls | None) -> list[tuple[CodeType, int]]:
    """The places of calls, innermost first."""
    found: list[tuple[CodeType, int]] = []
    while calls is not None and len(found) < _MOST_CALLS:
        found += zip(calls[1:-1:2], calls[2:-1:2])
        calls = calls[-1]
    return found[:_MOST_CALLS]


def _array_bytes(values: Iterable[Any]) -> int:
    """The size of the arrays among the attributes of an op, such as an index."""
    size = 0
    for value in values:
        if type(value) is tuple or type(value) is list:
            size += _array_bytes(value)
        elif isinstance(value, np.ndarray):
            size += value.nbytes
    return size


def _may_be_users(filename: str) -> bool:
    return not is_ours(filename) and not (filename.startswith(_PYTHONS_OWN) and "site-packages" not in filename)


_is_users: dict[str, bool] = {}  # by source file


# Where Python's own modules lie: those that start threads and call back are no places of causes.
_PYTHONS_OWN = os.path.dirname(threading.__file__) + os.sep


def current() -> Trace | None:
    """The innermost trace that is running."""
    return next((observer for observer in reversed(observers) if isinstance(observer, Trace)), None)


# Held while a trace joins or leaves the recorders of new threads: several threads may begin and end traces.
_joining = threading.Lock()


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
    undo = collect_less_often()
    trace.began(frame_at(1))
    observers.append(trace)
    state.recorders = (*state.recorders, trace)  # first: a thread that has set none has those of a new thread
    with _joining:
        ThreadState.recorders = (*ThreadState.recorders, trace)  # the recorders of a new thread
    try:
        yield trace
    finally:
        undo()
        if trace.at_end is not None:
            trace.at_end(trace)
        trace.ended()
        observers.remove(trace)
        with _joining:
            ThreadState.recorders = tuple(r for r in ThreadState.recorders if r is not trace)
        state.recorders = tuple(r for r in state.recorders if r is not trace)
