"""Comebacks: values that left a tape's block for NumPy or Python, and came back into what the target was computed from.

The tape knows what left and where, the trace what came in and where. That the one was computed from the other is read in the
program's text, from the operand that came in back to the expression at which the value left.
"""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from whygrad.ops.primitive import Record
from whygrad.values.recorders import Event
from whygrad.values.tensor import Key
from whygrad.why.evidence.call_evidence import Place
from whygrad.why.evidence.history import History, Step, outputs_of
from whygrad.why.evidence.question import Question
from whygrad.why.source import syntax
from whygrad.why.source.origins import Origins, is_step
from whygrad.why.source.sites import node_at, written_at
from whygrad.why.source.tensor_functions import called_in

if TYPE_CHECKING:
    from whygrad.why.evidence.trace import Trace

_MOST_PLACES = 200  # at which values came in, that are looked at


@dataclass(frozen=True)
class Comeback:
    """A value that left, and the op at which something computed from it met the values that the tape watches."""

    left: Event
    place: Place  # where it was converted to a tensor
    met: Record  # the first op that combined it with a watched value
    constant: Key  # the operand of that op
    is_rounded: bool  # a step function was applied on the way
    is_drawn: bool  # random numbers were added on the way
    is_running: bool  # it was combined with what earlier steps left
    is_outside: bool  # it left before the tape's block
    functions: tuple[str, ...]  # that were called on the way: "np.sum", ".mean"

    @property
    def others(self) -> list[Key]:
        """The other operands of the op at which they met."""
        return [key for key in self.met.inputs if key is not self.constant]


class _Entry(NamedTuple):
    """A constant that came in from NumPy or Python: how it was converted, where that is noted, and the first op that used it."""

    key: Key
    converted: Event | None  # numbers beside a tensor are converted without a note
    user: Record
    number: int  # of that op


def comebacks(question: Question, trace: Trace) -> list[Comeback]:
    """The values that left in the tape's block, or left before it with the sources' present values, and came back."""
    watched = question.evidence.watched
    # In a loop the first value that leaves at a place may be a constant, and those of later turns may not.
    events = sorted(question.evidence.tape_events, key=lambda event: event.source not in watched)
    inside, outside = _exits(events), _exits_before(question)
    if not inside and not outside:
        return []
    exits = {**outside, **inside}
    history = question.evidence.tape_history
    towards = history.towards(question.evidence.differentiated_targets)
    tensors = {node_at(*place) for place in {(record.code, record.instruction) for record in history.records}}
    numbers = trace.numbers() if outside else {}
    found: list[Comeback] = []
    for entry in _entries(question, trace, towards):
        met = next(_meetings(question, entry.key, towards), None)
        if met is None:
            continue
        known = entry.converted or entry.user
        place = (known.code, known.instruction)
        for operand in _operands(entry, place, tensors):
            origins = Origins(question.flow, operand, exits)
            for node in exits:
                left = exits[node]
                number = entry.number if node in inside else numbers.get(outputs_of(entry.user)[0], -1)
                if node in origins.nodes and _is_before(left, entry, number, trace):
                    flags = (origins.is_rounded, origins.is_drawn, origins.is_running, node not in inside)
                    found.append(Comeback(left, place, *met, *flags, called_in(origins.since(node))))
    return found


def _exits(events: Iterable[Event]) -> dict[Any, Event]:
    """The expressions at which values left, each with the first that left there."""
    found: dict[Any, Event] = {}
    for event in events:
        if event.kind == "left" and event.source is not None and event.source.dtype.kind in "fcV":
            node = _expression(written_at(event.code, event.instruction))
            if node is not None and not is_step(node):
                found.setdefault(node, event)
    return found


def _exits_before(question: Question) -> dict[Any, Event]:
    """The same for what left outside the tape's block, and was computed from values of the sources that the tape read."""
    evidence = question.evidence
    values = [key for source in question.call.sources for key in evidence.read_values_of(source)]
    exits = [
        event for event in evidence.history.events if event.kind == "left" and event.source not in evidence.recorded
    ]
    after = evidence.history.descendants(values) if exits else set()
    return _exits(event for event in exits if event.source in after)


def _entries(question: Question, trace: Trace, towards: dict[Key, Step | None]) -> Iterator[_Entry]:
    """The constants from NumPy and Python that the target was computed with, the last for each place."""
    evidence = question.evidence
    converted = {event.result: event for event in evidence.history.events if event.kind == "converted"}
    found: dict[Place, _Entry] = {}
    for number, record in enumerate(evidence.records):
        if outputs_of(record)[0] not in towards:
            continue
        for key in record.inputs:
            if key in evidence.watched or key in evidence.recorded or key.dtype.kind not in "fcV":
                continue
            event = converted.get(key)
            if event is None and (key.shape or trace.variable_of(key) is not None or key in evidence.history.made_by):
                continue
            place = (record.code, record.instruction) if event is None else (event.code, event.instruction)
            if place in found or len(found) < _MOST_PLACES:
                found[place] = _Entry(key, event, record, number)
    yield from found.values()


def _is_before(left: Event, entry: _Entry, number: int, trace: Trace) -> bool:
    """Whether a value left before a constant came in, with the op of this number."""
    if entry.converted is None:
        return bool(left.subject <= number)
    place = (left.source, left.code, left.instruction)
    noted = next((e for e in trace.events if e.kind == "left" and (e.source, e.code, e.instruction) == place), None)
    return noted is not None and trace.order_of(noted) < trace.order_of(entry.converted)


def _expression(node: Any) -> Any:
    """The expression whose value is what left: for `array[i] = tensor` the tensor's."""
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
        statement = syntax.statement_of(node)
        return statement.value if isinstance(statement, ast.Assign | ast.AugAssign) else node
    return node


def _meetings(question: Question, key: Key, towards: dict[Key, Step | None]) -> Iterator[tuple[Record, Key]]:
    """The first ops that combine a constant, or what was computed from it alone, with watched values."""
    history, watched = question.evidence.tape_history, question.evidence.watched
    pending, seen = deque([key]), {key}
    while pending:
        here = pending.popleft()
        for user in history.used_by.get(here, ()):
            if not isinstance(user, Record):
                continue
            for output in outputs_of(user):
                if output not in towards:
                    continue
                if output in watched:
                    yield user, here
                elif output not in seen:
                    seen.add(output)
                    pending.append(output)


def _operands(entry: _Entry, place: Place, tensors: set[Any]) -> list[Any]:
    """The expressions, at the place where a constant came in, that may hold it."""
    node = node_at(*place)
    if isinstance(node, ast.BinOp):
        parts: list[Any] = [node.left, node.right]
    elif isinstance(node, ast.AugAssign):
        parts = [node.target, node.value]
    elif isinstance(node, ast.Call):
        parts = [*node.args, *[k.value for k in node.keywords]]
    else:
        parts = [] if node is None else [node]
    user = entry.user
    if (user.code, user.instruction) == place and len(user.inputs) == len(parts):
        return [parts[i] for i, key in enumerate(user.inputs) if key is entry.key]
    return [each for each in parts if each not in tensors]


def differentiable_origins(history: History, key: Key) -> set[Key]:
    """A value and what it was computed from by ops that have a gradient."""
    pending, seen = deque([key]), {key}
    while pending:
        maker = history.made_by.get(pending.popleft())
        if isinstance(maker, Record) and maker.plan.primitive.no_gradient is None:
            for each in maker.inputs:
                if each not in seen:
                    seen.add(each)
                    pending.append(each)
    return seen
