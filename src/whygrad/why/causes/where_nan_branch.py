"""`where-nan-branch`: an invalid value that `where` or a lookup does not choose, and that is differentiated all the same."""

from __future__ import annotations

import numpy as np

from whygrad.ops.primitive import Record
from whygrad.ops.traits import Selects
from whygrad.why.cause import Cause
from whygrad.why.evidence.history import outputs_of
from whygrad.why.evidence.nonfinite_question import NonfiniteQuestion, count, operand, value_inside
from whygrad.why.evidence.numerics import Birth
from whygrad.why.source.sites import site
from whygrad.why.source.wording import described, spoken


def backward(q: NonfiniteQuestion, birth: Birth) -> Cause | None:
    """The cause, if the rule made nan of an upstream gradient that is 0 because the element was not chosen."""
    selected = _selecting_after(q, birth)
    if selected is None:
        return None
    record = birth.record
    name = operand(record)
    return Cause(
        "where-nan-branch",
        q.symptom,
        f"{q.opening}: {spoken(selected)} hides an invalid value of {spoken(record)} at {count(birth)}, but what it does not choose is "
        "differentiated too, and 0 times infinity is nan",
        (
            site(record.code, record.instruction, "not finite here", count(birth)),
            site(selected.code, selected.instruction, "hidden here"),
            *q.asked,
        ),
        f"make the argument safe inside as well: put tf.where(condition, {name}, {value_inside(record)}) in place of {name}",
        {name: described(birth.key)},
    )


def _selecting_after(q: NonfiniteQuestion, birth: Birth) -> Record | None:
    """The `where` (or lookup) that sent the rule a cotangent of 0 at the elements that are not finite."""
    g = birth.arrays[0]
    bad = ~np.isfinite(birth.made)
    if g.shape == bad.shape:
        if g[bad].any():
            return None  # something did arrive: the slope itself is infinite
    elif g.all():
        return None
    seen = set(outputs_of(birth.record))
    pending = list(seen)
    while pending:
        for user in q.history.used_by.get(pending.pop(0), ()):
            if not isinstance(user, Record):
                continue
            if user.traits.selects is Selects.VALUES:
                return user
            pending += [key for key in outputs_of(user) if key not in seen]
            seen.update(outputs_of(user))
    return None
