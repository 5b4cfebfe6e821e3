"""Where the ways from a target to a source end, when the gradient of that source is zero everywhere.

A way ends at a rule that turns its cotangent into zeros, or at a value for which several cotangents arrive that cancel.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable
from typing import NamedTuple

from whygrad.ops.primitive import Record
from whygrad.values.tensor import Key
from whygrad.why.evidence.history import History, outputs_of
from whygrad.why.evidence.numerics import Numerics, Pulled


class DeadEnds(NamedTuple):
    """How every way from the target to a source came to nothing."""

    vanished: list[Pulled]  # the rules at which a way ended, in the order of the sweep
    cancelled: list[Key]  # the values for which cotangents arrived that add up to zero


def dead_ends(history: History, sources: Iterable[Key], numerics: Numerics) -> DeadEnds:
    """The ends of all ways to sources whose gradients are zero; each way is followed from the source towards the target."""
    vanished = {(pulled.record.output, pulled.key): pulled for pulled in numerics.vanished}
    pending = deque(sources)
    seen = set(pending)
    ended: set[tuple[object, Key]] = set()
    cancelled: list[Key] = []
    while pending:
        key = pending.popleft()
        arrived = contributions(history, key, numerics)
        if any(size != 0.0 for _, size in arrived):
            cancelled.append(key)
        for record, size in arrived:
            if size != 0.0:
                continue
            if (record.output, key) in vanished:
                ended.add((record.output, key))
                continue
            for output in outputs_of(record):
                if output not in seen:
                    seen.add(output)
                    pending.append(output)
    return DeadEnds([pulled for edge, pulled in vanished.items() if edge in ended], cancelled)


def contributions(history: History, key: Key, numerics: Numerics) -> list[tuple[Record, float]]:
    """The ops that gave a value a cotangent, each with the norm of what it gave, in the order of the sweep."""
    users = {id(user): user for user in history.used_by.get(key, ()) if isinstance(user, Record)}
    found = [(user, numerics.arrived.get((user.output, key))) for user in reversed(users.values())]
    return [(user, math.sqrt(size)) for user, size in found if size is not None]
