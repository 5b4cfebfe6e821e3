"""Why a gradient is zero everywhere: the rule at which the cotangent became zero, and the order in which causes are considered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from whygrad.why.cause import Cause
from whygrad.why.causes import (
    contributions_cancel,
    half_precision_range,
    non_scalar_target_summed,
    nonfinite_gradient,
    normalized_over_one,
    piecewise_constant,
    piecewise_linear_second_derivative,
    saturated_region,
    softmax_over_one_class,
    stuck_at_zero,
)
from whygrad.why.evidence.dead_ends import DeadEnds, dead_ends
from whygrad.why.evidence.numerics import Pulled, Seen, all_zero, array_of, is_finite
from whygrad.why.evidence.question import Question
from whygrad.why.evidence.zero_question import ZeroQuestion
from whygrad.why.source.sites import Site
from whygrad.why.source.wording import quoted

if TYPE_CHECKING:
    from whygrad.why.evidence.trace import Streak, Trace

# Zeros of these kinds follow from how the program is written; others may pass as its values change.
LASTING = (
    "non-scalar-target-summed", "piecewise-linear-second-derivative", "softmax-over-one-class", "normalized-over-one",
    "non-differentiable-op", "python-callback-opaque",
)  # fmt: skip
# Zeros that come after other gradients are explained only when they stay: a single sample may well be out of reach.
STAYS = 3  # in a row
_MOST_PLACES = 3  # at which the ways to one source end


def is_due(zeros: int) -> bool:
    """Whether so many zeros in a row are looked at: when they stay, and then ever more seldom, as the loss of some samples may be 0."""
    return zeros >= STAYS and zeros // (zeros & -zeros) in (1, 3)


def explain(question: Question, trace: Trace) -> Cause | None:
    """The cause, if a gradient is zero everywhere."""
    found: Cause | None = None
    for position, gradient in enumerate(question.call.gradients):
        if gradient is None or position in question.call.without_path:
            continue
        array = array_of(gradient)
        streak = trace.streak(question.call, position)
        streak.calls += 1
        if not all_zero(array):
            streak.zeros = 0
            if streak.cause is not None:
                trace.withdraw(streak.cause)
                streak.cause = None
            if found is None and streak.calls == 1:
                found = rounded(question, position, trace)
            continue
        streak.zeros += 1
        is_looked_at = streak.zeros == STAYS or (streak.cause is None and is_due(streak.zeros))
        if found is None and (streak.calls == 1 or is_looked_at):
            found = streak.cause = _since_a_step(_answer(question, position, array, trace), streak)
        if found is None and streak.cause is None and streak.zeros <= STAYS:
            found = streak.cause = _same_zeros(question, position, trace)
    return found


def _since_a_step(cause: Cause | None, streak: Streak) -> Cause | None:
    """The cause, with what to do where there were gradients before: a step of the program itself led to where it is flat, not its start."""
    if cause is None or cause.kind != "saturated-region" or streak.zeros == streak.calls:
        return cause
    since = "gradients here were not zero before, so that a step led there"
    return replace(cause, help=f"lower the learning rate, or clip the gradients: {since}", edits=())


def _same_zeros(question: Question, position: int, trace: Trace) -> Cause | None:
    """The cause, if the gradient is zero for the third time because of a factor of zeros: the same tensor, or data, each time."""
    q = ZeroQuestion(question, position, trace.numerics)
    streak = trace.streak(question.call, position)
    ends = dead_ends(q.history, q.keys, trace.numerics)
    factors = {key for pulled in ends.vanished for key in saturated_region.fixed_zeros(q, pulled)}
    streak.factors = factors if streak.zeros == 1 else streak.factors & factors
    streak.of_data = streak.of_data and all(saturated_region.zero_data(q, pulled) for pulled in ends.vanished)
    if streak.zeros < STAYS or ends.cancelled:
        return None
    never_moved = streak.zeros == streak.calls and not all(all_zero(array_of(t)) for t in question.call.targets)
    if streak.factors:
        found = _at_every_end(ends, lambda pulled: saturated_region.masked(q, pulled, streak.factors))
        if found is None and never_moved and q.all_vanish:
            found = saturated_region.of_fixed_zeros(q, ends.vanished, streak.factors)
        return found
    if streak.of_data and never_moved:
        return _at_every_end(ends, lambda pulled: saturated_region.of_zero_data(q, pulled))
    return None


_NEVER_DATA = 6  # looks in a row that found zeros: without a trace, a warning cannot be taken back once data come


def of_data(question: Question, position: int, seen: Seen, zeros: int) -> Cause | None:
    """The cause, if data of zeros multiplied a source whose gradient has been zero for so many calls in a row."""
    if zeros < _NEVER_DATA or all(all_zero(array_of(target)) for target in question.call.targets):
        return None
    q = ZeroQuestion(question, position, seen.numerics)
    ends = dead_ends(q.history, q.keys, seen.numerics)
    return _at_every_end(ends, lambda pulled: saturated_region.of_zero_data(q, pulled))


def cause_of(question: Question, position: int, seen: Seen) -> Cause | None:
    """The cause of one gradient that is zero everywhere; None where nothing is wrong with it, as at a minimum."""
    return _answer(question, position, array_of(question.call.gradients[position]), seen)


def cause_when_asked(question: Question, position: int, seen: Seen) -> Cause | None:
    """The same for a user who asks why: a function that is flat there is named at a minimum too."""
    return cause_of(question, position, seen) or flat(question, position, seen)


def flat(question: Question, position: int, seen: Seen) -> Cause | None:
    """The functions that are flat there, if every way ends at one."""
    q = ZeroQuestion(question, position, seen.numerics)
    ends = dead_ends(q.history, q.keys, seen.numerics)
    return _at_every_end(ends, lambda pulled: saturated_region.vanished(q, pulled))


_VANISHED = (
    softmax_over_one_class.vanished,
    piecewise_constant.vanished,
    half_precision_range.vanished,
    saturated_region.masked,
)


def _answer(question: Question, position: int, array: Any, seen: Seen) -> Cause | None:
    q = ZeroQuestion(question, position, seen.numerics)
    found = (
        non_scalar_target_summed.explain(question, position, array)
        or _overflowed(q, seen)
        or piecewise_linear_second_derivative.explain(q)
    )
    if found is not None:
        return found
    if not all(is_finite(array_of(target)) for target in question.call.targets):
        return None  # zeros where a step passes nan by: the nan is what is to be explained
    found = softmax_over_one_class.on_every_way(q) or normalized_over_one.explain(q)
    if found is not None:
        return found
    explanations = [*_VANISHED]
    of_losses = question.call_site.derivative == "gradient"
    if not of_losses or any(array_of(target).any() for target in question.call.targets):
        explanations.append(saturated_region.vanished)  # else a loss of 0, as of a hinge that is satisfied: a minimum
    ends = dead_ends(q.history, q.keys, seen.numerics)
    causes = [cause for pulled in ends.vanished for each in explanations if (cause := each(q, pulled)) is not None]
    # A flat op is the reason only if no way leads around it, on which something did arrive and was cancelled.
    around = [key for key in ends.cancelled if not normalized_over_one.is_averaged(q, key)]
    if causes and not around:
        return _with_places_of(causes)
    if ends.vanished and not around and all(saturated_region.vanished(q, pulled) for pulled in ends.vanished):
        return None  # the minimum of a flat loss
    return stuck_at_zero.explain(q, ends) or contributions_cancel.explain(q)


def _at_every_end(ends: DeadEnds, explain: Callable[[Pulled], Cause | None]) -> Cause | None:
    """The cause, if every way to the source ends with one, and none with contributions that cancel."""
    causes = [explain(pulled) for pulled in ends.vanished]
    found = [each for each in causes if each is not None]
    return _with_places_of(found) if found and len(found) == len(causes) and not ends.cancelled else None


def _with_places_of(causes: list[Cause]) -> Cause:
    """The first of several causes, with the places of the others: each is the end of another way to the source."""
    places: list[Site] = []
    for each in causes:
        if each.sites[0] not in places:
            places.append(each.sites[0])
    return replace(causes[0], sites=(*places[:_MOST_PLACES], *causes[0].sites[1:]))


def rounded(question: Question, position: int, seen: Seen) -> Cause | None:
    """The cause, if a gradient is what rounding leaves of contributions that cancel."""
    array = array_of(question.call.gradients[position])
    found = non_scalar_target_summed.explain(question, position, array)
    if found is not None:
        return found
    q = ZeroQuestion(question, position, seen.numerics)
    return contributions_cancel.explain(q) if contributions_cancel.is_negligible(array, q) else None


def _overflowed(q: ZeroQuestion, seen: Seen) -> Cause | None:
    """The cause, if the way goes through an inf, whose slope is 0: a root of it, or a quotient by it."""
    births = seen.numerics.births
    if not births:
        return None
    towards = q.history.towards(q.target_keys)
    for key in (*q.target_keys, *towards):
        birth = births.get(key)
        if birth is not None and birth.where == "forward" and key in q.reached:
            opening = q.opening
            if not all(is_finite(array_of(target)) for target in q.call.targets):
                opening = opening.replace("the gradient", f"{quoted(q.target)} is not finite, and the gradient", 1)
            return nonfinite_gradient.forward_cause(q.question, birth, seen, opening, "zero")
    return None
