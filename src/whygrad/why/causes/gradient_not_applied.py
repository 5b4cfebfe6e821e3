"""gradient-not-applied: no variable is updated with the gradients, or none with what the program made of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Set
from typing import Any, NamedTuple

from whygrad.ops.primitive import CODE, INPUTS, outputs_in
from whygrad.values.recorders import Event
from whygrad.values.tensor import Key
from whygrad.values.variable import Variable
from whygrad.why.cause import Cause
from whygrad.why.evidence.call_evidence import Place
from whygrad.why.evidence.trace import Trace
from whygrad.why.evidence.updates import Taken
from whygrad.why.source import syntax
from whygrad.why.source.decisions import is_shown
from whygrad.why.source.edits import Edit, Repair, inserted_after, replaced
from whygrad.why.source.kept_values import kept_at
from whygrad.why.source.sites import argument_node, node_at, site
from whygrad.why.source.syntax import Flow
from whygrad.why.source.wording import described, more_sources, quoted

_STEPS = 3  # calls of gradient at one place, after which variables that are still the same are no accident
_MOST_OPS = 20_000  # the last ones, of some steps


class _Unused(NamedTuple):
    """A name that the program gives to what it computes from gradients, and never reads."""

    name: str
    statement: ast.Assign | ast.AugAssign
    place: Place
    key: Key


def explain(trace: Trace) -> Iterator[Cause]:
    """What the whole program did with its gradients: nothing, or nothing with what it made of them."""
    unused = list(_unused(trace))
    for each in unused:
        update = _update(each, trace)
        if update is not None and _comes_after(each.statement, update):
            continue
        found = _not_used(each, update) if update is not None else _lost_in_loop(each, trace)
        if found is not None:
            yield found
    yield from _never_applied(unused, trace)


# -- what is made of gradients, and dropped --


def _unused(trace: Trace) -> Iterator[_Unused]:
    updating = {(event.code, event.instruction) for event in trace.events if event.kind == "assigned"}
    seen: set[Any] = set()
    for place, key in _results(trace).items():
        kept = None if place in updating else _kept_at(place, key, trace)
        node = None if kept is None or kept in updating else node_at(*kept)
        statement = None if node is None else syntax.statement_of(node)
        if kept is None or statement in seen or not isinstance(statement, ast.Assign | ast.AugAssign):
            continue
        seen.add(statement)
        name = None if syntax.differentiates(node) else _name_never_read(statement)
        if name is not None:
            yield _Unused(name, statement, kept, key)


def _results(trace: Trace) -> dict[Place, Key]:
    """By place, what the program computes from gradients there, and may update a variable with: not a norm, or another measure of them."""
    made: dict[Place, dict[Key, None]] = {}
    for raw in trace.last_ops(_MOST_OPS):
        outputs = list(outputs_in(raw))
        if trace.updates.is_computed_from_gradient(outputs[0]):
            keys = made.setdefault((raw[CODE], raw[CODE + 1]), {})
            for used in raw[INPUTS:]:
                keys.pop(used, None)
            keys.update(dict.fromkeys(outputs))
    found = {place: next((key for key in keys if _fits(key, trace)), None) for place, keys in made.items()}
    return {place: key for place, key in found.items() if key is not None}


def _fits(key: Key, trace: Trace) -> bool:
    """Whether a value has the shape of a variable with whose gradient it was computed."""
    taken = trace.updates.all_taken()
    return any(number in taken and taken[number].shape == key.shape for number in trace.updates.behind(key))


def _kept_at(place: Place, key: Key, trace: Trace) -> Place | None:
    """Where the program keeps what an op made: at its line, or where the functions that return it were called."""
    statement = syntax.statement_of(node_at(*place))
    return kept_at(trace.stack_of(key)) if isinstance(statement, ast.Return) else place


def _name_never_read(statement: ast.Assign | ast.AugAssign) -> str | None:
    """The name that a statement gives a value for nothing; None if all are read, or something else takes the value."""
    targets = [target for target, _ in syntax.bindings(statement)]
    if not all(isinstance(each, ast.Name) for each in targets):
        return None
    unread = [each.id for each in targets if not each.id.startswith("_") and not _is_read(each)]
    is_chain = isinstance(statement, ast.Assign) and len(statement.targets) > 1
    return None if not unread or (is_chain and len(unread) < len(targets)) else unread[0]


def _is_read(target: ast.Name) -> bool:
    """Whether anything but the statements that write a name reads it."""
    scope = syntax.scope_of(target)
    while any(isinstance(each, ast.Global | ast.Nonlocal) and target.id in each.names for each in ast.walk(scope)):
        if syntax.scope_of(scope) is None:
            break
        scope = syntax.scope_of(scope)
    for node in ast.walk(scope):
        if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load):
            continue
        if node.id in _SEE_ALL:
            return True
        if (
            node.id == target.id
            and not _writes(syntax.statement_of(node), target.id)
            and not _is_of_other_loop(node, target)
        ):
            return True
    return False


def _is_of_other_loop(node: ast.Name, target: ast.Name) -> bool:
    """Whether a loop that the target is not part of gives the name to elements of its own."""
    loops = (each for each in syntax.around(node) if isinstance(each, ast.For))
    binding = next((each for each in loops if node.id in _names_of(each.target)), None)
    return binding is not None and binding not in syntax.around(target)


def _names_of(target: ast.expr) -> set[str]:
    """The names that an assignment or a loop gives."""
    return {each.id for each in syntax.written_targets(target) if isinstance(each, ast.Name)}


_SEE_ALL = {"locals", "globals", "vars", "eval", "exec"}


def _writes(statement: ast.stmt | None, name: str) -> bool:
    if not isinstance(statement, ast.Assign | ast.AugAssign | ast.AnnAssign):
        return False
    return any(_root(target) == name for target, _ in syntax.bindings(statement))


def _root(target: Any) -> str | None:
    while isinstance(target, ast.Subscript):
        target = target.value
    return target.id if isinstance(target, ast.Name) else None


def _update(unused: _Unused, trace: Trace) -> Event | None:
    """An update with the gradient, though not with what was made of that: the last one that reads what this was made of, or the last."""
    updates = trace.updates
    numbers = updates.behind(unused.key)
    found: dict[Place, Event] = {}
    event: Event
    for event in reversed(trace.events):
        place = (event.code, event.instruction)
        if event.kind != "assigned" or event.source is None or place in found:
            continue
        if numbers & updates.behind(event.source):
            found[place] = event
    changed = [each for each in found.values() if any(map(updates.is_changed, numbers))]
    return next((each for each in changed if _read_in(unused, each)), changed[0] if changed else None)


def _comes_after(statement: ast.stmt, update: Event) -> bool:
    """Whether a statement of a script follows the loop of the updates: none of them can use what it computes."""
    node = node_at(update.code, update.instruction)
    scope = syntax.scope_of(statement)
    if node is None or syntax.scope_of(node) is not scope or not isinstance(scope, ast.Module):
        return False
    loops = [each for each in syntax.around(node) if isinstance(each, ast.For | ast.While)]
    return statement.lineno > node.lineno and bool(loops) and statement not in ast.walk(loops[-1])


def _not_used(unused: _Unused, update: Event) -> Cause:
    repair = _use(unused, update)
    return Cause(
        "gradient-not-applied",
        "wrong_value",
        f"{quoted(unused.name)} is computed from the gradients, but no update uses it",
        (
            site(*unused.place, "computed here", described(unused.key)),
            site(update.code, update.instruction, "updated here without it"),
        ),
        repair.help,
        likely=True,
        edits=repair.edits,
    )


def _lost_in_loop(unused: _Unused, trace: Trace) -> Cause | None:
    """The cause, if a loop adds to the name that it gives to each element of a list: the list keeps the elements that it has."""
    statement = unused.statement
    loop = next((each for each in syntax.around(statement) if isinstance(each, ast.For)), None)
    if loop is None or syntax.scope_of(loop) is not syntax.scope_of(statement):
        return None
    kept = _element_of(loop, unused.name)
    adds = isinstance(statement, ast.AugAssign) or unused.name in {each.id for each in _data(statement.value)}
    variables_are_said = any(each.kind == "variable-overwritten-by-tensor" for each in trace.findings)
    if kept is None or not adds or variables_are_said:
        return None
    repair = _as_list(unused, loop, kept)
    return Cause(
        "gradient-not-applied",
        "wrong_value",
        f"{quoted(unused.name)} is computed from the gradients, and is lost: {quoted(ast.unparse(kept))} keeps its old elements",
        (site(*unused.place, "computed here, and not kept", described(unused.key)),),
        repair.help,
        likely=True,
        edits=repair.edits,
    )


def _element_of(loop: ast.For, name: str) -> ast.expr | None:
    """The list whose elements a loop gives a name to, one after the other; None if that is not plain."""
    if isinstance(loop.target, ast.Name) and loop.target.id == name and not isinstance(loop.iter, ast.Call):
        return loop.iter
    if not isinstance(loop.target, ast.Tuple) or not isinstance(loop.iter, ast.Call):
        return None
    is_zip = isinstance(loop.iter.func, ast.Name) and loop.iter.func.id == "zip"
    names = [each.id if isinstance(each, ast.Name) else None for each in loop.target.elts]
    return loop.iter.args[names.index(name)] if is_zip and name in names and len(loop.iter.args) == len(names) else None


def _as_list(unused: _Unused, loop: ast.For, kept: ast.expr) -> Repair:
    """The list made anew, in place of the loop where that does nothing else."""
    statement = unused.statement
    value = statement.value
    if isinstance(statement, ast.AugAssign):
        value = ast.BinOp(ast.Name(unused.name, ast.Load()), statement.op, value)
    is_plain = isinstance(kept, ast.Name | ast.Attribute | ast.Subscript) and loop.body == [statement]
    if not is_plain:
        return Repair(
            f"write into {quoted(ast.unparse(kept))}, or make a new list: {quoted(unused.name)} is only a name in the loop"
        )
    target = ast.unparse(loop.target).strip("()")
    text = f"{ast.unparse(kept)} = [{ast.unparse(value)} for {target} in {ast.unparse(loop.iter)}]"
    return Repair(f"make a new list: {text}", (replaced(unused.place[0].co_filename, loop, text),))


def _use(unused: _Unused, update: Event) -> Repair:
    """The update with what was made of the gradients in place of the gradients, where the text shows what to write."""
    read = _read_in(unused, update)
    names = {each.id for each in read}
    if len(names) != 1:
        return Repair(f"use {quoted(unused.name)} in the update, or leave this line out")
    edits = tuple(replaced(update.code.co_filename, each, unused.name) for each in read)
    is_before = unused.statement.lineno < min(each.lineno for each in read)
    return Repair(f"update with {quoted(unused.name)} in place of {quoted(names.pop())}", edits if is_before else ())


def _read_in(unused: _Unused, update: Event) -> list[ast.Name]:
    """The names that an update in the same function reads, and that a name never read was computed from."""
    node = node_at(update.code, update.instruction)
    if node is None or syntax.scope_of(node) is not syntax.scope_of(unused.statement):
        return []
    before = {each.id for each in _data(unused.statement.value)} - {unused.name}
    return [each for part in _parts_of_update(node) for each in _data(part) if each.id in before]


def _parts_of_update(node: Any) -> list[Any]:
    """What decides with which gradient a variable is updated: the update itself, and what the loop around it runs over."""
    loop = next((each for each in syntax.around(node) if isinstance(each, ast.For)), None)
    if loop is None or syntax.scope_of(loop) is not syntax.scope_of(node):
        return [node]
    return [node, loop.iter] if _names_of(loop.target) & {each.id for each in _data(node)} else [node]


def _data(node: Any) -> list[ast.Name]:
    """The names that an expression reads, but for functions and modules."""
    names = [each for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)]
    called = {_base(each.func) for each in ast.walk(node) if isinstance(each, ast.Call)}
    return [each for each in names if each not in called]


def _base(function: Any) -> Any:
    while isinstance(function, ast.Attribute):
        function = function.value
    return function


# -- gradients that no variable is updated with --


class _Optimizer(NamedTuple):
    """An optimizer that made no step: where it was made, the statement that keeps it, and the expression for it."""

    place: Place
    statement: ast.stmt
    name: str


def _never_applied(unused: list[_Unused], trace: Trace) -> Iterator[Cause]:
    idle = list(_idle_optimizers(trace))
    if not idle:
        return
    by_place: dict[Place, dict[int, Taken]] = {}
    for number, taken in trace.updates.all_taken().items():
        by_place.setdefault((taken.code, taken.instruction), {})[number] = taken
    for place, sources in by_place.items():
        times = trace.times_at(place)
        if times < _STEPS or any(trace.updates.is_changed(each) or not trace.is_trained(each) for each in sources):
            continue
        if _are_looked_at(place, sources.keys(), trace):
            continue
        first, *others = sorted(sources.values(), key=lambda each: each.position)
        repair = _apply(place, len(sources), unused, idle)
        applied = f"{quoted(idle[0].name)} never" if len(idle) == 1 else "no optimizer"
        yield Cause(
            "gradient-not-applied",
            "wrong_value",
            f"{quoted(first.name)} never changes: its gradient was taken {times} times, and {applied} applied it"
            f"{more_sources([each.name for each in others])}",
            (site(*place, "taken here"), *(site(*each.place, "made here") for each in idle[:1])),
            repair.help,
            likely=True,
            edits=repair.edits,
        )


def _are_looked_at(place: Place, numbers: Set[int], trace: Trace) -> bool:
    """Whether gradients are what the program wants to know: it prints them, or takes them to NumPy, or what it computes from them."""
    if any(
        e.kind == "left" and e.source is not None and numbers & trace.updates.behind(e.source) for e in trace.events
    ):
        return True
    node = node_at(*place)
    return node is not None and is_shown(node, place[0].co_filename)


def _idle_optimizers(trace: Trace) -> Iterator[_Optimizer]:
    """The optimizers that the program keeps under a name, and neither asks for a step nor gives to a model, and whose count never changed."""
    for variable in trace.last_variables():
        if not _counts_steps(variable):
            continue
        values = trace.values_of(variable)
        place = kept_at(trace.stack_of(values[0])) if len(values) == 1 else None
        node = None if place is None else node_at(*place)
        statement = None if node is None else syntax.statement_of(node)
        names = [ast.unparse(target) for target, value in syntax.bindings(statement) if value is node]
        if (
            place is not None
            and statement is not None
            and names
            and not _is_asked_for_steps(node, place[0].co_filename)
        ):
            yield _Optimizer(place, statement, names[0])


def _is_asked_for_steps(made: Any, file: str) -> bool:
    """Whether the program calls a method of an optimizer that makes a step, though it may not come to that, or compiles a model with it."""
    for each in Flow([file]).reached_from(made):
        if isinstance(each, ast.Attribute) and each.attr in _STEP:
            return True
        if isinstance(each, ast.Call) and syntax.called_name(each) == "compile":
            return True
    return False


_STEP = ("apply_gradients", "apply", "minimize")


def _counts_steps(variable: Variable) -> bool:
    """Whether a variable is the count of a library's optimizer, which every step changes."""
    path = variable._path
    return (
        path is not None and path.endswith("/iteration") and not variable.trainable and not variable.dtype.is_floating
    )


def _apply(place: Place, count: int, unused: list[_Unused], idle: list[_Optimizer]) -> Repair:
    """The step that is missing, after the gradients are taken, where the text shows what to write."""
    node = node_at(*place)
    general = Repair("update the variables with the gradients: optimizer.apply_gradients(zip(gradients, variables))")
    statement = None if node is None else syntax.statement_of(node)
    sources = None if node is None else argument_node(*place, 1, "sources")
    if len(idle) != 1 or sources is None or not isinstance(statement, ast.Assign) or statement.value is not node:
        return general
    optimizer = idle[0]
    (target,) = statement.targets[:1]
    gradients = ast.unparse(target)
    made = next((each for each in unused if _is_made_of(each, gradients, statement)), None)
    if made is not None:
        gradients, statement = made.name, made.statement
    elif isinstance(target, ast.Tuple):
        gradients = f"[{', '.join(ast.unparse(each) for each in target.elts)}]"
    variables = ast.unparse(sources)
    is_one = count == 1 and isinstance(sources, ast.Name) and not isinstance(target, ast.Tuple)
    pairs = f"[({gradients}, {variables})]" if is_one else f"zip({gradients}, {variables})"
    written = f"{optimizer.name}.apply_gradients({pairs})"
    is_known = syntax.scope_of(optimizer.statement) in (
        syntax.scope_of(statement),
        syntax.scope_of(syntax.scope_of(statement)),
    )
    edits: tuple[Edit, ...] = (inserted_after(place[0].co_filename, statement, written),) if is_known else ()
    return Repair(f"update the variables with the gradients: {written}", edits)


def _is_made_of(unused: _Unused, gradients: str, statement: ast.stmt) -> bool:
    """Whether what is made of gradients, and dropped, is made of those with some name, after a statement that takes them."""
    if (
        syntax.scope_of(unused.statement) is not syntax.scope_of(statement)
        or unused.statement.lineno <= statement.lineno
    ):
        return False
    return any(each.id == gradients for each in _data(unused.statement.value))
