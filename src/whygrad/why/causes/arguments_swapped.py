"""arguments-swapped: a loss is given the prediction as its labels, and the labels as its prediction."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from whygrad.ops.primitive import Record
from whygrad.ops.traits import Arithmetic, Logits
from whygrad.values.tensor import Key
from whygrad.why.cause import Cause
from whygrad.why.evidence.history import outputs_of
from whygrad.why.evidence.question import Question
from whygrad.why.source.edits import Repair, replaced, unparsed
from whygrad.why.source.sites import node_at, site
from whygrad.why.source.syntax import called_name
from whygrad.why.source.wording import described, quoted

if TYPE_CHECKING:
    from whygrad.why.evidence.trace import Trace

_LOSSES = (Logits.SOFTMAX_LOSS, Logits.SIGMOID_LOSS)
_NEAR = 1e-3  # a label that is clipped, or has an epsilon added, is still taken for 0 or 1


def explain(question: Question, trace: Trace) -> Iterator[Cause]:
    """The cause, if a cross entropy on the way to the target takes the logarithm of labels, weighted with the prediction."""
    seen: set[Any] = set()
    for record in question.evidence.records:
        place = (record.code, record.instruction)
        if place not in seen and is_swapped(record, question, trace):
            seen.add(place)
            repair = _swapped(node_at(*place), record.code.co_filename)
            yield Cause(
                "arguments-swapped",
                "wrong_value",
                "the loss is given labels, all of them 0 or 1, in the place of the prediction, and the prediction in the place of labels",
                (site(*place, "labels here", described(record.inputs[-1])), question.call_site.site),
                repair.help,
                likely=True,
                edits=repair.edits,
            )


def is_swapped(record: Record, question: Question, trace: Trace) -> bool:
    """Whether an op takes labels where a loss takes the prediction, and weights them with the prediction."""
    evidence, traits = question.evidence, record.traits
    data = record.inputs[-1] if record.inputs else None
    if data is None or data in evidence.watched:
        return False
    if traits.takes_logits in _LOSSES:
        weighted = record.inputs[0] in evidence.watched and outputs_of(record)[0] in evidence.towards
    else:
        weighted = traits.is_logarithm and _weights_the_watched(outputs_of(record)[0], question)
    labels = _labels(record, trace) if weighted else None
    if labels is None:
        return False
    if traits.takes_logits is Logits.SIGMOID_LOSS:
        return True
    return _are_of_classes(labels, question, trace) and not _are_used_rightly(labels, question, trace)


def _weights_the_watched(key: Key, question: Question) -> bool:
    """Whether a constant, or its negative or a part of it, is multiplied with what the target's gradient goes through."""
    evidence = question.evidence
    pending = [key]
    while pending:
        for user in evidence.tape_history.used_by.get(pending.pop(), ()):
            if not isinstance(user, Record):
                continue
            output = outputs_of(user)[0]
            if user.traits.arithmetic is Arithmetic.PRODUCT and output in evidence.watched:
                return output in evidence.towards
            if output not in evidence.watched and len(user.inputs) == 1:
                pending.append(output)
    return False


def _labels(record: Record, trace: Trace) -> Any:
    """An op's last operand, rounded, if it holds zeros and ones, and nothing else."""
    made = trace.numerics.made(outputs_of(record)[0])
    if made is None or made.inputs[-1].size < 2:
        return None
    array = made.inputs[-1]
    nearest = np.round(array)
    is_near = bool((np.abs(array - nearest) < _NEAR).all())
    return nearest if is_near and set(np.unique(nearest)) == {0.0, 1.0} else None


def _are_of_classes(labels: Any, question: Question, trace: Trace) -> bool:
    """Whether each row has one 1, or the loss takes the logarithm of the others' labels too, `1 - labels`: a table need not be labels."""
    if labels.ndim > 1 and (labels.sum(axis=-1) == 1).all():
        return True
    logarithms = [each for each in question.evidence.records if each.traits.is_logarithm]
    return any(_is_same(_labels(each, trace), 1 - labels) for each in logarithms)


def _are_used_rightly(labels: Any, question: Question, trace: Trace) -> bool:
    """Whether they also weight the logarithm of a prediction, as in a loss that adds up both directions."""
    evidence = question.evidence
    for record in evidence.records:
        if not record.inputs or record.inputs[-1] not in evidence.watched:
            continue
        if record.traits.takes_logits in _LOSSES:
            products = [record]
        elif record.traits.is_logarithm:
            products = [
                r for r in evidence.tape_history.used_by.get(outputs_of(record)[0], ()) if isinstance(r, Record)
            ]
        else:
            continue
        given = [made for each in products if (made := trace.numerics.made(outputs_of(each)[0])) is not None]
        if any(_is_same(np.round(array), labels) for made in given for array in made.inputs):
            return True
    return False


def _is_same(array: Any, labels: Any) -> bool:
    return array is not None and array.shape == labels.shape and bool((array == labels).all())


def _swapped(node: Any, file: str) -> Repair:
    """The call of a loss with its two arguments in the other order."""
    general = Repair("give the loss its labels first, and then the prediction")
    if not isinstance(node, ast.Call) or (called_name(node) or "").startswith("log"):
        return general
    given = node.args if len(node.args) == 2 else [each.value for each in node.keywords if each.arg in _NAMES]
    if len(given) != 2 or any(isinstance(each, ast.Starred) for each in given):
        return general
    texts = [unparsed(each) for each in given]
    edits = tuple(replaced(file, each, text) for each, text in zip(given, reversed(texts)))
    return Repair(f"swap the arguments {quoted(texts[0])} and {quoted(texts[1])}", edits)


_NAMES = ("labels", "logits", "y_true", "y_pred")
