"""`half-precision-range`: a value or a gradient that float16 cannot hold: beyond 65504, or below 6e-8."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from whygrad.ops.advice import SMALL_IN_HALF
from whygrad.ops.primitive import Record
from whygrad.ops.traits import Arithmetic, Reduction, Traits
from whygrad.tape.cotangents import ArrayCotangents
from whygrad.tape.sweep import pull_back
from whygrad.values.tensor import Key, key_of, wrap
from whygrad.why.cause import Cause
from whygrad.why.evidence.history import outputs_of
from whygrad.why.evidence.nonfinite_question import NonfiniteQuestion
from whygrad.why.evidence.numerics import Birth, Made, Pulled, all_zero, in_double, is_finite_in_double
from whygrad.why.evidence.question import Question
from whygrad.why.evidence.zero_question import ZeroQuestion
from whygrad.why.source.edits import Repair, with_operand
from whygrad.why.source.sites import operand_names, site
from whygrad.why.source.wording import described, quoted, spoken

if TYPE_CHECKING:
    from whygrad.why.evidence.trace import Trace

_HELP = "compute this part in float32: tf.cast(..., tf.float32), or scale the values (and the loss) into the range"


def in_data(q: NonfiniteQuestion, birth: Birth) -> Cause | None:
    """The cause, if the conversion of the data to float16 made inf."""
    (data,) = birth.arrays
    made = q.came_in_at(birth.key)
    if made is None or data.dtype != np.float16 or np.isnan(data).any():
        return None
    return Cause(
        "half-precision-range",
        q.symptom,
        f"{q.opening}: {birth.bad} of {birth.total} values lie beyond the range of float16 (65504)",
        (
            site(*made, "came in here", described(birth.key)),
            site(birth.record.code, birth.record.instruction, "used here"),
            *q.asked,
        ),
        "keep these values in float32, or scale them down first",
        {"here": described(birth.key)},
    )


def forward(q: NonfiniteQuestion, birth: Birth) -> Cause | None:
    """The cause, if the range of float16 was left here, or before: upwards to inf, or downwards to a 0 without a logarithm."""
    if birth.key.dtype.itemsize != 2 or birth.key.dtype.kind != "f":
        return None
    if is_finite_in_double(birth):
        return q.cause(
            "half-precision-range", f"{spoken(birth.record)} leaves the range of float16 (65504)", birth, _HELP
        )
    by_constant = _lost_constant(q, birth.record)
    if by_constant is not None:
        return by_constant
    for key, array in zip(birth.record.inputs, birth.arrays):
        made = _first_underflow(q, key)
        if made is not None and not array.all():
            zeros = int((made.output == 0).sum())
            lost = Birth("forward", made.record, zeros, made.output.size, made.inputs, made.output, key)
            return q.cause(
                "half-precision-range",
                f"{spoken(made.record)} gives values too small for float16 (below 6e-8), which become 0",
                lost,
                _HELP,
                site(birth.record.code, birth.record.instruction, "not finite here"),
            )
    return None


def _first_underflow(q: NonfiniteQuestion, key: Key) -> Any:
    """The op on the way to a value, back through ops of one operand, that rounded non-zero numbers to 0."""
    while (made := q.numerics.made(key)) is not None:
        wide = in_double(made)
        if isinstance(wide, np.ndarray | np.generic) and bool(((made.output == 0) & (wide != 0)).any()):
            return made
        if len(made.record.inputs) != 1:
            return None
        key = made.record.inputs[0]
    return None


def _lost_constant(q: NonfiniteQuestion, record: Record) -> Cause | None:
    """The cause, if a small constant that was to keep an operand away from 0 is 0 in float16."""
    for key in record.inputs:
        while key.dtype == np.float16 and (made := q.numerics.made(key)) is not None and not made.output.all():
            if made.record.traits.arithmetic is Arithmetic.SUM:
                position = _rounded_to_zero(q, made)
                if position is None:
                    break
                return _of_constant(q, made, position, record)
            if len(made.record.inputs) != 1:
                break
            key = made.record.inputs[0]
    return None


def _rounded_to_zero(q: NonfiniteQuestion, made: Made) -> int | None:
    """Which operand of a sum is a constant that is written as something else than 0, and is 0."""
    names = operand_names(made.record.code, made.record.instruction)
    for i, (key, array) in enumerate(zip(made.record.inputs, made.inputs)):
        is_constant = key not in q.history.made_by and not array.shape and not array
        if is_constant and len(names) == 2 and names[i] not in ("0", "0.0"):
            return i
    return None


def _of_constant(q: NonfiniteQuestion, made: Made, position: int, record: Record) -> Cause:
    name = operand_names(made.record.code, made.record.instruction)[position]
    zeros = int((made.output == 0).sum())
    held = with_operand(made.record.code, made.record.instruction, position, SMALL_IN_HALF)
    return q.cause(
        "half-precision-range",
        f"{quoted(name)} is too small for float16 (below 6e-8) and is 0, so that {quoted(site(made.record.code, made.record.instruction).text)} is "
        "0 too",
        Birth("forward", made.record, zeros, made.output.size, made.inputs, made.output, outputs_of(made.record)[0]),
        Repair(
            "add a constant that float16 holds"
            + ("" if held is None else f": {held.text}")
            + "; or compute this part in float32",
            () if held is None else held.edits,
        ),
        site(record.code, record.instruction, "not finite here"),
    )


def slope_at_lost_constant(q: NonfiniteQuestion, birth: Birth) -> Cause | None:
    """The cause, if a slope is infinite because the constant that was to keep its operand away from 0 is 0 in float16."""
    return _lost_constant(q, birth.record)


def backward(q: NonfiniteQuestion, birth: Birth) -> Cause | None:
    """The cause, if a gradient in float16 became too large."""
    if birth.key.dtype != np.float16 or np.isnan(birth.made).any():
        return None
    return q.cause(
        "half-precision-range",
        f"the gradient that goes back through {spoken(birth.record)} leaves the range of float16 (65504)",
        birth,
        "compute this part in float32: tf.cast(..., tf.float32), or scale the loss down",
    )


def vanished(q: ZeroQuestion, pulled: Pulled) -> Cause | None:
    """The cause, if a gradient in float16 became too small."""
    if pulled.gx.dtype != np.float16:
        return None
    made = q.numerics.made(outputs_of(pulled.record)[0])
    if not _scales(pulled.record.traits) and not _has_slope(made):
        return None
    others = [] if made is None else [a for k, a in zip(pulled.record.inputs, made.inputs) if k is not pulled.key]
    if any(all_zero(array) for array in others):
        return None
    return q.cause(
        "half-precision-range",
        f"the gradient that goes back through {spoken(pulled.record)} is too small for float16 (below 6e-8) and becomes 0",
        pulled.record,
        "lost here",
        "compute this part in float32, or scale the loss up and the gradients down again",
        pulled.key,
    )


_LEAST_SHARE = 0.1  # of the gradient of logits: less, as that of examples learned for certain, matters to no step


def rounded(question: Question, trace: Trace) -> Iterator[Cause]:
    """The cause, if an op in float16 rounds half of the elements of a gradient or more to 0."""
    for pulled in trace.numerics.thinned:
        record, made = pulled.record, trace.numerics.made(outputs_of(pulled.record)[0])
        wide = None if made is None or not isinstance(pulled.g, np.ndarray) else _cotangent_in_double(pulled, made)
        if wide is None or wide.shape != pulled.gx.shape:
            continue
        is_lost = (pulled.gx == 0) & (wide != 0)
        lost, sizes = int(is_lost.sum()), np.abs(wide)
        if 2 * lost < wide.size:
            continue
        if record.traits.takes_logits is not None and sizes[is_lost].sum() < _LEAST_SHARE * sizes.sum():
            continue
        yield Cause(
            "half-precision-range",
            "wrong_value",
            f"{lost} of {wide.size} elements of the gradient that goes back through {spoken(record)} are too small for float16 (below 6e-8) "
            "and become 0",
            (site(record.code, record.instruction, "lost here", described(pulled.key)), question.call_site.site),
            "scale the loss up, by 1024 for instance, and the gradients down again in float32; or compute this part in float32",
            {"here": described(pulled.key)},
            likely=True,
        )
        return


def _cotangent_in_double(pulled: Pulled, made: Made) -> Any:
    """What the rule gives in float64, for the op's values as they are; None for ops whose rules the program writes."""
    record = pulled.record
    primitive = record.plan.primitive
    if primitive.takes_tensors or primitive.from_outside or not isinstance(made.output, np.ndarray | np.generic):
        return None
    position = next(i for i, key in enumerate(record.inputs) if key is pulled.key)
    *inputs, output = [wrap(_in_double(array)) for array in (*made.inputs, made.output)]
    plan = primitive.plan(1 << position)
    kept = [
        *([tuple(inputs)] if -1 in plan.keep else [inputs[i] for i in plan.keep]),
        *([output] if plan.keep_output else []),
    ]
    wide = record._replace(plan=plan, inputs=tuple(map(key_of, inputs)), output=key_of(output), kept=kept)
    try:
        with np.errstate(all="ignore"):
            return dict(pull_back(wide, _in_double(pulled.g), ArrayCotangents(), None)).get(position)
    except Exception:  # rules are written for the dtypes that their ops admit
        return None


def _in_double(array: Any) -> Any:
    return array.astype(np.float64) if array.dtype.kind == "f" else array


def _has_slope(made: Made | None) -> bool:
    """Whether the result of an op on one tensor, which works element by element, changes under a small step: in float64.

    At a corner, such as that of relu at 0, it changes to one side only, and the rule takes the other.
    """
    if made is None or len(made.inputs) != 1 or not made.record.traits.elementwise:
        return False
    (x,) = made.inputs
    values = [in_double(made._replace(inputs=(x.astype(np.float64) + step,))) for step in (-1e-3, 0.0, 1e-3)]
    if any(each is None for each in values):
        return False
    before, here, after = values
    return bool((np.minimum(np.abs(after - here), np.abs(here - before)) > _LEAST_SLOPE * 1e-3).any())


_LEAST_SLOPE = 1e-3  # less is as flat in every dtype


def _scales(traits: Traits) -> bool:
    """Whether an op multiplies its upstream gradient by something that can be small."""
    factors = (Arithmetic.QUOTIENT, Arithmetic.SQUARE, Arithmetic.POWER, Arithmetic.NEGATION)
    return traits.is_product or traits.arithmetic in factors or traits.casts or traits.reduces is Reduction.MEAN
