"""derivative-not-recorded: the path goes through a gradient that was taken while the tape was not recording."""

from __future__ import annotations

import ast

from whygrad.why.cause import Cause
from whygrad.why.causes.cause_of_none import cause_of_none
from whygrad.why.evidence.history import Step
from whygrad.why.evidence.question import SourceQuestion
from whygrad.why.source import syntax
from whygrad.why.source.sites import Site, node_at, operand_nodes, site_of
from whygrad.why.source.wording import quoted

_HELP = "take the inner gradient inside the with block of the outer tape, so that it is recorded too"


def explain(q: SourceQuestion, step: Step) -> Cause:
    """The cause of a path that ends at a gradient."""
    place = (step.through.code, step.through.instruction)
    return cause_of_none(
        q,
        "derivative-not-recorded",
        "the path goes through a gradient that was taken while this tape was not recording, so it is a constant for this tape",
        [q.evidence.site_of_key(step.end, place, "differentiated here")],
        _HELP,
    )


def explain_target(q: SourceQuestion, taken: Site) -> Cause:
    """The cause, where the target itself is such a gradient."""
    return cause_of_none(
        q,
        "derivative-not-recorded",
        f"{quoted(q.target_name)} is a gradient that was taken while this tape was not recording",
        [taken],
        _HELP,
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
                return cause_of_none(
                    q,
                    "derivative-not-recorded",
                    f"{quoted(ast.unparse(node))} is a gradient that was taken while this tape was not recording, a constant for it",
                    [site_of(taken, record.code.co_filename, "differentiated here")],
                    _HELP,
                    likely=True,
                )
    return None


def _gradient_given_to(node: ast.expr) -> ast.expr | None:
    """The call of `gradient` whose result a name was given last before it is read."""
    assignment = syntax.assignment_before(syntax.scope_of(node), ast.unparse(node), node.lineno)
    return assignment[1] if assignment is not None and syntax.differentiates(assignment[1]) else None
