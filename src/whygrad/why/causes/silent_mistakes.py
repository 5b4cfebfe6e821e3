"""Mistakes without a sign: the number looks like any other, and only the way it was computed shows the mistake."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from whygrad.why.cause import Cause
from whygrad.why.causes import (
    arguments_swapped,
    custom_gradient_ignores_upstream,
    degenerate_eigenvectors,
    double_softmax,
    examples_mixed,
    half_precision_range,
    label_out_of_range,
    lost_term,
    misaligned_broadcast,
    missing_contributions,
    non_scalar_target_summed,
    normalized_axis,
    partial_numpy_conversion,
    silent_broadcast,
    singular_matrix,
    softmax_over_one_class,
    source_is_a_copy,
)
from whygrad.why.evidence.history import outputs_of
from whygrad.why.evidence.question import Question

if TYPE_CHECKING:
    from whygrad.why.evidence.trace import Trace


def explain(question: Question, trace: Trace) -> Iterator[Cause]:
    """Everything of this kind in the program around a call of gradient."""
    history = trace.history()
    yield from silent_broadcast.broadcasts(question, history, constants=True)
    yield from misaligned_broadcast.explain(question, trace)
    yield from _of_normalisations(question, trace)
    yield from arguments_swapped.explain(question, trace)
    yield from degenerate_eigenvectors.explain(question, trace)
    yield from singular_matrix.passed(question, trace)
    yield from examples_mixed.explain(question, trace)
    yield from non_scalar_target_summed.explain_by_name(question)
    yield from custom_gradient_ignores_upstream.explain(question, trace)
    yield from missing_contributions.explain(question, history, trace)
    yield from partial_numpy_conversion.explain(question, trace)
    yield from lost_term.explain(question, trace)
    yield from half_precision_range.rounded(question, trace)
    yield from source_is_a_copy.rebound(question)


def _of_normalisations(question: Question, trace: Trace) -> Iterator[Cause]:
    """What is wrong with the softmaxes and norms that lead to the target."""
    asked = question.call_site.site
    records = [r for r in question.evidence.records if r.kept is not None and normalized_axis.may_normalise(r.traits)]
    if not records:
        return
    history = question.evidence.tape_history
    towards = history.towards(question.evidence.differentiated_targets)
    for record in records:
        if outputs_of(record)[0] in towards and not arguments_swapped.is_swapped(record, question, trace):
            yield from double_softmax.explain(record, history, trace, asked)
            yield from softmax_over_one_class.in_loss(record, asked)
            yield from softmax_over_one_class.beside_loss(record, history, asked)
            yield from label_out_of_range.in_loss(record, trace, asked)
            yield from normalized_axis.explain(question, record, history, trace, asked)
