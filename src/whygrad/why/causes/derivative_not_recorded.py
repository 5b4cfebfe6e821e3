"""derivative-not-recorded: the path goes through a gradient that was taken while the tape was not recording."""

from __future__ import annotations

from whygrad.why.cause import Cause
from whygrad.why.causes.cause_of_none import cause_of_none
from whygrad.why.evidence.history import Step
from whygrad.why.evidence.question import SourceQuestion
from whygrad.why.source.sites import Site
from whygrad.why.source.wording import quoted

_HELP = "take the inner gradient inside the with block of the outer tape, so that it is recorded too"


def explain(q: SourceQuestion, step: Step) -> Cause:
    """The cause of a path that ends at a gradient."""
    place = (step.through.code, step.through.instruction)
    return cause_of_none(
        q,
        "derivative-not-recorded",
        "the path goes through a gradient that was taken while this tape was not recording, so it is a constant for this tape",
        [q.evidence.site_of_key(step.end, place, "differentiated here")],
        _HELP,
    )


def explain_target(q: SourceQuestion, taken: Site) -> Cause:
    """The cause, where the target itself is such a gradient."""
    return cause_of_none(
        q,
        "derivative-not-recorded",
        f"{quoted(q.target_name)} is a gradient that was taken while this tape was not recording",
        [taken],
        _HELP,
    )
