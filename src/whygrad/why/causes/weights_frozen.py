"""weights-frozen: variables are not trained, because the program froze them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from types import CodeType

from whygrad.runtime.call_sites import Place, Scope
from whygrad.values.variable import Variable
from whygrad.why.cause import Cause
from whygrad.why.evidence.empty_sources import EmptySources
from whygrad.why.evidence.question import Question
from whygrad.why.evidence.trace import Trace
from whygrad.why.source import syntax
from whygrad.why.source.names import name_given_to
from whygrad.why.source.sites import Site, argument_node, site
from whygrad.why.source.wording import described, listed, quoted

_HELP = (
    "set `trainable = True` on the layers that should learn and on the models that hold them, before the variables are collected or the "
    "model is compiled"
)
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
    frozen = [at for each in variables if each._scope is not None and (at := _frozen_at(each._scope)) is not None]
    sites: list[Site] = [site(*each, "frozen here") for each in frozen[:1]]
    count = "the only weight" if len(variables) == 1 else f"each of the {len(variables)} weights"
    return Cause(
        "weights-frozen",
        "empty",
        f"nothing was trained: {count} of the model is frozen ({_named(variables)})",
        (*sites, site(*place, "trained here")),
        _HELP,
        {name_given_to(each) or "Variable": described(each) for each in variables[:4]},
    )


def thawed_too_late(question: Question, trace: Trace) -> Iterator[Cause]:
    """The causes why variables that the target was computed from are not trained: they were made trainable after that was decided.

    A cause stands until some call gives the variable a gradient.
    """
    if _are_collected_here(question):
        return  # the variables that are trainable now, or a part of them that the program chooses
    sources = {id(each) for each in question.call.sources}
    for variable in question.evidence.read_variables:
        scope = variable._scope
        if scope is None or scope.thawed is None or scope.frozen is not None or id(variable) in sources:
            continue
        if variable.trainable and not trace.was_given(variable):  # not, for instance, a moving average
            cause = _thawed_too_late(question, variable, scope.thawed)
            trace.stands_until_given(cause, variable)
            yield cause


def _are_collected_here(question: Question) -> bool:
    """Whether the program collects the sources anew for this call: `tape.gradient(loss, model.trainable_variables)`."""
    code, instruction = question.call.code, question.call.instruction
    sources = argument_node(code, instruction, 1, "sources")
    if isinstance(sources, ast.Name):
        found = syntax.assignment_before(syntax.scope_of(sources), sources.id, sources.lineno)
        step = next(
            (each for each in syntax.around(sources) if isinstance(each, ast.For | ast.While | syntax.Function)), None
        )
        if found is None or step is None or step not in syntax.around(found[0]):
            return False  # collected once, perhaps before the change
        sources = found[1]
    return sources is not None and any(syntax.last_name(each) in _COLLECTIONS for each in ast.walk(sources))


_COLLECTIONS = ("trainable_variables", "trainable_weights")


def _thawed_too_late(question: Question, variable: Variable, thawed: Place) -> Cause:
    name = name_given_to(variable) or "Variable"
    return Cause(
        "weights-frozen",
        "wrong_value",
        f"{quoted(name)} was made trainable, but is not trained: the trained variables were collected before, while it was frozen",
        (site(*thawed, "made trainable here"), question.call_site.site),
        "call `compile` again after a change of `trainable`; in a loop of your own, collect `trainable_variables` again, and trace the step "
        "anew",
        {name: described(variable)},
    )


def is_trainable(variable: Variable) -> bool:
    """Whether neither the variable nor a layer that holds it is frozen."""
    return variable.trainable and (variable._scope is None or _frozen_at(variable._scope) is None)


def _frozen(variables: Sequence[Variable]) -> Place | None:
    """Where variables were frozen; None if some are not."""
    places = [None if each._scope is None else _frozen_at(each._scope) for each in variables]
    return places[0] if places and all(places) else None


def _frozen_at(scope: Scope) -> Place | None:
    """Where the program froze an object, or what holds it: a layer inside a frozen model is not trained even if it is made trainable."""
    holder = scope.frozen_with
    return scope.frozen or (None if holder is None else holder.frozen)


def _named(variables: Sequence[Variable]) -> str:
    names = [name_given_to(each) or "Variable" for each in variables]
    return (
        listed(names) if len(names) <= _MOST_NAMES else f"{', '.join(f'`{each}`' for each in names[:_MOST_NAMES])}, ..."
    )
