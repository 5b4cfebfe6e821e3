"""Where a gradient comes from: the ops between a target and a source, with shapes and norms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from whygrad.ops.primitive import Record
from whygrad.tape.gradient_tape import GradientCall
from whygrad.values.tensor import Key
from whygrad.why.cause import Cause
from whygrad.why.history import History
from whygrad.why.source import Site, site
from whygrad.why.words import described, gradient_names, quoted


@dataclass(frozen=True)
class Hop:
    """One op on the way from the target back to the source."""

    op: str
    site: Site
    into: Key  # what the op was given, on this way
    made: Key

    def __str__(self) -> str:
        return f"{self.site.line:5} {self.op:24} {described(self.made)} from {described(self.into)}   {self.site.text}"


@dataclass(frozen=True)
class Answer:
    """Why a gradient is what it is: its causes where something is wrong, and the way it came otherwise.

    How it is shown is said in `view/ask.py`.
    """

    sentence: str
    causes: tuple[Cause, ...]
    path: tuple[Hop, ...]
    norm: float | None


def describe(call: GradientCall, position: int, causes: tuple[Cause, ...]) -> Answer:
    """The answer for one source of a call of gradient."""
    targets, sources = gradient_names(call.code, call.instruction, len(call.targets), len(call.sources))
    gradient = call.gradients[position]
    target = targets[0] if len(targets) == 1 else "the target"
    what = f"the gradient of {quoted(target)} with respect to {quoted(sources[position])}"
    if gradient is None:
        return Answer(f"{what} is None", causes, (), None)
    history = History(call.tape.records, ())
    towards = history.towards(key for key in map(call.key_of, call.targets) if key is not None)
    start = call.key_of(call.sources[position])
    steps = history.path(start, towards) if start is not None else []
    hops = tuple(
        Hop(s.through.plan.primitive.name, site(s.through.code, s.through.instruction), s.start, s.end)
        for s in reversed(steps)
        if isinstance(s.through, Record)
    )
    norm = _norm(gradient)
    return Answer(f"{what} has norm {norm:.6g}, shape {tuple(gradient.shape)}; it came this way:", causes, hops, norm)


def _norm(gradient: Any) -> float:
    values = getattr(gradient, "values", gradient)
    return float(np.linalg.norm(np.asarray(values._array).ravel().astype(np.complex128)))
