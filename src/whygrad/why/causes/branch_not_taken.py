"""branch-not-taken: the program uses the source only in a branch that did not run."""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from whygrad.ops.primitive import Record
from whygrad.runtime.syntax_trees import parse
from whygrad.values.recorders import Event
from whygrad.values.tensor import Key
from whygrad.values.variable import Variable
from whygrad.why.cause import Cause
from whygrad.why.causes.cause_of_none import cause_of_none
from whygrad.why.evidence.question import SourceQuestion
from whygrad.why.source import syntax
from whygrad.why.source.sites import Site, node_at, site, site_of
from whygrad.why.source.wording import quoted

_CHOOSE = ("cond", "case", "switch_case", "while_loop")  # ops that are handed functions, and run some of them
_COLLECTIONS = ast.List | ast.Tuple | ast.Dict | ast.Set | ast.Starred


def explain(q: SourceQuestion) -> Cause | None:
    """The cause, if the source is used in code that did not run, and nowhere else."""
    decides = _only_decides(q) if q.was_used else any(_left_to_decide(q, key) for key in q.keys)
    if q.call_site.scope is None or (q.was_used and not decides):
        return _left_in_a_branch(q) if q.call_site.scope is not None else None
    if not (_is_seen_whole(q) or q.evidence.target_is_known or _target_is_made_in_the_block(q)):
        return None
    for mention in _mentions(q):
        if not q.may_run(q.flow.file_of(mention), mention.lineno):
            continue
        if not q.evidence.is_traced and _runs_outside_the_tape(q, mention):
            continue
        decided = _skipped_by(q, mention)
        if decided is not None:
            return cause_of_none(
                q,
                "branch-not-taken",
                "it is used only in a branch that was not taken"
                + (", and in the condition that chooses the branch" if decides else ""),
                [decided, site_of(mention, q.flow.file_of(mention), "not reached")],
                "nothing is wrong if the branch is meant; otherwise look at the condition, or use tf.where, which computes "
                "both branches",
                likely=not _is_seen_whole(q),
            )
    condition = _place_of(q, _tested) if decides else None
    turns = _place_of(q, _counted) if decides and condition is None else None
    if condition is None and turns is None:
        return None
    return cause_of_none(
        q,
        "branch-not-taken",
        "it only decides which branch is taken, and a condition has no derivative"
        if turns is None
        else "it only decides how often a loop runs, and a number of turns has no derivative",
        [condition, turns],
        "to learn it, blend the branches with a smooth weight in place of the condition: p * a + (1 - p) * b with p = tf.sigmoid(...)"
        if turns is None
        else f"to learn it, fix the number of turns, and compute with {quoted(q.name)} in each of them: the length of a step, as a rule",
        likely=not _is_seen_whole(q),
    )


def _is_seen_whole(q: SourceQuestion) -> bool:
    """Whether all ops that may have led to the target are known, those outside of the tape too."""
    return q.evidence.is_traced or q.is_of_function


def explain_untaken(q: SourceQuestion) -> Cause | None:
    """The cause, if a traced function would have used the source in code that did not run, which its tape knows."""
    place = q.call.untaken.get(q.position)
    if place is None:
        return None
    return explain(q) or cause_of_none(
        q,
        "branch-not-taken",
        "what is computed from it is used only in a branch or loop body that did not run",
        [site(*place, "decided here")],
        "nothing is wrong if this is meant; otherwise look at the condition",
    )


def _left_in_a_branch(q: SourceQuestion) -> Cause | None:
    """The cause, if what was computed from the source has a name, and is read by this name only in a branch that did not run."""
    used_by, made_by = q.evidence.history.used_by, q.evidence.history.made_by
    asked = set() if q.call_site.node is None else set(ast.walk(q.call_site.node))
    for key in q.descendants:
        maker = made_by.get(key)
        if not isinstance(maker, Record) or any(isinstance(user, Record) for user in used_by.get(key, ())):
            continue
        name = _name_of_value(q, node_at(maker.code, maker.instruction))
        scope = None if name is None else syntax.scope_of(name)
        reads = [
            each
            for each in (() if scope is None else ast.walk(scope))
            if isinstance(each, ast.Name) and each.id == name.id and isinstance(each.ctx, ast.Load)  # type: ignore[union-attr]
        ]
        if any(each in asked for each in reads):  # the target has this name: it was given another value since
            continue
        decided = [_skipped_by(q, each) for each in reads]
        if reads and decided[0] is not None and all(each is not None for each in decided):
            return cause_of_none(
                q,
                "branch-not-taken",
                "what is computed from it is used only in a branch that was not taken",
                [decided[0], site_of(reads[0], q.flow.file_of(reads[0]), "not reached")],
                "nothing is wrong if the branch is meant, and the source can be left out then; otherwise look at the condition",
                likely=not _is_seen_whole(q),
            )
    return None


def _name_of_value(q: SourceQuestion, node: Any) -> ast.Name | None:
    """The name that an expression's value is given: at once, or by the only call of the function that returns it."""
    for _ in range(_MOST_RETURNS):
        above = None if node is None else syntax.parent(node)
        if isinstance(above, ast.Assign) and isinstance(above.targets[0], ast.Name):
            return above.targets[0]
        if isinstance(above, ast.Tuple):
            return _name_of_element(q, above, above.elts.index(node))
        calls = list(q.flow.calls_of(syntax.scope_of(above))) if isinstance(above, ast.Return) else []
        if len(calls) != 1:
            return None
        node = calls[0]
    return None


def _name_of_element(q: SourceQuestion, returned: ast.Tuple, index: int) -> ast.Name | None:
    """The name of one element of a returned tuple, where only one caller unpacks the tuple."""
    above = syntax.parent(returned)
    calls = q.flow.calls_of(syntax.scope_of(above)) if isinstance(above, ast.Return) else ()
    targets = [each.targets[0] for call in calls if isinstance(each := syntax.parent(call), ast.Assign)]
    unpacked = [each for each in targets if isinstance(each, ast.Tuple) and len(each.elts) == len(returned.elts)]
    name = unpacked[0].elts[index] if len(unpacked) == 1 else None
    return name if isinstance(name, ast.Name) else None


_MOST_RETURNS = 4


def _place_of(q: SourceQuestion, decision: Callable[[Any], ast.expr | None]) -> Site | None:
    """Where something that was computed from the source decides."""
    used_by = q.evidence.history.used_by
    for key in q.descendants:
        for each in used_by.get(key, ()):
            node = node_at(each.code, each.instruction) if isinstance(each, Event) and each.kind == "left" else None
            for part in () if node is None else q.flow.reached_from(node):
                decided = decision(part)
                if decided is not None:
                    return site_of(decided, q.flow.file_of(part), "decided here")
    return None


def _only_decides(q: SourceQuestion) -> bool:
    """Whether everything that was computed from the source ends in conditions."""
    used_by = q.evidence.history.used_by
    ends = [key for key in q.descendants if not any(isinstance(user, Record) for user in used_by.get(key, ()))]
    return bool(ends) and all(key.dtype.kind == "b" or _left_to_decide(q, key) for key in ends if key not in q.keys)


def _left_to_decide(q: SourceQuestion, key: Key) -> bool:
    """Whether a value left as a Python number, by which a statement decides."""
    exits = [
        each for each in q.evidence.history.used_by.get(key, ()) if isinstance(each, Event) and each.kind == "left"
    ]
    nodes = [node for each in exits if (node := node_at(each.code, each.instruction)) is not None]
    parts = {part for node in nodes for part in q.flow.reached_from(node)}
    return any(_tested(part) is not None or _counted(part) is not None for part in parts)


def _counted(node: Any) -> ast.expr | None:
    """The `range` of a loop that an expression is given to."""
    call = syntax.parent(node)
    is_range = isinstance(call, ast.Call) and syntax.called_name(call) == "range" and node in call.args
    above = syntax.parent(call) if is_range else None
    return call if isinstance(above, ast.For | ast.comprehension) and above.iter is call else None


def _tested(node: Any) -> ast.expr | None:
    """The condition that an expression is part of."""
    inside = node
    for above in syntax.around(node):
        if isinstance(above, ast.stmt | ast.IfExp):
            return inside if inside is getattr(above, "test", None) and not isinstance(above, ast.Assert) else None
        inside = above
    return None


def _aliases(q: SourceQuestion) -> set[str]:
    """The names that the source may have: the one it is asked for by, and those it was given where it was made."""
    names: set[str | None] = set()
    with contextlib.suppress(SyntaxError):
        names.add(syntax.last_name(parse(q.name, mode="eval").body))
    if isinstance(q.source, Variable) and not q.source.name.startswith("Variable:"):
        names.add(q.source.name.removesuffix(":0"))
    for place in q.made_in:
        node = node_at(*place)
        names |= syntax.names_given(node)
        if node is None or not _returned_alone(node):
            break  # the callers name the object or the collection that holds it
    return {name for name in names if name}


def _returned_alone(node: Any) -> bool:
    """Whether a function returns the value of an expression, and nothing else."""
    statement, scope = syntax.statement_of(node), syntax.scope_of(node)
    if isinstance(statement, ast.Return) or isinstance(scope, ast.Lambda):
        return syntax.parent(node) is statement or syntax.parent(node) is scope
    names = {ast.unparse(target) for target, value in syntax.bindings(statement) if value is node}
    returns = [each for each in ast.walk(scope) if isinstance(each, ast.Return)]
    return any(isinstance(each.value, ast.Name) and each.value.id in names for each in returns)


def _holders(q: SourceQuestion) -> set[str]:
    """The names of the objects that hold a variable, unless another variable that they hold was read."""
    if not isinstance(q.source, Variable):
        return set()
    names: set[str | None] = set()
    stack = q.made_in
    for depth in range(1, min(len(stack), 4)):
        read = any(
            q.evidence.stack_of(key)[-len(stack) + depth :] == stack[depth:]
            for variable in q.evidence.watched_variables
            for key in q.evidence.traced_values_of(variable)[:1]
        )
        if read:
            break
        names |= syntax.names_given(node_at(*stack[depth]))
    return {name for name in names if name}


def _mentions(q: SourceQuestion) -> Iterator[Any]:
    """Where the program reads the source to compute with it."""
    aliases, holders = _aliases(q), _holders(q)
    for tree in q.flow.trees:
        for node in ast.walk(tree):
            if not isinstance(getattr(node, "ctx", None), ast.Load):
                continue
            named = syntax.last_name(node) in aliases or (
                isinstance(node, ast.Subscript) and ast.unparse(node) == q.name
            )
            held = syntax.last_name(node) in holders
            computes = ((named or held) and _computes(node)) or (held and _is_called(node))
            if computes and not _is_another_local(q, node):
                yield node


def _is_called(node: Any) -> bool:
    """Whether an object is called, or a method of it."""
    above = syntax.parent(node)
    while isinstance(above, ast.Attribute):
        node, above = above, syntax.parent(above)
    return isinstance(above, ast.Call) and above.func is node


def _is_another_local(q: SourceQuestion, node: Any) -> bool:
    """Whether a name is a local one of another function, which happens to be called the same."""
    scope = syntax.scope_of(node)
    if not isinstance(node, ast.Name) or scope is q.call_site.scope or isinstance(scope, ast.Module):
        return False
    return any(
        isinstance(each, ast.Name)
        and each.id == node.id
        and isinstance(each.ctx, ast.Store)
        and syntax.scope_of(each) is scope
        for each in ast.walk(scope)
    )


def _computes(node: Any) -> bool:
    """Whether a mention is part of a computation, rather than of a list of variables, an update or a call of gradient."""
    inside = node
    for above in syntax.around(node):
        if isinstance(above, ast.BinOp | ast.UnaryOp | ast.Compare):
            return True
        if isinstance(above, ast.Call):
            name = syntax.called_name(above)
            return not (above.func is inside or name in ("gradient", "watch", "zip", "print", "numpy", "jacobian"))
        if isinstance(above, ast.Attribute) and above.attr.startswith("assign"):
            return False
        if isinstance(above, ast.AugAssign):
            return above.value is inside
        if isinstance(above, ast.stmt):
            return isinstance(above, ast.Return) and not isinstance(inside, _COLLECTIONS)
        inside = above
    return False


def _skipped_by(q: SourceQuestion, mention: Any, seen: frozenset[Any] = frozenset()) -> Site | None:
    """The condition by which a mention did not run, if its function ran."""
    statement: Any = syntax.statement_of(mention)
    asked = q.call_site.node
    if _ran(q, mention) or (asked is not None and statement is not None and syntax.runs_later(statement, asked)):
        return None
    inside = mention
    for above in syntax.around(mention):
        decided = _decision(q, above, inside)
        if decided is not None:
            return site_of(decided, q.flow.file_of(mention), "decided here")
        if isinstance(above, ast.Lambda):
            given = syntax.parent(above)
            if isinstance(given, ast.Call) and syntax.called_name(given) in _CHOOSE:
                return site_of(given, q.flow.file_of(mention), "decided here")
        if above in seen:  # a call from inside the function itself, in a lambda
            return None
        if isinstance(above, ast.FunctionDef):
            returns_early = _returns_before(above, statement)
            if returns_early is not None:
                return site_of(returns_early, q.flow.file_of(mention), "decided here")
            return _passed_as_branch(q, above) or (
                None if _function_ran(q, above) else _never_called(q, above, seen | {above})
            )
        inside = above
    return None


def _never_called(q: SourceQuestion, function: ast.FunctionDef, seen: frozenset[Any]) -> Site | None:
    """The condition by which none of the calls of a function ran."""
    decided = (_skipped_by(q, call, seen) for call in q.flow.calls_of(function) if syntax.scope_of(call) not in seen)
    return next((each for each in decided if each is not None), None)


def _target_is_made_in_the_block(q: SourceQuestion) -> bool:
    """Whether the target, of which the tape has no op, was given its value in the tape's block: a constant, most likely."""
    blocks = q.call_site.tape_blocks()
    made = [statement for statement, _ in syntax.assignments(q.call_site.scope, q.target_name)]
    return any(block in blocks for statement in made for block in syntax.around(statement))


def _runs_outside_the_tape(q: SourceQuestion, mention: Any) -> bool:
    """Whether a mention, in the function that asks for the gradient, stands outside of the tape's block: only a trace knows what ran there."""
    if syntax.scope_of(mention) is not q.call_site.scope or isinstance(mention, ast.Lambda):
        return False
    blocks = q.call_site.tape_blocks()
    return bool(blocks) and not any(block in blocks for block in syntax.around(mention))


def _decision(q: SourceQuestion, above: Any, inside: Any) -> ast.expr | None:
    """The condition (or the loop's range) under which a part of a statement runs.

    Without a trace only what the tape recorded is known to have run, and a loop that it did not record may have.
    """
    if isinstance(above, ast.For | ast.While) and not q.evidence.is_traced:
        return None
    if _is_around_call(q, above, inside):
        return None
    if isinstance(above, ast.If | ast.While | ast.IfExp) and inside is not above.test:
        return above.test
    if isinstance(above, ast.For) and inside is not above.iter and inside in above.body:
        return above.iter
    if isinstance(above, ast.BoolOp) and inside is not above.values[0]:
        return above.values[0]
    if isinstance(above, ast.Match):
        return above.subject
    return None


def _is_around_call(q: SourceQuestion, above: Any, inside: Any) -> bool:
    """Whether the call of `gradient` stands in the same part of a statement, which ran therefore."""
    blocks = [block for name in ("body", "orelse") if isinstance(block := getattr(above, name, None), list)]
    asked = {q.call_site.node, *syntax.around(q.call_site.node)}
    return any(inside in block and not asked.isdisjoint(block) for block in blocks)


def _returns_before(function: ast.FunctionDef, statement: ast.stmt) -> ast.expr | None:
    """The condition of a return, before a statement, that ended the function early."""
    for each in function.body:
        if each.lineno >= statement.lineno:
            return None
        if isinstance(each, ast.If) and any(isinstance(part, ast.Return | ast.Raise) for part in ast.walk(each)):
            return each.test
    return None


def _passed_as_branch(q: SourceQuestion, function: ast.FunctionDef) -> Site | None:
    """The call that was given a function and did not call it: `tf.cond(condition, this, that)`."""
    for tree in q.flow.trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and syntax.called_name(node) in _CHOOSE:
                given = [
                    part for argument in (*node.args, *[k.value for k in node.keywords]) for part in ast.walk(argument)
                ]
                if any(
                    isinstance(part, ast.Name | ast.Attribute) and syntax.last_name(part) == function.name
                    for part in given
                ):
                    return site_of(node, q.flow.file_of(node), "decided here")
    return None


def _ran(q: SourceQuestion, mention: Any) -> bool:
    """Whether an op ran at a mention, or a value left there, as far as the tape knows."""
    parts = {mention, *syntax.around(mention)}
    if any(node_at(each.code, each.instruction) in parts for each in _distinct(q)):
        return True
    called = {syntax.called_name(part) for part in parts if isinstance(part, ast.Call)}
    functions = [each for tree in q.flow.trees for name in called for each in syntax.functions_named(tree, name or "")]
    return any(_function_ran(q, each) for each in functions if len([*q.flow.calls_of(each)]) == 1)


def _function_ran(q: SourceQuestion, function: ast.FunctionDef) -> bool:
    """Whether an op ran in a function, or the call of gradient."""
    if q.call_site.scope is function:
        return True
    return any(syntax.scope_at(record.code, record.instruction) is function for record in _distinct(q))


def _distinct(q: SourceQuestion) -> Iterator[Record | Event]:
    seen = set()
    exits = [event for event in q.evidence.history.events if event.kind == "left"]
    ran: list[Record | Event] = [*q.evidence.records, *exits]
    for record in ran:
        place = (record.code, record.instruction)
        if place not in seen:
            seen.add(place)
            yield record
