"""`double-softmax`: a softmax or sigmoid of values that are the result of one already."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from whygrad.ops.primitive import Record
from whygrad.ops.traits import Arithmetic, Logits
from whygrad.runtime.call_sites import scope_of
from whygrad.values.tensor import Key
from whygrad.why.cause import Cause
from whygrad.why.evidence.history import History, outputs_of
from whygrad.why.source.edits import operand_alone
from whygrad.why.source.sites import Site, node_at, site
from whygrad.why.source.wording import described, quoted, spoken

if TYPE_CHECKING:
    from whygrad.why.evidence.trace import Trace

_SURE_TO_TAKE_LOGITS = (Logits.SOFTMAX_LOSS, Logits.LOG_SOFTMAX)


def explain(record: Record, history: History, trace: Trace, asked: Site) -> Iterator[Cause]:
    """The cause, if an op takes a softmax (or a sigmoid) of the result of one."""
    does = record.traits.takes_logits
    if does is None or does is Logits.SIGMOID:  # hidden layers may well have one sigmoid after the other
        return
    logits = record.inputs[-1]
    of, makes = ("sigmoid", Logits.SIGMOID) if does is Logits.SIGMOID_LOSS else ("softmax", Logits.SOFTMAX)
    first = _made_by(history, logits, makes)
    if first is None and not (does in _SURE_TO_TAKE_LOGITS and _are_probabilities(record, trace)):
        return
    if does is Logits.SOFTMAX and first is not history.made_by.get(logits):
        return  # some of the probabilities, weighted again, as gates do
    maker = first or history.made_by.get(logits)
    origin = [] if not isinstance(maker, Record) else [_place_of(maker, of)]
    scope = scope_of(record.code)
    in_library = scope is not None and bool(scope.what)  # whose parameters for this are not the op's
    applies = f"{scope.what} applies" if scope is not None and in_library else f"{spoken(record)} applies"
    given = "its input" if in_library else f"its input, {quoted(_name_of(record))},"
    otherwise = ", or say that its input is probabilities (`from_logits=False`)" if in_library else ""
    yield Cause(
        "double-softmax",
        "wrong_value",
        f"{applies} {of}, but {given} is already the result of a {of}",
        (site(record.code, record.instruction, "applied again here", described(logits)), *origin, asked),
        f"pass the logits: leave out the first {of}{otherwise}",
        {_name_of(record): described(logits)},
        likely=True,
        edits=() if first is None else operand_alone(first.code, first.instruction),
    )


def _place_of(maker: Record, of: str) -> Site:
    """Where the first softmax is: the line that computes it, or that made the library's object which does."""
    scope = scope_of(maker.code)
    if scope is not None and scope.what and scope.made is not None:
        return site(*scope.made, f"{of} here", scope.what)
    return site(maker.code, maker.instruction, f"{of} here")


def _name_of(record: Record) -> str:
    """What the user calls the logits."""
    node = node_at(record.code, record.instruction)
    if isinstance(node, ast.Call):
        for keyword in node.keywords:
            if keyword.arg == "logits":
                return ast.unparse(keyword.value)
        if node.args:
            return ast.unparse(node.args[min(len(node.args), len(record.inputs)) - 1])
    return "logits"


def _made_by(history: History, key: Key, makes: Logits) -> Record | None:
    """The softmax or sigmoid that made a value, back through what only moves or clips its elements."""
    while isinstance(maker := history.made_by.get(key), Record):
        traits = maker.traits
        if traits.takes_logits is makes:
            return maker
        keeps = traits.moves is not None or traits.casts or traits.arithmetic is Arithmetic.EXTREMUM
        if not maker.inputs or not (keeps or _is_scaled(history, maker)):
            return None
        key = maker.inputs[0]
    return None


def _is_scaled(history: History, record: Record) -> bool:
    """Whether an op multiplies or divides its first operand by a constant number, such as a temperature."""
    scales = record.traits.arithmetic in (Arithmetic.PRODUCT, Arithmetic.QUOTIENT) and len(record.inputs) == 2
    return scales and not record.inputs[1].shape and record.inputs[1] not in history.made_by


def _are_probabilities(record: Record, trace: Trace) -> bool:
    """Whether what goes into a softmax adds up to 1 along its axis already: a softmax written by hand."""
    made = trace.numerics.made(outputs_of(record)[0])
    axis = record.attributes.get("axis", -1)
    if made is None or not isinstance(axis, int) or trace.variable_of(record.inputs[-1]) is not None:
        return False  # a variable holds what it was started with
    logits = made.inputs[-1]
    if logits.ndim < 2 or logits.shape[axis] < 2 or (logits < 0).any():
        return False
    return bool(np.allclose(logits.astype(np.float64).sum(axis=axis), 1.0, atol=1e-3)) and not bool(
        (logits == logits.reshape(-1)[0]).all()
    )
