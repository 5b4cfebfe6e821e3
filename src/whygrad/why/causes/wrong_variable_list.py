"""wrong-variable-list: the target depends on variables other than the given sources."""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Sequence
from types import CodeType, TracebackType
from typing import Any

from whygrad.ops.primitive import Record
from whygrad.ops.traits import Arithmetic, Logits
from whygrad.runtime.call_sites import objects_in_scopes
from whygrad.tape.gradient_calls import GradientCall
from whygrad.values.recorders import Event
from whygrad.values.tensor import Key, Tensor
from whygrad.values.variable import Variable
from whygrad.why.cause import Cause, finished
from whygrad.why.causes import branch_not_taken
from whygrad.why.causes.cause_of_none import cause_of_none, names_of_others, other_variables
from whygrad.why.causes.weights_frozen import is_trainable
from whygrad.why.evidence.history import Step, outputs_of
from whygrad.why.evidence.question import Question, SourceQuestion
from whygrad.why.evidence.trace import Trace
from whygrad.why.evidence.updates import Misapplied, Unchanged
from whygrad.why.source import syntax
from whygrad.why.source.names import gradient_names, name_given_to, names_known_to, names_of_variables
from whygrad.why.source.object_paths import object_paths
from whygrad.why.source.sites import Site, node_at, operand_names, site, site_of
from whygrad.why.source.stand_ins import variable_in
from whygrad.why.source.wording import counted, described, first_of, listed, quoted


def explain(q: SourceQuestion) -> Cause | None:
    """The cause, if the tape watched none of the variables asked for, and the target depends on others."""
    sources, watched = q.call.sources, q.evidence.watched_variables
    if not other_variables(q) or not _all_are_none(q):
        return None
    if not all(isinstance(s, Variable) and s not in watched for s in sources):
        return None
    if len(sources) == 1 and branch_not_taken.explain(q) is not None:
        return None
    if (use := _use_of_namesake(q)) is not None:
        return cause_of_none(
            q,
            "wrong-variable-list",
            f"{quoted(q.target_name)} was computed from another variable, which was {quoted(q.name)} then",
            [q.call_site.site, site(use.code, use.instruction, "used here")],
            f"compute {quoted(q.target_name)} again after {quoted(q.name)} is made, or keep the variable and give it a new value: "
            f"{q.name}.assign(...)",
        )
    return cause_of_none(
        q,
        "wrong-variable-list",
        f"{quoted(q.target_name)} depends on variables other than the given sources",
        [q.call_site.site],
        "ask for the variables of the model that computed the target" + _those(q),
    )


def _use_of_namesake(q: SourceQuestion) -> Record | None:
    """An op that was given another variable under the name that the source has: the name was rebound in between."""
    if not q.name.isidentifier():
        return None
    others = {key for other in other_variables(q) for key in q.evidence.watched_variables[other]}
    for record in q.evidence.records:
        if others.isdisjoint(record.inputs) or not _is_same_scope(record.code, q.call.code):
            continue
        names = operand_names(record.code, record.instruction)
        if len(names) == len(record.inputs) and any(
            key in others and name == q.name for key, name in zip(record.inputs, names)
        ):
            return record
    return None


def _is_same_scope(one: CodeType, other: CodeType) -> bool:
    """Whether a name means the same in two pieces of code: cells of a notebook share their names."""
    return one is other or all(each.co_name.startswith(("<module>", "<cell line")) for each in (one, other))


_OF_ANY_LOSS = {"loss", "cost", "error", "objective", "total", "value", "mean", "the", "target"}


def explain_named(q: SourceQuestion) -> Cause | None:
    """The cause, if the target is named after the variables that it depends on, and not after the sources: `d_loss`, for `gen`."""
    if not _all_are_none(q) or not all(isinstance(each, Variable) for each in q.call.sources):
        return None
    words = syntax.words_of(q.target_name) - _OF_ANY_LOSS
    others = [each for each in other_variables(q) if all(each is not source for source in q.call.sources)]
    names = names_of_variables(q.call, others) if words and others else []
    written = gradient_names(q.call.code, q.call.instruction, len(q.call.targets), len(q.call.sources))[1]
    if not names or any(_is_named_after(name, words) for name in (*q.question.source_names, *written)):
        return None
    if not all(_is_named_after(name, words) for name in names):
        return None
    return cause_of_none(
        q,
        "wrong-variable-list",
        f"{quoted(q.target_name)} depends on variables other than the given sources, and is named after them",
        [q.call_site.site],
        f"ask for {listed(names[:4])}, or for the gradient of the loss that is meant for {quoted(q.name)}",
        likely=True,
    )


def _is_named_after(name: str, words: set[str]) -> bool:
    """Whether the name of a variable, or of what holds it, begins with one of some words, or they with it: `dis[0]` and `d`."""
    parts = syntax.words_of(name)
    return any(part.startswith(word) or (len(part) > 2 and word.startswith(part)) for part in parts for word in words)


def explain_part(q: SourceQuestion) -> Cause | None:
    """The cause, if other sources got a gradient, and the target depends on variables that are not among the sources."""
    missing = [each for each in other_variables(q) if all(each is not source for source in q.call.sources)]
    if _all_are_none(q) or not missing or not isinstance(q.source, Variable):
        return None
    if branch_not_taken.explain(q) is not None:
        return None
    names = names_of_variables(q.call, missing[:3])
    those = listed(names) if names else "other variables"
    return cause_of_none(
        q,
        "wrong-variable-list",
        f"{quoted(q.target_name)} does not depend on it, but on {those}, which {'is' if len(missing) == 1 else 'are'} not among the sources",
        [q.call_site.site],
        f"ask for {those} in place of {quoted(q.name)}, if that is the part of the model to be trained",
        likely=True,
    )


def explain_of_another_loss(q: SourceQuestion) -> Cause | None:
    """The cause, if the target depends on other variables only, and another number that the tape recorded depends on the sources."""
    others = [each for each in other_variables(q) if all(each is not source for source in q.call.sources)]
    if len(q.call.sources) < 2 or not others or not _all_are_none(q):
        return None
    if not all(isinstance(each, Variable) for each in q.call.sources):
        return None
    record = next((each for each in reversed(q.evidence.records) if _is_another_result(q, each)), None)
    if record is None:
        return None
    names = names_of_variables(q.call, others[:4])
    return cause_of_none(
        q,
        "wrong-variable-list",
        f"{quoted(q.target_name)} depends on variables other than the given sources, and another result depends on these",
        [q.call_site.site, site(record.code, record.instruction, "another result", described(outputs_of(record)[0]))],
        f"ask for {listed(names) if names else 'the other variables'}, or for the gradient of the loss that is meant for {quoted(q.name)}",
        likely=True,
    )


def _is_another_result(q: SourceQuestion, record: Record) -> bool:
    """Whether an op made a scalar that nothing uses, that depends on the source and through which a gradient can go back."""
    key = outputs_of(record)[0]
    if key.shape or key not in q.descendants or key not in q.evidence.watched or key in q.evidence.towards:
        return False
    ends = not any(isinstance(each, Record) for each in q.evidence.history.used_by.get(key, ()))
    return ends and _is_differentiable(q, key)


def explain_teacher(q: SourceQuestion) -> Cause | None:
    """The cause, if other variables are trained towards what was computed from the sources before the tape."""
    sources, evidence = q.call.sources, q.evidence
    if not _all_are_none(q) or not all(isinstance(s, Variable) for s in sources):
        return None
    variables, watched = evidence.watched_variables, evidence.watched
    trained = {key for other in other_variables(q) for key in variables[other]} & watched
    if not trained or any(source in watched for source in sources):
        return None
    met = [
        (record, key)
        for record in evidence.records
        if outputs_of(record)[0] in watched and outputs_of(record)[0] in evidence.towards
        for key in record.inputs
        if key in q.descendants and key not in watched
    ]
    if not met or not all(_is_a_goal(q, record, key, trained) for record, key in met):
        return None
    record = met[0][0]
    return cause_of_none(
        q,
        "wrong-variable-list",
        f"{quoted(q.target_name)} only compares with what was computed from it, and depends on other variables",
        [q.call_site.site, site(record.code, record.instruction, "compared here")],
        "ask for the variables of the model that is trained" + _those(q),
        likely=True,
    )


def explain_stopped(q: SourceQuestion, step: Step) -> Cause | None:
    """The cause, if the target stops the gradient of the sources, as that of other variables does, and they have a loss of their own."""
    others = [each for each in other_variables(q) if all(each is not source for source in q.call.sources)]
    if not _all_are_none(q) or not isinstance(q.source, Variable) or not others:
        return None
    loss = next((each for each in q.evidence.records if _is_loss_of_its_own(q, each)), None)
    if loss is None:
        return _applied_to(q, step, others)
    return cause_of_none(
        q,
        "wrong-variable-list",
        f"{quoted(q.target_name)} stops its gradient, and depends on other variables",
        [
            q.call_site.site,
            site(loss.code, loss.instruction, "another loss depends on it", described(outputs_of(loss)[0])),
            site(step.through.code, step.through.instruction, "stopped here"),
        ],
        f"take the gradient of the loss that is meant for {quoted(q.name)}, or ask for "
        + (listed(names) if (names := names_of_variables(q.call, others[:4])) else "the other variables"),
        likely=True,
    )


def _applied_to(q: SourceQuestion, step: Step, others: list[Variable]) -> Cause | None:
    """The cause, if the program pairs the gradients with variables that the target does depend on."""
    asked = q.call_site.node
    if asked is None:
        return None
    names = names_of_variables(q.call, others[:4])
    trained = {name.partition(".")[0].partition("[")[0] for name in names}
    trained -= {each.id for each in ast.walk(asked) if isinstance(each, ast.Name)}
    reached = q.flow.reached_from(asked)
    for node in filter(_is_zip, {syntax.parent(each) for each in reached}):
        if syntax.scope_of(node) is q.call_site.scope and node.lineno < asked.lineno:
            continue  # another call's: names of loops are used again
        paired = [each for each in node.args if each not in reached]
        if any(isinstance(each, ast.Name) and each.id in trained for one in paired for each in ast.walk(one)):
            return cause_of_none(
                q,
                "wrong-variable-list",
                f"{quoted(q.target_name)} stops its gradient, and the gradients are paired with other variables",
                [
                    q.call_site.site,
                    site_of(node, q.call_site.file, "paired here"),
                    site(step.through.code, step.through.instruction, "stopped here"),
                ],
                f"ask for {listed(names)}, which {quoted(q.target_name)} depends on",
                likely=True,
            )
    return None


def _is_loss_of_its_own(q: SourceQuestion, record: Record) -> bool:
    """Whether an op made a scalar that the program calls a loss, that depends on the source and that the target does not use."""
    key = outputs_of(record)[0]
    if key.shape or key not in q.descendants or key not in q.evidence.watched or key in q.evidence.towards:
        return False
    node = node_at(record.code, record.instruction)
    return any("loss" in name.lower() for name in syntax.names_given(node) if name) and _is_differentiable(q, key)


def _is_differentiable(q: SourceQuestion, key: Key) -> bool:
    """Whether a gradient can go back from a value to the source: not where every way is stopped."""
    return key in q.evidence.history.differentiable_from(q.keys)


def explain_copied_before(q: SourceQuestion, step: Step) -> Cause | None:
    """The cause, if other variables were given the sources' values before the tape, and the target depends on those."""
    event: Any = step.through
    if not _all_are_none(q) or step.start not in q.keys:
        return None
    if any(event.subject is other for other in other_variables(q)):
        return _copied(q, event, step.start)
    used = q.evidence.read_unwatched_at(event.subject)
    if used is None or used == (event.code, event.instruction):
        return None
    return cause_of_none(
        q,
        "wrong-variable-list",
        f"{quoted(q.target_name)} depends on a variable with trainable=False that was given its value, not on it",
        [site(*used, "used here", described(event.subject)), site(event.code, event.instruction, "copied here")],
        f"compute {quoted(q.target_name)} from {quoted(q.name)} itself, and keep the copy for what is not trained",
    )


def explain_copied_by_numpy(q: SourceQuestion) -> Cause | None:
    """The same, if the values were arrays in between: `target.set_weights(online.get_weights())`."""
    others = other_variables(q)
    if not others or not _all_are_none(q) or q.source in q.evidence.watched_variables:
        return None
    events = q.evidence.history.events
    taken = {node_at(e.code, e.instruction) for e in events if e.kind == "left" and e.source in q.keys}
    reached = {each for node in taken if node is not None for each in q.flow.reached_from(node)}
    for event in reversed(events) if reached else ():
        if event.kind != "assigned" or not any(event.subject is other for other in others):
            continue
        if (
            event.result is not None
            and event.result.shape == q.source.shape
            and node_at(event.code, event.instruction) in reached
        ):
            return _copied(q, event, event.result)
    return None


def _copied(q: SourceQuestion, event: Event, value: Key) -> Cause:
    return cause_of_none(
        q,
        "wrong-variable-list",
        f"{quoted(q.target_name)} depends on a variable that was given its value, not on it",
        [q.call_site.site, site(event.code, event.instruction, "copied here", described(value))],
        f"compute {quoted(q.target_name)} from {quoted(q.name)} itself, or ask for the variables that it was computed with"
        + _those(q),
    )


def without_exchanges(updates: list[Misapplied]) -> list[Misapplied]:
    """Updates without those of a pair of variables of which one rises along the other's gradient: the equations of motion of physics."""
    rising = [each for each in updates if each.places and _rises(*each.places[0])]
    pairs = {(each.own.name, each.given.name) for each in rising}
    return [u for u in updates if (u.own.name, u.given.name) not in pairs and (u.given.name, u.own.name) not in pairs]


def _rises(code: CodeType, instruction: int) -> bool:
    """Whether an update is written as a sum, without a minus."""
    node = node_at(code, instruction)
    if not isinstance(node, ast.Call) or not _is_update(node.func):
        return False
    signs = [each.op for each in ast.walk(node) if isinstance(each, ast.BinOp | ast.UnaryOp)]
    adds = node.func.attr == "assign_add" or any(isinstance(each, ast.Add) for each in signs)  # type: ignore[attr-defined]
    return adds and node.func.attr != "assign_sub" and not any(isinstance(each, ast.Sub | ast.USub) for each in signs)  # type: ignore[attr-defined]


_ONE_LIST = (
    "gradients come in the order of the sources: take gradients and variables from one list, as in "
    "zip(tape.gradient(loss, variables), variables)"
)


def explain_update(update: Misapplied) -> Cause:
    """The cause, where a variable was updated with the gradient of another, though its own was taken too."""
    own, given = update.own.name, update.given.name
    paired = _pairing(update.places)
    applied = site(*update.places[0], "applied here") if update.places else None
    first = paired or applied
    taken = site(update.given.code, update.given.instruction, "taken here")
    places = [each for each in (first, applied, taken) if each is not None]
    return Cause(
        "wrong-variable-list",
        "wrong_value",
        f"{quoted(own)} is updated with the gradient of {quoted(given)}, not with its own",
        tuple(
            each
            for i, each in enumerate(places)
            if (each.file, each.line) not in [(p.file, p.line) for p in places[:i]]
        ),
        _ONE_LIST
        if paired is not None and "zip(" in paired.text
        else f"update {quoted(own)} with its own gradient; gradients have the order, or the keys, of the sources that they were taken for",
        likely=True,
    )


def explain_unchanged(several: list[Unchanged]) -> Cause | None:
    """The cause, where the gradients of variables that never change were subtracted from other variables."""
    if not several:
        return None
    first = several[0]
    paired = _pairing(first.places)
    applied = site(*first.places[0], "applied here")
    taken = site(first.own.code, first.own.instruction, "taken here")
    more = f" (and {counted(len(several) - 1, 'more variable')})" if len(several) > 1 else ""
    return Cause(
        "wrong-variable-list",
        "wrong_value",
        f"{quoted(first.own.name)} never changes: its gradient is applied to another variable{more}",
        (applied, taken) if paired is None or paired.line == applied.line else (applied, paired, taken),
        "take the gradient for the variables that are updated, and compute the loss from them; or update those that it was taken for",
        likely=True,
    )


def explain_refused(trace: TracebackType) -> Cause | None:
    """The cause of an error of shapes in a function of a library that the user's line gives gradients with variables of other shapes."""
    inside = trace.tb_next
    given = [] if inside is None else [v for v in inside.tb_frame.f_locals.values() if isinstance(v, list | tuple)]
    variables = next((each for each in given if each and all(variable_in(one) is not None for one in each)), None)
    gradients = [
        each for each in given if variables is not None and len(each) == len(variables) and each is not variables
    ]
    pairs = enumerate(zip(gradients[0], map(variable_in, variables))) if variables and gradients else ()
    misfits = [(i, g, v) for i, (g, v) in pairs if isinstance(g, Tensor) and v is not None and g.shape != v.shape]
    if not misfits:
        return None
    position, gradient, variable = misfits[0]
    name = quoted(name_given_to(variable) or "the variable")
    place = (trace.tb_frame.f_code, trace.tb_lasti)
    paired = _pairing((place,)) or site(*place, "paired here")
    return Cause(
        "wrong-variable-list",
        "exception",
        f"gradient {position} has shape {tuple(gradient.shape)}, and {name} {tuple(variable.shape)}: it is the gradient of another variable",
        (paired,),
        _ONE_LIST,
        {name.strip("`"): described(variable)},
    )


def explain_unknown(error: BaseException, trace: TracebackType) -> Cause | None:
    """The cause, if a library's optimizer refuses a variable, as it was built for others."""
    given, known = ([*map(variable_in, each)] for each in getattr(error, "unknown_variables", ((), ())))
    new = [each for each in given if each is not None and all(each is not one for one in known)]
    if not new:
        return None
    name = quoted(name_given_to(new[0]) or "the variable")
    return Cause(
        "wrong-variable-list",
        "exception",
        f"the optimizer was built for {first_of(_names(known))}, and is given "
        + (f"{name} as well" if len(new) < len(given) else f"other variables: {first_of(_names(new))}"),
        (site(trace.tb_frame.f_code, trace.tb_lasti, "refused here"),),
        "the list has changed since the optimizer was built: make a new one after that, which `compile` does for `fit`"
        if len(new) < len(given)
        else "make one optimizer for each list of variables",
        {name.strip("`"): described(new[0])},
    )


def _names(variables: Sequence[Variable | None]) -> list[str]:
    return [name_given_to(each) or "Variable" for each in variables if each is not None]


STEPS = 3  # after which training is under way


def suspect_another_network(question: Question, trace: Trace) -> None:
    """Note the variables that no step trains where two losses train the same others: as if the generator's trained the discriminator."""
    call, evidence, times = question.call, question.evidence, trace.times_asked(question.call)
    if times not in (STEPS - 1, STEPS) or len(call.sources) < 2 or not all(is_trained(e, trace) for e in call.sources):
        return
    other = trace.asked_elsewhere(call)
    if other is None:
        return
    sources, targets = {id(each) for each in call.sources}, set(evidence.differentiated_targets)
    forgotten = [
        variable
        for variable, values in evidence.watched_variables.items()
        if is_trainable(variable)
        and id(variable) not in sources
        and not trace.was_given(variable)
        and not targets.isdisjoint(evidence.tape_history.differentiable_from(values))
    ]
    models = _models_of(call, forgotten)
    names = models or names_of_variables(call, forgotten)
    if not names or any(map(trace.is_suspected, forgotten)):
        return
    words = syntax.words_of(question.target_name) - _OF_ANY_LOSS
    if times < STEPS and not all(_is_named_after(name.rpartition(".")[2], words) for name in names):
        return  # of two losses that depend on them, the one that is named after them comes first
    cause = Cause(
        "wrong-variable-list",
        "wrong_value",
        f"{listed(names[:4])} {'is' if len(names) == 1 else 'are'} never trained: {quoted(question.target_name)} depends on "
        f"{'it' if len(names) == 1 else 'them'}, but its gradient is taken for the variables that another loss trains",
        (question.call_site.site, site(*other, "the same variables here")),
        f"ask for {listed([f'{name}.trainable_variables' for name in models[:4]] or names[:4])} here, and update them",
        {} if models else {name: described(variable) for name, variable in zip(names[:4], forgotten)},
        likely=True,
    )
    for each in forgotten:
        trace.suspect(finished(cause), each)


def _models_of(call: GradientCall, variables: list[Variable]) -> list[str]:
    """The models of a library that hold some variables and no others, as the program names them; none if they do not hold all."""
    left = {id(each) for each in variables}
    found: list[str] = []
    for path in object_paths(names_known_to(call.code), lambda value: id(value) in objects_in_scopes):
        held = {id(variable_in(each)) for each in getattr(path.value, "trainable_variables", ())}
        if held and held <= left:
            found.append(path.text)
            left -= held
    return [] if left else found


def is_trained(source: Any, trace: Trace) -> bool:
    """Whether a source is a variable that took a value since it was made."""
    return isinstance(source, Variable) and len(trace.values_of(source)) > 1


def _pairing(places: tuple[tuple[CodeType, int], ...]) -> Site | None:
    """Where a gradient was paired with a variable: a call of zip, or the call that passes both to a function; None: at the update."""
    for depth, (code, instruction) in enumerate(places):
        node = node_at(code, instruction)
        if node is None:
            return None
        scope, pairs = syntax.scope_of(node), _pairs(node)
        given = {each.arg for each in scope.args.args} if isinstance(scope, ast.FunctionDef) else set()
        paired: Any = next(filter(_is_zip, pairs), None)
        parts = paired.args if paired is not None else pairs
        if all(isinstance(each, ast.Name) and each.id in given for each in parts):
            continue  # the caller chose them
        if paired is None and not depth:
            return None
        return site_of(node if paired is None else paired, code.co_filename, "paired here")
    return None


def _pairs(node: Any) -> list[Any]:
    """The expression that pairs gradients with variables: the iterable of the loop around a call, or else its argument."""
    inside = [each for each in ast.walk(node) if _is_zip(each)]
    loop = next((each for each in syntax.around(node) if isinstance(each, ast.For)), None)
    if inside or loop is None or syntax.scope_of(loop) is not syntax.scope_of(node) or not _uses(node, loop):
        updated = [node.func.value] if isinstance(node, ast.Call) and _is_update(node.func) else None  # type: ignore[attr-defined]
        return inside or updated or [*getattr(node, "args", ()), *[k.value for k in getattr(node, "keywords", ())]]
    iterated: Any = loop.iter
    if isinstance(iterated, ast.Name):
        found = syntax.assignment_before(syntax.scope_of(iterated), iterated.id, iterated.lineno)
        iterated = iterated if found is None else found[1]
    return [iterated]


def _uses(node: Any, loop: ast.For) -> bool:
    """Whether an expression uses what a loop runs over."""
    names = {each.id for each in syntax.written_targets(loop.target) if isinstance(each, ast.Name)}
    return any(isinstance(each, ast.Name) and each.id in names for each in ast.walk(node))


def _is_update(function: Any) -> bool:
    return isinstance(function, ast.Attribute) and function.attr.startswith("assign")


def _is_zip(node: Any) -> bool:
    return isinstance(node, ast.Call) and syntax.called_name(node) == "zip"


def _all_are_none(q: SourceQuestion) -> bool:
    without_path = q.call.without_path
    return all(gradient is None or i in without_path for i, gradient in enumerate(q.call.gradients))


def _those(q: SourceQuestion) -> str:
    names = names_of_others(q)
    return f": {names}" if names else ""


_COMPARES = (Arithmetic.DIFFERENCE, Arithmetic.SQUARED_DIFFERENCE, Arithmetic.PRODUCT)
_LOSSES = (Logits.SOFTMAX_LOSS, Logits.SIGMOID_LOSS)


def _is_a_goal(q: SourceQuestion, record: Record, key: Key, trained: set[Key]) -> bool:
    """Whether an op compares a value with one computed from trained variables, from which the value itself was not."""
    traits, made_by = record.traits, q.evidence.history.made_by
    if not key.shape or not (traits.arithmetic in _COMPARES or traits.takes_logits in _LOSSES):
        return False
    others = [made_by.get(each) for each in record.inputs if each is not key and each in q.evidence.watched]
    if traits.arithmetic is Arithmetic.PRODUCT:
        return any(isinstance(each, Record) and each.traits.is_logarithm for each in others)
    return any(isinstance(each, Record) for each in others) and trained.isdisjoint(_origins(q, key))


def _origins(q: SourceQuestion, key: Key) -> set[Key]:
    """Everything that a value was computed from by ops."""
    pending, seen = deque([key]), {key}
    while pending:
        maker = q.evidence.history.made_by.get(pending.popleft())
        for each in maker.inputs if isinstance(maker, Record) else ():
            if each not in seen:
                seen.add(each)
                pending.append(each)
    return seen
