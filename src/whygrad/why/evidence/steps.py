"""Steps: the ops of one call of `gradient` as a graph of plain data, with norms and with what happened to the gradient there."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from types import CodeType, TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple

from whygrad.ops.primitive import Record, record_of
from whygrad.tape.gradient_calls import GradientCall
from whygrad.tape.norms import Norms, norm
from whygrad.values.recorders import Event
from whygrad.values.tensor import Key, Tensor
from whygrad.values.variable import Variable
from whygrad.why.cause import Cause
from whygrad.why.evidence.failed_op import failed_op, users_frame
from whygrad.why.evidence.history import inputs_of, outputs_of
from whygrad.why.evidence.numerics import Numerics, array_of
from whygrad.why.source.names import name_given_to, names_of
from whygrad.why.source.sites import operand_names
from whygrad.why.source.wording import counted, described

if TYPE_CHECKING:
    from whygrad.why.evidence.trace import Trace

Place = tuple[CodeType, int]

_MOST_OPS = 20_000  # of one step
_MOST_STEPS = 12  # of one trace


class Mark(NamedTuple):
    """Something that happened at a node, on the way to the target or back."""

    kind: str  # "target", "source", "cut", "aside", "born" (inf or nan), "vanished" or "failed"
    text: str


class Link(NamedTuple):
    """One operand of an op: the node that it comes from."""

    origin: int  # the number of the node
    shape: str
    gradient: float | None  # the norm of what the op's rule gave for it; None if it gave nothing


@dataclass(frozen=True)
class Node:
    """An op, or a value that no op made."""

    kind: str  # "op", "variable", "data", or "left" for a value that left for NumPy
    name: str
    place: Place | None
    shape: str  # dtype and shape of what it gave
    norm: float | None  # of that; None if the value is not known
    links: tuple[Link, ...] = ()
    marks: tuple[Mark, ...] = ()
    gradient: float | None = None  # of a source, the norm of the gradient that the call gave
    leads_to_target: bool = True


@dataclass(frozen=True)
class Step:
    """The ops that one call of `gradient` went through, from the first to the last."""

    nodes: tuple[Node, ...]
    place: Place | None = None  # the call of gradient; None for ops that none was called for
    number: int = 0  # how often gradients had been taken there
    causes: tuple[Cause, ...] = ()  # found in this step
    left_out: int = 0  # ops before the first one here


@dataclass(frozen=True)
class Stop:
    """The op at which a program ended with an exception, without its frames and arrays."""

    name: str
    place: Place
    operands: tuple[tuple[Key, str], ...]  # with what the program calls them


def stop_at(trace: TracebackType | None) -> Stop | None:
    """The op that raised, from the traceback of an exception; None if the exception is not of an op."""
    frame = users_frame(trace)
    op = None if frame is None else failed_op(frame)
    if op is None or not op.computes:
        return None
    values = [
        (each.value.value_here if isinstance(each.value, Variable) else each.value, each.text) for each in op.arrays
    ]
    keys = [(value._key, text) for value, text in values if isinstance(value, Tensor) and value._key is not None]
    return Stop(op.shown_name, (op.code, op.instruction), tuple(keys))


class Steps:
    """The steps of a traced program that are kept: the first at each call site, and those in which something was found."""

    def __init__(self) -> None:
        self.kept: list[Step] = []
        self._places: set[Place] = set()

    def saw(self, call: GradientCall, trace: Trace, causes: Sequence[Cause]) -> None:
        """Keep a step, if it is worth keeping; to be called when its sweep is over."""
        place = (call.code, call.instruction)
        if len(self.kept) >= _MOST_STEPS or (place in self._places and not causes):
            return
        self._places.add(place)
        if call.traced is not None:  # values are symbolic, and the trace has not seen the ops
            self.kept.append(step_of(call, None, None, None, causes))
            return
        with trace.numerics.looking_back():
            self.kept.append(step_of(call, trace.numerics, call.norms, trace, causes))


def step_of(
    call: GradientCall,
    numerics: Numerics | None,
    norms: Norms | None,
    trace: Trace | None = None,
    causes: Sequence[Cause] = (),
) -> Step:
    """The graph of a call of `gradient`.

    Values are those that `numerics` still holds; norms of gradients are those of `norms` or, without it, of the last sweep there.
    """
    records: Sequence[Record] = call.tape.records
    targets = [key for key in map(call.key_of, call.targets) if key is not None]
    targets = targets or [each._key for each in call.targets if getattr(each, "_key", None) is not None]
    if trace is not None:
        records = _with_those_before(records, targets, trace)
    builder = _Builder(numerics, norms, trace)
    builder.connected = _connected(call.tape.roots, call.tape.records)
    builder.reached = _reached(call.tape.records, targets, builder.connected)
    builder.name_sources(call)
    builder.towards = _towards(records, targets)
    builder.targets = {*targets}
    builder.add(records[-_MOST_OPS:], call.tape.events)
    number = trace.times_asked(call) if trace is not None else 0
    place = (call.code, call.instruction)
    return Step(tuple(builder.nodes), place, number, tuple(causes), max(len(records) - _MOST_OPS, 0))


def unfinished_step(trace: Trace, stop: Stop | None = None) -> Step:
    """The ops since the last call of `gradient`: what a program was computing when it ended, and the op that raised."""
    records = [record_of(raw) for raw in trace.since_asked()]
    builder = _Builder(trace.numerics, None, trace)
    builder.add(records[-_MOST_OPS:], ())
    if stop is not None:
        builder.add_stop(stop)
    return Step(tuple(builder.nodes), left_out=max(len(records) - _MOST_OPS, 0))


def _with_those_before(records: Sequence[Record], targets: Iterable[Key], trace: Trace) -> Sequence[Record]:
    """The ops of a tape, after those outside of it that the targets were computed from. Earlier values of variables end the search."""
    history = trace.history()
    own = {key for record in records for key in outputs_of(record)}
    before: dict[int, Record] = {}
    pending = [*targets, *[key for record in records for key in record.inputs]]
    seen = set(pending)
    while pending and len(before) < _MOST_OPS:
        key = pending.pop()
        maker = history.made_by.get(key)
        if not isinstance(maker, Record) or trace.variable_of(key) is not None:
            continue
        if key not in own:
            before[id(maker)] = maker
        for origin in inputs_of(maker):
            if origin not in seen:
                seen.add(origin)
                pending.append(origin)
    if not before:
        return records
    return [*[each for each in history.records if id(each) in before], *records]


def _towards(records: Sequence[Record], targets: Iterable[Key]) -> set[Key]:
    """The values that the targets depend on."""
    found = set(targets)
    for record in reversed(records):
        if not found.isdisjoint(outputs_of(record)):
            found.update(inputs_of(record))
    return found


def _connected(roots: Iterable[Key], records: Iterable[Record]) -> set[Key]:
    """The roots of a tape, and what was computed from them by ops that have a gradient."""
    found = set(roots)
    for record in records:
        if record.kept is not None:
            found.update(key for key in outputs_of(record) if key.dtype.kind in "fcV")
    return found


def _reached(records: Sequence[Record], targets: Iterable[Key], connected: set[Key]) -> set[Key]:
    """The values to which the gradient comes back: from the targets, by ops that have a gradient."""
    found = connected.intersection(targets)
    for record in reversed(records):
        if record.kept is not None and not found.isdisjoint(outputs_of(record)):
            found.update(connected.intersection(record.inputs))
    return found


class _Builder:
    """Makes nodes of records."""

    def __init__(self, numerics: Numerics | None, norms: Norms | None, trace: Trace | None) -> None:
        self.nodes: list[Node] = []
        self.connected: set[Key] = set()  # to a root of the tape, by ops that have a gradient
        self.reached: set[Key] = set()  # by the gradient
        self.targets: set[Key] = set()
        self.towards: set[Key] | None = None  # None: everything counts
        self._numbers: dict[Key, int] = {}  # of the node that made each value
        self._sources: dict[Key, tuple[str, float | None]] = {}  # name, and the norm of the gradient
        self._variables: dict[Key, Variable] = {}
        self._numerics, self._norms, self._trace = numerics, norms, trace
        self._names_at = functools.cache(operand_names)
        self._born = {birth.key: birth for birth in (numerics.births.values() if numerics else ())}
        backward = [] if numerics is None else numerics.backward
        self._born_backward = {(birth.record.output, birth.key): birth for birth in backward}
        self._vanished = {(each.record.output, each.key) for each in (numerics.vanished if numerics else ())}

    def name_sources(self, call: GradientCall) -> None:
        """Learn the variables of a call, and the names and gradients of its sources."""
        for variable in (*call.tape._versions, *call.tape.unwatched):
            for key in (*call.tape._versions.get(variable, ()), variable.value_here._key):
                if key is not None:
                    self._variables[key] = variable
        for source, name, gradient in zip(call.sources, names_of(call)[1], call.gradients):
            size = None if gradient is None else norm(array_of(gradient))
            own = getattr(source, "_key", None)
            for key in (*call.tape._keys(source), *([] if own is None else [own])):
                self._sources[key] = (name, size)
            if isinstance(source, Variable):
                now = source.value_here._key
                if now is not None:
                    self._sources.setdefault(now, (name, size))

    def add(self, records: Sequence[Record], events: Iterable[Event]) -> None:
        """Add ops, in order, and values that left for NumPy."""
        left: dict[Key, list[Event]] = {}
        for event in events:
            if event.kind == "left" and event.source is not None:
                left.setdefault(event.source, []).append(event)
        for record in records:
            self._add_op(record)
            for key in outputs_of(record):
                self._add_left(key, left.pop(key, ()))
        for key, gone in left.items():
            if (key in self._sources or key in self._variables) and (key in self._numbers or self._root(key, None, "")):
                self._add_left(key, gone)

    def _add_op(self, record: Record) -> None:
        links = tuple(self._links(record))
        outputs = outputs_of(record)
        number = len(self.nodes)
        for key in outputs:
            self._numbers[key] = number
        leads = self.towards is None or not self.towards.isdisjoint(outputs)
        self.nodes.append(
            Node(
                "op",
                record.plan.primitive.name,
                (record.code, record.instruction),
                ", ".join(described(key) for key in outputs[:4]) + (", …" if len(outputs) > 4 else ""),
                self._norm(outputs[0]),
                links,
                tuple(self._marks(record, outputs, leads)),
                self._sources.get(outputs[0], ("", None))[1],
                leads,
            )
        )

    def add_stop(self, stop: Stop) -> None:
        """Add the op that raised."""
        links = [
            Link(self._numbers[key], described(key), None)
            for key, text in stop.operands
            if key in self._numbers or self._root(key, None, text)
        ]
        mark = Mark("failed", "the exception was raised here")
        self.nodes.append(Node("op", stop.name, stop.place, "", None, tuple(links), (mark,)))

    def _links(self, record: Record) -> Iterator[Link]:
        names: list[str] | None = None
        pulls: dict[Key, int] = {}
        for position, key in enumerate(inputs_of(record)):
            if key not in self._numbers:
                if names is None:
                    names = self._names_at(record.code, record.instruction)
                named = names[position] if len(names) == len(record.inputs) and position < len(names) else ""
                if not self._root(key, record, named):
                    continue
            again = pulls[key] = pulls.get(key, -1) + 1
            yield Link(self._numbers[key], described(key), self._pulled(record, key, again))

    def _pulled(self, record: Record, key: Key, again: int) -> float | None:
        """The norm of what the rule of an op gave for an input, the `again`-th time."""
        edge = (record.output, key)
        if self._norms is not None:
            given = self._norms.given.get(edge, ())
            return given[again] if again < len(given) else None
        square = None if self._numerics is None else self._numerics.arrived.get(edge)
        if square is None or (math.isnan(square) and key.dtype.itemsize < 4):  # the sum is not computed for these
            return None
        return math.sqrt(square) if square >= 0 else math.nan

    def _root(self, key: Key, user: Record | None, named: str) -> bool:
        """Add a value that no op here made: a variable, a source, or data under a name. Say whether it is worth showing."""
        variable = self._variables.get(key)
        if variable is None and self._trace is not None:
            variable = self._trace.variable_of(key)
        name, gradient = self._sources.get(key, ("", None))
        if variable is not None:
            name = name or name_given_to(variable) or (named if named.isidentifier() else "") or "a variable"
        elif not name and named.replace(".", "").isidentifier():
            name = named
        if not name:
            return False
        made = self._trace.made_at(key) if self._trace is not None else None
        if variable is not None and self._trace is not None:
            first = next(iter(self._trace.values_of(variable)), key)
            made = self._trace.made_at(first) or made
        marks = []
        if key in self._sources:
            marks.append(Mark("source", "a source of this call"))
        if (birth := self._born.get(key)) is not None and birth.where == "data":
            marks.append(Mark("born", f"{_share(birth)} not finite in the data"))
        self._numbers[key] = len(self.nodes)
        leads = self.towards is None or key in self.towards
        self.nodes.append(
            Node(
                "variable" if variable is not None else "data",
                name,
                made or (None if user is None else (user.code, user.instruction)),
                described(key),
                self._norm_of_root(key, variable, user),
                marks=tuple(marks),
                gradient=gradient,
                leads_to_target=leads,
            )
        )
        return True

    def _add_left(self, key: Key, events: Iterable[Event]) -> None:
        for event in events:
            link = Link(self._numbers[key], described(key), None)
            mark = Mark("cut", "the value leaves for NumPy here: what is computed from it there has no gradient")
            where = (event.code, event.instruction)
            is_cut = (mark,) if key in self.connected else ()
            self.nodes.append(Node("left", "to NumPy", where, described(key), None, (link,), is_cut, None, False))

    def _marks(self, record: Record, outputs: tuple[Key, ...], leads: bool) -> Iterator[Mark]:
        if not self.targets.isdisjoint(outputs):
            yield Mark("target", "the target of this call")
        if any(key in self._sources for key in outputs):
            yield Mark("source", "a source of this call")
        for key in outputs:
            birth = self._born.get(key)
            if birth is not None and birth.where == "forward":
                yield Mark("born", f"inf or nan first appears here, in {_share(birth)}")
        if leads and self._is_cut(record, outputs):
            reason = record.plan.primitive.no_gradient
            because = f": {reason}" if reason else ""
            if self.connected.intersection(record.inputs) <= self.reached:  # such as the condition of a `where`
                yield Mark("aside", f"the gradient does not pass here{because}; it takes another path")
            else:
                yield Mark("cut", f"the path is cut here{because}")
        for key in dict.fromkeys(record.inputs):
            if (backward := self._born_backward.get((record.output, key))) is not None:
                yield Mark("born", f"on the way back, inf or nan first appears here, in {_share(backward)}")
            if (record.output, key) in self._vanished:
                yield Mark("vanished", f"on the way back, the gradient for {described(key)} becomes zero here")

    def _is_cut(self, record: Record, outputs: tuple[Key, ...]) -> bool:
        if record.traits.only_shape:  # the values play no part
            return False
        return any(key in self.connected for key in record.inputs) and self.connected.isdisjoint(outputs)

    def _norm(self, key: Key) -> float | None:
        made = None if self._numerics is None else self._numerics.made(key)
        return None if made is None or made.output.dtype.kind not in "fciubV" else norm(made.output)

    def _norm_of_root(self, key: Key, variable: Variable | None, user: Record | None) -> float | None:
        """The norm of a value that an op was given; of a variable that has not changed since, of what it has now."""
        if variable is not None and variable.value_here._key is key:
            return norm(variable.value_here)
        made = None
        if user is not None and self._numerics is not None:
            made = self._numerics.made(outputs_of(user)[0])
        if made is None or user is None or key not in user.inputs:
            return None
        array: Any = made.inputs[user.inputs.index(key)]
        return norm(array) if array.dtype.kind in "fciub" else None


def _share(birth: Any) -> str:
    return f"{birth.bad} of {counted(birth.total, 'element')}"
