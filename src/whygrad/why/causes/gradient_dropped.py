"""gradient-not-applied: what the program computes from gradients, and drops: no update uses it."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator
from typing import Any, NamedTuple

from whygrad.ops.primitive import CODE, INPUTS, Record, outputs_in
from whygrad.ops.traits import Arithmetic
from whygrad.values.recorders import Event
from whygrad.values.tensor import Key
from whygrad.why.cause import Cause
from whygrad.why.evidence.call_evidence import Place
from whygrad.why.evidence.history import History
from whygrad.why.evidence.trace import Trace
from whygrad.why.source import syntax
from whygrad.why.source.edits import Repair, replaced
from whygrad.why.source.kept_values import kept_at
from whygrad.why.source.sites import node_at, site
from whygrad.why.source.wording import described, quoted

_MOST_OPS = 20_000  # the last ones, of some steps


class Unused(NamedTuple):
    """A name that the program gives to what it computes from gradients, and never reads."""

    name: str
    statement: ast.Assign | ast.AugAssign
    place: Place
    key: Key


def explain(unused: list[Unused], trace: Trace) -> Iterator[Cause]:
    """The names that updates should read in place of the gradients, and those that are lost at the end of a loop's turn."""
    for each in unused:
        update = _update(each, trace)
        if update is not None and _comes_after(each.statement, update):
            continue
        found = _not_used(each, update) if update is not None else _lost_in_loop(each, trace)
        if found is not None:
            yield found


def unused_in(trace: Trace) -> Iterator[Unused]:
    """The names that the program gives to what it computes from gradients, and never reads."""
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
        if name is not None and not _compares_gradients(trace.history(), key):
            yield Unused(name, statement, kept, key)


def _results(trace: Trace) -> dict[Place, Key]:
    """By place, what the program computes from gradients there, and no op uses: a step for a variable, not a norm or another measure."""
    ops = trace.last_ops(_MOST_OPS)
    used = set(itertools.chain.from_iterable(raw[INPUTS:] for raw in ops))
    found: dict[Place, Key] = {}
    for raw in ops:
        for key in outputs_in(raw):
            if key not in used and trace.updates.is_computed_from_gradient(key) and _fits(key, trace):
                found.setdefault((raw[CODE], raw[CODE + 1]), key)
    return found


def _compares_gradients(history: History, key: Key) -> bool:
    """Whether a value is the difference of two gradients as they were taken, which says how far they agree."""
    maker = history.made_by.get(key)
    if not isinstance(maker, Record) or maker.traits.arithmetic is not Arithmetic.DIFFERENCE:
        return False
    makers = [history.made_by.get(each) for each in maker.inputs]
    return all(isinstance(each, Event) and each.kind == "differentiated" for each in makers)


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


def _update(unused: Unused, trace: Trace) -> Event | None:
    """The update that takes a gradient before it was changed (clipped, added up): the last that reads the unchanged one, or the last."""
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
    """Whether a statement follows the update in the text of a function or script: it measures what was done."""
    node = node_at(update.code, update.instruction)
    return node is not None and syntax.scope_of(node) is syntax.scope_of(statement) and statement.lineno > node.lineno


def _not_used(unused: Unused, update: Event) -> Cause:
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


def _lost_in_loop(unused: Unused, trace: Trace) -> Cause | None:
    """The cause, if a loop adds to the name that it gives to each element of a list: the list keeps the elements that it has."""
    statement = unused.statement
    loop = next((each for each in syntax.around(statement) if isinstance(each, ast.For)), None)
    if loop is None or syntax.scope_of(loop) is not syntax.scope_of(statement):
        return None
    kept = _element_of(loop, unused.name)
    adds = isinstance(statement, ast.AugAssign) or unused.name in {each.id for each in names_read(statement.value)}
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


def _as_list(unused: Unused, loop: ast.For, kept: ast.expr) -> Repair:
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


def _use(unused: Unused, update: Event) -> Repair:
    """The update with the changed gradients (clipped, added up) in place of the unchanged ones, where the text shows what to write."""
    read = _read_in(unused, update)
    names = {each.id for each in read}
    if len(names) != 1:
        return Repair(f"use {quoted(unused.name)} in the update, or leave this line out")
    edits = tuple(replaced(update.code.co_filename, each, unused.name) for each in read)
    is_before = unused.statement.lineno < min(each.lineno for each in read)
    return Repair(f"update with {quoted(unused.name)} in place of {quoted(names.pop())}", edits if is_before else ())


def _read_in(unused: Unused, update: Event) -> list[ast.Name]:
    """The names that an update in the same function reads, and that a name never read was computed from."""
    node = node_at(update.code, update.instruction)
    if node is None or syntax.scope_of(node) is not syntax.scope_of(unused.statement):
        return []
    before = {each.id for each in names_read(unused.statement.value)} - {unused.name}
    return [each for part in parts_of_update(node) for each in names_read(part) if each.id in before]


def parts_of_update(node: Any) -> list[Any]:
    """What decides with which gradient a variable is updated: the update itself, and what the loop around it runs over."""
    loop = next((each for each in syntax.around(node) if isinstance(each, ast.For)), None)
    if loop is None or syntax.scope_of(loop) is not syntax.scope_of(node):
        return [node]
    return [node, loop.iter] if _names_of(loop.target) & {each.id for each in names_read(node)} else [node]


def names_read(node: Any) -> list[ast.Name]:
    """The names that an expression reads, but for functions and modules."""
    names = [each for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)]
    called = {_base(each.func) for each in ast.walk(node) if isinstance(each, ast.Call)}
    return [each for each in names if each not in called]


def _base(function: Any) -> Any:
    while isinstance(function, ast.Attribute):
        function = function.value
    return function
