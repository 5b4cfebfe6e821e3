"""`saturated-region`: every element lies where a function is flat, or is multiplied by a mask that is 0 everywhere."""

from __future__ import annotations

import math
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Any

import numpy as np

from whygrad.ops.primitive import Record
from whygrad.ops.traits import Arithmetic, Flat, Logits, Traits
from whygrad.values.tensor import Key
from whygrad.why.cause import Cause
from whygrad.why.evidence.history import outputs_of
from whygrad.why.evidence.numerics import Made, Pulled, all_zero
from whygrad.why.evidence.zero_question import ZeroQuestion, first_operand, operand
from whygrad.why.source.edits import Repair, rewritten
from whygrad.why.source.sites import operand_names
from whygrad.why.source.wording import quoted, spoken


def vanished(q: ZeroQuestion, pulled: Pulled) -> Cause | None:
    """The cause, if the cotangent vanished at a function that is flat there, or at a product with zeros."""
    record = pulled.record
    traits = record.traits
    by_condition = traits.flat is Flat.NOT_CHOSEN and traits.selects is not None
    if by_condition and record.inputs[0] not in q.reached and not q.all_vanish:
        return None  # chosen by the data alone: one regime of several, which these data do not touch
    if traits.takes_logits is Logits.SOFTMAX and not _has_decided(q, record):
        return None  # what arrives is the same for all classes
    if traits.flat is not None:
        chosen = first_operand(record) if traits.selects is not None else operand(record, pulled.key)
        return _flat(q, record, chosen, pulled.key)
    return _dead_factor(q, pulled)


def _has_decided(q: ZeroQuestion, record: Record) -> bool:
    """Whether a softmax gave 1 to one class and 0 to the others, as far as numbers go: there it is flat."""
    made = q.numerics.made(outputs_of(record)[0])
    if made is None:
        return True
    shares = np.exp(made.output) if record.traits.takes_logits is Logits.LOG_SOFTMAX else made.output
    return bool(((shares == 0) | (shares == 1)).all())


def decided(q: ZeroQuestion, record: Record) -> Cause | None:
    """The cause, if a softmax of one of several classes, whose numbers are known, has decided."""
    if (
        q.numerics.made(outputs_of(record)[0]) is None
        or record.inputs[0].shape[-1:] == (1,)
        or not _has_decided(q, record)
    ):
        return None
    return _flat(q, record, first_operand(record), record.inputs[0])


def _flat(q: ZeroQuestion, record: Record, operand: str, key: Key) -> Cause:
    made = q.numerics.made(outputs_of(record)[0])
    span = ""
    inputs = [] if made is None else [x for k, x in zip(record.inputs, made.inputs) if k is key and x.size]
    if inputs:
        low, high = float(np.min(inputs[0])), float(np.max(inputs[0]))
        span = f", from {low:.4g} to {high:.4g}," if high > low else f", {low:.4g},"
    high = max((float(np.max(x)) for x in inputs), default=0.0)
    count = int(np.prod(key.shape))
    every = f"each of the {count} elements of {operand}" if count > 1 else operand
    return q.cause(
        "saturated-region",
        f"{every}{span} lies where {spoken(record)} is flat",
        record,
        "flat here",
        _back_to_a_slope(record, operand, high, is_zero=bool(inputs) and all_zero(inputs[0])),
        key,
    )


def _back_to_a_slope(record: Record, operand: str, high: float, is_zero: bool) -> Repair:
    """What to change so that an op is evaluated where it has a slope."""
    flat, op = record.traits.flat, spoken(record)
    if flat is Flat.OFF and is_zero:
        return Repair(f"start the weights from random numbers: from zeros, {operand} stays 0, where {op} has no slope")
    if flat is Flat.OFF and high <= 0:
        leaky = rewritten(record.code, record.instruction, "tf.nn.leaky_relu({0})", 0) if op == "tf.nn.relu" else None
        smaller = f"start from weights and biases for which some of {operand} is positive, or use a leaky activation"
        return Repair(smaller) if leaky is None else Repair(f"{smaller}: {leaky.text}", leaky.edits)
    if flat is Flat.NOT_CHOSEN:
        return Repair(
            f"start from values for which {op} chooses {operand}, set its bounds wider, or use a smooth or leaky form"
        )
    return Repair(
        f"keep {operand} nearer to where {op} has a slope: with smaller weights or biases, or with normalized data"
    )


def _dead_factor(q: ZeroQuestion, pulled: Pulled) -> Cause | None:
    """The other factor is zero everywhere, because it comes from a comparison or from units that are all off."""
    made = q.numerics.made(outputs_of(pulled.record)[0])
    if made is None or not pulled.record.traits.is_product:
        return None
    for key, array in zip(pulled.record.inputs, made.inputs):
        if key is pulled.key or not all_zero(array):
            continue
        maker = q.numerics.made(key)
        while maker is not None and _keeps_zeros(maker.record.traits):
            maker = q.numerics.made(maker.record.inputs[0])
        if maker is None:
            return None
        flat = maker.record.traits.flat
        if flat is Flat.OFF or (flat is Flat.NOT_CHOSEN and q.all_vanish):
            return _flat(q, maker.record, first_operand(maker.record), maker.record.inputs[-1])
        if maker.record.traits.compares and not q.history.descendants(q.keys).isdisjoint(maker.record.inputs):
            return q.cause(
                "saturated-region",
                f"the mask that multiplies {quoted(q.name)} is 0 at all {array.size} elements",
                pulled.record,
                "masked here",
                "bring the input back into the range where the mask lets it through",
                pulled.key,
            )
    return None


def fixed_zeros(q: ZeroQuestion, pulled: Pulled) -> list[Key]:
    """The zeros from outside the tape by which what is differentiated is multiplied element by element.

    They are the factor itself, or what makes it zero: where positions start at zero, a force that grows with them is zero at each step.
    """
    record, made = pulled.record, q.numerics.made(outputs_of(pulled.record)[0])
    if made is None or record.traits.arithmetic is not Arithmetic.PRODUCT:
        return []
    return _origins_of_zeros(q, [key for key in _zeros_among(record.inputs, made.inputs) if key is not pulled.key])


_MOST_FOLLOWED = 200  # values, back to where zeros come from


def _origins_of_zeros(q: ZeroQuestion, waiting: list[Key]) -> list[Key]:
    """The zeros from outside the tape that make values zero: factors, bases of powers, all terms of a sum."""
    found, seen = [], set(waiting)
    while waiting and len(seen) <= _MOST_FOLLOWED:
        key = waiting.pop()
        made = q.numerics.made(key)
        if made is None:
            found.append(key)
            continue
        adds = made.record.traits.arithmetic in (Arithmetic.SUM, Arithmetic.DIFFERENCE)
        if not adds or all(all_zero(array) for array in made.inputs):
            operands = [each for each in _zeros_among(made.record.inputs, made.inputs) if each not in seen]
            waiting += operands
            seen.update(operands)
    return [key for key in found if key not in q.evidence.watched]


def _zeros_among(keys: Sequence[Key], arrays: Sequence[Any]) -> list[Key]:
    """Those of several tensors that are zero at more than one element, and nowhere else than zero."""
    return [key for key, array in zip(keys, arrays) if array.size > 1 and all_zero(array)]


def of_fixed_zeros(q: ZeroQuestion, vanished: Sequence[Pulled], fixed: AbstractSet[Key]) -> Cause | None:
    """The cause, if every way ends at a factor that was computed from zeros that are the same at each call, in `fixed`."""
    origins = [[key for key in fixed_zeros(q, pulled) if key in fixed] for pulled in vanished]
    if not all(origins):
        return None
    cause = q.cause(
        "saturated-region",
        "what it is multiplied by is 0 everywhere, because it is computed from zeros",
        vanished[0].record,
        "multiplied by zeros here",
        "start from other numbers, small random ones for example: from these zeros, each step is multiplied by zeros again",
        vanished[0].key,
        likely=True,
    )
    places = [q.evidence.made_at(key, "zeros made here") for each in origins for key in each]
    made = next((place for place in places if place is not None), None)
    return cause if made is None else replace(cause, sites=(made, *cause.sites))


def zero_data(q: ZeroQuestion, pulled: Pulled) -> set[Key]:
    """The integers, all zero, that the tape does not watch, by which what is differentiated is multiplied as by the inputs of a layer.

    Numbers below 1 that were cast to integers by mistake are such zeros. Those of a first state, or in the place of data to come, are floats.
    """
    record, made = pulled.record, q.numerics.made(outputs_of(pulled.record)[0])
    if made is None or not record.traits.is_product or record.traits.arithmetic is Arithmetic.PRODUCT:
        return set()
    factors = [(k, x) for k, x in zip(record.inputs, made.inputs) if k is not pulled.key]
    return {k for k, x in factors if all_zero(x) and k not in q.evidence.watched and _is_of_integers(q, k)}


def _is_of_integers(q: ZeroQuestion, key: Key) -> bool:
    """Whether a value was cast from integers, and perhaps moved, or divided by a number."""
    while key.dtype.kind not in "iu":
        maker = q.history.made_by.get(key)
        if not isinstance(maker, Record) or not maker.inputs:
            return False
        traits = maker.traits
        keeps = (
            traits.moves is not None or traits.casts or traits.arithmetic in (Arithmetic.PRODUCT, Arithmetic.QUOTIENT)
        )
        if not keeps:
            return False
        key = maker.inputs[0]
    return True


def of_zero_data(q: ZeroQuestion, pulled: Pulled) -> Cause | None:
    """The cause, if the inputs that a source is multiplied by were zeros at each call up to now."""
    factors = zero_data(q, pulled)
    if not factors:
        return None
    record = pulled.record
    position = next(i for i, key in enumerate(record.inputs) if key in factors)
    operands = operand_names(record.code, record.instruction)
    name = quoted(operands[position]) if len(operands) == len(record.inputs) else "an input"
    size = math.prod(record.inputs[position].shape)
    where = f" at all {size} elements" if size > 1 else ""
    return q.cause(
        "saturated-region",
        f"it is multiplied by {name}, which is 0{where}, as at the calls before",
        record,
        "multiplied by zeros here",
        f"look at where {name} comes from: it was cast from integers, and a cast to integers makes 0 of numbers below 1",
        pulled.key,
        likely=True,
    )


def masked(q: ZeroQuestion, pulled: Pulled, fixed: AbstractSet[Key] = frozenset()) -> Cause | None:
    """The cause, if the product is with a mask that lets nothing through.

    A mask is made from bools that do not depend on the source, or it is one of the zeros in `fixed`, which are the same at each step:
    others may be rewards, or weights of examples, that happen to be zero.
    """
    record, made = pulled.record, q.numerics.made(outputs_of(pulled.record)[0])
    if made is None or not record.traits.is_product:
        return None
    for key, array in zip(record.inputs, made.inputs):
        if key is pulled.key or array.size < 2 or not all_zero(array) or key in q.reached:
            continue
        of_bools = q.all_vanish and _is_made_from_bools(q, key)
        if not of_bools and key not in fixed:
            continue
        operands = operand_names(record.code, record.instruction)
        position = [k is key for k in record.inputs].index(True)
        name = operands[position] if len(operands) == len(record.inputs) else "the mask"
        return q.cause(
            "saturated-region",
            f"it is multiplied by {quoted(name)}, which is 0 at all {array.size} elements: a mask that lets nothing through",
            record,
            "masked here",
            "look at what the mask is made of: no element of it is true"
            if of_bools
            else f"look at where {quoted(name)} is made: what it multiplies is neither used nor trained",
            pulled.key,
            likely=not of_bools,
        )
    return None


def _is_made_from_bools(q: ZeroQuestion, key: Key) -> bool:
    """Whether a value is a mask: bools that were cast, and perhaps moved."""
    maker: Made | None = q.numerics.made(key)
    while maker is not None and _keeps_zeros(maker.record.traits):
        if maker.record.inputs[0].dtype.kind == "b":
            return True
        maker = q.numerics.made(maker.record.inputs[0])
    return False


def _keeps_zeros(traits: Traits) -> bool:
    """Whether an op gives zeros for zeros: it moves them, casts them or changes their sign."""
    return traits.moves is not None or traits.casts or traits.arithmetic is Arithmetic.NEGATION
