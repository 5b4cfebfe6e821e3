"""`log-of-zero` and `log-of-negative`: a logarithm of a number that has none."""

from __future__ import annotations

import ast
import copy

from whygrad.ops.advice import small_for
from whygrad.ops.primitive import Record
from whygrad.ops.traits import Arithmetic, Logarithm, Logits, Moves, Reduction
from whygrad.runtime.syntax_trees import parse
from whygrad.values.tensor import Key
from whygrad.why.cause import Cause
from whygrad.why.causes.exp_underflow import repair_of_underflow
from whygrad.why.causes.shared_constant import shared_constant
from whygrad.why.evidence.nonfinite_question import NonfiniteQuestion, operand, values
from whygrad.why.evidence.numerics import Birth
from whygrad.why.source import syntax
from whygrad.why.source.edits import Edit, Repair, filled, in_place, unparsed
from whygrad.why.source.sites import node_at, operand_nodes, site
from whygrad.why.source.wording import quoted, spoken


def forward(q: NonfiniteQuestion, birth: Birth) -> Cause | None:
    """The cause, if the op is a logarithm and its operand is 0 or less."""
    record = birth.record
    domain = record.traits.domain_as(Logarithm)
    if domain is None:
        return None

    x, name, zero = birth.arrays[domain.of], q.operand(record), domain.zero
    if x.dtype.kind != "c" and (x < zero).any():
        return q.cause(
            "log-of-negative",
            f"the logarithm is taken of negative values of {quoted(name)}: {values(x[x < zero])}",
            birth,
            f"keep {quoted(name)} positive: a softplus or an exp before it, or tf.maximum",
        )
    if (x == zero).any():
        where = f" at {int((x == zero).sum())} of {x.size} elements" if x.size > 1 else ""
        return q.cause(
            "log-of-zero",
            f"the logarithm is taken of {quoted(name)}, which is exactly {zero:g}{where}",
            birth,
            (_of_zero(q, birth, domain.of) if zero == 0 else None) or _repair(q, birth, domain.of, name),
        )
    return None


def _of_zero(q: NonfiniteQuestion, birth: Birth, position: int) -> Repair | None:
    return (
        _of_logits(q, birth, position)
        or _of_product(q, birth.record, position)
        or repair_of_underflow(q, birth.record.inputs[position])
        or _of_vanishing_products(q, birth.record.inputs[position])
    )


_MOST_PRODUCTS = 2_000


def _of_vanishing_products(q: NonfiniteQuestion, key: Key) -> Repair | None:
    """Where one product after the other made numbers smaller until they were 0, as the forward pass through a Markov chain."""
    pending, seen = [key], {key}
    while pending and len(seen) < _MOST_PRODUCTS:
        made = q.numerics.made(pending.pop(0))
        if made is None or made.output.dtype.kind != "f" or made.output.all():
            continue
        traits, place = made.record.traits, site(made.record.code, made.record.instruction)
        if traits.is_product and all(array.all() for array in made.inputs):
            return Repair(
                f"{quoted(place.text)} at line {place.line} makes the numbers smaller each time, until they are too small for "
                f"{made.output.dtype.name}: add up logarithms in place of products, with tf.reduce_logsumexp for sums, or divide by the sum "
                "each time and add up the logarithms of these sums"
            )
        if traits.is_product or traits.moves is not None or traits.reduces in (Reduction.SUM, Reduction.MEAN):
            new = [each for each in made.record.inputs if each not in seen]
            seen.update(new)
            pending += new
    return None


def _of_product(q: NonfiniteQuestion, record: Record, position: int) -> Repair | None:
    """For the logarithm of a product of many numbers, none of which is 0: the sum of their logarithms."""
    made = q.numerics.made(record.inputs[position])
    while made is not None and (made.record.traits.moves is Moves.ALL or made.record.traits.copies):
        made = q.numerics.made(made.record.inputs[0])
    if made is None or made.record.traits.reduces is not Reduction.PRODUCT or not made.inputs[0].all():
        return None
    node, outer = node_at(made.record.code, made.record.instruction), node_at(record.code, record.instruction)
    if not isinstance(node, ast.Call) or not isinstance(outer, ast.Call) or not node.args:
        return None
    summed = copy.copy(node)
    module, dot, name = ast.unparse(node.func).rpartition(".")
    summed.func = parse(f"{module}{dot}{name.replace('prod', 'sum')}", mode="eval").body
    summed.args = [ast.Call(outer.func, [node.args[0]], []), *node.args[1:]]
    text = ast.unparse(summed)
    written = operand_nodes(outer)
    edits = in_place(record.code, record.instruction, text) if written and written[0] is node else ()
    return Repair(
        f"add up the logarithms, of which none is beyond the range: {text} in place of the logarithm of a product",
        edits,
    )


def _repair(q: NonfiniteQuestion, birth: Birth, position: int, name: str) -> Repair:
    shared = shared_constant(q, birth.record, position)
    if shared is not None:
        return shared
    guarded = q.guarded(birth.record, position, f"{{0}} + {_small(birth.record)}")
    add = f"add a small constant to {quoted(name)}" + ("" if guarded is None else f": {guarded.text}")
    return Repair(add, () if guarded is None else guarded.edits)


def _small(record: Record) -> str:
    return small_for(record.inputs[0].dtype, "1e-7")


def _of_one_minus_sigmoid(q: NonfiniteQuestion, record: Record, difference: Record) -> Repair | None:
    """For the logarithm of `1 - p`, where a sigmoid made p: `1 - sigmoid(z)` is `sigmoid(-z)`."""
    written = operand_nodes(node_at(difference.code, difference.instruction))
    maker = q.history.made_by.get(difference.inputs[-1])
    is_of_one = len(written) == 2 and isinstance(written[0], ast.Constant) and written[0].value == 1
    if not is_of_one or not isinstance(maker, Record) or maker.traits.takes_logits is not Logits.SIGMOID:
        return None
    node, made = node_at(record.code, record.instruction), node_at(maker.code, maker.instruction)
    logits = operand_nodes(made)[:1]
    if not isinstance(node, ast.Call) or not logits:
        return None
    text = unparsed(filled("tf.math.log_sigmoid(-{0})", logits[0]))
    here = syntax.scope_of(node) is syntax.scope_of(made)
    return Repair(
        f"take the logarithm together with {spoken(maker)}: {text} in place of {site(record.code, record.instruction).text}; a small "
        f"constant in {quoted(ast.unparse(node.args[0]))} would leave a gradient of 0 there",
        in_place(record.code, record.instruction, text) if here else (),
    )


_LOGARITHMS = {Logits.SOFTMAX: "tf.nn.log_softmax", Logits.SIGMOID: "tf.math.log_sigmoid"}


def _of_logits(q: NonfiniteQuestion, birth: Birth, position: int) -> Repair | None:
    """For the logarithm of a softmax or sigmoid: one function for both, which has a slope where their result is 0."""
    record = birth.record
    maker = q.history.made_by.get(record.inputs[position]) if position < len(record.inputs) else None
    if isinstance(maker, Record) and maker.traits.arithmetic is Arithmetic.DIFFERENCE:
        return _of_one_minus_sigmoid(q, record, maker)
    function = _LOGARITHMS.get(maker.traits.takes_logits) if isinstance(maker, Record) else None  # type: ignore[arg-type]
    if function is None or not isinstance(maker, Record):
        return None
    text = f"{function}({operand(maker)})"
    edits: tuple[Edit, ...] = ()
    node, made = node_at(record.code, record.instruction), node_at(maker.code, maker.instruction)
    if isinstance(node, ast.Call) and isinstance(made, ast.Call) and q.guarded(record, position, "{0}") is not None:
        given = [ast.unparse(each) for each in (*made.args, *made.keywords)]
        text = f"{function}({', '.join(given)})"
        if syntax.scope_of(node) is syntax.scope_of(made):
            edits = in_place(record.code, record.instruction, text)
    return Repair(
        f"take the logarithm together with {spoken(maker)}: {text} in place of {site(record.code, record.instruction).text}; or "
        f"add a small constant, {operand(record)} + {_small(record)}, with a gradient of 0 where {quoted(operand(record))} is 0",
        edits,
    )
