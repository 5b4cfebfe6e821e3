"""custom-gradient-wrong-count, where it gives None: a custom gradient returned None for its argument."""

from __future__ import annotations

import ast
from typing import Any

from whygrad.why.cause import Cause
from whygrad.why.causes.cause_of_none import cause_of_none
from whygrad.why.evidence.history import Step
from whygrad.why.evidence.question import SourceQuestion
from whygrad.why.source import syntax
from whygrad.why.source.edits import Repair, replaced
from whygrad.why.source.gradient_functions import returned_at
from whygrad.why.source.sites import Site, expression_of, site
from whygrad.why.source.wording import quoted


def explain(q: SourceQuestion, step: Step) -> Cause:
    """The cause of a path that ends at a custom gradient."""
    record: Any = step.through
    returned = returned_at(record, "returned here", _LAST)
    return cause_of_none(
        q,
        "custom-gradient-wrong-count",
        f"the gradient function of {quoted(record.plan.primitive.name)} returned None for it",
        [returned or site(record.code, record.instruction, "called here")],
        _with_return(returned)
        or "return a gradient for every argument from the gradient function: upstream times the slope",
    )


_LAST = "computed, but not returned"


def _with_return(last: Site | None) -> Repair | None:
    """The gradient function's last expression, returned; None if the function returns something."""
    node = None if last is None or last.role != _LAST else expression_of(last)
    if last is None or node is None or not isinstance(syntax.parent(node), ast.Expr):
        return None
    text = f"return {last.text}"
    return Repair(f"return the gradient: {text}", (replaced(last.file, node, text),))
