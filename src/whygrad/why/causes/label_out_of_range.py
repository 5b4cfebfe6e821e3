"""A label that is none of the classes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from whygrad.ops.primitive import Record
from whygrad.ops.traits import Logits
from whygrad.runtime.call_sites import scope_of
from whygrad.values.faults import LabelOutOfRange
from whygrad.why.cause import Cause
from whygrad.why.causes.explanation import Explanation, explains
from whygrad.why.evidence.failed_op import FailedOp
from whygrad.why.evidence.history import outputs_of
from whygrad.why.evidence.numerics import array_of
from whygrad.why.source.sites import Site, site
from whygrad.why.source.wording import described, spoken

if TYPE_CHECKING:
    from whygrad.why.evidence.trace import Trace


@explains(LabelOutOfRange)
def _label(op: FailedOp, fault: LabelOutOfRange) -> Explanation | None:
    label, count = fault.label, fault.count
    labels, logits = op.operand("labels"), op.operand("logits")
    named = "the labels" if labels is None else labels.quoted
    scores = "the logits" if logits is None else logits.quoted
    sentence = f"the class id {label} in {named} lies outside 0 to {count - 1}: {scores} has {count} classes"
    counts_from_one = label == count and fault.least is not None and fault.least > 0
    if counts_from_one and labels is not None:
        help = f"if the labels count from 1, subtract 1: {labels.primary} - 1; otherwise widen the last layer"
    elif label < 0:
        zeros = "0 in its place" if labels is None else f"tf.maximum({labels.text}, 0)"
        help = (
            f"class ids run from 0. If {label} marks rows without a class, pass {zeros}, and multiply the losses of these rows by 0; if the "
            "labels begin there, shift them"
        )
    else:
        help = f"class ids run from 0 to the number of classes minus 1: shift the labels, or widen the last layer to {label + 1}"
    edits = op.with_operand(labels, "{0} - 1") if labels is not None and counts_from_one else ()
    return Explanation("label-out-of-range", sentence, help, edits=edits)


def in_loss(record: Record, trace: Trace, asked: Site) -> Iterator[Cause]:
    """The cause, if the cross entropy of a sigmoid is given labels outside 0 to 1: the loss has no lowest value, and no error shows."""
    if record.traits.takes_logits is not Logits.SIGMOID_LOSS:
        return
    made = trace.numerics.made(outputs_of(record)[0])
    if made is None or not _are_out_of_range(labels := made.inputs[0]) or _are_left_out(record, labels, trace):
        return
    scope = scope_of(record.code)
    what = scope.what if scope is not None and scope.what else spoken(record)
    least, most = labels.min(), labels.max()
    yield Cause(
        "label-out-of-range",
        "wrong_value",
        f"{what} takes labels from 0 to 1, and is given labels from {least:g} to {most:g}: for those outside, the loss has no lowest value",
        (site(record.code, record.instruction, "labels here", described(record.inputs[0])), asked),
        _for_labels(labels, float(least), float(most)),
        {"labels": described(record.inputs[0])},
    )


_NOISE = 0.25  # some programs add noise to the labels of real and fake examples on purpose


def _outside(labels: Any) -> Any:
    return (labels < -_NOISE) | (labels > 1 + _NOISE)


def _are_left_out(record: Record, labels: Any, trace: Trace) -> bool:
    """Whether no gradient comes back to the losses of labels outside 0 to 1: a mask or weights of zero drop them."""
    given = [array_of(each.g) for each in trace.numerics.watched if each.record.output is record.output]
    return bool(given) and not any(g.shape != labels.shape or g[_outside(labels)].any() for g in given)


def _are_out_of_range(labels: Any) -> bool:
    """Whether labels lie outside 0 to 1: not if one number, beside 0 and 1, marks those that are to be ignored."""
    outside = _outside(labels)
    if not outside.any():
        return False
    is_mark = len(np.unique(labels[outside])) == 1
    return not (is_mark and bool((labels == 0).any()) and bool((labels == 1).any()))


def _for_labels(labels: Any, least: float, most: float) -> str:
    """What to do about labels outside 0 to 1."""
    if len(np.unique(labels)) == 2 and most - least in (1.0, 2.0):
        shifted = f"labels - {least:g}" if least > 0 else f"labels + {-least:g}"
        return f"write the labels as 0 and 1: {shifted if most - least == 1 else f'({shifted}) / 2'}"
    if not np.mod(labels, 1).any() and least >= 0:
        return (
            "for numbers of classes, use a softmax over the classes and a sparse cross entropy; scale pixels to 0 to 1"
        )
    return "scale the labels to 0 to 1, or use a loss for quantities, such as the mean squared error"
