"""`division-by-zero` and `zero-divided-by-zero`: a quotient, or the slope of one, whose divisor is 0."""

from __future__ import annotations

import ast

import numpy as np

from whygrad.ops.advice import small_for
from whygrad.ops.primitive import Record
from whygrad.ops.traits import Arithmetic, InfiniteSlope, NoSlopeAtOrigin, Power, Quotient, Reduction
from whygrad.values.tensor import Key
from whygrad.why.cause import Cause
from whygrad.why.causes.exp_underflow import repair_of_underflow
from whygrad.why.causes.shared_constant import shared_constant
from whygrad.why.evidence.history import outputs_of
from whygrad.why.evidence.nonfinite_question import NonfiniteQuestion, operand, operands
from whygrad.why.evidence.numerics import Birth, Made
from whygrad.why.source.edits import Edit, Repair, in_place, rewritten
from whygrad.why.source.safe_forms import guarded_call, safe_composite, with_small_constant
from whygrad.why.source.sites import node_at, operand_names
from whygrad.why.source.wording import grouped, listed, quoted, spoken


def forward(q: NonfiniteQuestion, birth: Birth) -> Cause | None:
    """The cause, if the op divides by 0: as a quotient, as a negative power, or as a mean of no elements."""
    record, arrays = birth.record, birth.arrays
    domain = record.traits.domain_as(Quotient)
    if domain is not None and (arrays[domain.divisor] == 0).any():
        divisor = arrays[domain.divisor]
        if domain.dividend is not None:
            both = np.logical_and(arrays[domain.dividend] == 0, divisor == 0)
            if both.any():
                return q.cause(
                    "zero-divided-by-zero",
                    "0 is divided by 0" + (f" at {int(both.sum())} of {both.size} elements" if both.size > 1 else ""),
                    birth,
                    help_with_divisor(q, record),
                )
        return _by_zero(q, birth, divisor)
    if record.traits.domain_as(Power) is not None and ((arrays[0] == 0) & (np.real(arrays[1]) < 0)).any():
        return _by_zero(q, birth, arrays[0])
    if record.traits.reduces in (Reduction.MEAN, Reduction.VARIANCE) and not arrays[0].size:
        return q.cause(
            "zero-divided-by-zero",
            f"the mean is taken of {quoted(operand(record))}, which has no elements: 0 divided by 0",
            birth,
            _mean_of_nothing(record),
        )
    return None


def _mean_of_nothing(record: Record) -> Repair:
    """A mean that is 0 where there is nothing to take it of."""
    leave_out = "leave out this part of the loss where it has no elements"
    node = node_at(record.code, record.instruction)
    is_plain = (
        isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords and not outputs_of(record)[0].shape
    )
    if not is_plain or record.traits.reduces is not Reduction.MEAN:
        return Repair(leave_out)
    dtype = record.inputs[0].dtype.name
    code = rewritten(
        record.code,
        record.instruction,
        f"tf.math.divide_no_nan(tf.reduce_sum({{0}}), tf.cast(tf.size({{0}}), tf.{dtype}))",
        0,
    )
    return (
        Repair(leave_out) if code is None else Repair(f"use {code.text}, which is 0 then; or {leave_out}", code.edits)
    )


def _by_zero(q: NonfiniteQuestion, birth: Birth, divisor: np.ndarray) -> Cause:
    return q.cause(
        "division-by-zero",
        f"{divisor_of(q, birth.record)} is 0"
        + (f" at {int((divisor == 0).sum())} of {divisor.size} elements" if divisor.size > 1 else ""),
        birth,
        help_with_divisor(q, birth.record),
    )


def backward(q: NonfiniteQuestion, birth: Birth) -> Cause | None:
    """The cause, if the slope of the op is 0/0."""
    record = birth.record
    made = q.numerics.made(outputs_of(record)[0])
    if made is None:
        return None
    at_zero = [x.dtype.kind in "fcV" and bool((x == 0).any()) for x in made.inputs]
    origin = record.traits.domain_as(NoSlopeAtOrigin)
    if origin is not None and any((np.square(np.abs(x)) == 0).any() for x in made.inputs):
        names = operand_names(record.code, record.instruction) or ["x"]
        are = "is" if len(names) == 1 else "are"
        so = "0" if all(at_zero) else "so small that squares of them are 0"
        guarded = origin.guard.format(*map(grouped, operands(record)))
        is_written = len(names) == len(record.inputs) and not q.is_part_of_call(record)
        return q.cause(
            "zero-divided-by-zero",
            f"{spoken(record)} has no slope at the origin: {listed(names)} {are} {so}",
            birth,
            Repair(f"keep away from the origin: {guarded}", _in_place(record, guarded) if is_written else ()),
        )
    if record.traits.domain_as(Quotient) is not None and any(at_zero):
        return q.cause(
            "zero-divided-by-zero",
            f"the slope of {spoken(record)} is 0/0 here: {divisor_of(q, record)} is 0",
            birth,
            help_with_divisor(q, record),
        )
    return None


def divisor_of(q: NonfiniteQuestion, record: Record) -> str:
    """The divisor as the program writes it; what is computed inside of a function has no name there."""
    domain = record.traits.domain_as(Quotient) or Quotient(divisor=0, dividend=None)
    if q.is_computed_inside(record, domain.divisor):
        return f"a divisor inside of {spoken(record)}"
    return quoted(q.operand(record))


def help_with_divisor(q: NonfiniteQuestion, record: Record) -> Repair:
    """What to write for a quotient whose divisor is 0."""
    domain = record.traits.domain_as(Quotient) or Quotient(divisor=0, dividend=None, guard="tf.math.reciprocal_no_nan")
    composite = safe_composite(record)
    if composite:
        return Repair(f"keep the divisor away from 0: {composite}", _in_place(record, composite))
    root = help_with_root(q, record) or repair_of_underflow(q, record.inputs[domain.divisor])
    if root is not None:
        return root
    if record.traits.domain_as(InfiniteSlope) is not None and record.traits.domain_as(Power) is None:
        inside = with_small_constant(record, operand(record))
        return Repair(f"add a small constant inside: {inside}", _in_place(record, inside))
    add = f"add a small constant to {quoted(q.operand(record))}"
    shared = shared_constant(q, record, domain.divisor) or _added_to_parameter(q, record, domain)
    if shared is not None:
        return shared
    guarded = (
        q.guarded(record, 0, f"{{0}} + {small_for(record.inputs[0].dtype, '1e-7')}") if _is_power(record) else None
    )
    if guarded is not None:
        return Repair(f"{add}: {guarded.text}", guarded.edits)  # no guard takes the exponent of a power
    if q.is_part_of_call(record) or not domain.guard or (_is_power(record) and len(record.inputs) > 1):
        return Repair(add)
    safe = guarded_call(record, domain.guard, operand_names(record.code, record.instruction))
    return Repair(f"use {safe}, or {add}", () if safe == domain.guard else _in_place(record, safe))


def _added_to_parameter(q: NonfiniteQuestion, record: Record, domain: Quotient) -> Repair | None:
    """The small constant added to a number that is not learned, such as a temperature: a quotient of 0 would be another limit."""
    if domain.dividend is None or domain.divisor >= len(record.inputs):
        return None
    divisor = record.inputs[domain.divisor]
    if divisor.shape or divisor in q.evidence.watched or not record.inputs[domain.dividend].shape:
        return None
    small = small_for(divisor.dtype, "1e-7")
    guarded = q.guarded(record, domain.divisor, f"{{0}} + {small}")
    if guarded is None:
        return None
    return Repair(
        f"keep {quoted(q.operand(record))} above 0, or add a small constant to it: {guarded.text}", guarded.edits
    )


def _is_power(record: Record) -> bool:
    return record.traits.domain_as(Power) is not None


def help_with_root(q: NonfiniteQuestion, record: Record) -> Repair | None:
    """What to write for a quotient whose divisor is a root or norm of 0, itself or as a factor; None for others."""
    domain = record.traits.domain_as(Quotient)
    root = None if domain is None else _root_of_zero(q, record.inputs[domain.divisor])
    if root is None:
        return None
    inside = with_small_constant(root, operand(root))
    return Repair(
        f"add a small constant inside of the root, which has no slope at 0 either: {inside}", _in_place(root, inside)
    )


def _in_place(record: Record, text: str) -> tuple[Edit, ...]:
    return in_place(record.code, record.instruction, text)


def _root_of_zero(q: NonfiniteQuestion, key: Key) -> Record | None:
    """The root or norm of 0 that made a divisor 0, itself or as a factor: a guard around the quotient would not help it."""
    pending = [key]
    for _ in range(_MOST_FACTORS):
        made = q.numerics.made(pending.pop()) if pending else None
        if made is None:
            break
        if made.output.all():
            continue
        if _is_whole_power(made):
            pending.append(made.record.inputs[0])
        elif made.record.traits.domain_as(InfiniteSlope) is not None and made.record.traits.domain_as(Quotient) is None:
            return made.record
        elif made.record.traits.is_product or made.record.traits.moves is not None:
            pending += made.record.inputs
    return None


_MOST_FACTORS = 16


def _is_whole_power(made: Made) -> bool:
    """Whether a value is a square, or a power that has a slope of 0 where its base is 0."""
    arithmetic = made.record.traits.arithmetic
    if arithmetic is Arithmetic.POWER and len(made.inputs) == 2:
        return bool((np.real(made.inputs[1]) > 1).all())
    return arithmetic is Arithmetic.SQUARE
