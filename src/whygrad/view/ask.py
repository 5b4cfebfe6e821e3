"""On demand: `whygrad.why()` for the last call of gradient, `tape.why(target, source)` for a tape."""

from __future__ import annotations

import contextlib
import dataclasses
import os
from typing import Any

from whygrad.runtime.call_sites import users_site
from whygrad.tape import gradient_tape
from whygrad.tape.gradient_calls import GradientCall
from whygrad.tape.gradient_tape import GradientTape
from whygrad.tape.places import always_record
from whygrad.view.cells import PLAIN_WIDTH, wrapped
from whygrad.view.notice import muted
from whygrad.view.terminal import render, shown_path
from whygrad.why import diagnosis
from whygrad.why.cause import Cause
from whygrad.why.diagnosis import diagnose_numbers, explain_none
from whygrad.why.evidence.path import Answer, Hop, describe
from whygrad.why.evidence.question import Question
from whygrad.why.evidence.steps import Step, step_of
from whygrad.why.evidence.tape_replay import Replay
from whygrad.why.evidence.trace import Trace, current
from whygrad.why.source.wording import described

_MOST_LINES = 40  # of a path that is shown


def last(position: int = 0) -> Answer:
    """The answer for the last call of gradient in this thread."""
    tape: Any = gradient_tape.recent.tape() if gradient_tape.recent.tape is not None else None
    call = tape.last_call() if tape is not None else None
    if call is None:
        raise RuntimeError(
            "whygrad.why() explains the last call of tape.gradient in this thread, as long as the tape, its target, its "
            "sources and its gradients exist: "
            + ("there is none" if tape is None else "keep them under a name, grads = tape.gradient(...), and ask then")
        )
    if not 0 <= position < len(call.sources):
        raise IndexError(
            f"the last call of gradient had {len(call.sources)} sources; there is no source number {position}"
        )
    return _of_the_past(call, position)


def of_tape(tape: GradientTape, target: Any, source: Any) -> Answer:
    """The answer that `tape.why(target, source)` gives."""
    if tape.is_spent:
        before = tape.last_call()
        if before is not None and any(each is target for each in before.targets):
            position = next((i for i, each in enumerate(before.sources) if each is source), None)
            if position is not None:
                return _of_the_past(before, position)
        tape.gradient(target, source)  # raises the error of a spent tape
    trace = current()
    code, instruction = users_site()
    with muted(), tape.keeping_records((code, instruction)):
        gradient = tape.gradient(target, source)
        call = tape.last_call()
        del gradient
        assert call is not None, "the call was made just now"
        try:
            return _answer(call.replace(code=code, instruction=instruction), 0, trace)
        finally:
            if trace is not None:
                trace.numerics.end_call()


def _of_the_past(call: GradientCall, position: int) -> Answer:
    """The answer for a call that is over."""
    trace = current()
    if call.seeds is None:
        always_record(call.code, call.instruction)
    with trace.numerics.looking_back() if trace is not None else contextlib.nullcontext():
        return _answer(call, position, trace)


def _answer(call: GradientCall, position: int, trace: Trace | None) -> Answer:
    question = Question(call, trace)
    if call.gradients[position] is None or position in call.without_path:
        cause = explain_none(question, position)
        causes: tuple[Cause, ...] = () if cause is None else (cause,)
        norms = call.norms
        answer = describe(call, position, causes, None)
        numerics = None if trace is None else trace.numerics
    else:
        replay = Replay(call) if call.seeds is not None else None
        norms = replay.norms if replay is not None else call.norms
        seen = replay is not None or trace is not None
        causes = tuple(diagnose_numbers(question, position, trace, replay))
        answer = describe(call, position, causes, norms, seen)
        witness = replay or trace
        numerics = None if witness is None else witness.numerics
    return dataclasses.replace(answer, step=_graph(call, numerics, norms, trace, causes))


def _graph(*evidence: Any) -> Step | None:
    """The graph of a call; None if it cannot be made: the answer stands without it."""
    try:
        return step_of(*evidence)
    except Exception:
        if diagnosis.strict:
            raise
        return None


# -- as text --


def shown(answer: Answer) -> str:
    """An answer as text: its causes as code frames, and the path of the gradient."""
    parts = [render(cause) for cause in answer.causes]
    if answer.norm is not None:
        parts.append("\n".join(_lines_of(answer)))
    return "\n\n".join(parts or [answer.sentence])


def _lines_of(answer: Answer) -> list[str]:
    hint = wrapped(answer.hint, PLAIN_WIDTH, rest="  ") if answer.hint else []
    if not answer.path:
        return [answer.sentence, *hint]
    paths = (
        "one path" if answer.ways == 1 else f"{answer.ways} paths" if answer.ways <= 1000 else "more than 1000 paths"
    )
    normed = ", with the norm of the gradient that each op passed back" if answer.path[0].norm is not None else ""
    lines = [answer.sentence, f"it took {paths} from the target to the source{normed}:"]
    rows, abridged = _rows(answer.path)
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    lines += [
        "  ".join([row[0].rjust(widths[0]), *[row[i].ljust(widths[i]) for i in (1, 2, 3)], row[4]]).rstrip()
        for row in rows
    ]
    return [*lines, *(wrapped(abridged, PLAIN_WIDTH, rest="  ") if abridged else []), *hint]


Row = tuple[str, str, str, str, str]


def _rows(path: tuple[Hop, ...]) -> tuple[list[Row], str]:
    """The lines of a path, and a remark if they are not all of it."""
    groups: list[list[Hop]] = [[hop] for hop in path]
    if len(path) <= _MOST_LINES:
        return [_row(group, path) for group in groups], ""
    by_place: dict[Any, list[Hop]] = {}
    for hop in path:
        by_place.setdefault((hop.site, hop.op, hop.operand, described(hop.made), described(hop.into)), []).append(hop)
    groups = list(by_place.values())
    rows = [_row(group, path) for group in groups]
    if len(rows) > _MOST_LINES:
        half = _MOST_LINES // 2
        left_out = len(rows) - 2 * half
        rows = [*rows[:half], ("...", f"{left_out} more", "", "", ""), *rows[-half:]]
    return rows, (
        f"abridged: {len(path)} steps; what ran several times is one line, with the norms of the first and the last time. "
        "All are in why().path"
    )


def _row(group: list[Hop], path: tuple[Hop, ...]) -> Row:
    hop, end = group[0], group[-1]
    several_files = any(each.site.file != path[0].site.file for each in (path[-1], hop))
    place = f"{os.path.basename(shown_path(hop.site.file))}:{hop.site.line}" if several_files else str(hop.site.line)
    times = f" x{len(group)}" if len(group) > 1 else ""
    size = "" if hop.norm is None else f"norm {hop.norm:.4g}"
    if len(group) > 1 and end.norm is not None:
        size += f" to {end.norm:.4g}"
    text = f"{hop.site.text}   through {hop.operand}" if hop.operand else hop.site.text
    return place, hop.op + times, f"{described(hop.made)} from {described(hop.into)}", size, text


def _shown_in_notebook(answer: Answer) -> str:
    from whygrad.view.notebook import answer_as_html

    text = "\n".join(_lines_of(answer)) if answer.norm is not None else "" if answer.causes else answer.sentence
    return answer_as_html(answer, text)


Answer.__str__ = Answer.__repr__ = shown  # type: ignore[method-assign, assignment]
Answer._repr_html_ = _shown_in_notebook  # type: ignore[attr-defined]
