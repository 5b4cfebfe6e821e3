"""`normalized-over-one`: values normalised over a single element, as by batch normalization with a batch of one."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from whygrad.ops.primitive import Record
from whygrad.ops.traits import Arithmetic, Reduction
from whygrad.values.tensor import Key
from whygrad.why.cause import Cause
from whygrad.why.evidence.history import History, outputs_of
from whygrad.why.evidence.zero_question import ZeroQuestion, first_operand, operand


def explain(q: ZeroQuestion) -> Cause | None:
    """The cause, if all ways from the source go through the difference of one element from its own mean, which is 0."""
    record = _mean_of_one(q.history, q.keys, q.target_keys)
    if record is None:
        return _share_of_one(q)
    return q.cause(
        "normalized-over-one",
        f"{first_operand(record)} is normalized over {_axis_of(record)}, which holds one element: its mean is that element, so the difference is "
        "always 0",
        record,
        "mean of one here",
        "normalize over more than one element: a larger batch, another axis, or the moving statistics",
        record.inputs[0],
    )


def _axis_of(record: Record) -> str:
    axes = record.attributes["axis"]
    return f"axis {axes[0]}" if len(axes) == 1 else f"axes {', '.join(map(str, axes))}"


def _share_of_one(q: ZeroQuestion) -> Cause | None:
    """The cause, if all ways from the source go through the quotient of one element and its own sum, which is 1."""
    towards = q.history.towards(q.target_keys)
    for record in q.history.records:
        if record.traits.arithmetic is not Arithmetic.QUOTIENT or record.output not in towards:
            continue
        part, whole = record.inputs
        summed = q.history.made_by.get(whole)
        if not isinstance(summed, Record) or summed.inputs[0] is not part or part not in q.reached:
            continue
        if _is_over_one(summed, _TOTALS) and not _leads_past(q, record):
            long = [axis for axis, size in enumerate(part.shape) if size > 1]
            along = f"sum over axis {long[0]}, with keepdims=True" if len(long) == 1 else "sum over another axis"
            return q.cause(
                "normalized-over-one",
                f"{operand(record, part)} is divided by its own sum over {_axis_of(summed)}, which holds one element: the quotient is "
                "always 1",
                record,
                "always 1 here",
                f"{along}, along which the quotients are to add up to 1",
                part,
            )
    return None


def _leads_past(q: ZeroQuestion, without: Record) -> bool:
    """Whether a way leads from the source to the target that does not go through an op."""
    others = [record for record in q.history.records if record is not without]
    return not History(others, ()).descendants(q.keys).isdisjoint(q.target_keys)


def is_averaged(q: ZeroQuestion, key: Key) -> bool:
    """Whether a mean over one element is taken of a value: the difference from it cancels, and other ways count by themselves."""
    return any(isinstance(user, Record) and _averages_one(user) for user in q.history.used_by.get(key, ()))


def _mean_of_one(history: History, sources: list[Key], targets: list[Key]) -> Record | None:
    """The mean over one element that leaves nothing: all ways from the sources go through the difference from it.

    That difference is 0 whatever the element is, and so is the variance.
    """
    towards = history.towards(targets)
    reached = history.descendants(sources)
    for record in history.records:
        if not _averages_one(record) or record.inputs[0] not in reached or outputs_of(record)[0] not in towards:
            continue
        x = record.inputs[0]
        if _is_normalised(history, x, towards) and not _leads_around(history, x, sources, targets):
            return record
    return None


def _averages_one(record: Record) -> bool:
    return _is_over_one(record, (Reduction.MEAN, Reduction.VARIANCE))


_TOTALS = (Reduction.SUM, Reduction.MEAN)


def _is_over_one(record: Record, reductions: tuple[Reduction, ...]) -> bool:
    """Whether an op reduces axes that hold one element."""
    if record.traits.reduces not in reductions:
        return False
    count = math.prod(record.inputs[0].shape)
    return bool(record.attributes.get("axis")) and count > 0 and count == math.prod(outputs_of(record)[0].shape)


def _users(history: History, key: Key, towards: Iterable[Key]) -> Iterator[Record]:
    """The ops that use a value on the way to the target."""
    for user in history.used_by.get(key, ()):
        if isinstance(user, Record) and any(output in towards for output in outputs_of(user)):
            yield user


def _is_normalised(history: History, x: Key, towards: Iterable[Key]) -> bool:
    """Whether a value is only used for its mean and variance over one element, and together with those."""
    users = list(_users(history, x, towards))
    moments = [user for user in users if _averages_one(user)]
    others = [user for user in users if not _averages_one(user)]
    if not any(each.traits.reduces is Reduction.MEAN for each in moments) or not others:
        return False
    computed = history.descendants(key for each in moments for key in outputs_of(each))
    return all(
        each.traits.arithmetic in _WITH_THE_MEAN and any(key in computed for key in each.inputs if key is not x)
        for each in others
    )


_WITH_THE_MEAN = (Arithmetic.DIFFERENCE, Arithmetic.SQUARED_DIFFERENCE, Arithmetic.PRODUCT)


def _leads_around(history: History, x: Key, sources: list[Key], targets: list[Key]) -> bool:
    """Whether a way leads from the sources to the targets beside a value."""
    others = [record for record in history.records if x not in record.inputs]
    return not History(others, ()).descendants(sources).isdisjoint(targets)
