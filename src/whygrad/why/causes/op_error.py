"""Why an op raised: its fault, in terms of the user's own operands, with the change to make.

A fault without an explanation of its own, and an error that is only a message, come with the operands and their shapes.
"""

from __future__ import annotations

import ast
from types import TracebackType

from whygrad.values.errors import Explained
from whygrad.why.cause import Cause
from whygrad.why.causes import (
    axis_out_of_range,
    dtype_mismatch,
    index_out_of_range,
    invalid_argument,
    label_out_of_range,
    python_branch_on_symbolic,
    shape_depends_on_values,
    shape_mismatch,
    singular_matrix,
    source_not_a_tensor,
    value_needed_while_compiling,
    variable_overwritten_by_tensor,
)
from whygrad.why.causes.explanation import explained
from whygrad.why.evidence.failed_op import FailedOp, Operand, failed_op
from whygrad.why.source import syntax
from whygrad.why.source.sites import Site, site, site_of
from whygrad.why.source.wording import described


def explain(error: Explained, trace: TracebackType) -> Cause:
    """The cause of an error that an op raised, called in the user's innermost frame."""
    message = str(error).split("\n")[0]
    op = failed_op(trace)
    place = (trace.tb_frame.f_code, trace.tb_lasti)
    if op is None:
        return Cause("invalid-argument", "exception", message, (site(*place, "failed here"),), "")
    failed = site(op.code, op.instruction, "failed here", op.met)
    found = None if error.fault is None else explained(error.fault, op)
    if found is None:
        return Cause("invalid-argument", "exception", message, (failed,), "", op.shapes)
    made = [] if found.blamed is None else _made_at(op, found.blamed)
    sites = (failed, *made) if found.born is None else (found.born, failed)
    return Cause(found.kind, "exception", found.sentence or message, sites, found.help, op.shapes, edits=found.edits)


def _made_at(op: FailedOp, operand: Operand) -> list[Site]:
    """Where the operand that should be another one got its value."""
    scope = syntax.scope_at(op.code, op.instruction)
    if scope is None or not isinstance(operand.node, ast.Name | ast.Attribute):
        return []
    found = syntax.assignment_before(scope, operand.text, site(op.code, op.instruction).line)
    return [] if found is None else [site_of(found[1], op.code.co_filename, "made here", described(operand.value))]
