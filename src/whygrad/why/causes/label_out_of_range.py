"""A label that is none of the classes."""

from __future__ import annotations

from whygrad.values.faults import LabelOutOfRange
from whygrad.why.causes.explanation import Explanation, explains
from whygrad.why.evidence.failed_op import FailedOp


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
        help = "shift the labels, or drop the rows whose label means no class: class ids run from 0"
    else:
        help = f"class ids run from 0 to the number of classes minus 1: shift the labels, or widen the last layer to {label + 1}"
    edits = op.with_operand(labels, "{0} - 1") if labels is not None and counts_from_one else ()
    return Explanation("label-out-of-range", sentence, help, edits=edits)
