"""variable-overwritten-by-tensor: an update bound the variable's name to a tensor."""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from whygrad.ops.primitive import Record
from whygrad.ops.traits import Arithmetic
from whygrad.values.faults import ChangedInPlace
from whygrad.values.recorders import Event
from whygrad.values.tensor import Key
from whygrad.values.variable import Variable
from whygrad.why.cause import Cause
from whygrad.why.causes.cause_of_none import cause_of_none
from whygrad.why.causes.explanation import Explanation, explains
from whygrad.why.evidence.failed_op import FailedOp
from whygrad.why.evidence.history import outputs_of
from whygrad.why.evidence.question import Question, SourceQuestion
from whygrad.why.source import syntax
from whygrad.why.source.edits import Edit, Repair, replaced
from whygrad.why.source.sites import Site, node_at, site, site_of
from whygrad.why.source.wording import described, grouped, more_sources, quoted

if TYPE_CHECKING:
    from whygrad.why.evidence.trace import Trace


def explain(q: SourceQuestion, key: Key) -> Cause | None:
    """The cause, if the source is a tensor that took a variable's place."""
    if not q.evidence.is_traced:
        return _rebound_in_the_text(q) or _updated_since(q)
    maker = q.evidence.history.made_by.get(key)
    if not isinstance(maker, Record) or key in q.evidence.recorded:
        return None
    variable, updated = _variable_before(q, maker)
    took_its_place = updated or q.evidence.was_a_variable(q.position)
    if variable is None or not (took_its_place or _has_its_name(q, variable, maker)):
        return None
    rebound = site(maker.code, maker.instruction, "rebound here", described(key))
    return _cause(q, rebound, node_at(maker.code, maker.instruction))


def _rebound_in_the_text(q: SourceQuestion) -> Cause | None:
    """The cause as the text shows it: the name was given a tf.Variable first, and then something computed from itself."""
    scope = q.call_site.scope
    given = [value for _, value in syntax.assignments(scope, q.name)] if scope is not None else []
    if "." in q.name:  # an attribute, which the class gives its variable under a name of its own: self.kernel
        given = [*_given_to_the_attribute(q, q.name.rpartition(".")[2]), *given]
    if not given or not (isinstance(given[0], ast.Call) and syntax.called_name(given[0]) == "Variable"):
        return None
    for value in given[1:]:
        if isinstance(value, ast.BinOp) and ast.unparse(value.left) == q.name:
            return _cause(q, site_of(value, q.call_site.file, "rebound here"), value)
    return None


def _updated_since(q: SourceQuestion) -> Cause | None:
    """The cause, if the source was a variable at an earlier call here: the update is what the text computes from those gradients."""
    asked = q.call_site.node
    if not q.evidence.was_a_variable(q.position) or asked is None:
        return None
    reached = q.flow.reached_from(asked)
    recorded = {node_at(record.code, record.instruction) for record in q.evidence.records}
    updates = [
        node
        for node in reached - recorded
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub | ast.Add) and node.right in reached
    ]
    # A step is mostly subtracted.
    updates.sort(key=lambda node: (isinstance(node.op, ast.Add), node.lineno, node.col_offset))
    return _cause(q, site_of(updates[0], q.call_site.file, "rebound here"), updates[0]) if updates else None


# -- an update that no variable takes --

_PASSES = 3  # calls of gradient at one call site, after which a variable that is still the same is no accident


def lost_updates(question: Question, trace: Trace) -> Iterator[Cause]:
    """The cause, if steps were subtracted from a variable again and again, no variable took the results, and nothing used them."""
    if trace.times_asked(question.call) != _PASSES:
        return
    lost = [(i, _lost_update(source, trace)) for i, source in enumerate(question.call.sources)]
    found = {position: update for position, update in lost if update is not None}
    if not found:
        return
    first, update = next(iter(found.items()))
    name, *others = [question.source_names[position] for position in found]
    more = more_sources(others)
    repair = _repair(*[(each.code.co_filename, node_at(each.code, each.instruction)) for each in found.values()])
    yield Cause(
        "variable-overwritten-by-tensor",
        "wrong_value",
        f"{quoted(name)} never changes: its gradient is used for a new value, but no variable takes that value{more}",
        (
            site(update.code, update.instruction, "computed here, and not assigned", described(outputs_of(update)[0])),
            question.call_site.site,
        ),
        repair.help,
        {name: described(question.call.sources[first])},
        edits=repair.edits,
    )


def _lost_update(source: Any, trace: Trace) -> Record | None:
    """The last of several sums of a variable's present value and a step along its gradient that nothing used."""
    values = trace.values_of(source) if isinstance(source, Variable) else []
    if not values:
        return None
    history = trace.history()
    updates = [
        user
        for user in history.used_by.get(values[-1], ())
        if isinstance(user, Record)
        and user.traits.arithmetic in (Arithmetic.SUM, Arithmetic.DIFFERENCE)
        and any(trace.updates.is_computed_from_gradient_of(source, key) for key in user.inputs)
    ]
    if len(updates) < _PASSES - 1 or any(key in history.used_by for each in updates for key in outputs_of(each)):
        return None
    return updates[-1]


def _given_to_the_attribute(q: SourceQuestion, attribute: str) -> Iterator[ast.expr]:
    """The values that methods of classes assign to an attribute of `self`."""
    for tree in q.flow.trees:
        for node in ast.walk(tree):
            for target, value in syntax.bindings(node) if isinstance(node, ast.Assign | ast.AnnAssign) else ():
                if ast.unparse(target) == f"self.{attribute}" and value is not None:
                    yield value


def _cause(q: SourceQuestion, rebound: Site, update: ast.AST | None) -> Cause:
    return cause_of_none(
        q,
        "variable-overwritten-by-tensor",
        "it is no longer a Variable but a tensor computed from one, which the tape does not watch",
        [rebound],
        _repair((q.call_site.file, update)),
    )


def _repair(*updates: tuple[str, Any]) -> Repair:
    """Updates, each with its file, as assignments to their variables, in the program's own expressions where they are plain."""
    changes = list(dict.fromkeys(_assigned(file, node) for file, node in updates))
    edits = tuple(edit for _, edits in changes for edit in edits)
    return Repair(f"keep the Variable and change its value: {' and '.join(text for text, _ in changes)}", edits)


def _assigned(file: str, node: Any) -> tuple[str, tuple[Edit, ...]]:
    """An update as an assignment to its variable, and the edits that make it one."""
    assigned = _as_assignment(node)
    statement = None if node is None else syntax.statement_of(node)
    edits: tuple[Edit, ...] = ()
    is_alone = statement is node or (isinstance(statement, ast.Expr) and statement.value is node)
    if is_alone and assigned is not None:
        edits = (replaced(file, statement, assigned),)
    elif isinstance(statement, ast.Assign) and len(statement.targets) == 1 and statement.value is node:
        target = ast.unparse(statement.targets[0])
        if any(isinstance(each, ast.expr) and ast.unparse(each) == target for each in ast.walk(node)):
            is_own = assigned is not None and assigned.startswith(f"{target}.assign")
            assigned = assigned if is_own else f"{target}.assign({ast.unparse(node)})"
            edits = (replaced(file, statement, assigned or ""),)
    return assigned or "variable.assign(...)", edits


def _as_assignment(node: Any) -> str | None:
    """An update such as `w - rate * g` as a call of the variable's method; None for other expressions."""
    assigns = {ast.Sub: "assign_sub", ast.Add: "assign_add"}
    if isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in assigns:
        changed, change = (node.target, node.value) if isinstance(node, ast.AugAssign) else (node.left, node.right)
        if isinstance(changed, ast.Name | ast.Attribute | ast.Subscript):
            return f"{ast.unparse(changed)}.{assigns[type(node.op)]}({ast.unparse(change)})"
    return None


def _variable_before(q: SourceQuestion, maker: Record) -> tuple[Variable | None, bool]:
    """A variable of the same shape from which a tensor was computed, and whether a gradient went into it as well."""
    variable: Variable | None = None
    shape, updated = outputs_of(maker)[0].shape, False
    pending, seen = deque(maker.inputs), set(maker.inputs)
    while pending and len(seen) < 64:
        key = pending.popleft()
        if variable is None and key.shape == shape:
            variable = q.evidence.variable_of(key)
        origin = q.evidence.history.made_by.get(key)
        if isinstance(origin, Event):
            updated = updated or origin.kind == "differentiated"
            continue
        for each in origin.inputs if origin is not None else ():
            if each not in seen:
                seen.add(each)
                pending.append(each)
    return variable, updated


def _has_its_name(q: SourceQuestion, variable: Variable, maker: Record) -> bool:
    """Whether the tensor was given the name under which the variable was made."""
    first = next(iter(q.evidence.traced_values_of(variable)), None)
    stack = q.evidence.stack_of(first) if first is not None else ()
    made = [set(_names(*place)) for place in stack]
    return bool(set(_names(maker.code, maker.instruction)) & set().union(*made)) if made else False


def _names(code: Any, instruction: int) -> Iterator[str]:
    """The names that the statement at a place gives its value to."""
    node = node_at(code, instruction)
    for target, _ in syntax.bindings(syntax.statement_of(node)) if node is not None else ():
        yield syntax.last_name(target) or ast.unparse(target)


# -- `variable += value` --

_METHODS = {"-": "assign_sub", "+": "assign_add"}


@explains(ChangedInPlace)
def _in_place(op: FailedOp, fault: ChangedInPlace) -> Explanation | None:
    name = "variable" if op.owner is None else op.owner.primary
    change = _METHODS.get(fault.operator)
    node = op.node
    if isinstance(node, ast.AugAssign):
        operands = (ast.unparse(node.target), ast.unparse(node.value))
        value = operands[1] if change else f"{operands[0]} {fault.operator} {grouped(operands[1])}"
        written = f"{operands[0]}.{change or 'assign'}({value})"
    else:
        written = f"{name}.{change or 'assign'}(...)"
    return Explanation(
        "variable-overwritten-by-tensor",
        "",
        f"change the variable's value with {written}: {fault.operator}= would rebind the name to a tensor",
        edits=(replaced(op.code.co_filename, node, written),) if isinstance(node, ast.AugAssign) else (),
    )
