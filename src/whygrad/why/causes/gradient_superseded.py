"""gradient-not-applied: gradients that a loop takes, and that the next turn replaces: only the last ones are applied."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from whygrad.values.recorders import Event
from whygrad.why.cause import Cause
from whygrad.why.causes.gradient_dropped import names_read, parts_of_update
from whygrad.why.evidence.call_evidence import Place
from whygrad.why.evidence.trace import Trace
from whygrad.why.source import syntax
from whygrad.why.source.kept_values import kept_at
from whygrad.why.source.sites import node_at, site

_TIMES = 2  # that gradients were replaced before anything used them, after which that is no accident


def explain(trace: Trace) -> Iterator[Cause]:
    """The causes: of loops that run over data, and whose update stands behind them."""
    for place, superseded in trace.updates.superseded().items():
        times = trace.times_at(place)
        kept = kept_at(trace.stack_of(superseded.key)) or place
        loop = _loop_that_only_takes(kept)
        if superseded.times < _TIMES or loop is None:
            continue
        update = _update_after(loop, kept, superseded.number, trace)
        if update is None:
            continue
        yield Cause(
            "gradient-not-applied",
            "wrong_value",
            f"the update stands after the loop: of {times} gradients that were taken, {superseded.times} were replaced by the next one before "
            "anything used them",
            (site(*update, "updated here, after the loop"), site(*kept, "taken here")),
            "move the update into the loop, after the gradients are taken; or add the gradients up, and apply the sum",
            likely=True,
        )


def _loop_that_only_takes(place: Place) -> ast.For | None:
    """The loop around a place, if its turns differ in what it runs over, none of them ends it, and none reads what it gives a name here."""
    node = node_at(*place)
    loop = None if node is None else next((each for each in syntax.around(node) if isinstance(each, ast.For)), None)
    if loop is None or syntax.scope_of(loop) is not syntax.scope_of(node):
        return None
    body = [each for statement in loop.body for each in ast.walk(statement)]
    if any(isinstance(each, ast.Break) for each in body):
        return None  # it looks for something, and the last turn found it
    given = {ast.unparse(target) for target, _ in syntax.bindings(syntax.statement_of(node))}
    read = {each.id for each in body if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)}
    turns = {each.id for each in syntax.written_targets(loop.target) if isinstance(each, ast.Name)}
    # Without a name, as in `gradients.append(tape.gradient(loss, w))`, all of them are kept.
    return loop if given and turns & read and not given & read else None


def _update_after(loop: ast.For, taken: Place, number: int, trace: Trace) -> Place | None:
    """The update behind a loop, in the same function, with what a statement of the loop gives a name."""
    reached = syntax.Flow([taken[0].co_filename]).reached_from(node_at(*taken))
    event: Event
    for event in reversed(trace.events):
        if event.kind != "assigned" or event.source is None or number not in trace.updates.behind(event.source):
            continue
        node: Any = node_at(event.code, event.instruction)
        if node is None or syntax.scope_of(node) is not syntax.scope_of(loop):
            return None
        is_behind = node.lineno > (loop.end_lineno or 0) and loop not in syntax.around(node)
        reads = any(each in reached for part in parts_of_update(node) for each in names_read(part))
        return (event.code, event.instruction) if is_behind and reads else None
    return None
