"""Why a target does not depend on a source: another object, other variables, a branch that did not run, forgotten."""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Iterator
from typing import Any

from whygrad.ops.primitive import Record
from whygrad.ops.traits import Arithmetic, Logits
from whygrad.values.tensor import Key
from whygrad.values.variable import Variable
from whygrad.why.cause import Cause
from whygrad.why.causes import branch_not_taken
from whygrad.why.evidence.history import Step, outputs_of
from whygrad.why.evidence.question import Question, handed_on
from whygrad.why.source import syntax
from whygrad.why.source.names import names_of_variables
from whygrad.why.source.sites import Site, node_at, site, site_of
from whygrad.why.source.wording import described, listed, quoted


def computed_outside(q: Question) -> Cause | None:
    """The tape did not see how the target was made. (A trace would have, and then the cut is known.)"""
    if q.trace is not None or any(key in q.recorded or key in q.tape.live for key in q.target_keys):
        return None
    found = q.assignment_of(q.target_name)
    if found is None or _inside_a_block(found[0]):
        return None
    made = site_of(found[1], q.call.code.co_filename, "computed outside")
    if isinstance(found[1], ast.Call) and syntax.called_name(found[1]) == "gradient":
        return q.cause(
            "derivative-not-recorded",
            f"{q.opening}: {quoted(q.target_name)} is a gradient that was taken while this tape was not recording",
            [made],
            "take the inner gradient inside the outer tape's with block, so that it is recorded too",
        )
    return q.cause(
        "computed-outside-tape",
        f"{q.opening}: {quoted(q.target_name)} was computed while the tape was not recording",
        [made],
        "move this line into the with block",
    )


def looked_away(q: Question) -> Cause | None:
    """The tape was told to forget, or to look away for a while. (A trace would know what was computed then.)"""
    tape = q.tape
    if q.trace is not None or any(key in q.history.used_by for key in q.keys):
        return None
    if tape.reset_at is not None and not any(key in q.recorded or key in tape.live for key in q.target_keys):
        return q.cause(
            "computed-outside-tape",
            f"{q.opening}: the tape was reset, and how {quoted(q.target_name)} was computed is not among what it recorded since",
            [site(*tape.reset_at, "forgotten here")],
            f"leave out {q.tape_name}.reset(), or compute {quoted(q.target_name)} after it",
        )
    if tape.stopped_at is None:
        return None
    return q.cause(
        "computed-outside-tape",
        f"{q.opening}: nothing that the tape recorded leads from it to {quoted(q.target_name)}, and its recording was stopped "
        "for a while",
        [site(*tape.stopped_at, "stopped here")],
        f"what is computed in the block of {q.tape_name}.stop_recording() is a constant for the tape: move what leads from "
        f"{quoted(q.name)} to {quoted(q.target_name)} out of it",
        likely=True,
    )


def _inside_a_block(statement: ast.stmt) -> bool:
    return any(isinstance(each, ast.With) for each in syntax.around(statement))


def another_object(q: Question) -> Cause | None:
    """The source was computed from what the target was computed from, but it is not on the way itself."""
    if isinstance(q.source, Variable) or not q.keys:
        return None
    maker = q.history.made_by.get(q.keys[0])
    if not isinstance(maker, Record):
        return _looks_like(q)
    if not _shares_an_origin(q, maker):
        return None
    made = q.assigned_at(q.name, "made here") or q.made_at(q.keys[0])
    target = q.assigned_at(q.target_name, "target made here") or _target_made(q)
    copies = (maker.traits.moves is not None or maker.traits.casts) and any(key in q.towards for key in maker.inputs)
    # Made beside the tape, it is what was asked for by mistake; made inside, it was to be used.
    sites = [made, target] if copies or q.keys[0] not in q.recorded else [target, made]
    return q.cause(
        "source-is-a-copy",
        f"{q.opening}: {quoted(q.target_name)} was not computed from this tensor, but from another one with the same origin",
        sites,
        f"compute {quoted(q.target_name)} from the very tensor that is asked for"
        + (", or ask for the tensor that it was taken from" if copies else ""),
    )


def _shares_an_origin(q: Question, maker: Record) -> bool:
    """Whether one of the source's ancestors is also one of the target's: a value that was followed or read, no literal."""
    pending, seen = deque(maker.inputs), set(maker.inputs)
    while pending and len(seen) < 10_000:
        key = pending.popleft()
        if key in q.towards and _is_somebody(q, key):
            return True
        origin = q.history.made_by.get(key)
        for each in origin.inputs if isinstance(origin, Record) else ():
            if each not in seen:
                seen.add(each)
                pending.append(each)
    return False


def _is_somebody(q: Question, key: Key) -> bool:
    return key in q.tape.live or key in q.recorded or len(q.history.used_by.get(key, ())) > 1


def _looks_like(q: Question) -> Cause | None:
    """The source was made from nothing and used for nothing, while the target was computed from another of its kind."""
    if q.history.used_by.get(q.keys[0]):
        return None
    watched, same_data = _watched_twin(q), _twin_of_the_same_data(q)
    if watched is None and same_data is None:
        return None
    return q.cause(
        "source-is-a-copy",
        f"{q.opening}: nothing was computed from this tensor; {quoted(q.target_name)} was computed from another"
        + (" with the same numbers" if same_data is not None else " of its shape"),
        [same_data, q.defined_at, watched],
        f"compute {quoted(q.target_name)} from the very tensor that is asked for",
        likely=same_data is None,
    )


def _twins(q: Question) -> Iterator[Key]:
    """What the target was computed from that has the source's shape and dtype, and was not computed itself."""
    key = q.keys[0]
    variables = {version for versions in q.tape._versions.values() for version in versions}
    for other in q.towards:
        if other is not key and other not in variables and (other.shape, other.dtype) == (key.shape, key.dtype):
            yield other


def _watched_twin(q: Question) -> Site | None:
    """Where a tensor was watched that looks like the source, and is used."""
    for twin in _twins(q):
        watched = q.tape.watched_at(twin)
        if watched is not None:
            return site(*watched, role="watched here", note=described(twin))
    return None


def _twin_of_the_same_data(q: Question) -> Site | None:
    """Where the target was made, if it was computed from a second tensor made from the same array or list."""
    place = q.trace.made_at(q.keys[0]) if q.trace is not None else None
    node = node_at(*place) if place is not None else None
    if not isinstance(node, ast.Call) or not node.args or not isinstance(node.args[0], ast.Name):
        return None
    found = syntax.assignment_before(syntax.scope_of(node), node.args[0].id, node.lineno)
    if found is None:
        return None
    reached = q.flow.reached_from(found[1])
    for twin in _twins(q):
        made = q.trace.made_at(twin)
        if made is None:
            continue
        converted = node_at(*made)
        if converted is not None and converted is not node and any(part in reached for part in ast.walk(converted)):
            target = q.assigned_at(q.target_name, "target made here")
            return target or site(made[0], made[1], "another made here", described(twin))
    return None


def _target_made(q: Question) -> Site | None:
    makers = [q.history.made_by.get(key) for key in q.target_keys]
    made = next((each for each in makers if isinstance(each, Record)), None)
    return None if made is None else site(made.code, made.instruction, "target made here")


def explain(q: Question) -> Cause | None:
    """The target depends on other things."""
    return _wrong_list(q) or branch_not_taken.explain(q)


def _others(q: Question) -> list[Variable]:
    """The variables that the target does depend on."""
    return [
        variable
        for variable, versions in q.tape._versions.items()
        if variable is not q.source and any(key in q.towards for key in versions)
    ]


def _wrong_list(q: Question) -> Cause | None:
    others = _others(q)
    sources = q.call.sources
    if not others or any(gradient is not None for gradient in q.call.gradients):
        return None
    if not all(isinstance(s, Variable) and s not in q.tape._versions for s in sources):
        return None
    if len(sources) == 1 and branch_not_taken.explain(q) is not None:
        return None
    return q.cause(
        "wrong-variable-list",
        f"{q.opening}: {quoted(q.target_name)} depends on other variables than those asked for",
        [q.asked],
        "ask for the variables of the model that computed the target" + _named(q, others),
    )


def only_aimed_at(q: Question) -> Cause | None:
    """What was computed from the sources, before the tape, is what other variables are trained towards: a teacher's answer."""
    sources, live = q.call.sources, q.tape.live
    if any(gradient is not None for gradient in q.call.gradients) or not all(isinstance(s, Variable) for s in sources):
        return None
    trained = {key for other in _others(q) for key in q.tape._versions[other]} & live
    if not trained or any(source in q.tape._versions for source in sources):
        return None
    met = [
        (record, key)
        for record in q.tape.records
        if outputs_of(record)[0] in live and outputs_of(record)[0] in q.towards
        for key in record.inputs
        if key in q.descendants and key not in live
    ]
    if not met or not all(_is_a_goal(q, record, key, trained) for record, key in met):
        return None
    record = met[0][0]
    return q.cause(
        "wrong-variable-list",
        f"{q.opening}: {quoted(q.target_name)} only compares with what was computed from it, and depends on other variables",
        [q.asked, site(record.code, record.instruction, "compared here")],
        "ask for the variables of the model that is trained" + _named(q, _others(q)),
        likely=True,
    )


def copied_before(q: Question, step: Step) -> Cause | None:
    """Other variables were given the values of those asked for before the tape, and the target was computed from them."""
    event: Any = step.through
    all_none = all(gradient is None for gradient in q.call.gradients)
    if not all_none or step.start not in q.keys or not any(event.subject is other for other in _others(q)):
        return None
    return q.cause(
        "wrong-variable-list",
        f"{q.opening}: {quoted(q.target_name)} depends on a variable that was given its value, not on it",
        [q.asked, site(event.code, event.instruction, "copied here", described(step.start))],
        "ask for the variables that the target was computed with" + _named(q, _others(q)),
    )


_COMPARES = (Arithmetic.DIFFERENCE, Arithmetic.SQUARED_DIFFERENCE, Arithmetic.PRODUCT)
_LOSSES = (Logits.SOFTMAX_LOSS, Logits.SIGMOID_LOSS)


def _is_a_goal(q: Question, record: Record, key: Key, trained: set[Key]) -> bool:
    """Whether an op compares a value with one that was computed from variables that are trained, and that it does not share."""
    traits = record.traits
    if not key.shape or not (traits.arithmetic in _COMPARES or traits.takes_logits in _LOSSES):
        return False
    others = [q.history.made_by.get(each) for each in record.inputs if each is not key and each in q.tape.live]
    if traits.arithmetic is Arithmetic.PRODUCT:
        return any(isinstance(each, Record) and each.traits.is_logarithm for each in others)
    return any(isinstance(each, Record) for each in others) and trained.isdisjoint(_origins(q, key))


def _origins(q: Question, key: Key) -> set[Key]:
    """Everything that a value was computed from by ops."""
    pending, seen = deque([key]), {key}
    while pending:
        maker = q.history.made_by.get(pending.popleft())
        for each in maker.inputs if isinstance(maker, Record) else ():
            if each not in seen:
                seen.add(each)
                pending.append(each)
    return seen


def _named(q: Question, variables: list[Variable]) -> str:
    names = names_of_variables(q.call, variables[:4])
    return f": {listed(names)}" if names else ""


def plainly(q: Question) -> Cause:
    """The target does not depend on the source."""
    depends = _named(q, _others(q)).removeprefix(": ")
    last = next((r for r in reversed(q.tape.records) if any(key in q.descendants for key in outputs_of(r))), None)
    sites = [q.defined_at] if last is None else [_lost(q, last), _dead_end(last), q.defined_at]
    # Without a trace, what other threads and other blocks computed is not known: no more is said than the tape knows.
    said = (
        f"{quoted(q.target_name)} does not depend on it"
        if q.trace is not None
        else f"nothing that the tape recorded leads from it to {quoted(q.target_name)}"
    )
    elsewhere = (
        " inside the with block (what was computed before it, or in another thread, is a constant for the tape)"
        if q.trace is None and last is None
        else ""
    )
    return q.cause(
        "source-unused",
        f"{q.opening}: {said}"
        + (", though it was used for something else" if last is not None else "")
        + (f"; {quoted(q.target_name)} depends on {depends}" if depends else ""),
        sites,
        f"use {quoted(q.name)} in the computation of {quoted(q.target_name)}{elsewhere}, or leave it out of the sources",
    )


def _dead_end(last: Record) -> Site:
    """The last thing that the tape saw computed from the source, where the target was not computed from it."""
    return site(last.code, last.instruction, "not used further", described(outputs_of(last)[0]))


def _lost(q: Question, last: Record) -> Site | None:
    """Where what was computed from the source was overwritten, or else where the target was made without it."""
    node, asked = node_at(last.code, last.instruction), node_at(q.call.code, q.call.instruction)
    statement = syntax.statement_of(node) if node is not None else None
    for target, _ in syntax.bindings(statement):
        for again, value in syntax.assignments(syntax.scope_of(statement), ast.unparse(target)):
            later = asked is not None and syntax.runs_later(again, asked)
            if again.lineno > _last_line(statement) and not later and not _reads(value, ast.unparse(target)):
                return site_of(value, last.code.co_filename, "overwritten here")
    scope = syntax.scope_of(node) if node is not None else None
    dropped = _dropped(q)
    if dropped is not None:
        return dropped
    if isinstance(scope, ast.FunctionDef) and scope is not q.scope and not handed_on(node):
        returned = [each.value for each in ast.walk(scope) if isinstance(each, ast.Return) and each.value is not None]
        if returned:
            return site_of(returned[-1], last.code.co_filename, "left out here")
    return q.assigned_at(q.target_name, "target made here")


def _dropped(q: Question) -> Site | None:
    """The call of the object that holds the source, if the program does nothing with what it gives."""
    holders = {name for place in q.made_in[1:4] for name in syntax.names_given(node_at(*place))} - {None}
    for tree in q.flow.trees:
        for statement in ast.walk(tree):
            value = getattr(statement, "value", None)
            if not isinstance(statement, ast.Assign | ast.Expr) or not isinstance(value, ast.Call):
                continue
            called: Any = value.func
            while isinstance(called, ast.Attribute) and syntax.last_name(called) not in holders:
                called = called.value
            kept = {ast.unparse(target) for target, _ in syntax.bindings(statement)}
            if syntax.last_name(called) in holders and not any(
                _reads(syntax.scope_of(statement), text) for text in kept
            ):
                return site_of(value, q.flow.file_of(statement), "not used further")
    return None


def _last_line(statement: ast.stmt | None) -> int:
    """The last line of a statement."""
    return 0 if statement is None else statement.end_lineno or statement.lineno


def _reads(value: ast.AST, text: str) -> bool:
    return any(
        ast.unparse(part) == text
        for part in ast.walk(value)
        if isinstance(part, ast.Name | ast.Attribute) and isinstance(part.ctx, ast.Load)
    )
