"""Optimizers of a library, as their variables show them: the count of steps, and the slots for what they remember of gradients."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from whygrad.values.variable import Variable
from whygrad.why.evidence.call_evidence import Place
from whygrad.why.evidence.trace import Trace
from whygrad.why.source.kept_values import kept_at


class Optimizer(NamedTuple):
    """An optimizer that the program made: the variable that counts its steps, how often it changed, and where it was made."""

    counter: Variable
    steps: int
    place: Place
    remembers: bool  # whether it has slots, as for a momentum


def optimizers(trace: Trace) -> Iterator[Optimizer]:
    """The optimizers that the program made last, in order."""
    variables = trace.last_variables()
    with_slots = {_owner(each) for each in variables if _is_slot(each)}
    for variable in variables:
        values = trace.values_of(variable) if _counts_steps(variable) else ()
        place = kept_at(trace.stack_of(values[0])) if values else None
        if place is not None:
            yield Optimizer(variable, len(values) - 1, place, _owner(variable) in with_slots)


def _counts_steps(variable: Variable) -> bool:
    """Whether a variable is the count of a library's optimizer, which every step changes."""
    path = variable._path
    return (
        path is not None and path.endswith("/iteration") and not variable.trainable and not variable.dtype.is_floating
    )


def _is_slot(variable: Variable) -> bool:
    path = variable._path
    return path is not None and path.endswith(_SLOTS) and not variable.trainable


_SLOTS = ("_momentum", "_velocity", "_accumulator")


def _owner(variable: Variable) -> str:
    return (variable._path or "").partition("/")[0]
