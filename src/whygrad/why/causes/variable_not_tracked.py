"""variable-not-tracked: the list of sources is empty, though the target may depend on variables."""

from __future__ import annotations

from whygrad.why.cause import Cause
from whygrad.why.evidence.empty_sources import EmptySources


def explain(empty: EmptySources) -> Cause:
    """The cause of an empty list of sources, where no other was found."""
    collected = () if empty.collected is None else (empty.collected,)
    if empty.variables:
        count = len(empty.variables)
        return Cause(
            "variable-not-tracked",
            "empty",
            f"{empty.sentence}, though {empty.target} was computed from {'a variable' if count == 1 else f'{count} variables'}",
            (*empty.made[:1], *collected, empty.call_site.site),
            "put the variables into the list: an attribute that is not tracked is not among them",
            empty.shapes,
            likely=not empty.made,
        )
    return Cause(
        "variable-not-tracked",
        "empty",
        empty.sentence,
        (*collected, empty.call_site.site),
        "look at where the list of sources comes from: a layer that is not built yet has no variables, and an attribute "
        "that is not tracked is not among them",
        likely=True,
    )
