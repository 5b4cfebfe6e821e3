"""A branch that was not taken: the source is written only where the program did not go."""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Iterator
from typing import Any

from whygrad.ops.primitive import Record
from whygrad.values.variable import Variable
from whygrad.why.cause import Cause
from whygrad.why.evidence.history import outputs_of
from whygrad.why.evidence.question import Question
from whygrad.why.source import syntax
from whygrad.why.source.sites import Site, node_at, site_of

_CHOOSE = ("cond", "case", "switch_case", "while_loop")  # ops that are handed functions, and run some of them
_COLLECTIONS = ast.List | ast.Tuple | ast.Dict | ast.Set | ast.Starred


def explain(q: Question) -> Cause | None:
    """The cause, if the source is used in code that was passed by, and nowhere else."""
    decides = q.was_read and _only_decides(q)
    if q.scope is None or (q.was_read and not decides):
        return None
    for mention in _mentions(q):
        decided = _passed_by(q, mention)
        if decided is not None:
            return q.cause(
                "branch-not-taken",
                f"{q.opening}: it is used only in a branch that was not taken"
                + (", and in deciding which one is" if decides else ""),
                [decided, site_of(mention, q.flow.file_of(mention), "not reached")],
                "nothing is wrong if the branch is meant; otherwise look at the condition, or use tf.where, which computes "
                "both branches",
                likely=q.trace is None,  # what ran outside the tape is not known then
            )
    return None


def _only_decides(q: Question) -> bool:
    """Whether all that was computed of the source is true or false, and nothing was computed of that."""
    used_by = q.history.used_by
    made = [outputs_of(user)[0] for key in q.keys for user in used_by.get(key, ()) if isinstance(user, Record)]
    used = (user for key in made for user in used_by.get(key, ()))
    return bool(made) and all(key.dtype.kind == "b" for key in made) and not any(isinstance(u, Record) for u in used)


def _aliases(q: Question) -> set[str]:
    """What the source may be called: as it is asked for, as it was named when it was made."""
    names: set[str | None] = set()
    with contextlib.suppress(SyntaxError):
        names.add(syntax.last_name(ast.parse(q.name, mode="eval").body))
    if isinstance(q.source, Variable) and not q.source.name.startswith("Variable:"):
        names.add(q.source.name.removesuffix(":0"))
    for place in q.made_in:
        node = node_at(*place)
        names |= syntax.names_given(node)
        if node is None or not _returned_alone(node):
            break  # what the callers name is the object or the collection that holds it
    return {name for name in names if name}


def _returned_alone(node: Any) -> bool:
    """Whether a function returns the value of an expression, and nothing else."""
    statement, scope = syntax.statement_of(node), syntax.scope_of(node)
    if isinstance(statement, ast.Return) or isinstance(scope, ast.Lambda):
        return syntax.parent(node) is statement or syntax.parent(node) is scope
    names = {ast.unparse(target) for target, value in syntax.bindings(statement) if value is node}
    returns = [each for each in ast.walk(scope) if isinstance(each, ast.Return)]
    return any(isinstance(each.value, ast.Name) and each.value.id in names for each in returns)


def _holders(q: Question) -> set[str]:
    """What the program calls the objects that hold the source, as far as nothing that they hold was read."""
    names: set[str | None] = set()
    stack = q.made_in
    for depth in range(1, min(len(stack), 4)):
        read = any(
            q.trace.stack_of(key)[-len(stack) + depth :] == stack[depth:]
            for variable in q.tape._versions
            for key in q.trace.values_of(variable)[:1]
        )
        if read:
            break
        names |= syntax.names_given(node_at(*stack[depth]))
    return {name for name in names if name}


def _mentions(q: Question) -> Iterator[Any]:
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
            if computes and not _is_another(q, node):
                yield node


def _is_called(node: Any) -> bool:
    """Whether an object is called, or a method of it."""
    above = syntax.parent(node)
    while isinstance(above, ast.Attribute):
        node, above = above, syntax.parent(above)
    return isinstance(above, ast.Call) and above.func is node


def _is_another(q: Question, node: Any) -> bool:
    """Whether a name is a local one of another function, which happens to be called the same."""
    scope = syntax.scope_of(node)
    if not isinstance(node, ast.Name) or scope is q.scope or isinstance(scope, ast.Module):
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


def _passed_by(q: Question, mention: Any, seen: frozenset[Any] = frozenset()) -> Site | None:
    """What decided that a mention did not run, if its function ran."""
    statement: Any = syntax.statement_of(mention)
    if _ran(q, mention):
        return None
    inside = mention
    for above in syntax.around(mention):
        decided = _decision(above, inside)
        if decided is not None:
            return site_of(decided, q.flow.file_of(mention), "decided here")
        if isinstance(above, ast.Lambda):
            given = syntax.parent(above)
            if isinstance(given, ast.Call) and syntax.called_name(given) in _CHOOSE:
                return site_of(given, q.flow.file_of(mention), "decided here")
        if isinstance(above, ast.FunctionDef):
            left_early = _leaves_before(above, statement)
            if left_early is not None:
                return site_of(left_early, q.flow.file_of(mention), "decided here")
            return _handed_over(q, above) or _never_called(q, above, seen | {above})
        inside = above
    return None


def _never_called(q: Question, function: ast.FunctionDef, seen: frozenset[Any]) -> Site | None:
    """What decided that none of the calls of a function ran, whose first lines did not."""
    decided = (_passed_by(q, call, seen) for call in q.flow.calls_of(function) if syntax.scope_of(call) not in seen)
    return next((each for each in decided if each is not None), None)


def _decision(above: Any, inside: Any) -> ast.expr | None:
    """The condition (or the loop's range) under which a part of a statement runs."""
    if isinstance(above, ast.If | ast.While | ast.IfExp) and inside is not above.test:
        return above.test
    if isinstance(above, ast.For) and inside is not above.iter and inside in above.body:
        return above.iter
    if isinstance(above, ast.BoolOp) and inside is not above.values[0]:
        return above.values[0]
    if isinstance(above, ast.Match):
        return above.subject
    return None


def _leaves_before(function: ast.FunctionDef, statement: ast.stmt) -> ast.expr | None:
    """The condition of a return, before a statement, that ended the function early."""
    for each in function.body:
        if each.lineno >= statement.lineno:
            return None
        if isinstance(each, ast.If) and any(isinstance(part, ast.Return | ast.Raise) for part in ast.walk(each)):
            return each.test
    return None


def _handed_over(q: Question, function: ast.FunctionDef) -> Site | None:
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


def _ran(q: Question, mention: Any) -> bool:
    """Whether an op ran at a mention, as far as the tape knows."""
    parts = {mention, *syntax.around(mention)}
    return any(node_at(record.code, record.instruction) in parts for record in _distinct(q))


def _distinct(q: Question) -> Iterator[Any]:
    seen = set()
    for record in q.tape.records:
        place = (record.code, record.instruction)
        if place not in seen:
            seen.add(place)
            yield record
