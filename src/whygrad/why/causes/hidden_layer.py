"""variable-not-tracked: layers that compute in a model and are not among its layers, such as those that an object of a plain class holds."""

from __future__ import annotations

import ast
import sys
from collections import deque
from collections.abc import Iterator
from typing import Any, NamedTuple

from whygrad.runtime.call_sites import Scope, is_ours, objects_in_scopes
from whygrad.values.variable import Variable
from whygrad.why.cause import Cause, finished
from whygrad.why.causes.weights_frozen import is_trainable
from whygrad.why.evidence.question import Question
from whygrad.why.evidence.trace import Trace
from whygrad.why.source.names import name_given_to
from whygrad.why.source.sites import Site, argument_node, site
from whygrad.why.source.stand_ins import variable_in
from whygrad.why.source.wording import described, first_of, quoted

_MOST_LAYERS = 3  # that are shown
_DEEPEST = 3  # objects between a model and a layer that it does not see


class _Hidden(NamedTuple):
    """A variable of a layer that a model calls and does not see."""

    variable: Variable
    layer: Any  # the outermost one that has the variable
    scope: Scope  # of that layer
    callers: list[Any]  # what called it, from the inside outwards; the last one is the model


def suspect(question: Question, trace: Trace) -> None:
    """Note the variables of layers that a trained model calls and does not see: they hold if nothing trains or sets them."""
    if trace.times_asked(question.call) != 1:
        return
    evidence, sources = question.evidence, {id(each) for each in question.call.sources}
    found: list[_Hidden] = []
    targets = set(evidence.differentiated_targets)
    for variable, values in evidence.watched_variables.items():
        if (
            id(variable) in sources
            or variable._scope is None
            or not is_trainable(variable)
            or trace.is_suspected(variable)
        ):
            continue
        hidden = _hidden(variable, sources)
        if hidden is None or _asks_for_a_part(question, hidden.callers[-1]):
            continue
        if not targets.isdisjoint(evidence.tape_history.differentiable_from(values)):
            found.append(hidden)
    if found:
        cause = finished(_cause(question, found))
        for each in found:
            trace.suspect(cause, each.variable)


def _hidden(variable: Variable, sources: set[int]) -> _Hidden | None:
    """The layer of a variable and the trained model that called it, if the model does not see the variable."""
    objects = {id(scope): held() for held, scope in objects_in_scopes.values()}
    around: list[tuple[Scope, Any]] = []
    scope = variable._scope
    while scope is not None and all(scope is not known for known, _ in around):
        held = objects.get(id(scope))
        if held is None or not hasattr(held, "trainable_weights"):
            break  # a loss, or a method such as `fit`
        around.append((scope, held))
        scope = scope.caller
    own = [each for each in around if _has(each[1].weights, variable)]
    callers = [held for _, held in around[len(own) :]]
    if not own or not callers or own != around[: len(own)] or _was_made_in_a_call(own[-1][0]):
        return None
    if not any(id(variable_in(each)) in sources for each in callers[-1].trainable_weights):
        return None
    return _Hidden(variable, own[-1][1], own[-1][0], callers)


def _asks_for_a_part(question: Question, model: Any) -> bool:
    """Whether the sources are written as those of a part of a model, `model.head.trainable_variables`: the others are left out on purpose."""
    asked = argument_node(question.call.code, question.call.instruction, 1, "sources")
    if not isinstance(asked, ast.Attribute):
        return False
    parts = [getattr(model, each.attr, None) for each in ast.walk(asked.value) if isinstance(each, ast.Attribute)]
    return any(isinstance(part, list) or hasattr(part, "trainable_weights") for part in parts)


def _was_made_in_a_call(scope: Scope) -> bool:
    """Whether a layer was made while another one was being called: it may be a new one each time."""
    return scope.made_in is not None and not scope.made_in.is_whole_call


def _has(weights: list[Any], variable: Variable) -> bool:
    return any(variable_in(each) is variable for each in weights)


def _cause(question: Question, found: list[_Hidden]) -> Cause:
    first = found[0]
    names = [name_given_to(each.variable) or "Variable" for each in found]
    because, help = _why_hidden(first)
    others = f" (likewise {first_of(names[1:])})" if names[1:] else ""
    return Cause(
        "variable-not-tracked",
        "wrong_value",
        f"{quoted(names[0])} is never trained: {quoted(question.target_name)} depends on it, but {because}{others}",
        (*_places(found), question.call_site.site),
        f"{help}; if it should stay as it is, set its `trainable` to False",
        {names[0]: described(first.variable)},
        likely=True,
    )


def _places(found: list[_Hidden]) -> Iterator[Site]:
    """Where the layers were made."""
    scopes = list(dict.fromkeys(each.scope for each in found))
    for scope in scopes[:_MOST_LAYERS]:
        if scope.made is not None:
            yield site(*scope.made, "made here", scope.what)


def _why_hidden(hidden: _Hidden) -> tuple[str, str]:
    """Why the model does not see the layer, and what to do about it."""
    model = objects_in_scopes[id(hidden.callers[-1])][1].what
    between = next((found for each in hidden.callers for found in _plain_holders(each, hidden.layer)), None)
    if between is not None:
        name = type(between).__name__
        renamed = ", and rename `__call__` to `call`" if "__call__" in vars(type(between)) else ""
        return (
            f"{model} does not see {hidden.scope.what}, which an object of the plain class `{name}` holds",
            f"derive `{name}` from keras.layers.Layer, begin its `__init__` with super().__init__(){renamed}",
        )
    if type(hidden.callers[0]).__name__ == "Lambda":
        return (
            f"{model} does not see {hidden.scope.what}, which the function of a Lambda layer calls",
            "call the layer itself in place of the Lambda layer, or in the `call` of a layer that has it as an attribute",
        )
    caller = objects_in_scopes[id(hidden.callers[0])][1].what
    return (
        f"{model} does not see {hidden.scope.what}, which is no attribute of {caller}",
        f"make it an attribute of {caller}",
    )


def _plain_holders(holder: Any, layer: Any) -> Iterator[Any]:
    """The objects of the program's own plain classes that hold a layer, and that an attribute of a library's object leads to."""
    pending = deque([(holder, 0)])
    seen = {id(holder)}
    while pending:
        held, depth = pending.popleft()
        for value in _parts(held):
            if value is layer and _is_plain(held):
                yield held
            if (
                id(value) not in seen
                and depth < _DEEPEST
                and (_is_plain(value) or isinstance(value, list | dict | tuple))
            ):
                seen.add(id(value))
                pending.append((value, depth + 1))


def _parts(held: Any) -> list[Any]:
    if isinstance(held, dict):
        return list(held.values())
    if isinstance(held, list | tuple):
        return list(held)
    return list(getattr(held, "__dict__", {}).values())


def _is_plain(value: Any) -> bool:
    """Whether the program defines the class of an object, and derives it from no library's."""
    return hasattr(value, "__dict__") and all(map(_is_of_program, type(value).__mro__[:-1]))


def _is_of_program(kind: type) -> bool:
    file = getattr(sys.modules.get(kind.__module__), "__file__", None)
    return file is not None and not is_ours(file)
