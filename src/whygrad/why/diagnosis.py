"""The diagnosis: the causes of what a call of `gradient` gave, found by going through the tables of `causes/ranking.py`.

    for cause in diagnose(call, trace, reported): ...

Explaining never stops a program: an explanation that fails is left out, and the others are still tried.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable
from dataclasses import replace
from types import CodeType
from typing import TYPE_CHECKING, Any

from whygrad.tape.gradient_calls import GradientCall
from whygrad.tape.places import place_of
from whygrad.values.variable import Variable
from whygrad.why.cause import Cause, finished
from whygrad.why.causes import nonfinite_gradient, ranking, unexplained, wrong_variable_list, zero_gradient
from whygrad.why.causes.ranking import Entry
from whygrad.why.evidence.empty_sources import EmptySources
from whygrad.why.evidence.numerics import Seen, all_zero, array_of, is_finite
from whygrad.why.evidence.question import Question
from whygrad.why.evidence.reported import Reported
from whygrad.why.evidence.tape_replay import Replay
from whygrad.why.evidence.trace import Trace
from whygrad.why.source.edits import together
from whygrad.why.source.gradient_uses import handles_none, is_dropped, runs_once
from whygrad.why.source.wording import first_of, more_sources

if TYPE_CHECKING:
    from whygrad.tape.gradient_tape import GradientTape

# The causes of numbers that were seen in the last call of a tape without a trace, by position of the source: for `why()`, when the
# values are gone.
_seen_in_passing: weakref.WeakKeyDictionary[GradientTape, tuple[CodeType, int, dict[int, Cause]]] = (
    weakref.WeakKeyDictionary()
)

strict = False  # tests set this: there, an explanation that fails is a failure

# In place of the number of a source, in what was reported of a call:
_EMPTY, _WRONG, _NOT_FINITE, _ZERO, _UPDATED = -1, -2, -3, -4, -5
_EXHAUSTED = -6  # and below: a source of a call site that gives no gradient any more


def diagnose(call: GradientCall, trace: Trace | None, reported: Reported) -> list[Cause]:
    """The causes of what a call gave. Causes that `reported` already holds for its call site are skipped, and new ones are added."""

    def is_new(position: int) -> bool:
        return reported.add((call.code, call.instruction, position))

    question = Question(call, trace)
    if not call.sources:
        # unconnected_gradients="zero" says that the program counts on sources without a gradient.
        return attempt(explain_empty, question) if call.filled is None and is_new(_EMPTY) else []
    found = _causes_of_nones(question, trace, is_new)
    if trace is None:
        if call.broadcasts and is_new(_WRONG):
            found += all_of(ranking.BROADCAST, question, question.evidence.tape_history)
        return found + attempt(look_at_numbers, question, is_new)
    found += _causes_of_filled(question, trace)
    found += _first_of(ranking.NUMBERS, question, trace)
    found += all_of(ranking.EVERY_CALL, question, trace)
    if is_new(_WRONG):
        found += all_of(ranking.FIRST_CALL, question, trace)
    trace.numerics.end_call()
    return found


def diagnose_updates(trace: Trace, is_end: bool = False) -> list[Cause]:
    """What is wrong with the updates of variables before the last call of this or, at the end, with all that are left.

    Those since then wait: of two variables that exchange their gradients on purpose, the second one may follow the next call of `gradient`.
    """
    waited, recent = trace.updates.waited, trace.updates.misapplied
    trace.updates.waited, trace.updates.misapplied = ([] if is_end else recent), []
    updates = wrong_variable_list.without_exchanges([*waited, *recent])
    judged = [each for each in updates if is_end or each in waited]
    new = [each for each in judged if trace.reported.add((each.own.code, each.own.instruction, _UPDATED))]
    return [cause for update in new for cause in all_of(ranking.UPDATE, update)]


def diagnose_end(trace: Trace) -> list[Cause]:
    """What is wrong with the updates of variables in the whole program."""
    return [*all_of(ranking.UNCHANGED, trace.updates.unchanged()), *all_of(ranking.APPLIED, trace)]


def _causes_of_nones(question: Question, trace: Trace | None, is_new: Callable[[int], bool]) -> list[Cause]:
    """The causes of the Nones among the gradients, each cause once."""
    call = question.call
    of_function = call.tape.named is not None  # `grad(f)` gives zeros, and its caller's line says nothing of None
    zeros = call.filled - call.tape.spared if call.filled and call.tape.explains_zeros else call.untaken
    # Where a call site gives no gradient at all any more, those that it gave at first do not show that None is fine.
    is_exhausted = trace is not None and trace.is_exhausted(call)
    positions = [
        i
        for i, each in enumerate(call.gradients)
        if (each is None or i in zeros) and is_new(_EXHAUSTED - i if is_exhausted else i)
    ]
    # A trace sees the calls after this one: where the program handles None, a source that gets a gradient there is fine.
    is_handled = bool(positions) and not of_function and handles_none(call.code, call.instruction)
    if is_exhausted and not is_handled:
        return []  # the first None was reported
    if is_handled and call.tape.primals_at is not None:  # an accumulator has no other results that could show a mistake
        return []
    is_expected = False  # as far as can be told without a trace
    if trace is None:
        gave = place_of(call.code, call.instruction).had_gradients
        is_expected = is_handled and (gave or any(gradient is not None for gradient in call.gradients))
        if is_expected:  # what is no variable any more never gets a gradient again
            positions = [i for i in positions if question.evidence.was_a_variable(i)]
        positions = [
            i for i in positions if of_function or not is_dropped(call.code, call.instruction, i, len(call.sources))
        ]
    # As long as a call site gives no gradient at all, its sources may be the wrong ones, also if another call trains them.
    gives_nothing = trace is not None and trace.gave_nothing(call)
    # Each with the sources that have it, and what was found for the others.
    found: list[tuple[Cause, list[int], list[Cause]]] = []
    for position in _origins_first(question, positions):
        is_trained = is_handled and trace is not None and trace.was_trained(call.sources[position])
        if is_trained and not (gives_nothing or is_exhausted):
            continue
        for cause in attempt(explain_none, question, position):
            if is_trained and gives_nothing and cause.kind not in ranking.OF_ALL_SOURCES:
                continue
            if is_expected and cause.kind not in ranking.FOR_GOOD:
                continue
            if is_handled and cause.kind in ranking.TRUE_ZEROS and any(each is not None for each in call.gradients):
                continue
            equal = next((each for each in found if _are_equal(cause, each[0])), None)
            if equal is None:
                found.append((cause, [position], []))
            else:
                equal[1].append(position)
                equal[2].append(cause)
    causes = [
        _of_several(cause, [question.source_names[i] for i in where[1:]], others) for cause, where, others in found
    ]
    if is_handled and trace is not None:
        for cause, (_, where, _) in zip(causes, found):
            if gives_nothing and cause.kind in ranking.OF_ALL_SOURCES:
                trace.stands_while_fruitless(cause, call)
            else:
                trace.stands_until_given(cause, call.sources[where[0]], of_any=False)
    return causes


def _origins_first(question: Question, positions: list[int]) -> list[int]:
    """The positions of sources, with tensors that were computed from others of them last: what is true of these explains them too."""
    if not 1 < len(positions) <= _MOST_ORDERED:
        return positions
    sources = {position: question.about(position) for position in positions}
    computed = {
        i
        for i, source in sources.items()
        if not isinstance(source.source, Variable)
        and any(j != i and not other.descendants.isdisjoint(source.keys) for j, other in sources.items())
    }
    return sorted(positions, key=lambda position: position in computed)


_MOST_ORDERED = 20


def _are_equal(one: Cause, other: Cause) -> bool:
    """Whether two causes of None are one and the same: in their place, or in what they say of their sources."""
    if one.kind != other.kind:
        return False
    return _line(one) == _line(other) or one.sentence.partition(": ")[2] == other.sentence.partition(": ")[2]


def _of_several(cause: Cause, names: list[str], others: list[Cause]) -> Cause:
    """A cause that holds for other sources too, with what is to be changed for each of them."""
    if not names:
        return cause
    sentence = cause.sentence + more_sources(names)
    if not cause.edits or all(other.edits == cause.edits for other in others):
        return replace(cause, sentence=sentence)
    edits = together([cause.edits, *[other.edits for other in others]])
    return replace(cause, sentence=sentence, help=f"{cause.help}; likewise for {first_of(names)}", edits=edits)


def look_at_numbers(question: Question, is_new: Callable[[int], bool]) -> list[Cause]:
    """The cause of inf, nan or zeros that were seen in the gradients of a call, without a trace: once for each call site."""
    call = question.call
    if not call.odd:
        return []
    given = [i for i in call.odd if call.gradients[i] is not None and i not in call.without_path]
    arrays = {i: array_of(call.gradients[i]) for i in given}
    bad = next((i for i, array in arrays.items() if not is_finite(array)), None)
    if bad is not None or not all(is_finite(array_of(target)) for target in call.targets):
        if not is_new(_NOT_FINITE) or nonfinite_gradient.is_looked_for(question):
            return []
        replay = _replay(call)
        found = [] if replay is None else attempt(nonfinite_gradient.cause_of, question, bad, replay)
        _keep_for_why(call, bad, found)
        return found or [unexplained.not_finite(question, bad, replay)]
    looks = place_of(call.code, call.instruction).zeros
    zeros = [
        i
        for i, array in arrays.items()
        if all_zero(array) and (looks.get(i) == 1 or zero_gradient.is_due(looks.get(i, 0)))
    ]
    replay = _replay(call) if arrays else None
    for position in zeros if replay is not None else ():
        in_a_row = looks.get(position, 0)
        found = _first_of(ranking.ZEROS, question, position, replay) or attempt(
            zero_gradient.of_data, question, position, replay, in_a_row
        )
        _keep_for_why(call, position, found or attempt(zero_gradient.flat, question, position, replay))
        for cause in found:
            lasts = cause.kind in zero_gradient.LASTING or in_a_row >= zero_gradient.STAYS
            if (lasts or runs_once(call.code, call.instruction)) and is_new(_ZERO):
                return [cause]
    of_losses = question.call_site.derivative == "gradient"
    rounded = [i for i, array in arrays.items() if of_losses and not all_zero(array)]
    for position in rounded if replay is not None else ():
        for cause in attempt(zero_gradient.rounded, question, position, replay):
            if is_new(_ZERO):
                return [cause]
    return []


def _keep_for_why(call: GradientCall, position: int | None, found: list[Cause]) -> None:
    if found and position is not None:
        code, instruction, causes = _seen_in_passing.get(call.tape, (call.code, call.instruction, {}))
        causes = causes if (code, instruction) == (call.code, call.instruction) else {}
        _seen_in_passing[call.tape] = call.code, call.instruction, {**causes, position: found[0]}


def _kept_for_why(call: GradientCall, position: int) -> list[Cause]:
    code, instruction, causes = _seen_in_passing.get(call.tape, (None, 0, {}))
    is_same = code is call.code and instruction == call.instruction
    return [causes[position]] if is_same and position in causes else []


def _replay(call: GradientCall) -> Replay | None:
    return Replay(call) if call.seeds is not None else None


def _causes_of_filled(question: Question, trace: Trace) -> list[Cause]:
    """The cause, where a step of training gets only zeros that were filled in for None, and did so in the last step too."""
    call = question.call
    if (
        call.filled is None
        or call.tape.named is not None
        or len(call.filled) < len(call.sources)
        or trace.times_asked(call) != 2
    ):
        return []
    if not all(isinstance(each, Variable) and not trace.was_given(each) for each in call.sources):
        return []
    found = attempt(explain_none, question, 0)
    for cause in found:
        for source in call.sources:
            trace.stands_until_given(cause, source)
    return found


def explain_none(question: Question, position: int) -> Cause | None:
    """The cause of the None that source number `position` got."""
    return ranking.first_cause(ranking.NONE, question.about(position))


def explain_empty(question: Question) -> Cause | None:
    """The cause of an empty list of sources."""
    return ranking.first_cause(ranking.EMPTY, EmptySources(question))


def diagnose_numbers(question: Question, position: int, trace: Trace | None, replay: Replay | None) -> list[Cause]:
    """The cause of one gradient's numbers: from the trace if there is one, or else from what the tape still holds."""
    array = array_of(question.call.gradients[position])
    found: list[Cause] = []
    if not is_finite(array) or all_zero(array):
        explanation = zero_gradient.cause_when_asked if is_finite(array) else nonfinite_gradient.cause_of
        witnesses: list[Seen] = [each for each in (trace, replay) if each is not None]
        found = next((causes for each in witnesses if (causes := attempt(explanation, question, position, each))), [])
        found = found or _kept_for_why(question.call, position)
        if not found and trace is not None and not is_finite(array):  # poisoned by the first one of the program
            found = [cause for cause in trace.findings if cause.symptom == "nonfinite"][:1]
    if trace is not None:
        asked = question.call_site.site
        place = (asked.file, asked.line, asked.column)
        found += [
            cause
            for cause in trace.findings
            if cause.symptom == "wrong_value" and any((s.file, s.line, s.column) == place for s in cause.sites)
        ]
    return found


def attempt(explanation: Callable[..., Any], *args: Any) -> list[Cause]:
    """The causes that an explanation finds: one, several or none, and none if it fails."""
    try:
        found = explanation(*args)
        causes = [] if found is None else [found] if isinstance(found, Cause) else list(found)
        return [finished(cause) for cause in causes]
    except Exception:
        if strict:
            raise
        return []


def all_of(entries: Iterable[Entry], *args: Any) -> list[Cause]:
    """The causes that all explanations of a table find."""
    return [cause for entry in entries for cause in attempt(entry.explain, *args)]


def _first_of(entries: Iterable[Entry], *args: Any) -> list[Cause]:
    return next((causes for entry in entries if (causes := attempt(entry.explain, *args))), [])


def _line(cause: Cause) -> tuple[str, int] | None:
    return None if cause.site is None else (cause.site.file, cause.site.line)
