"""A 0 that an exponential rounded to: where it is divided by, or its logarithm is taken, the repair belongs to the exponential."""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from whygrad.ops.traits import Arithmetic, Exponential, Reduction
from whygrad.values.tensor import Key
from whygrad.why.evidence.nonfinite_question import NonfiniteQuestion, operand
from whygrad.why.source.edits import Repair, replaced
from whygrad.why.source.sites import node_at, site
from whygrad.why.source.stable_forms import stable_form
from whygrad.why.source.wording import quoted

_MOST_STEPS = 16


def repair_of_underflow(q: NonfiniteQuestion, key: Key) -> Repair | None:
    """What to write where a value is 0 because an exponential in it is too small for its dtype; None where it is not."""
    found = _underflow(q, key)
    if found is None:
        return None
    record, inputs, output = found
    at_zero = inputs[0][(output == 0) & np.isfinite(inputs[0])]
    here = site(record.code, record.instruction)
    stable = stable_form(node_at(record.code, record.instruction))
    too_small = (
        f"{quoted(here.text)} at line {here.line} is too small for {output.dtype.name} and becomes 0, for exponents down to "
        f"{float(at_zero.min()):.4g}"
    )
    if stable is not None:
        whole, text = stable
        edit = replaced(record.code.co_filename, whole, text)
        return Repair(f"use {text} for {ast.unparse(whole)}: {too_small}", (edit,))
    return Repair(
        f"work with logarithms, as tf.reduce_logsumexp does, or bring {quoted(operand(record))} nearer to 0: {too_small}"
    )


def _underflow(q: NonfiniteQuestion, key: Key) -> Any:
    """The exponential whose result is 0 for finite exponents, back through sums, products and ops that move elements."""
    pending, seen = [key], {key}
    for _ in range(_MOST_STEPS):
        made = q.numerics.made(pending.pop(0)) if pending else None
        if made is None:
            if not pending:
                break
            continue
        if made.output.dtype.kind != "f" or made.output.all():
            continue
        traits = made.record.traits
        if traits.domain_as(Exponential) is not None:
            x = made.inputs[0]
            if ((made.output == 0) & (x != 0) & np.isfinite(x)).any():
                return made
        elif traits.is_product or traits.moves is not None or traits.reduces in (Reduction.SUM, Reduction.MEAN):
            new = [each for each in made.record.inputs if each not in seen]
            seen.update(new)
            pending += new
        elif traits.arithmetic is Arithmetic.QUOTIENT and len(made.inputs) == 2:  # a density, divided by its norm
            pending.append(made.record.inputs[0])
    return None
