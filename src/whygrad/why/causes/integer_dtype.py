"""integer-dtype: the source holds integers, or a cast to integers cuts the path."""

from __future__ import annotations

import ast
from typing import Any

from whygrad.why.cause import Cause
from whygrad.why.causes.cause_of_none import cause_of_none
from whygrad.why.causes.non_differentiable_op import cut_site, is_index, operand_of
from whygrad.why.evidence.history import Step
from whygrad.why.evidence.question import SourceQuestion
from whygrad.why.source import syntax
from whygrad.why.source.edits import Edit, Repair, operand_alone, with_keyword
from whygrad.why.source.sites import expression_at, site
from whygrad.why.source.wording import quoted


def explain_source(q: SourceQuestion) -> Cause | None:
    """The cause, if the source itself cannot have a gradient."""
    if q.source.dtype.is_differentiable:
        return None
    used = next((user for key in q.keys for user in q.evidence.history.used_by.get(key, ())), None)
    what = "integers carry no gradient" if q.source.dtype.is_integer else "only floating point numbers carry a gradient"
    return cause_of_none(
        q,
        "integer-dtype",
        f"it is {q.source.dtype.name}, and {what}",
        [q.defined_at, site(used.code, used.instruction, "used here") if used is not None else None],
        Repair(
            f"make {quoted(q.name)} a float, for instance with dtype=tf.float32 or by writing 1.0 for 1",
            _as_float(q),
        ),
    )


def _as_float(q: SourceQuestion) -> tuple[Edit, ...]:
    """The edit that gives the source a floating dtype where it is made."""
    made = q.defined_at
    node = None if made is None else expression_at(made)
    if made is None or not isinstance(node, ast.Call) or syntax.called_name(node) not in _MAKERS:
        return ()
    return with_keyword(made.file, node, "dtype", "tf.float32", _MAKERS[syntax.called_name(node) or ""]).edits


# The position of the dtype among the arguments of the functions that make a tensor.
_MAKERS = {"constant": 1, "convert_to_tensor": 1, "ones": 1, "zeros": 1, "fill": None, "range": None, "Variable": None}


def explain_cast(q: SourceQuestion, step: Step) -> Cause | None:
    """The cause, if the path ends at a cast to integers."""
    record: Any = step.through
    if not record.traits.casts or step.end.dtype.kind not in "iu":
        return None
    if is_index(q, step):
        return cause_of_none(
            q,
            "integer-dtype",
            f"a cast to {step.end.dtype.name} makes an index of it, and an index has no slope",
            [cut_site(step)],
            "interpolate with np.interp, which weights the two entries next to it by their distance"
            if q.is_of_function
            else "interpolate between the two entries next to it, weighted by the distance, or leave it out of the sources",
        )
    return cause_of_none(
        q,
        "integer-dtype",
        f"a cast to {step.end.dtype.name} cuts the path, as integers carry no gradient",
        [cut_site(step)],
        Repair(
            f"keep {quoted(operand_of(record))} in {step.start.dtype.name}",
            operand_alone(record.code, record.instruction),
        ),
    )
