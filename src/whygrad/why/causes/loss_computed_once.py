"""loss-computed-once: step after step a persistent tape is asked for the gradient of one and the same target."""

from __future__ import annotations

from typing import TYPE_CHECKING

from whygrad.ops.primitive import Record
from whygrad.values.tensor import Key
from whygrad.values.variable import Variable
from whygrad.why.cause import Cause
from whygrad.why.evidence.question import Question
from whygrad.why.source.sites import site
from whygrad.why.source.wording import described, quoted

if TYPE_CHECKING:
    from whygrad.why.evidence.trace import Trace

_STEPS = 3  # updates after which the target is still the old one


def explain(question: Question, trace: Trace) -> Cause | None:
    """The cause, if the sources have changed again and again since the target was computed, and its gradient is taken once more."""
    call = question.call
    if trace.times_asked(call) <= _STEPS or trace.repeats_of(call) != _STEPS:
        return None
    changed = next((i for i, each in enumerate(call.sources) if _has_changed(each, question, trace)), None)
    target = call.key_of(call.targets[0])
    made = None if target is None else question.evidence.history.made_by.get(target)
    if changed is None or made is None:
        return None
    return Cause(
        "loss-computed-once",
        "wrong_value",
        f"every step takes the same gradient: {quoted(question.target_name)} was computed once, and {quoted(question.source_names[changed])} "
        "has changed since",
        (
            question.call_site.site.as_role("asked again here"),
            site(made.code, made.instruction, "computed once, here", described(target)),
        ),
        "compute the target anew in each step: put the with block inside the loop, and take the gradient after the block",
    )


def _has_changed(source: object, question: Question, trace: Trace) -> bool:
    """Whether a variable took a new value before each of the last calls, none of which the tape read."""
    if not isinstance(source, Variable):
        return False
    last, read = trace.values_of(source)[-_STEPS:], question.evidence.read_values_of(source)
    return len(last) == _STEPS and set(last).isdisjoint(read) and not _is_tried(source, set(read), trace)


def _is_tried(variable: Variable, read: set[Key], trace: Trace) -> bool:
    """Whether the last value was computed from one that the tape read, as a line search does for each step size, or perhaps so in NumPy."""
    change = trace.last_change_of(variable)
    if change is None or change.source is None:
        return True
    made_by, pending, seen = trace.history().made_by, [change.source], {change.source}
    while pending:
        maker = made_by.get(pending.pop())
        new = [key for key in maker.inputs if key not in seen] if isinstance(maker, Record) else []
        seen.update(new)
        pending += new
    return not seen.isdisjoint(read)
