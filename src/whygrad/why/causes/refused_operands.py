"""Why an op refused what it was given: shapes, dtypes, axes, indices; from its message and its operands.

The message names the mistake in TensorFlow's words. The explanation says it again of the user's own operands, with the
change to make; messages without an explanation of their own come with the operands and their shapes.
"""

from __future__ import annotations

import ast
import re
from types import TracebackType

from whygrad.values.errors import Explained
from whygrad.why.cause import Cause
from whygrad.why.causes import (
    dtype_mismatch,
    invalid_value,
    not_compilable,
    out_of_range,
)
from whygrad.why.causes import (
    shape_mismatch as shape_mismatch,
)
from whygrad.why.causes.explanation import Explanation, explained
from whygrad.why.evidence.failed_op import FailedOp, Operand, failed_op
from whygrad.why.source import syntax
from whygrad.why.source.sites import Site, site, site_of
from whygrad.why.source.wording import described

_EXPLANATIONS = (
    *not_compilable.EXPLANATIONS,
    *invalid_value.EXPLANATIONS,
    *dtype_mismatch.EXPLANATIONS,
    *out_of_range.EXPLANATIONS,
)


def explain(error: BaseException, trace: TracebackType) -> Cause:
    """The cause of an error that an op raised, called at the innermost frame of the user's."""
    message = str(error)
    said = message.split("\n")[0]
    op = failed_op(trace)
    place = (trace.tb_frame.f_code, trace.tb_lasti)
    if op is None:
        return Cause("invalid-argument", "exception", said, (site(*place, "failed here"),), "")
    shapes = op.shapes
    failed = site(*place, "failed here", op.met)
    found = _explained(error, message, op)
    if found is None:
        return Cause("invalid-argument", "exception", said, (failed,), "", shapes)
    made = [] if found.blamed is None else _made_at(op, found.blamed)
    return Cause(found.kind, "exception", found.sentence or said, (failed, *made), found.help, shapes)


def _explained(error: BaseException, message: str, op: FailedOp) -> Explanation | None:
    known = explained(error.fault, op) if isinstance(error, Explained) else None
    if known is not None:
        return known
    for pattern, explanation in _EXPLANATIONS:
        match = pattern.search(message)
        found: Explanation | None = explanation(op, match) if match is not None else None
        if found is not None:
            return found
    return None


def _made_at(op: FailedOp, operand: Operand) -> list[Site]:
    """Where the operand that should be another one got its value."""
    scope = syntax.scope_at(op.code, op.instruction)
    if scope is None or not isinstance(operand.node, ast.Name | ast.Attribute):
        return []
    found = syntax.assignment_before(scope, operand.text, site(op.code, op.instruction).line)
    return [] if found is None else [site_of(found[1], op.code.co_filename, "made here", described(operand.value))]
