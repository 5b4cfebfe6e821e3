"""Terms of the target that the gradient lacks: computed outside the tape, behind stop_gradient, or through a variable."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from whygrad.ops.primitive import Record
from whygrad.ops.traits import Arithmetic, Moves, Reduction
from whygrad.values.recorders import Event
from whygrad.values.tensor import Key
from whygrad.values.variable import Variable
from whygrad.why.cause import Cause
from whygrad.why.causes.computed_outside_tape import ONE_TAPE, kept_elsewhere
from whygrad.why.causes.derivative_not_recorded import recorded_too
from whygrad.why.causes.variable_assigned_in_tape import keep_in_tensor
from whygrad.why.evidence.history import History, outputs_of
from whygrad.why.evidence.question import Question
from whygrad.why.source.edits import operand_alone
from whygrad.why.source.kept_values import kept_at
from whygrad.why.source.names import names_of_variables
from whygrad.why.source.sites import Site, node_at, operand_names, site
from whygrad.why.source.wording import described, quoted

if TYPE_CHECKING:
    from whygrad.why.evidence.trace import Trace


def explain(question: Question, history: History, trace: Trace) -> Iterator[Cause]:
    """Every term of the target that depends on a source and had no part in its gradient."""
    signs = dict(_terms(question, history))
    terms = list(signs)
    recorded = set(question.evidence.recorded)
    explained: set[Key] = set()
    for key in terms:
        maker = history.made_by.get(key)
        if isinstance(maker, Record) and maker.traits.stops_gradient:
            yield from _stopped(question, history, trace, maker, terms)
            continue
        opposite = [term for term in terms if signs[term] != signs[key]]
        if maker is None or key in explained or key in question.evidence.watched:
            continue
        if not _takes_back(history, maker, opposite):
            for cause in _outside(question, history, trace, key, recorded):
                explained.update(history.towards([key]))  # what a sum was made of is no second mistake
                yield cause
    yield from _derivative_in_residual(question, history, trace, terms, recorded)
    yield from _through_state(question)


def _takes_back(history: History, maker: Record | Event, opposite: list[Key]) -> bool:
    """Whether the same line made a term of the other sign: `after - before` of one quantity, in which `before` is constant."""
    makers = [history.made_by.get(term) for term in opposite]
    return any((m.code, m.instruction) == (maker.code, maker.instruction) for m in makers if m is not None)


def _terms(question: Question, history: History) -> Iterator[tuple[Key, int]]:
    """The scalars that the target is a sum of, each perhaps times a number; with the sign they have in it."""
    pending = [(key, 1) for key in question.evidence.differentiated_targets if not key.shape]
    seen = {key for key, _ in pending}
    while pending:
        key, sign = pending.pop()
        yield key, sign
        maker = history.made_by.get(key)
        if not isinstance(maker, Record):
            continue
        arithmetic, inputs = maker.traits.arithmetic, maker.inputs
        if arithmetic in _SCALES and any(origin in question.evidence.watched for origin in inputs):
            continue  # a factor of something that is differentiated: a weight, which may well be meant to be constant
        if arithmetic in _LINEAR or maker.traits.moves is Moves.ALL:
            for i, origin in enumerate(inputs):
                if origin not in seen and not origin.shape:
                    seen.add(origin)
                    turned = arithmetic is Arithmetic.NEGATION or (arithmetic is Arithmetic.DIFFERENCE and i)
                    pending.append((origin, -sign if turned else sign))


_SCALES = (Arithmetic.PRODUCT, Arithmetic.QUOTIENT)
_LINEAR = (Arithmetic.SUM, Arithmetic.DIFFERENCE, Arithmetic.NEGATION, *_SCALES)


def _positions(question: Question) -> Iterator[tuple[int, Variable]]:
    for position, source in enumerate(question.call.sources):
        if question.call.gradients[position] is not None and isinstance(source, Variable):
            yield position, source


def _missing(question: Question, position: int) -> tuple[str, str]:
    target, sources = question.target_name, question.source_names
    return f"the gradient of {quoted(target)} with respect to {quoted(sources[position])} lacks a term", target


# -- outside the tape --


def _outside(question: Question, history: History, trace: Trace, key: Key, recorded: set[Key]) -> Iterator[Cause]:
    """The cause, if a term that is a constant for the tape depends on a source."""
    for position, source in _positions(question):
        found = _depends(history, key, set(trace.values_of(source)), recorded)
        if found is None:
            continue
        key, through = found
        maker = history.made_by[key]
        missing, target = _missing(question, position)
        asked = question.call_site.site
        place = kept_at(trace.stack_of(key)) or (maker.code, maker.instruction)
        term = site(*place, "computed outside", described(key))
        if isinstance(through, Event):
            taken = kept_at(trace.stack_of(through.result)) if through.result is not None else None
            inner = site(*(taken or (through.code, through.instruction)), "differentiated here")
            by_call = place[0] is question.call.code and (taken or (through.code,))[0] is not place[0]
            yield Cause(
                "derivative-not-recorded",
                "wrong_value",
                f"{missing}: it contains a gradient that was taken outside this tape, which is a constant for the tape",
                (term, inner, asked) if by_call else (inner, term, asked),
                recorded_too(question.call_site, term if by_call else inner),
                {target: described(question.call.targets[0])},
            )
        else:
            earlier = question.call_site.is_in_tape(term)
            when = "under an earlier tape" if earlier else "while the tape was not recording"
            yield Cause(
                "computed-outside-tape",
                "wrong_value",
                f"{missing}: part of {quoted(target)} was computed {when}, which makes it a constant for {'this one' if earlier else 'the tape'}",
                (term, asked),
                (ONE_TAPE if earlier else kept_elsewhere(question.call_site, node_at(*place)))
                or "move this line into the with block, so that it is computed anew, and recorded, at each step",
                {target: described(question.call.targets[0])},
            )
        return


def _depends(history: History, key: Key, values: set[Key], recorded: set[Key]) -> tuple[Key, Event | Record] | None:
    """How a term was computed from one of these values: the last value that the tape did not record, and what made it so.

    The latter is an op, or a gradient that was taken earlier. Ways through a variable do not count.
    """
    pending: list[tuple[Key, Key | None, Event | None]] = [(key, None, None)]
    seen: set[tuple[Key, bool]] = set()
    direct: tuple[Key, Record] | None = None
    while pending:
        here, left, crossed = pending.pop()
        maker = history.made_by.get(here)
        if isinstance(maker, Event) and maker.kind == "differentiated":
            crossed = crossed or maker
        elif not isinstance(maker, Record) or maker.plan.primitive.no_gradient is not None:
            continue
        left = left or (None if here in recorded else here)
        for origin in maker.inputs if isinstance(maker, Record) else (maker.source,):
            if origin in values:
                if left is not None and crossed is not None:
                    return left, crossed  # the derivative is what was hard to record: say that
                if left is not None and isinstance(maker, Record):
                    direct = (left, maker)
            elif origin is not None and (origin, crossed is not None) not in seen:
                seen.add((origin, crossed is not None))
                pending.append((origin, left, crossed))
    return direct


def _derivative_in_residual(
    question: Question, history: History, trace: Trace, terms: list[Key], recorded: set[Key]
) -> Iterator[Cause]:
    """The cause, if a residual adds a derivative that was taken outside the tape to something that the tape differentiates.

    A derivative for a variable is left alone: it makes a step, which may be meant to be constant.
    """
    for position, source in _positions(question):
        values = set(question.evidence.read_values_of(source))
        for key in _added_in_residuals(question, history, terms):
            through = (found := _depends(history, key, values, recorded)) and found[1]
            if not isinstance(through, Event) or through.result is None:
                continue
            if trace.updates.is_computed_from_gradient(through.result):
                continue
            missing, target = _missing(question, position)
            taken = kept_at(trace.stack_of(through.result)) or (through.code, through.instruction)
            differentiated = site(*taken, "differentiated here", described(through.result))
            yield Cause(
                "derivative-not-recorded",
                "wrong_value",
                f"{missing}: a residual in it contains a derivative that was taken outside this tape, which is a constant for the tape",
                (differentiated, question.call_site.site),
                recorded_too(question.call_site, differentiated),
                {target: described(question.call.targets[0])},
                likely=True,
            )
            return


def _added_in_residuals(question: Question, history: History, terms: list[Key]) -> Iterator[Key]:
    """The constants for the tape that are added to what it differentiates, before a loss squares and averages that."""
    watched = question.evidence.watched
    pending, seen = [key for key in terms if key in watched], set(terms)
    while pending:
        maker = history.made_by.get(pending.pop())
        if not isinstance(maker, Record):
            continue
        traits = maker.traits
        is_sum = traits.arithmetic in _SUMS
        if not (
            is_sum or traits.arithmetic in _SCALED_POWERS or traits.reduces in _AVERAGES or traits.moves is Moves.ALL
        ):
            continue
        inputs = [key for key in maker.inputs if key not in seen]
        seen.update(inputs)
        pending += [key for key in inputs if key in watched]
        if is_sum and any(key in watched for key in maker.inputs):
            yield from (key for key in inputs if key not in watched)


_SUMS = (Arithmetic.SUM, Arithmetic.DIFFERENCE, Arithmetic.SQUARED_DIFFERENCE)
_SCALED_POWERS = (Arithmetic.SQUARE, Arithmetic.POWER, Arithmetic.NEGATION, *_SCALES)
_AVERAGES = (Reduction.SUM, Reduction.MEAN, Reduction.SUM_OF_SQUARES, Reduction.NORM)


# -- behind stop_gradient --


def _stopped(question: Question, history: History, trace: Trace, record: Record, terms: list[Key]) -> Iterator[Cause]:
    """A whole term behind stop_gradient does nothing, unless it takes back another term (as surrogate losses do)."""
    inside = history.towards(record.inputs)
    others = [term for term in terms if term is not outputs_of(record)[0] and term in question.evidence.watched]
    made = trace.numerics.made
    values = {float(known.output) for term in others if (known := made(term)) is not None}
    stopped = made(outputs_of(record)[0])
    if any(term in inside for term in others) or (stopped is not None and float(stopped.output) in values):
        return
    for position, source in _positions(question):
        if not any(key in inside for key in question.evidence.read_values_of(source)):
            continue
        missing, target = _missing(question, position)
        operands = operand_names(record.code, record.instruction)
        yield Cause(
            "stop-gradient-misplaced",
            "wrong_value",
            f"{missing}: tf.stop_gradient makes {quoted(operands[0] if operands else 'it')} a constant",
            (
                site(record.code, record.instruction, "cut here", described(record.inputs[0])),
                question.call_site.site,
            ),
            "leave out tf.stop_gradient here, or leave the term out of the loss",
            {target: described(question.call.targets[0])},
            likely=True,
            edits=operand_alone(record.code, record.instruction),
        )
        return


# -- through the state of a variable --


def _through_state(question: Question) -> Iterator[Cause]:
    """A value that depends on a source was assigned to another variable, and the target was computed from that."""
    evidence = question.evidence
    assigned = [e for e in evidence.tape_events if e.kind == "assigned" and e.source is not None]
    if not assigned:
        return
    history = History(evidence.records, assigned)
    towards = history.towards(evidence.differentiated_targets)
    gradients = {each.gradient for each in evidence.derivatives}
    for event in assigned:
        if event.result not in towards:
            continue
        before = history.towards([event.source])  # type: ignore[list-item]
        if not gradients.isdisjoint(before):
            yield from _inner_step(question, event)
            continue  # a step of training, for all other sources
        for position, source in enumerate(question.call.sources):
            if question.call.gradients[position] is None or source is event.subject:
                continue
            if any(key in before for key in question.evidence.read_values_of(source)):
                missing, _ = _missing(question, position)
                name = next(iter(names_of_variables(question.call, [event.subject])), "Variable")
                place: Site = site(event.code, event.instruction, "cut here", described(event.source))
                yield Cause(
                    "variable-assigned-in-tape",
                    "wrong_value",
                    f"{missing}: part of the path leads through the variable {quoted(name)}, and assigning cuts it",
                    (place, question.call_site.site),
                    keep_in_tensor(event.code, event.instruction),
                    {event.subject.name: described(event.source)},
                )
                return


def _inner_step(question: Question, event: Event) -> Iterator[Cause]:
    """A step with an inner gradient was assigned to a source, and the target computed after it: its derivative is not in the gradient."""
    for position, source in enumerate(question.call.sources):
        if source is not event.subject or question.call.gradients[position] is None:
            continue
        missing, target = _missing(question, position)
        name = quoted(question.source_names[position])
        yield Cause(
            "variable-assigned-in-tape",
            "wrong_value",
            f"{missing}: the step that was assigned to {name} inside the tape depends on {name}, but assigning cuts the path, so that "
            f"{quoted(target)} is differentiated at the new value only",
            (
                site(event.code, event.instruction, "assigned here", described(event.source)),
                question.call_site.site,
            ),
            f"keep the step in a tensor, new = {question.source_names[position]} - rate * gradient, compute {quoted(target)} from that, and assign "
            "after the tape; if the step is meant to be a constant, take it before the tape",
            {question.source_names[position]: described(event.source)},
            likely=True,
        )
        return
