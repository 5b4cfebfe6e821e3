"""weights-frozen: nothing is trained, because the program froze every variable."""

from __future__ import annotations

from collections.abc import Sequence
from types import CodeType

from whygrad.runtime.call_sites import Place
from whygrad.values.variable import Variable
from whygrad.why.cause import Cause
from whygrad.why.evidence.empty_sources import EmptySources
from whygrad.why.source.names import name_given_to
from whygrad.why.source.sites import Site, site
from whygrad.why.source.wording import described, listed

_HELP = "set `trainable` of the layers that should learn to True, before the variables are collected or the model is compiled"
_MOST_NAMES = 3


def explain(empty: EmptySources) -> Cause | None:
    """The cause of an empty list of sources, if all variables that the target was computed from are frozen."""
    frozen = _frozen(empty.variables)
    if frozen is None:
        return None
    because = f"the variables that {empty.target} was computed from are frozen: {_named(empty.variables)}"
    places = (site(*frozen, "frozen here"), empty.call_site.site)
    return Cause("weights-frozen", "empty", f"{empty.sentence}, and {because}", places, _HELP, empty.shapes)


def of_model(variables: Sequence[Variable], place: tuple[CodeType, int]) -> Cause:
    """The cause why a library's step of training changed nothing: none of the model's variables is trainable."""
    frozen = _frozen(variables)
    sites: list[Site] = [] if frozen is None else [site(*frozen, "frozen here")]
    count = "the only weight" if len(variables) == 1 else f"each of the {len(variables)} weights"
    return Cause(
        "weights-frozen",
        "empty",
        f"nothing was trained: {count} of the model is frozen ({_named(variables)})",
        (*sites, site(*place, "trained here")),
        _HELP,
        {name_given_to(each) or "Variable": described(each) for each in variables[:4]},
    )


def _frozen(variables: Sequence[Variable]) -> Place | None:
    """Where variables were frozen; None if some are not."""
    places = [None if each._scope is None else each._scope.frozen for each in variables]
    return places[0] if places and all(places) else None


def _named(variables: Sequence[Variable]) -> str:
    names = [name_given_to(each) or "Variable" for each in variables]
    return (
        listed(names) if len(names) <= _MOST_NAMES else f"{', '.join(f'`{each}`' for each in names[:_MOST_NAMES])}, ..."
    )
