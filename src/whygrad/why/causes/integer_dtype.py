"""integer-dtype: the source holds integers, or a cast to integers cuts the path."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Any

from whygrad.ops.primitive import Record
from whygrad.why.cause import Cause
from whygrad.why.causes.cause_of_none import cause_of_none
from whygrad.why.causes.non_differentiable_op import cut_site, is_index, operand_of
from whygrad.why.evidence.history import Step, outputs_of
from whygrad.why.evidence.question import SourceQuestion
from whygrad.why.source import syntax
from whygrad.why.source.edits import Edit, Repair, filled, in_place, operand_alone, unparsed, with_keyword
from whygrad.why.source.sites import expression_at, node_at, site
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
        _of_a_cast(record, step, q.evidence.history.used_by.get(step.end, ())),
    )


def _of_a_cast(record: Record, step: Step, users: Iterable[Any]) -> Repair:
    """What to write for a cast to integers: where all of them are cast back, it rounds, and the gradient may pass through."""
    dtype, written = step.start.dtype.name, node_at(record.code, record.instruction)
    leave_out = f"keep {quoted(operand_of(record))} in {dtype}"
    rounds = all(
        isinstance(user, Record) and user.traits.casts and outputs_of(user)[0].dtype.kind == "f" for user in users
    )
    if (
        not rounds
        or not isinstance(written, ast.Call)
        or not isinstance(written.func, ast.Attribute)
        or len(written.args) != 2
    ):
        return Repair(leave_out, operand_alone(record.code, record.instruction))
    back = f"{ast.unparse(written.func)}({{1}}, tf.{dtype})"
    text = unparsed(filled(f"{{0}} + tf.stop_gradient({back} - {{0}})", written.args[0], written))
    return Repair(
        f"to drop the decimals and let the gradient pass as if they were kept, write {text}; or {leave_out}, if that is not meant",
        in_place(record.code, record.instruction, text),
    )
