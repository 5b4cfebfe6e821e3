"""`python-callback-opaque`: a Python function under `py_function` took the value to NumPy, where no tape can follow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from whygrad.ops.primitive import Record
from whygrad.tape.gradient_tape import GradientCall
from whygrad.values.recorders import Event
from whygrad.values.tensor import Key
from whygrad.why.cause import Cause
from whygrad.why.causes.cause_of_none import cause_of_none
from whygrad.why.causes.non_differentiable_op import cut_site
from whygrad.why.evidence.history import History, Step
from whygrad.why.evidence.numerics import array_of
from whygrad.why.evidence.question import SourceQuestion
from whygrad.why.source.names import names_of
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


def explain(call: GradientCall, trace: Trace) -> Cause | None:
    """The cause, if nothing came back to a source through such a function."""
    callbacks = [record for record in call.tape.records if _runs_in_python(record)]
    if not callbacks:
        return None
    history = History(call.tape.records, ())
    for position, gradient in enumerate(call.gradients):
        if gradient is None:
            continue
        vanishes = not array_of(gradient).any()
        reached = history.descendants(call.tape._keys(call.sources[position]))
        for record in callbacks:
            left = _exit(record, reached) if vanishes or _gives_nothing(record, reached, trace) else None
            if left is not None:
                return _cause(call, position, record, left, vanishes)
    return None


def _runs_in_python(record: Record) -> bool:
    """Whether an op calls a Python function and has a gradient: then a tape of its own recorded the call."""
    return record.traits.calls_python and record.plan.primitive.no_gradient is None


def _gives_nothing(record: Record, reached: set[Key], trace: Trace) -> bool:
    """Whether a gradient arrived at the function and zeros went on to the source."""
    return any(each.record == record and each.key in reached for each in trace.numerics.vanished)


def _exit(record: Record, reached: set[Key]) -> Event | None:
    """Where an input that was computed from the source, or something computed from it, left inside the function."""
    inner: Any = record.attributes["call"]
    starts = [tensor._key for tensor, key in zip(inner.inputs, record.inputs) if key in reached]
    history = History(inner.tape.records, inner.tape.events)
    inside = history.descendants(key for key in starts if key is not None)
    return next((e for e in inner.tape.events if e.kind == "left" and e.source in inside), None)


def _cause(call: GradientCall, position: int, record: Record, left: Event, vanishes: bool) -> Cause:
    targets, sources = names_of(call)
    target = targets[0] if len(targets) == 1 else "the target"
    name = sources[position]
    return Cause(
        "python-callback-opaque",
        "zero" if vanishes else "wrong_value",
        f"the gradient of {quoted(target)} with respect to {quoted(name)} {'is zero' if vanishes else 'lacks a term'}: the "
        "function under tf.py_function takes the value to NumPy, where no tape can follow",
        (
            site(left.code, left.instruction, "left here", described(left.source)),
            site(record.code, record.instruction, "called here"),
            site(call.code, call.instruction, "asked here"),
        ),
        "write the function with tf.* ops: without .numpy() and np.* inside it, its gradient is right",
        {name: described(call.sources[position])},
    )
