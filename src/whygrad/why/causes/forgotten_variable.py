"""wrong-variable-list: variables that can only be of use if they learn, and that the list of sources leaves out."""

from __future__ import annotations

import ast
from collections.abc import Set

from whygrad.ops.primitive import Record
from whygrad.ops.traits import Arithmetic
from whygrad.values.tensor import Key
from whygrad.values.variable import Variable
from whygrad.why.cause import Cause, finished
from whygrad.why.causes.wrong_variable_list import STEPS, is_trained
from whygrad.why.evidence.history import outputs_of
from whygrad.why.evidence.numerics import all_zero, array_of
from whygrad.why.evidence.question import Question
from whygrad.why.evidence.trace import Trace
from whygrad.why.source import syntax
from whygrad.why.source.names import names_of_variables
from whygrad.why.source.origins import draws
from whygrad.why.source.sites import node_at
from whygrad.why.source.wording import described, listed, quoted


def suspect(question: Question, trace: Trace) -> None:
    """Note the biases and weights that no step trains, though it trains the layer that they belong to, or the one before."""
    call, evidence = question.call, question.evidence
    if trace.times_asked(call) != STEPS or not all(is_trained(each, trace) for each in call.sources):
        return
    forgotten = (
        [each for each in evidence.watched_variables if _is_forgotten_bias(each, question)]
        or _last_weights(question)
        or [each for each in evidence.watched_variables if _is_forgotten_scale(each, question)]
    )
    names = names_of_variables(call, forgotten)
    if not names or any(map(trace.is_suspected, forgotten)):
        return
    first = evidence.traced_values_of(forgotten[0])
    made = evidence.made_at(first[0]) if first else None
    them, they = ("it", "it is") if len(names) == 1 else ("them", "they are")
    cause = Cause(
        "wrong-variable-list",
        "wrong_value",
        f"{listed(names[:4])} {'is' if len(names) == 1 else 'are'} never trained: {quoted(question.target_name)} depends on {them}, but {they} "
        "not among the sources",
        (question.call_site.site, *([] if made is None else [made])),
        f"add {them} to the list of sources, and to the variables that are updated; or make {them} with trainable=False",
        {name: described(variable) for name, variable in zip(names[:4], forgotten)},
        likely=True,
    )
    for each in forgotten:
        trace.suspect(finished(cause), each)


def _is_forgotten_bias(variable: Variable, question: Question) -> bool:
    """Whether a trainable variable of zeros is added to what a source is multiplied with: of no use unless it learns."""
    sources, evidence = question.call.sources, question.evidence
    if variable._path is not None or not variable.trainable or any(each is variable for each in sources):
        return False
    if not all_zero(array_of(variable)):
        return False
    history, trained = evidence.tape_history, {key for each in sources for key in evidence.read_values_of(each)}
    for key in evidence.watched_variables[variable]:
        for user in history.used_by.get(key, ()) if key in evidence.towards else ():
            if not isinstance(user, Record) or user.traits.arithmetic is not Arithmetic.SUM:
                continue
            makers = [history.made_by.get(each) for each in user.inputs if each is not key]
            if any(isinstance(m, Record) and m.traits.is_product and trained & set(m.inputs) for m in makers):
                return True
    return False


def _is_forgotten_scale(variable: Variable, question: Question) -> bool:
    """Whether a trainable variable is nothing but an exponent, as the logarithm of a variance: a constant needs no such form."""
    evidence = question.evidence
    if variable._path is not None or not variable.trainable or len(evidence.traced_values_of(variable)) != 1:
        return False
    if any(each is variable for each in question.call.sources):
        return False
    uses = [
        user
        for key in evidence.watched_variables[variable]
        for user in evidence.tape_history.used_by.get(key, ())
        if isinstance(user, Record) and outputs_of(user)[0] in evidence.towards
    ]
    negated = [outputs_of(each)[0] for each in uses if each.traits.arithmetic is Arithmetic.NEGATION]
    uses += [each for key in negated for each in evidence.tape_history.used_by.get(key, ()) if isinstance(each, Record)]
    return any(each.traits.arithmetic is Arithmetic.EXPONENTIAL for each in uses)


def _last_weights(question: Question) -> list[Variable]:
    """The one random matrix, not of a model, that what the trained layers give is multiplied with: no part that is meant to stay fixed.

    Such a part is a network of several variables, or lies before what is trained, or beside it, or has a name that says so. A picture or a code
    that is trained through a network is no layer: nothing that it is multiplied with is data.
    """
    evidence, sources = question.evidence, {id(each) for each in question.call.sources}
    untrained = {each: values for each, values in evidence.watched_variables.items() if id(each) not in sources}
    used = [each for each, values in untrained.items() if any(key in evidence.towards for key in values)]
    if len(used) != 1 or not _is_of_random_numbers(used[0], question):
        return []
    names = names_of_variables(question.call, used)
    if not names or any(syntax.FIXED.search(name) or syntax.FROZEN.search(name) for name in names):
        return []
    trained = {key for each in question.call.sources for key in evidence.read_values_of(each)}
    reached = evidence.tape_history.differentiable_from(trained)
    layers = {
        outputs_of(record)[0]
        for record in evidence.records
        if record.traits.is_product and _is_layer(record, trained, reached | set(untrained[used[0]]))
    }
    behind = evidence.tape_history.differentiable_from(layers)
    for record in evidence.records:
        meets = [key for key in record.inputs if key in untrained[used[0]]]
        if meets and record.traits.is_product and any(key in behind for key in record.inputs):
            return used
    return []


def _is_layer(record: Record, trained: Set[Key], computed: Set[Key]) -> bool:
    """Whether a product is that of a trained variable and data."""
    return any(key in trained for key in record.inputs) and any(key not in computed for key in record.inputs)


def _is_of_random_numbers(variable: Variable, question: Question) -> bool:
    """Whether a trainable matrix, that no library made, was given random numbers where it was made, and nothing else since."""
    values = question.evidence.traced_values_of(variable)
    if variable._path is not None or not variable.trainable or len(values) != 1 or len(variable.shape) < 2:
        return False
    place = question.evidence.converted_at(values[0])
    node = None if place is None else node_at(*place)
    return node is not None and any(map(draws, ast.walk(node)))
