"""`where-nan-branch`: an invalid value that `where` or a lookup does not choose, and that is differentiated all the same."""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from whygrad.ops.primitive import Record
from whygrad.ops.traits import Selects
from whygrad.why.cause import Cause
from whygrad.why.causes import division_by_zero
from whygrad.why.evidence.history import outputs_of
from whygrad.why.evidence.nonfinite_question import NonfiniteQuestion, count, value_inside
from whygrad.why.evidence.numerics import Birth
from whygrad.why.source import syntax
from whygrad.why.source.edits import Repair, unparsed
from whygrad.why.source.sites import node_at, operand_nodes, site
from whygrad.why.source.wording import described, spoken


def backward(q: NonfiniteQuestion, birth: Birth) -> Cause | None:
    """The cause, if the rule made nan of an upstream gradient that is 0 because the element was not chosen."""
    selected = _selecting_after(q, birth)
    if selected is None:
        return None
    birth = _first_invalid(q, birth)
    record = birth.record
    name = q.operand(record)
    repair = _repair(q, record, selected)
    return Cause(
        "where-nan-branch",
        q.symptom,
        f"{q.opening}: {spoken(selected)} hides an invalid value of {spoken(record)} at {count(birth)}, but the branch not chosen is "
        "differentiated too, and 0 times infinity is nan",
        (
            site(record.code, record.instruction, "not finite here", count(birth)),
            site(selected.code, selected.instruction, "hidden here"),
            *q.asked,
        ),
        repair.help,
        {name: described(birth.key)},
        edits=repair.edits,
    )


def _first_invalid(q: NonfiniteQuestion, birth: Birth) -> Birth:
    """The op that made an operand inf or nan, where the rule's op was given one: it is to be made safe there."""
    made_by = q.history.made_by
    for key in birth.record.inputs:
        born = q.numerics.births.get(key)
        if born is not None and born.where == "forward" and any(each in made_by for each in outputs_of(born.record)):
            return born
    return birth


def _repair(q: NonfiniteQuestion, record: Record, selected: Record) -> Repair:
    """The operand made safe, with the program's own condition where that has its value before the op."""
    root = division_by_zero.help_with_root(q, record)
    if root is not None:
        return root
    name, safe = q.operand(record), value_inside(record)
    node, choice = node_at(record.code, record.instruction), node_at(selected.code, selected.instruction)
    condition = choice.args[0] if isinstance(choice, ast.Call) and len(choice.args) == 3 else None
    where = _as_written(choice)
    if condition is None or selected.code is not record.code or not _is_known_before(condition, node):
        help = f"make the argument safe inside as well: put {where}(condition, {name}, {safe}) in place of {name}"
        return Repair(help)
    chosen = q.history.descendants(outputs_of(record))
    in_first = selected.inputs[1] in chosen or selected.inputs[1] in outputs_of(record)
    values = ("{0}", safe) if in_first else (safe, "{0}")
    template = f"{where}({unparsed(condition)}, {', '.join(values)})"
    position = next((i for i, each in enumerate(operand_nodes(node)) if ast.unparse(each) == name), 0)
    guarded = q.guarded(record, position, template)
    if guarded is None or record.inputs[position].shape not in ((), selected.inputs[0].shape):
        return Repair(f"make the argument safe inside as well: put {template.format(name)} in place of {name}")
    return Repair(f"make the argument safe inside as well: {guarded.text}", guarded.edits)


def _as_written(choice: Any) -> str:
    """The program's own name for `where`, such as `np.where`; TensorFlow's if it has none."""
    name = unparsed(choice.func) if isinstance(choice, ast.Call) else ""
    return name if name.rpartition(".")[2] == "where" else "tf.where"


def _is_known_before(condition: ast.expr, node: Any) -> bool:
    """Whether each name in a condition has its value before the statement of an op."""
    statement = None if node is None else syntax.statement_of(node)
    if statement is None:
        return False
    scope = syntax.scope_of(node)
    names = {each.id for each in ast.walk(condition) if isinstance(each, ast.Name)} - syntax.parameters_of(scope)
    given = {name: [each.lineno for each, _ in syntax.assignments(scope, name)] for name in names}
    return all(not lines or min(lines) < statement.lineno for lines in given.values())


def _selecting_after(q: NonfiniteQuestion, birth: Birth) -> Record | None:
    """The `where` (or lookup) that sent the rule a cotangent of 0 at the elements that are not finite."""
    g = birth.arrays[0]
    bad = ~np.isfinite(birth.made)
    if g.shape == bad.shape:
        if g[bad].any():
            return None  # something did arrive: the slope itself is infinite
    elif g.all():
        return None
    seen = set(outputs_of(birth.record))
    pending = list(seen)
    while pending:
        for user in q.history.used_by.get(pending.pop(0), ()):
            if not isinstance(user, Record):
                continue
            if user.traits.selects is Selects.VALUES:
                return user
            pending += [key for key in outputs_of(user) if key not in seen]
            seen.update(outputs_of(user))
    return None
