"""On demand: `whygrad.why()` for the last call of gradient, `tape.why(target, source)` for a tape."""

from __future__ import annotations

from typing import Any

from whygrad.tape import gradient_tape
from whygrad.tape.gradient_tape import GradientCall, GradientTape
from whygrad.values.recorders import users_site
from whygrad.view.notice import muted
from whygrad.view.terminal import render
from whygrad.why import none
from whygrad.why.cause import Cause
from whygrad.why.path import Answer, describe
from whygrad.why.trace import current


def last(position: int = 0) -> Answer:
    """The answer for the last call of gradient in this thread."""
    tape = gradient_tape.recent.tape() if gradient_tape.recent.tape is not None else None
    call = tape.last_call() if tape is not None else None
    if call is None:
        raise RuntimeError(
            "whygrad.why() explains the last call of tape.gradient in this thread, as long as the tape, its target, its "
            "sources and its gradients exist: there is none"
        )
    if not 0 <= position < len(call.sources):
        raise IndexError(f"the last call of gradient had {len(call.sources)} sources; there is no number {position}")
    return _answer(call, position)


def of_tape(tape: GradientTape, target: Any, source: Any) -> Answer:
    """What `tape.why(target, source)` says."""
    with muted():
        gradient = tape.gradient(target, source)
        call = tape.last_call()
        del gradient
    assert call is not None, "the call was made just now"
    return _answer(GradientCall(tape, call.targets, call.sources, call.gradients, call.broadcasts, *users_site()), 0)


def _answer(call: GradientCall, position: int) -> Answer:
    causes: tuple[Cause, ...] = ()
    if call.gradients[position] is None:
        causes = (none.explain(call, position, current()),)
    return describe(call, position, causes)


def shown(answer: Answer) -> str:
    """An answer as text: its causes as code frames, or the way the gradient came."""
    if answer.causes:
        return "\n\n".join(render(cause) for cause in answer.causes)
    return "\n".join([answer.sentence, *(str(hop) for hop in answer.path)])


Answer.__str__ = Answer.__repr__ = shown  # type: ignore[method-assign, assignment]
