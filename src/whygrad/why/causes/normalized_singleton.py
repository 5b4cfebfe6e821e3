"""Zeros because something was normalised over a single element, as by batch normalization with a batch of one."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from whygrad.ops.primitive import Record
from whygrad.values.tensor import Key
from whygrad.why.evidence.history import History, outputs_of


def over_one_element(history: History, sources: list[Key], targets: list[Key]) -> Record | None:
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
    if record.plan.primitive.name not in ("reduce_mean", "reduce_variance"):
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
    if not any(each.plan.primitive.name == "reduce_mean" for each in moments) or not others:
        return False
    computed = history.descendants(key for each in moments for key in outputs_of(each))
    return all(
        each.plan.primitive.name in ("subtract", "squared_difference", "multiply")
        and any(key in computed for key in each.inputs if key is not x)
        for each in others
    )


def _leads_around(history: History, x: Key, sources: list[Key], targets: list[Key]) -> bool:
    """Whether a way leads from the sources to the targets beside a value."""
    others = [record for record in history.records if x not in record.inputs]
    return not History(others, ()).descendants(sources).isdisjoint(targets)
