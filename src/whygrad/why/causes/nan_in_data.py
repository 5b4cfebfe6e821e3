"""`nan-in-data`: the data hold inf or nan before anything is computed."""

from __future__ import annotations

import ast
from dataclasses import replace
from types import CodeType

import numpy as np

from whygrad.why.cause import Cause
from whygrad.why.evidence.nonfinite_question import NonfiniteQuestion, count
from whygrad.why.evidence.numerics import Birth
from whygrad.why.source import syntax
from whygrad.why.source.edits import Repair, filled, with_part
from whygrad.why.source.names import value_of
from whygrad.why.source.origins import Origins
from whygrad.why.source.sites import node_at, operand_names, operand_nodes, site, site_of
from whygrad.why.source.wording import described, quoted


def in_data(q: NonfiniteQuestion, birth: Birth) -> Cause:
    """The cause of an inf or nan that no op made."""
    made = q.came_in_at(birth.key)
    origin = [] if made is None else [site(*made, "came in here", described(birth.key))]
    what = "nan" if np.isnan(birth.arrays[0]).any() else "inf"
    name = q.name_of_variable(birth.key)
    if name is not None and not q.evidence.is_traced and q.times_asked() > 1:
        return q.cause(
            "not-finite-here",
            f"{name} held {what}, {count(birth)}, before anything was computed: an update before this call made it",
            birth,
            f"look at what {name} was updated with: a quotient, a root or a norm outside of the tape may have made it, or the step "
            "of an earlier gradient that was not finite",
        )
    sentence = f"{_data(q, birth)} {what}, {count(birth)}, before anything is computed"
    help = "clean the data first: drop the rows or fill in what is missing (np.isfinite finds it)"
    quotient = _only_quotient(q, birth, made)
    if quotient is not None:
        file = q.flow.file_of(quotient)
        divided = site_of(quotient, file, "divided here")
        guarded = with_part(file, quotient, quotient.right, filled("{0} + 1e-8", quotient.right))
        where_zero = f"where the divisor is 0, write {guarded.text}: 0 / 0 gives nan"
        if _is_finite_dividend(q, quotient):
            cause = q.cause("nan-in-data", sentence, birth, Repair(where_zero, guarded.edits))
            return replace(cause, sites=(divided, *[replace(each, scope=None) for each in cause.sites]))
        origin.append(divided)
        help = f"{help}; {where_zero}"
    cause = q.cause("nan-in-data", sentence, birth, help, *origin)
    # The layer in which data are first used has no part in it.
    return replace(cause, sites=tuple([replace(each, scope=None) for each in cause.sites]))


def _only_quotient(q: NonfiniteQuestion, birth: Birth, made: tuple[CodeType, int] | None) -> ast.BinOp | None:
    """The one division outside of tensors that the data were computed with, by the program's text; None for none or several."""
    start = _came_from(birth, made)
    if start is None:
        return None
    tensors = {node_at(*place) for place in {(each.code, each.instruction) for each in q.evidence.history.records}}
    found = [each for each in Origins(q.flow, start).nodes if _divides(each) and each not in tensors]
    return found[0] if len(found) == 1 else None  # type: ignore[return-value]


def _came_from(birth: Birth, made: tuple[CodeType, int] | None) -> ast.expr | None:
    """What the program writes where data became a tensor, or where they are first used."""
    record = birth.record
    here = (record.code, record.instruction)
    if made is not None and made != here:
        return next(iter(operand_nodes(node_at(*made))), None)
    written = operand_nodes(node_at(*here))
    if len(written) != len(record.inputs):
        return None
    return next((node for node, key in zip(written, record.inputs) if key is birth.key), None)


def _divides(node: ast.AST) -> bool:
    """Whether an expression is a quotient whose divisor is computed, and no size."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Div):
        return False
    return any(isinstance(each, ast.Name) for each in ast.walk(node.right)) and not any(
        isinstance(each, ast.Call) and syntax.called_name(each) == "len" for each in ast.walk(node.right)
    )


def _is_finite_dividend(q: NonfiniteQuestion, quotient: ast.BinOp) -> bool:
    """Whether a module divides arrays that it still holds, and that are finite: then the division made what is not."""
    if not isinstance(syntax.scope_of(quotient), ast.Module) or q.flow.file_of(quotient) != q.call.code.co_filename:
        return False
    names = [each for each in ast.walk(quotient.left) if isinstance(each, ast.Name)]
    values = [value_of(each, q.call.code) for each in names]
    arrays = [each for each in values if isinstance(each, np.ndarray) and each.dtype.kind == "f"]
    return bool(arrays) and all(np.isfinite(each).all() for each in arrays)


def _data(q: NonfiniteQuestion, birth: Birth) -> str:
    """The data as the program writes them where they are used first: "`rate` holds"."""
    record = birth.record
    names = [] if q.is_part_of_call(record) else operand_names(record.code, record.instruction)
    if len(names) != len(record.inputs) or birth.key not in record.inputs:
        return "the data hold"
    return f"{quoted(names[record.inputs.index(birth.key)])} holds"


def used(cause: Cause, birth: Birth) -> Cause:
    """The cause of an inf or nan that an op made before it came in as data, with the place where it was used."""
    place = site(birth.record.code, birth.record.instruction, "first used here", count(birth))
    born, *others = cause.sites
    return replace(cause, sites=(born, replace(place, scope=None), *others))
