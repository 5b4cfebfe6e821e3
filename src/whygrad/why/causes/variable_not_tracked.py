"""variable-not-tracked: the list of sources is empty, though the target may depend on variables."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import Any

from whygrad.modules.module import Module
from whygrad.ops.primitive import Record
from whygrad.runtime.call_sites import Scope, is_ours, objects_in_scopes
from whygrad.values.nest import shown_key
from whygrad.values.tensor import Key
from whygrad.values.variable import Variable
from whygrad.why.cause import Cause, finished
from whygrad.why.evidence.empty_sources import EmptySources
from whygrad.why.evidence.question import Question
from whygrad.why.evidence.trace import Trace
from whygrad.why.source.kept_values import kept_at
from whygrad.why.source.names import names_known_to
from whygrad.why.source.object_paths import object_paths
from whygrad.why.source.sites import operand_names, site
from whygrad.why.source.stand_ins import variable_in
from whygrad.why.source.wording import described, more_sources, quoted

_TRACKED = "make it with self.add_weight(...), or as a keras.Variable"


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
            _TRACKED
            if any(True for each in empty.variables for _ in _held(each))
            else "add the variables to the list: an attribute that is not tracked is missing from it",
            empty.shapes,
            likely=not empty.made,
        )
    return Cause(
        "variable-not-tracked",
        "empty",
        empty.sentence,
        (*collected, empty.call_site.site),
        "look at where the list of sources comes from: a layer that is not built yet has no variables, and an attribute "
        "that is not tracked is missing",
        likely=True,
    )


def suspect(question: Question, trace: Trace) -> None:
    """Note the variables that the target depends on and that an object holds without training them: a layer of Keras's, or a module."""
    evidence, sources = question.evidence, {id(each) for each in question.call.sources}
    for variable, values in evidence.watched_variables.items():
        if variable._scope is not None or id(variable) in sources or trace.is_suspected(variable):
            continue  # a layer made it: `hidden_layer` asks whether the model sees that layer
        if not any(key in evidence.towards for key in values) or _is_seen_by_a_layer(variable):
            continue
        for scope, attribute, between in _held(variable):
            because = "it is a tf.Variable, which Keras does not count among the variables of a layer"
            help = _TRACKED
            if between is not None:
                if variable._path is not None:
                    because = f"an object of the plain class `{type(between).__name__}` holds it, in which Keras does not look for variables"
                help = f"derive `{type(between).__name__}` from keras.layers.Layer, and make its variables with self.add_weight(...)"
            cause = _untracked(question, variable, attribute, f" of {scope.what}", because, help)
            trace.suspect(finished(cause), variable)
            break
        else:
            if variable.trainable and trace.times_asked(question.call) == 1:
                _suspect_in_module(question, trace, variable)
                _suspect_beside_layers(question, trace, variable, values)


def _suspect_in_module(question: Question, trace: Trace, variable: Variable) -> None:
    """Note a variable that the module whose variables are asked for holds in an object that is not a module, and others held so."""
    evidence, asked = question.evidence, {id(each) for each in question.call.sources}
    for module in object_paths(names_known_to(question.call.code), lambda value: isinstance(value, Module)):
        own = module.value.trainable_variables
        if {id(each) for each in own} != asked:
            continue
        forgotten = {
            id(each)
            for each, values in evidence.watched_variables.items()
            if each.trainable and id(each) not in asked and any(key in evidence.towards for key in values)
        }
        held = {
            id(path.value): path
            for path in object_paths([(module.text, module.value)], lambda value: isinstance(value, Variable))
            if id(path.value) in forgotten
        }
        if id(variable) not in held:
            continue
        first = held.pop(id(variable))
        cause = _untracked(
            question,
            variable,
            first.text,
            "",
            f"{quoted(module.text)} does not list it among its variables, as the object that holds it is no tf.Module"
            f"{more_sources([path.text for path in held.values()], 'variable')}",
            "derive the class of that object from tf.Module, or add the variable to the list",
        )
        for each in (variable, *(path.value for path in held.values())):
            trace.suspect(finished(cause), each)
        return


def _suspect_beside_layers(question: Question, trace: Trace, variable: Variable, values: Iterable[Key]) -> None:
    """Note a variable that a Lambda layer or a loss computes with, where a library's variables are trained, and no layer holds it."""
    if not all(isinstance(each, Variable) and each._path is not None for each in question.call.sources):
        return
    used_by = question.evidence.tape_history.used_by
    use = next((each for key in values for each in used_by.get(key, ()) if isinstance(each, Record)), None)
    if use is None:
        return
    names = operand_names(use.code, use.instruction)
    written = [name for name, key in zip(names, use.inputs) if key in values] if len(names) == len(use.inputs) else []
    name = written[0] if written else variable.name.removesuffix(":0")
    because = "no layer holds it, so that it is not among the variables of the model"
    help = "make it in a layer with self.add_weight(...), or add it to the variables that are trained"
    cause = _untracked(question, variable, name, "", because, help, likely=True)
    trace.suspect(finished(cause), variable)


def _untracked(
    question: Question, variable: Variable, name: str, of: str, because: str, help: str, likely: bool = False
) -> Cause:
    evidence = question.evidence
    first = next(iter(evidence.traced_values_of(variable)), None)
    place = None if first is None else kept_at(evidence.stack_of(first))
    made = () if place is None else (site(*place, "made here", described(variable)),)
    return Cause(
        "variable-not-tracked",
        "wrong_value",
        f"{quoted(name)}{of} is never trained: {quoted(question.target_name)} depends on it, but {because}",
        (*made, question.call_site.site),
        f"{help}; if it should stay as it is, with trainable=False",
        {name: described(variable)},
        likely,
    )


def _held(variable: Variable) -> Iterator[tuple[Scope, str, Any]]:
    """The objects of libraries that hold a variable, each with the attribute, and the object of the program's own class between them."""
    for reference, scope in list(objects_in_scopes.values()):
        held = reference()
        for attribute, value in vars(held).items() if held is not None and scope.what else ():
            if attribute.startswith("_"):
                continue
            place = _place_in(value, variable)
            if place is not None:
                yield scope, attribute + place, None
            for inner, each in vars(value).items() if _is_of_own_class(value) else ():
                place = _place_in(each, variable)
                if place is not None:
                    yield scope, f"{attribute}.{inner}{place}", value


def _is_seen_by_a_layer(variable: Variable) -> bool:
    """Whether a library's variable is among those of a layer, which need not be one that is trained here."""
    if variable._path is None:
        return False
    layers = [held for reference, _ in list(objects_in_scopes.values()) if (held := reference()) is not None]
    return any(variable_in(each) is variable for held in layers for each in getattr(held, "variables", ()))


def _place_in(value: Any, variable: Variable) -> str | None:
    """Where an attribute holds a variable: "" if it is the variable, or is a module that has it, `[key]` if it collects several."""
    if isinstance(value, Module):
        return "" if any(each is variable for each in value.variables) else None
    if isinstance(value, dict | list | tuple):
        entries = value.items() if isinstance(value, dict) else enumerate(value)
        return next((f"[{shown_key(key)}]" for key, each in entries if variable_in(each) is variable), None)
    return "" if variable_in(value) is variable else None


def _is_of_own_class(value: Any) -> bool:
    """Whether the program defines the class of an object, and derives it from no library's."""
    return bool(_is_of_program(type(value)) and type(value).__bases__ == (object,) and hasattr(value, "__dict__"))


def _is_of_program(kind: type) -> bool:
    file = getattr(sys.modules.get(kind.__module__), "__file__", None)
    return file is not None and not is_ours(file)
