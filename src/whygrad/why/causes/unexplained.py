"""An inf or nan whose birth is not known: the values that would show it are gone, and what the sweep noted is all there is."""

from __future__ import annotations

import math
from types import CodeType
from typing import Any

import numpy as np

from whygrad.compile.trace_listeners import BecameNan
from whygrad.tape.places import place_of
from whygrad.values.tensor import Key
from whygrad.values.variable import Variable
from whygrad.why.cause import Cause
from whygrad.why.evidence.history import outputs_of
from whygrad.why.evidence.numerics import array_of, is_finite
from whygrad.why.evidence.question import Question
from whygrad.why.evidence.tape_replay import Replay
from whygrad.why.source.sites import Site, site
from whygrad.why.source.wording import described, quoted, spoken


def not_finite(question: Question, position: int | None, replay: Replay | None) -> Cause:
    """What is known of a gradient that is not finite; of the target itself without a position."""
    call, target = question.call, quoted(question.target_name)
    name = question.source_names[position or 0]
    calls = place_of(call.code, call.instruction).calls
    since = f" at the {_nth(calls)} call here" if calls > 1 else ""
    if position is None:
        said = f"{target} is not finite{since}"
    else:
        array = array_of(call.gradients[position])
        said = f"the gradient of {target} with respect to {quoted(name)} is {_what(array)}{since}"
    places: tuple[Site, ...] = ()
    if not all(is_finite(array_of(each)) for each in call.targets):
        said += f", and so is {target}" if position is not None else ""
        said += ": the forward pass made it"
        help = f"look for the first value that is inf or nan on the way to {target}"
        opaque = None if replay is None else replay.opaque_birth()
        if opaque is not None:
            said += f", inside of {spoken(opaque)}, which is compiled"
            places = (site(opaque.code, opaque.instruction, "born in this call"),)
            help = "tf.config.run_functions_eagerly(True) runs functions op by op, so that the op is found"
        elif replay is not None and (seen := replay.first_seen()) is not None:
            said += f", in {spoken(seen)} or before"
            places = (site(seen.code, seen.instruction, "seen here"),)
    else:
        said += f", though {target} is finite: the backward pass made it"
        help = (
            "look for a root, a quotient, a logarithm or a norm at the end of its domain, where the slope is infinite"
        )
        born = _born(question)
        if born is not None:
            said += f", in {born[0]}"
            places = (born[1],)
    return Cause(
        "not-finite-here",
        "nonfinite",
        said,
        (*places, question.call_site.site),
        help,
        {name: described(call.sources[position or 0])},
    )


def became_nan(became: BecameNan, place: tuple[CodeType, int]) -> Cause:
    """What is known of a variable, or a loss, that a compiled function made nan."""
    since = "the 1st call" if became.calls == 1 else f"the {_nth(became.calls)} call"
    if became.calls - became.last_look > 1:
        since = f"one of the calls from the {_nth(became.last_look + 1)} to the {_nth(became.calls)}"
    what = f"a result of {quoted(became.name)}" if became.variable is None else _assigned(became.variable, became.name)
    return Cause(
        "not-finite-here",
        "nonfinite",
        f"{what} became nan at {since}; the function is compiled, and the op that made it is not known",
        (site(*place, "called here"),),
        "tf.debugging.enable_check_numerics() raises at the call that makes the first nan, and says which op does",
    )


def _assigned(variable: Variable, function: str) -> str:
    """A variable that a compiled function assigns, as a library calls it."""
    scope, path = variable._scope, variable._path
    result = None if scope is None or scope.result is None or variable.trainable else scope.result()
    what = result or (f"a variable ({described(variable)})" if path is None else quoted(path))
    return f"{what} that {quoted(function)} assigns"


def _what(array: Any) -> str:
    """`nan`, or `inf at 3 of 8 elements`."""
    bad = array[~np.isfinite(array)]
    kind = "nan" if np.isnan(bad).any() else "inf"
    return kind if bad.size == array.size else f"{kind} at {bad.size} of {array.size} elements"


def _nth(number: int) -> str:
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _born(question: Question) -> tuple[str, Site] | None:
    """The op whose rule was the first to return inf or nan, from the norms of the sweep where they were noted."""
    norms = question.call.norms
    if norms is None:
        return None
    bad: set[Key] = set()
    for record in reversed(question.evidence.records):
        for key in record.inputs:
            given = norms.given.get((record.output, key), [])
            if any(each is not None and not math.isfinite(each) for each in given):
                if bad.isdisjoint(outputs_of(record)):
                    place = site(record.code, record.instruction, "born here", "in its gradient")
                    return f"the gradient of {spoken(record)}", place
                bad.add(key)
    return None
