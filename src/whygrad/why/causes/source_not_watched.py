"""source-not-watched: the source is a plain tensor that the tape did not watch when it was used."""

from __future__ import annotations

import ast
from typing import Any

from whygrad.ops.primitive import Record
from whygrad.values.tensor import Key
from whygrad.values.variable import Variable
from whygrad.why.cause import Cause
from whygrad.why.causes import computed_outside_tape, variable_overwritten_by_tensor
from whygrad.why.causes.cause_of_none import cause_of_none
from whygrad.why.evidence.history import Step, outputs_of
from whygrad.why.evidence.question import SourceQuestion
from whygrad.why.source import syntax
from whygrad.why.source.edits import Repair
from whygrad.why.source.sites import Site, site, site_of
from whygrad.why.source.wording import described, quoted


def explain(q: SourceQuestion, step: Step) -> Cause:
    """The cause of a path that begins with an op on a value that the tape did not watch."""
    if isinstance(q.source, Variable):
        return computed_outside_tape.explain(q, step)
    record: Any = step.through
    used, watch = _used_at(q, record), f"{q.call_site.tape_name}.watch({q.name})"
    watched_first = q.call_site.first_in_tape(watch, q.name)
    watched = _watched_at(q, step.start)
    if watched is not None:
        return cause_of_none(
            q,
            "source-not-watched",
            "the tape began to watch it only after it had been used",
            [watched, used],
            Repair(f"call {watch} first in the with block", watched_first),
        )
    copies = [each for each in q.evidence.records if step.start in each.inputs]
    made, watched = next(
        ((copy, at) for copy in copies if (at := _watched_at(q, outputs_of(copy)[0])) is not None), (None, None)
    )
    if made is not None:
        return cause_of_none(
            q,
            "source-not-watched",
            f"the tape watches a tensor derived from {quoted(q.name)}, not {quoted(q.name)} itself",
            [watched, _made_elsewhere(made, watched)],
            Repair(f"watch the source tensor itself: {watch}", watched_first),
        )
    return variable_overwritten_by_tensor.explain(q, step.start) or cause_of_none(
        q,
        "source-not-watched",
        "it is a plain tensor, which the tape does not watch",
        [used, q.call_site.tape_made_at()],
        Repair(f"call {watch} at the start of the with block, or make it a tf.Variable", watched_first),
    )


def _watched_at(q: SourceQuestion, key: Key) -> Site | None:
    """Where the tape began to watch a tensor."""
    at = q.evidence.watched_at(key)
    return None if at is None else site(*at, "watched here")


def _made_elsewhere(record: Record, watched: Site | None) -> Site | None:
    """Where a watched tensor was made, if not on the line on which it was watched."""
    made = site(record.code, record.instruction, "made here", described(outputs_of(record)[0]))
    return None if watched is not None and made.line == watched.line else made


def _used_at(q: SourceQuestion, record: Record) -> Site:
    """Where the source is first used: in the function that opens the tape, even if it calls another that runs the op."""
    record = next((each for each in q.evidence.records if any(key in q.keys for key in each.inputs)), record)
    place = site(record.code, record.instruction, "used here")
    if record.code is q.call.code or q.call_site.scope is None:
        return place
    return _first_mention(q) or q.call_site.tape_made_at() or place


def _first_mention(q: SourceQuestion) -> Site | None:
    """The first call in the tape's block with an argument that mentions the source by its name."""
    name = q.name.split("[")[0]
    for block in q.call_site.tape_blocks():
        for statement in block.body:
            for node in ast.walk(statement):
                if not isinstance(node, ast.Call) or syntax.called_name(node) == "watch":
                    continue
                if any(
                    isinstance(part, ast.Name | ast.Attribute) and ast.unparse(part) == name
                    for argument in (*node.args, *[k.value for k in node.keywords])
                    for part in ast.walk(argument)
                ):
                    return site_of(node, q.call_site.file, "used here")
    return None
