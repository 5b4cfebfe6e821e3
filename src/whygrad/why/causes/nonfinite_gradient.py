"""Why a gradient is inf or nan: where it was born, and the order in which causes are considered.

Each cause has a file of its own, with up to three functions: `in_data` for what came in, `forward` for what an op made,
`backward` for what a rule made. They ask the op's traits, and return None where they do not apply.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from whygrad.ops.primitive import Record
from whygrad.ops.traits import Arithmetic, Exponential
from whygrad.why.cause import Cause
from whygrad.why.causes import (
    division_by_zero,
    exp_overflow,
    fully_masked_softmax,
    half_precision_range,
    infinite_slope,
    log_domain,
    nan_in_data,
    outside_domain,
    overflow,
    root_of_negative,
    singular_matrix,
    where_nan_branch,
    zero_times_infinity,
)
from whygrad.why.evidence.history import outputs_of
from whygrad.why.evidence.nonfinite_question import NonfiniteQuestion, operand, values_there
from whygrad.why.evidence.numerics import Birth, Seen, array_of, is_finite
from whygrad.why.evidence.question import Question
from whygrad.why.source import syntax
from whygrad.why.source.decisions import is_only_shown
from whygrad.why.source.sites import node_at
from whygrad.why.source.wording import quoted, spoken

if TYPE_CHECKING:
    from whygrad.why.evidence.trace import Trace


def explain(question: Question, trace: Trace) -> Cause | None:
    """The cause, if some gradient is not finite; only the first of a program, as everything after it is poisoned."""
    place = (question.call.code, question.call.instruction)
    arrays = [None if g is None else array_of(g) for g in question.call.gradients]
    position = next((i for i, array in enumerate(arrays) if array is not None and not is_finite(array)), None)
    if position is None and trace.skipped.get(place) in trace.findings:
        trace.withdraw(trace.skipped[place])  # the step was not taken: as with a loss that is scaled until it overflows
        trace.numerics.settled = False
    if trace.numerics.settled or place in trace.skipped:
        return None
    if position is None:
        if all(array is None or not array.any() for array in arrays):
            return None  # a zero or a None, explained as such
        if all(is_finite(array_of(target)) for target in question.call.targets):
            return None
    cause = _answer(NonfiniteQuestion(question, position, trace))
    if cause is not None:
        trace.numerics.settled = True
        if position is not None and is_looked_for(question):
            trace.skipped[place] = cause
    return cause


def is_looked_for(question: Question) -> bool:
    """Whether the program looks for inf and nan among these gradients, and does something about them."""
    asked = question.call_site.node
    reached = set() if asked is None else syntax.Flow([question.call_site.file]).reached_from(asked)
    checks = {
        call
        for node in reached
        if isinstance(call := syntax.parent(node), ast.Call) and syntax.called_name(call) in _CHECKS
    }
    # A check that ran in the tape's block looks at values of the forward pass.
    if checks <= {node_at(each.code, each.instruction) for each in question.evidence.records}:
        return False
    return not all(is_only_shown(each, question.call_site.file) for each in checks)


_CHECKS = ("is_finite", "isfinite", "is_nan", "isnan", "is_inf", "isinf")  # as programs call them


def cause_of(question: Question, position: int | None, seen: Seen) -> Cause | None:
    """The cause of one gradient that is not finite; of the target itself without a position."""
    return _answer(NonfiniteQuestion(question, position, seen))


def forward_cause(question: Question, birth: Birth, seen: Seen, opening: str, symptom: str) -> Cause:
    """The cause of an inf or nan in the forward pass, for a gradient that shows it in another way."""
    q = NonfiniteQuestion(question, None, seen)
    q.opening, q.symptom = opening, symptom
    return forward(q, birth)


def _answer(q: NonfiniteQuestion) -> Cause | None:
    """The cause: an inf or nan of the forward pass comes before one that only the sweep made."""
    for key in q.target_keys:
        if key in q.numerics.births:
            return forward(q, q.numerics.births[key])
    made = [each for each in q.numerics.backward if any(key in q.history.made_by for key in outputs_of(each.record))]
    birth = next((each for each in made if q.leads_to_source(each)), None) or next(iter(made), None)
    return None if birth is None else backward(q, birth)


# -- made in the forward pass, and still there in the target --

_MADE_BY_AN_OP = (
    fully_masked_softmax.forward,
    singular_matrix.forward,
    division_by_zero.forward,
    log_domain.forward,
    root_of_negative.forward,
    exp_overflow.forward,
    outside_domain.forward,
    overflow.forward,
)


def forward(q: NonfiniteQuestion, birth: Birth) -> Cause:
    """The cause of an inf or nan that an op made, or that was in the data."""
    if birth.where == "data":
        assigned = q.assigned_from(birth.key)
        if assigned is not None:
            return forward(q, assigned)
        earlier = q.numerics.came_back(birth)
        if earlier is not None:
            return nan_in_data.used(forward(q, earlier), birth)
        return half_precision_range.in_data(q, birth) or nan_in_data.in_data(q, birth)
    if birth.infinite is not None:
        return (
            fully_masked_softmax.forward(q, birth)
            or zero_times_infinity.forward(q, birth)
            or forward(q, birth.infinite)
        )
    narrow = half_precision_range.forward(q, birth)
    if narrow is not None:
        return narrow
    lost = _infinite_divisor(q, birth)
    if lost is not None:
        return forward(q, lost)
    found = next((cause for each in _MADE_BY_AN_OP if (cause := each(q, birth)) is not None), None)
    if found is not None:
        return found
    made = f"{spoken(birth.record)} turned finite values into inf or nan"
    return _undeclared(q, birth, made, birth.arrays)


def _undeclared(q: NonfiniteQuestion, birth: Birth, sentence: str, inputs: Sequence[Any]) -> Cause:
    """The cause that names an op and its operands' values, where nothing is known of its domain."""
    name = quoted(operand(birth.record))
    there = values_there(birth, inputs)
    if not there and len(inputs) and inputs[0].size and inputs[0].dtype.kind == "f":
        low, high = float(np.min(inputs[0])), float(np.max(inputs[0]))
        there = f"{name} holds values from {low:.4g} to {high:.4g}" if high > low else f"{name} is {low:.4g}"
    sentence += f" where {there}" if there else ""
    if birth.record.plan.primitive.takes_tensors:
        instead = (
            f"keep the gradient function of {_named(birth.record)} finite there, with tf.math.divide_no_nan or tf.where"
        )
        return q.cause("not-finite-here", sentence, birth, instead)
    return q.cause(
        "not-finite-here",
        sentence,
        birth,
        f"keep {name} away from these values: tf.clip_by_value keeps it in a range, tf.where(condition, {name.strip('`')}, 1.0) replaces "
        "single elements of it before the op",
    )


def _named(record: Record) -> str:
    """An op as the user wrote it, and a function of the program itself in backquotes."""
    return quoted(spoken(record)) if record.plan.primitive.takes_tensors else spoken(record)


def _infinite_divisor(q: NonfiniteQuestion, birth: Birth) -> Birth | None:
    """Where the inf came from by which a quotient became the 0 that this op cannot take."""
    for key, array in zip(birth.record.inputs, birth.arrays):
        while not array.all() and (made := q.numerics.made(key)) is not None:
            if made.record.traits.arithmetic is Arithmetic.QUOTIENT and len(made.inputs) == 2:
                divisor = q.numerics.births.get(made.record.inputs[1])
                zeros = np.broadcast_to(np.isinf(made.inputs[1]), made.output.shape)[made.output == 0]
                if divisor is not None and divisor.where == "forward" and zeros.size and zeros.all():
                    return None if _has_no_inverse(divisor) else divisor
                break
            if len(made.record.inputs) != 1:
                break
            key = made.record.inputs[0]
    return None


def _has_no_inverse(birth: Birth) -> bool:
    """Whether an exponential is so large that a stable form of the quotient, as tf.sigmoid, rounds to 0 as well."""
    if birth.record.traits.domain_as(Exponential) is None or birth.arrays[0].dtype.kind != "f":
        return False
    return bool(np.max(birth.arrays[0]) > -np.log(np.finfo(birth.arrays[0].dtype).smallest_subnormal))


# -- made by a rule --

_MADE_BY_A_RULE = (
    half_precision_range.slope_at_lost_constant,
    infinite_slope.backward,
    division_by_zero.backward,
    singular_matrix.backward,
    half_precision_range.backward,
    overflow.backward,
)


def backward(q: NonfiniteQuestion, birth: Birth) -> Cause:
    """The cause of an inf or nan that a rule made of finite cotangents."""
    selected = where_nan_branch.backward(q, birth)
    if selected is not None:
        return selected
    record, births = birth.record, q.numerics.births
    hidden = next((births[key] for key in (*outputs_of(record), *record.inputs) if key in births), None)
    if hidden is not None:
        return forward(q, hidden)
    found = next((cause for each in _MADE_BY_A_RULE if (cause := each(q, birth)) is not None), None)
    made = q.numerics.made(outputs_of(record)[0])
    inputs = () if made is None else made.inputs
    return found or _undeclared(q, birth, f"the gradient of {_named(record)} gives inf or nan", inputs)
