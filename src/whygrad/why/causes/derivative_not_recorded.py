"""derivative-not-recorded: the path goes through a gradient that was taken while the tape was not recording."""

from __future__ import annotations

import ast

from whygrad.why.cause import Cause
from whygrad.why.causes.cause_of_none import cause_of_none
from whygrad.why.evidence.history import Step
from whygrad.why.evidence.question import SourceQuestion
from whygrad.why.source import syntax
from whygrad.why.source.call_site import CallSite
from whygrad.why.source.sites import Site, expression_at, node_at, operand_nodes, site_of
from whygrad.why.source.wording import quoted


def explain(q: SourceQuestion, step: Step) -> Cause:
    """The cause of a path that ends at a gradient."""
    place = (step.through.code, step.through.instruction)
    return cause_of_none(
        q,
        "derivative-not-recorded",
        "the path goes through a gradient that was taken while this tape was not recording, so it is a constant for this tape",
        [taken := q.evidence.site_of_key(step.end, place, "differentiated here")],
        recorded_too(q.call_site, taken),
    )


def explain_target(q: SourceQuestion, taken: Site) -> Cause:
    """The cause, where the target itself is such a gradient."""
    return cause_of_none(
        q,
        "derivative-not-recorded",
        f"{quoted(q.target_name)} is a gradient that was taken while this tape was not recording",
        [taken],
        recorded_too(q.call_site, taken),
    )


def explain_operand(q: SourceQuestion) -> Cause | None:
    """The likely cause without a trace, where an op takes a gradient that was taken while the tape was not recording.

    By the text: the tape does not know where its constants come from.
    """
    if q.evidence.is_traced or q.is_of_function or q.was_used:
        return None
    for record in q.evidence.records:
        nodes = operand_nodes(node_at(record.code, record.instruction))
        if len(nodes) != len(record.inputs):
            continue
        for node, key in zip(nodes, record.inputs):
            taken = None if key in q.evidence.watched else _gradient_given_to(node)
            if taken is not None:
                place = site_of(taken, record.code.co_filename, "differentiated here")
                return cause_of_none(
                    q,
                    "derivative-not-recorded",
                    f"{quoted(ast.unparse(node))} is a gradient that was taken while this tape was not recording, a constant for it",
                    [place],
                    recorded_too(q.call_site, place),
                    likely=True,
                )
    return None


def recorded_too(call_site: CallSite, taken: Site | None) -> str:
    """What to do so that the tape that is asked records a gradient, too, that was taken at a place, or the call that led to it."""
    outer = quoted(call_site.tape_name)
    node = None if taken is None else expression_at(taken)
    if taken is None or node is None:
        return f"take the inner gradient inside the with block of {outer}, so that it is recorded too"
    opened = [item.context_expr for each in syntax.around(node) if isinstance(each, ast.With) for item in each.items]
    stopping = next((each for each in opened if ast.unparse(each).endswith(".stop_recording()")), None)
    if stopping is not None:
        return f"leave out {quoted(ast.unparse(stopping))} around the inner tape and its gradient, so that {outer} records them"
    inner = ast.unparse(node.func.value) if syntax.differentiates(node) and isinstance(node.func, ast.Attribute) else ""
    if inner and not any(call_site.is_in_tape(each) for each in _blocks_of(inner, node, taken.file)):
        return (
            f"open {quoted(inner)} inside the with block of {outer}, and take its gradient there: {outer} records only what runs in "
            "its block"
        )
    return f"call {quoted(taken.text)} inside the with block of {outer}, so that it records the gradient too"


def _blocks_of(tape: str, node: ast.AST, file: str) -> list[Site]:
    """The with statements that open a tape of some name, in the function of a node."""
    return [
        site_of(each, file)
        for each in ast.walk(syntax.scope_of(node))
        if isinstance(each, ast.With)
        and any(
            tape in (ast.unparse(item.optional_vars or item.context_expr), ast.unparse(item.context_expr))
            for item in each.items
        )
    ]


def _gradient_given_to(node: ast.expr) -> ast.expr | None:
    """The call of `gradient` whose result a name was given last before it is read."""
    assignment = syntax.assignment_before(syntax.scope_of(node), ast.unparse(node), node.lineno)
    return assignment[1] if assignment is not None and syntax.differentiates(assignment[1]) else None
