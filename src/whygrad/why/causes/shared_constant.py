"""A 0 by which one op divides and of which another takes the logarithm, as a deviation: the small constant belongs where it is made."""

from __future__ import annotations

import ast

from whygrad.ops.advice import small_for
from whygrad.ops.primitive import Record
from whygrad.ops.traits import Logarithm, Quotient
from whygrad.values.tensor import Key
from whygrad.why.evidence.nonfinite_question import NonfiniteQuestion
from whygrad.why.source.edits import Repair, in_place
from whygrad.why.source.sites import node_at, site
from whygrad.why.source.wording import grouped, quoted


def shared_constant(q: NonfiniteQuestion, record: Record, position: int) -> Repair | None:
    """The small constant added where an operand is made, if another op fails at its zeros too; None if this is the only one."""
    key = record.inputs[position]
    maker = q.history.made_by.get(key)
    others = [each for each in q.history.used_by.get(key, ()) if isinstance(each, Record) and _fails_at_zero(each, key)]
    other = next(
        (each for each in others if each.instruction != record.instruction or each.code is not record.code), None
    )
    if other is None or not isinstance(maker, Record):
        return None
    node, place = node_at(maker.code, maker.instruction), site(other.code, other.instruction)
    if not isinstance(node, ast.Call | ast.BinOp) or q.operand(record) == ast.unparse(node):
        return None
    text = f"{grouped(ast.unparse(node))} + {small_for(key.dtype, '1e-6')}"
    return Repair(
        f"add a small constant to {quoted(q.operand(record))} where it is made, since {quoted(place.text)} needs it too: {text}",
        in_place(maker.code, maker.instruction, text),
    )


def _fails_at_zero(record: Record, key: Key) -> bool:
    """Whether an op divides by a value, or takes its logarithm."""
    quotient, logarithm = record.traits.domain_as(Quotient), record.traits.domain_as(Logarithm)
    place = (
        quotient.divisor
        if quotient is not None
        else logarithm.of
        if logarithm is not None and logarithm.zero == 0
        else None
    )
    return place is not None and place < len(record.inputs) and record.inputs[place] is key
