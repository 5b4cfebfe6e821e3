"""`tape-keeps-growing`: a persistent tape that is asked again and again inside its block holds everything since it was opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from whygrad.why.cause import Cause
from whygrad.why.evidence.question import Question

if TYPE_CHECKING:
    from whygrad.why.evidence.trace import Trace


def explain(question: Question, trace: Trace) -> Cause | None:
    """The cause, if the tape holds many times the ops that it held at the first call of gradient."""
    times, first, now = trace.growth_of(question.call)
    if times < 10 or now < 1000 or now < 5 * first:
        return None
    return Cause(
        "tape-keeps-growing",
        "wrong_value",
        f"gradients of this persistent tape were taken {times} times while it was recording, and it now holds {now:,} ops, "
        "including those of the gradients: each step is slower than the one before and takes more memory",
        (question.call_site.site.as_role("asked again and again here"),),
        "open a new tape for each step: put the with block inside the loop, and take the gradient after the block",
        likely=True,
    )
