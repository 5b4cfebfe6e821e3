"""`non-scalar-target-summed`: gradient() sums the elements of the target, where the derivative of each was wanted."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

import numpy as np

from whygrad.ops.primitive import Record
from whygrad.ops.traits import Arithmetic, Logits, Moves, Reduction
from whygrad.values.tensor import Key
from whygrad.why.cause import Cause
from whygrad.why.evidence.history import History
from whygrad.why.evidence.numerics import array_of, is_finite
from whygrad.why.evidence.question import Question
from whygrad.why.source import syntax
from whygrad.why.source.sites import argument_node, site
from whygrad.why.source.wording import described, quoted


def explain(question: Question, position: int, gradient: Any) -> Cause | None:
    """The cause, if the target's elements always add up to the same, so that only rounding errors are left."""
    target = question.call.targets[0]
    if len(question.call.targets) != 1 or target.shape.num_elements() in (1, 0):
        return None
    if gradient.shape != tuple(question.call.sources[position].shape):
        return None  # a jacobian: nothing was summed
    key = question.call.key_of(target)
    history = question.evidence.tape_history
    maker = None if key is None else constant_sum(history, key)
    if maker is None:
        return None
    size = float(np.max(np.abs(array_of(target))))
    if not is_finite(gradient) or float(np.max(np.abs(gradient))) > 1e-5 * max(1.0, size):
        return None
    target_name, source = question.target_name, question.source_names[position]
    record, sum_of = maker
    return Cause(
        "non-scalar-target-summed",
        "zero",
        f"the gradient of {quoted(target_name)} with respect to {quoted(source)} is zero: gradient() sums the "
        f"{target.shape.num_elements()} elements of the target, and {sum_of}",
        (question.call_site.site.as_role("summed here"), site(record.code, record.instruction, "made here")),
        f"ask for tape.jacobian({target_name}, {source}), or for one element of {quoted(target_name)}",
        {target_name: described(target)},
        edits=question.call_site.with_method("jacobian"),
    )


# What an op makes of its first operand and a reduction of the same, and the sum of that.
_SUMS = {
    (Arithmetic.QUOTIENT, Reduction.SUM): "shares always add up to 1",
    (Arithmetic.DIFFERENCE, Reduction.MEAN): "differences from their mean always add up to 0",
}
_SCALES = (Arithmetic.PRODUCT, Arithmetic.QUOTIENT)


def constant_sum(history: History, key: Key) -> tuple[Record, str] | None:
    """The op that made a value whose sum is always the same, and why it is; back through what only scales or moves it."""
    while isinstance(record := history.made_by.get(key), Record):
        traits, inputs = record.traits, record.inputs
        if traits.takes_logits is Logits.SOFTMAX:
            return record, "probabilities always add up to 1"
        reducer = history.made_by.get(inputs[1]) if len(inputs) == 2 else None
        if isinstance(reducer, Record) and reducer.inputs and reducer.inputs[0] is inputs[0]:
            said = _SUMS.get((traits.arithmetic, reducer.traits.reduces))  # type: ignore[arg-type]
            if said is not None:
                return record, said
        scaled = [k for k in inputs if k.shape == key.shape] if traits.arithmetic in _SCALES else []
        if traits.moves is Moves.ALL or traits.arithmetic is Arithmetic.NEGATION:
            key = inputs[0]
        elif len(scaled) == 1 and all(not k.shape for k in inputs if k is not scaled[0]):
            key = scaled[0]
        else:
            return None
    return None


# -- a sum that does change: only the name of the result says that it was not wanted --


def explain_by_name(question: Question) -> Iterator[Cause]:
    """The cause, if the program calls the gradient of several values a jacobian or a hessian."""
    call, call_site = question.call, question.call_site
    name = _name_of_matrix(call_site.node) if call_site.derivative == "gradient" else None
    if name is None or len(call.targets) != 1 or len(call.sources) != 1 or call.gradients[0] is None:
        return
    if argument_node(call.code, call.instruction, 2, "output_gradients") is not None:
        return
    target, source = call.targets[0], call.sources[0]
    count = target.shape.num_elements()
    by_example = len(source.shape) > 1 and source.shape[0] == count
    if count < 2 or source.shape.num_elements() < 2 or by_example:
        return  # one number, or one for each example, as it should be
    target_name, source_name = question.target_name, question.source_names[0]
    asked = call_site.site
    yield Cause(
        "non-scalar-target-summed",
        "wrong_value",
        f"{quoted(name)} is not a matrix: gradient() sums the {count} elements of {quoted(target_name)}, and gives the derivative of the "
        f"sum, of shape {tuple(source.shape)}",
        (asked.as_role("summed here"),),
        f"ask for tape.jacobian({target_name}, {source_name}), of shape {(*target.shape, *source.shape)}".replace(
            "tape.", f"{call_site.tape_name}."
        ),
        {target_name: described(target)},
        likely=True,
        edits=call_site.with_method("jacobian"),
    )


def _name_of_matrix(node: Any) -> str | None:
    """The name that an expression is given, or the function that returns it, where that says jacobian or hessian."""
    if node is None:
        return None
    names = [name for name in syntax.names_given(node) if name]
    scope = syntax.scope_of(node)
    if isinstance(syntax.statement_of(node), ast.Return) and isinstance(scope, ast.FunctionDef):
        names.append(scope.name)
    return next(filter(syntax.names_a_matrix, names), None)
