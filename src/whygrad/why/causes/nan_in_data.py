"""`nan-in-data`: the data hold inf or nan before anything is computed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from whygrad.why.cause import Cause
from whygrad.why.evidence.nonfinite_question import NonfiniteQuestion, count
from whygrad.why.evidence.numerics import Birth
from whygrad.why.source.sites import site
from whygrad.why.source.wording import described


def in_data(q: NonfiniteQuestion, birth: Birth) -> Cause:
    """The cause of an inf or nan that no op made."""
    made = q.came_in_at(birth.key)
    origin = [] if made is None else [site(*made, "came in here", described(birth.key))]
    what = "nan" if np.isnan(birth.arrays[0]).any() else "inf"
    name = q.name_of_variable(birth.key)
    if name is not None and not q.evidence.is_traced and q.times_asked() > 1:
        return q.cause(
            "not-finite-here",
            f"{name} held {what}, {count(birth)}, before anything was computed: an update before this call made it",
            birth,
            f"look at what {name} was updated with: a quotient, a root or a norm outside of the tape may have made it, or the step "
            "of an earlier gradient that was not finite",
        )
    cause = q.cause(
        "nan-in-data",
        f"the data hold {what}, {count(birth)}, before anything is computed",
        birth,
        "clean the data first: drop the rows or fill in what is missing (np.isfinite finds it)",
        *origin,
    )
    # The layer in which data are first used has no part in it.
    return replace(cause, sites=tuple([replace(each, scope=None) for each in cause.sites]))


def used(cause: Cause, birth: Birth) -> Cause:
    """The cause of an inf or nan that an op made before it came in as data, with the place where it was used."""
    place = site(birth.record.code, birth.record.instruction, "first used here", count(birth))
    born, *others = cause.sites
    return replace(cause, sites=(born, replace(place, scope=None), *others))
