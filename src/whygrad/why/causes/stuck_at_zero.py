"""`stuck-at-zero`: factors that are all zero, as weights that start with zeros, keep each other from ever changing."""

from __future__ import annotations

import math
from typing import Any

from whygrad.ops.primitive import Record
from whygrad.ops.traits import Arithmetic, Reduction
from whygrad.values.tensor import Key, answers_numpy
from whygrad.values.variable import Variable
from whygrad.why.cause import Cause
from whygrad.why.evidence.dead_ends import DeadEnds
from whygrad.why.evidence.history import outputs_of
from whygrad.why.evidence.numerics import Pulled, all_zero, array_of
from whygrad.why.evidence.recomputed import Recomputed
from whygrad.why.evidence.zero_question import ZeroQuestion
from whygrad.why.source.sites import operand_names, site
from whygrad.why.source.wording import described, quoted, spoken


def explain(q: ZeroQuestion, ends: DeadEnds) -> Cause | None:
    """The cause, if every way ends at a product with zeros that a step along the gradients would leave as they are.

    A factor of zeros alone is no mistake: where it gets a gradient itself, as the second matrix of a low-rank adapter, it leaves
    zero with the first step, and the others follow.
    """
    products: list[tuple[Record, Key, list[int]]] = []
    for pulled in ends.vanished:
        factor = _zero_factor(q, pulled)
        if factor is not None:
            sources = _sources_of(q, factor)
            if not sources or any(not _stays(q, position) for position in sources):
                return None
            products.append((pulled.record, factor, sources))
        elif not _is_square_of_zero(q, pulled):
            return None
    if ends.cancelled or not products:
        return None
    record, factor, sources = products[0]
    stuck = [*q.keys, *[key for each in sources for key in q.evidence.read_values_of(q.call.sources[each])]]
    if not Recomputed(q.evidence.records, stuck, q.target_keys, q.numerics).falls(q.target_keys):
        return None  # a minimum
    return _cause(q, record, factor, sources)


def _zero_factor(q: ZeroQuestion, pulled: Pulled) -> Key | None:
    """The other factor of a product, if it is zero everywhere."""
    made = q.numerics.made(outputs_of(pulled.record)[0])
    if made is None or not pulled.record.traits.is_product:
        return None
    others = [(k, x) for k, x in zip(pulled.record.inputs, made.inputs) if k is not pulled.key]
    return next((key for key, array in others if all_zero(array)), None)


def _is_square_of_zero(q: ZeroQuestion, pulled: Pulled) -> bool:
    """Whether a way ends at a square of zeros, as that of a penalty on weights that are zero."""
    traits, made = pulled.record.traits, q.numerics.made(outputs_of(pulled.record)[0])
    squares = traits.arithmetic in (Arithmetic.SQUARE, Arithmetic.POWER) or traits.reduces is Reduction.SUM_OF_SQUARES
    return squares and made is not None and all_zero(made.inputs[0])


def _sources_of(q: ZeroQuestion, factor: Key) -> list[int]:
    """The sources of the call that a factor was computed from."""
    origins = q.history.towards([factor])
    keys = [q.evidence.read_values_of(source) for source in q.call.sources]
    return [position for position, found in enumerate(keys) if any(key in origins for key in found)]


def _stays(q: ZeroQuestion, position: int) -> bool:
    """Whether another source than the one in question is zero, and its gradient as well: a step leaves it as it is."""
    gradient, source = q.call.gradients[position], q.call.sources[position]
    zeros = gradient is not None and all_zero(array_of(gradient)) and all_zero(array_of(source))
    return position != q.position and zeros


def _cause(q: ZeroQuestion, record: Record, factor: Key, sources: list[int]) -> Cause:
    names = q.question.source_names
    operands = operand_names(record.code, record.instruction)
    place = [key is factor for key in record.inputs].index(True)
    written = quoted(operands[place]) if len(operands) == len(record.inputs) else "a factor"
    others = [quoted(names[position]) for position in sources[:3]]
    blamed = names[sources[0]]
    source = q.call.sources[sources[0]]
    traced = q.evidence.traced_values_of(source) if isinstance(source, Variable) else []
    keys = traced or q.evidence.read_values_of(source)
    is_argument = q.question.is_of_function  # converted where the function was called
    made = q.evidence.made_at(keys[0], "starts here") if keys and not is_argument else None
    multiplied = site(record.code, record.instruction, "multiplied by zeros here", described(outputs_of(record)[0]))
    return Cause(
        "stuck-at-zero",
        "zero",
        f"{q.opening}: in {spoken(record)} it is multiplied by {written}, which is 0 at all {math.prod(factor.shape)} elements, "
        f"and the gradient of {' and '.join(others)} is zero as well: no step will change them",
        (*([] if made is None else [made]), multiplied, q.asked),
        f"start with small random numbers, {_such_as(source, blamed)}; zeros suit biases, and one of two factors",
        {blamed: described(source)},
    )


def _such_as(source: Any, name: str) -> str:
    """How to start a source with small random numbers: a layer's variable by the layer's initializer."""
    scope = source._scope if isinstance(source, Variable) else None
    if scope is not None and scope.what:
        return f'by an initializer of {scope.what} such as "glorot_uniform" in place of zeros'
    shape = tuple(source.shape)
    if answers_numpy():
        return f"such as 0.1 * np.random.normal(size={shape}) for {quoted(name)}"
    values = f"tf.random.normal({shape}, stddev=0.1)"
    if not all(
        part.isidentifier() for part in name.split(".")
    ):  # an element of a list, which the program makes in a loop
        return f"such as {values} for {quoted(name)}"
    return f"such as {name} = tf.Variable({values})"
