"""`python-callback-opaque`: a Python function under `py_function` took the value to NumPy, where no tape can follow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from whygrad.ops.primitive import Record
from whygrad.values.recorders import Event
from whygrad.values.tensor import Key
from whygrad.why.cause import Cause
from whygrad.why.causes.cause_of_none import cause_of_none
from whygrad.why.causes.non_differentiable_op import cut_site
from whygrad.why.evidence.history import Step
from whygrad.why.evidence.numerics import Seen, array_of
from whygrad.why.evidence.python_calls import exit_inside
from whygrad.why.evidence.question import Question, SourceQuestion
from whygrad.why.source.sites import site
from whygrad.why.source.wording import described, quoted

if TYPE_CHECKING:
    from whygrad.why.evidence.trace import Trace


def explain_cut(q: SourceQuestion, step: Step) -> Cause | None:
    """The cause of a None, if the path ends at a function that computes in NumPy."""
    if not isinstance(step.through, Record) or not step.through.traits.calls_python:
        return None
    if step.through.plan.primitive.no_gradient is None:
        return None
    return cause_of_none(
        q,
        "python-callback-opaque",
        "tf.numpy_function computes in NumPy, where no tape can follow",
        [cut_site(step)],
        "write the function with tf.* ops and call it directly, or give it a gradient with tf.custom_gradient",
    )


def explain(question: Question, trace: Trace) -> Cause | None:
    """The cause, if nothing came back to a source through such a function."""
    callbacks = [record for record in question.evidence.records if _runs_in_python(record)]
    if not callbacks:
        return None
    history = question.evidence.tape_history
    for position, gradient in enumerate(question.call.gradients):
        if gradient is None:
            continue
        vanishes = not array_of(gradient).any()
        reached = history.descendants(question.evidence.read_values_of(question.call.sources[position]))
        for record in callbacks:
            left = exit_inside(record, reached) if vanishes or _gives_nothing(record, reached, trace) else None
            if left is not None:
                return _cause(question, position, record, left, vanishes)
    return None


def of_zeros(question: Question, position: int, _: Seen) -> Cause | None:
    """The cause, if one gradient is zero and such a function took to NumPy what was computed from its source."""
    history = question.evidence.tape_history
    reached = history.descendants(question.evidence.read_values_of(question.call.sources[position]))
    for record in filter(_runs_in_python, question.evidence.records):
        left = exit_inside(record, reached)
        if left is not None:
            return _cause(question, position, record, left, vanishes=True)
    return None


def _runs_in_python(record: Record) -> bool:
    """Whether an op calls a Python function and has a gradient: then a tape of its own recorded the call."""
    return record.traits.calls_python and record.plan.primitive.no_gradient is None


def _gives_nothing(record: Record, reached: set[Key], trace: Trace) -> bool:
    """Whether a gradient arrived at the function and zeros went on to the source."""
    return any(each.record == record and each.key in reached for each in trace.numerics.vanished)


def _cause(question: Question, position: int, record: Record, left: Event, vanishes: bool) -> Cause:
    target, sources = question.target_name, question.source_names
    name = sources[position]
    return Cause(
        "python-callback-opaque",
        "zero" if vanishes else "wrong_value",
        f"the gradient of {quoted(target)} with respect to {quoted(name)} {'is zero' if vanishes else 'lacks a term'}: the "
        "function under tf.py_function takes the value to NumPy, where no tape can follow",
        (
            site(left.code, left.instruction, "left here", described(left.source)),
            site(record.code, record.instruction, "called here"),
            question.call_site.site,
        ),
        "write the function with tf.* ops: without .numpy() and np.* inside it, its gradient is right",
        {name: described(question.call.sources[position])},
    )
