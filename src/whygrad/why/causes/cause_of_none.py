"""The common form of every cause of a None: how its sentence begins, and the call of `gradient` as its last site."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from whygrad.values.variable import Variable
from whygrad.why.cause import Cause
from whygrad.why.evidence.question import SourceQuestion
from whygrad.why.source.edits import Repair
from whygrad.why.source.names import names_of_variables
from whygrad.why.source.sites import Site
from whygrad.why.source.wording import described, listed, quoted


def cause_of_none(
    q: SourceQuestion, kind: str, because: str, sites: Iterable[Site | None], help: str | Repair, likely: bool = False
) -> Cause:
    """A cause of the None that a source got; `because` is the second half of its sentence."""
    derivative = q.derivative
    # `batch_jacobian` gives zeros, as in TensorFlow, whether they were asked for or not.
    is_untaken = q.position in q.call.untaken
    is_none = q.call.filled is None and derivative != "batch jacobian" and not is_untaken
    outcome = "is None" if is_none else "is zero" if q.is_of_function or is_untaken else "is zero, in place of None"
    sentence = f"the {derivative} of {quoted(q.target_name)} with respect to {quoted(q.name)} {outcome}: {because}"
    places: list[Site] = []
    for each in sites:
        if each is not None and all((each.file, each.line, each.text) != (p.file, p.line, p.text) for p in places):
            places.append(each)
    repair = help if isinstance(help, Repair) else Repair(help)
    shapes = {q.name: described(q.source)}
    words = [sentence, repair.help]
    if derivative == "tangent":
        words = [each.replace("the tape", "the accumulator").replace("the sources", "the primals") for each in words]
    return Cause(kind, "none", words[0], (*places, q.call_site.site), words[1], shapes, likely, repair.edits)


def or_zeros_if_meant(q: SourceQuestion) -> str:
    """How a help ends for a program that may mean zero; "" where zeros would only hide that none of its variables is trained."""
    if q.is_of_function:
        return "; or leave it as it is, if zero is what you mean"
    if all(isinstance(each, Variable) for each in q.call.sources) and all(each is None for each in q.call.gradients):
        return ""
    return '; or pass unconnected_gradients="zero" if zero is what you mean'


def other_variables(q: SourceQuestion) -> list[Variable]:
    """The watched variables other than the source that the target depends on."""
    evidence = q.evidence
    return [
        variable
        for variable, values in evidence.watched_variables.items()
        if variable is not q.source and any(key in evidence.towards for key in values)
    ]


def names_of_others(q: SourceQuestion, without: Sequence[Any] = ()) -> str:
    """The first of these variables, as the program names them; "" where there is none or none has a name."""
    others = [each for each in other_variables(q) if all(each is not one for one in without)]
    names = names_of_variables(q.call, others[:4])
    return listed(names) if names else ""
