"""`softmax-over-one-class`: softmax over an axis of length one is 1, whatever its logits are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from whygrad.ops.primitive import Record
from whygrad.ops.traits import Logits
from whygrad.why.cause import Cause
from whygrad.why.evidence.history import History, outputs_of
from whygrad.why.evidence.numerics import Pulled, Seen
from whygrad.why.evidence.question import Question
from whygrad.why.evidence.zero_question import ZeroQuestion, first_operand
from whygrad.why.source.edits import Repair, rewritten
from whygrad.why.source.sites import Site, site
from whygrad.why.source.wording import described, spoken

_SOFTMAXES = (Logits.SOFTMAX, Logits.LOG_SOFTMAX)


def _has_one_class(record: Record) -> bool:
    """Whether a softmax is taken over an axis of length one."""
    shape = record.inputs[-1].shape
    axis = record.attributes.get("axis", -1)
    return bool(shape) and isinstance(axis, int) and shape[axis] == 1


def on_every_way(q: ZeroQuestion) -> Cause | None:
    """The cause of a zero, if every way from the source to the target leads through such a softmax."""
    towards = q.history.towards(q.target_keys)
    single = [
        record
        for record in q.evidence.records
        if record.traits.takes_logits in _SOFTMAXES
        and _has_one_class(record)
        and record.inputs[0] in q.reached
        and outputs_of(record)[0] in towards
    ]
    if not single:
        return None
    constant = {id(record) for record in single}
    others = [record for record in q.evidence.records if id(record) not in constant]
    around = History(others, ()).descendants(q.keys)
    return None if any(key in around for key in q.target_keys) else _constant(q, single[0])


def vanished(q: ZeroQuestion, pulled: Pulled) -> Cause | None:
    """The cause of a zero, if the cotangent vanished at such a softmax."""
    record = pulled.record
    return _constant(q, record) if record.traits.takes_logits in _SOFTMAXES and _has_one_class(record) else None


def _constant(q: ZeroQuestion, record: Record) -> Cause:
    sigmoid = None
    if record.traits.takes_logits is Logits.SOFTMAX:
        sigmoid = rewritten(record.code, record.instruction, "tf.sigmoid({0})", 0)
    return q.cause(
        "softmax-over-one-class",
        f"softmax over one class is 1, whatever {first_operand(record)} is",
        record,
        "constant here",
        Repair(
            "use tf.sigmoid for a single output, or give softmax one output for each class",
            () if sigmoid is None else sigmoid.edits,
        ),
        record.inputs[0],
    )


def of_zeros(question: Question, position: int, _: Seen) -> Cause | None:
    """The cause, if one gradient is zero and a loss takes logits of one class that were computed from its source."""
    evidence = question.evidence
    reached = evidence.tape_history.descendants(evidence.read_values_of(question.call.sources[position]))
    records = [each for each in evidence.records if each.inputs and each.inputs[-1] in reached]
    found = (cause for each in records for cause in in_loss(each, question.call_site.site))
    return next((replace(cause, symptom="zero") for cause in found), None)


def beside_loss(record: Record, history: History, asked: Site) -> Iterator[Cause]:
    """The cause, if a loss trains logits for a sigmoid, of which the program takes a softmax over one class: what it predicts is 1.

    Keras's binary cross entropy goes back to the logits, so that such a model learns, and predicts 1 all the same.
    """
    if record.traits.takes_logits is not Logits.SIGMOID_LOSS:
        return
    for user in history.used_by.get(record.inputs[-1], ()):
        if isinstance(user, Record) and user.traits.takes_logits in _SOFTMAXES and _has_one_class(user):
            yield Cause(
                "softmax-over-one-class",
                "wrong_value",
                "softmax over one class is 1, whatever its logits are: the loss trains the logits for a sigmoid, and the prediction is 1",
                (site(user.code, user.instruction, "constant here", described(user.inputs[0])), asked),
                "use a sigmoid for a single output, or give softmax one output for each class",
                {"logits": described(user.inputs[0])},
            )
            return


def in_loss(record: Record, asked: Site) -> Iterator[Cause]:
    """The cause, if a loss takes logits of one class: its value is 0 and no error shows."""
    if record.traits.takes_logits is Logits.SOFTMAX_LOSS and _has_one_class(record):
        yield Cause(
            "softmax-over-one-class",
            "wrong_value",
            f"{spoken(record)} is given logits with one class, {record.inputs[-1].shape}: their softmax is 1, whatever they are",
            (site(record.code, record.instruction, "constant here", described(record.inputs[-1])), asked),
            "use tf.nn.sigmoid_cross_entropy_with_logits for a single output, or give softmax one output for each class",
            {"logits": described(record.inputs[-1])},
        )
