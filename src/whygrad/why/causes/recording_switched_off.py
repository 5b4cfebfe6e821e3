"""recording-switched-off: the tape does not watch the variable, by `trainable=False` or `watch_accessed_variables=False`."""

from __future__ import annotations

from whygrad.why.cause import Cause
from whygrad.why.causes.cause_of_none import cause_of_none
from whygrad.why.evidence.question import SourceQuestion
from whygrad.why.source.edits import Repair
from whygrad.why.source.sites import site


def explain(q: SourceQuestion) -> Cause | None:
    """The cause, if the source is a variable that was read and not watched."""
    read = q.evidence.read_unwatched_at(q.source)
    if read is None:
        return None
    watch = f"{q.call_site.tape_name}.watch({q.name})"
    watched_first = q.call_site.first_in_tape(watch, q.name)
    if not q.source.trainable:
        trainable = q.call_site.with_trainable_sources()
        return cause_of_none(
            q,
            "recording-switched-off",
            "the variable was made with trainable=False, so the tape does not watch it",
            [q.defined_at],
            trainable
            or (
                "make it trainable, or leave it out of the sources"
                if q.is_named_by_library
                else Repair(f"make it trainable, or call {watch} before it is used", watched_first)
            ),
        )
    return cause_of_none(
        q,
        "recording-switched-off",
        "the tape has watch_accessed_variables=False and does not watch it",
        [q.call_site.tape_made_at("switched off here"), site(*read, "read here")],
        Repair(
            f"call {watch} at the start of the with block, or leave out watch_accessed_variables=False", watched_first
        ),
    )
