"""variable-assigned-in-tape: the path goes through a variable that was assigned, and assigning cuts it."""

from __future__ import annotations

import ast
from types import CodeType

from whygrad.why.cause import Cause
from whygrad.why.causes.cause_of_none import cause_of_none
from whygrad.why.evidence.history import Step
from whygrad.why.evidence.question import SourceQuestion
from whygrad.why.source import syntax
from whygrad.why.source.sites import node_at, site, written_at
from whygrad.why.source.wording import described, quoted


def explain(q: SourceQuestion, step: Step) -> Cause:
    """The cause of a path that ends in an assigned variable."""
    return cause_of_none(
        q,
        "variable-assigned-in-tape",
        "the path goes through a variable, and assigning cuts it",
        [site(step.through.code, step.through.instruction, "cut here", described(step.start))],
        keep_in_tensor(step.through.code, step.through.instruction),
    )


def keep_in_tensor(code: CodeType, instruction: int) -> str:
    """What to do about a value that passes through a variable: with the names of the program, where it writes `v.assign(value)`."""
    written, node = written_at(code, instruction), node_at(code, instruction)
    if isinstance(written, ast.Call) and syntax.called_name(written) == "update_state":
        return "compute the loss with a loss function, which returns a tensor: a metric adds up in variables, which no tape passes"
    call = node.func if isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords else None
    if not isinstance(node, ast.Call) or not isinstance(call, ast.Attribute) or call.attr != "assign":
        return "keep the value in a tensor inside the tape, and assign it to the variable afterwards"
    variable, name = ast.unparse(call.value), f"new_{syntax.last_name(call.value) or 'value'}"
    if any(ast.unparse(each) == variable for each in ast.walk(node.args[0]) if isinstance(each, ast.expr)):
        return (
            f"inside the tape keep the value in a tensor: {name} = {variable}.read_value() first, then write {quoted(name)} for "
            f"{quoted(variable)} and {name} = ... for {variable}.assign(...), and call {variable}.assign({name}) after the tape"
        )
    return (
        f"inside the tape keep the value in a tensor, {name} = {ast.unparse(node.args[0])}, use {quoted(name)} where {quoted(variable)} is "
        f"read after it, and call {variable}.assign({name}) after the tape"
    )
