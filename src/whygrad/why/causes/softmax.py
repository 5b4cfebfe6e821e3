"""Softmax where it does not belong: applied twice, over a single class, or over another axis than it is used along."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from whygrad.ops.primitive import Record
from whygrad.tape.gradient_tape import GradientCall
from whygrad.values.tensor import Key
from whygrad.why.cause import Cause
from whygrad.why.causes.nonfinite import MATRIX_PRODUCTS
from whygrad.why.causes.zero import one_class
from whygrad.why.evidence.history import History, outputs_of
from whygrad.why.source.sites import Site, node_at, site
from whygrad.why.source.wording import described, quoted, spoken

if TYPE_CHECKING:
    from whygrad.why.evidence.trace import Trace

_LOSSES = ("softmax_cross_entropy_with_logits", "sparse_softmax_cross_entropy_with_logits")
_ELEMENTWISE = ("log", "add", "maximum", "minimum", "identity", "negative")
_MOVES_ELEMENTS = (
    "reshape", "squeeze", "expand_dims", "transpose", "identity", "cast", "getitem", "stack", "concat", "gather", "maximum",
    "minimum", "pad_constant", "unstack", "split", "tile",
)  # fmt: skip


def explain(call: GradientCall, trace: Trace) -> Iterator[Cause]:
    """What is wrong with the softmaxes that lead to the target."""
    asked = site(call.code, call.instruction, "asked here")
    records = [record for record in call.tape.records if record.kept is not None]
    if not any(_is_of_interest(record) for record in records):
        return
    history = History(call.tape.records, ())
    towards = history.towards(key for key in map(call.key_of, call.targets) if key is not None)
    for record in records:
        if outputs_of(record)[0] in towards and _is_of_interest(record):
            yield from _twice(record, history, trace, asked)
            yield from _single_class(record, asked)
            yield from _wrong_axis(call, record, history, trace, asked)


def _is_of_interest(record: Record) -> bool:
    name = record.plan.primitive.name
    return "softmax" in name or name in ("sigmoid_cross_entropy_with_logits", "multiply", "divide", "subtract")


# -- twice --


def _twice(record: Record, history: History, trace: Trace, asked: Site) -> Iterator[Cause]:
    name = record.plan.primitive.name
    if name not in (*_LOSSES, "softmax", "log_softmax", "sigmoid_cross_entropy_with_logits", "sigmoid"):
        return
    logits = record.inputs[-1]
    of = "sigmoid" if "sigmoid" in name else "softmax"
    first = _made_by(history, logits, of)
    if first is None and not (name in (*_LOSSES, "log_softmax") and _are_probabilities(record, trace)):
        return
    if name == "softmax" and first is not history.made_by.get(logits):
        return  # some of the probabilities, weighed anew, as gates do
    maker = first or history.made_by.get(logits)
    origin = [] if not isinstance(maker, Record) else [site(maker.code, maker.instruction, f"{of} here")]
    yield Cause(
        "double-softmax",
        "wrong_value",
        f"{spoken(record)} applies {of}, and what it is given, {quoted(_name_of(record))}, is the result of a {of} already",
        (site(record.code, record.instruction, "applied again here", described(logits)), *origin, asked),
        f"give it the logits: leave out the first {of}",
        {_name_of(record): described(logits)},
        likely=True,
    )


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


def _made_by(history: History, key: Key, name: str) -> Record | None:
    """The op of that name that made a value, back through what only moves its elements."""
    while isinstance(maker := history.made_by.get(key), Record):
        found = maker.plan.primitive.name
        if found == name:
            return maker
        if found not in _MOVES_ELEMENTS or not maker.inputs:
            return None
        key = maker.inputs[0]
    return None


def _are_probabilities(record: Record, trace: Trace) -> bool:
    """Whether what goes into a softmax adds up to 1 along its axis already: a softmax written by hand."""
    made = trace.numerics.made(outputs_of(record)[0])
    axis = record.attributes.get("axis", -1)
    if made is None or not isinstance(axis, int):
        return False
    logits = made.inputs[-1]
    if logits.ndim < 2 or logits.shape[axis] < 2 or (logits < 0).any():
        return False
    return bool(np.allclose(logits.astype(np.float64).sum(axis=axis), 1.0, atol=1e-3)) and not _all_same(logits)


def _all_same(array: Any) -> bool:
    return bool((array == array.reshape(-1)[0]).all())


# -- over one class --


def _single_class(record: Record, asked: Site) -> Iterator[Cause]:
    if record.plan.primitive.name in _LOSSES and one_class(record):
        yield Cause(
            "softmax-over-one-class",
            "wrong_value",
            f"{spoken(record)} is given logits with one class, {record.inputs[-1].shape}: their softmax is 1, whatever they are",
            (site(record.code, record.instruction, "constant here", described(record.inputs[-1])), asked),
            "use tf.nn.sigmoid_cross_entropy_with_logits for a single output, or give softmax one output for each class",
            {"logits": described(record.inputs[-1])},
        )


# -- over another axis --


def _wrong_axis(call: GradientCall, record: Record, history: History, trace: Trace, asked: Site) -> Iterator[Cause]:
    """Shares that add up to 1 along one axis, and are used as if they did so along another."""
    normalised = _normalised(record, history)
    shares = outputs_of(record)[0]
    if normalised is None or len(shares.shape) < 2 or shares.shape[normalised[0]] == 1:
        return
    axis, record = normalised
    for user, used in _uses(call, history, trace, shares):
        if used == axis:
            continue
        place = site(record.code, record.instruction, f"along axis {axis} here", described(shares))
        yield Cause(
            "wrong-axis",
            "wrong_value",
            f"{spoken(record)} makes the elements comparable along axis {axis} of {shares.shape}, but they are used along axis "
            f"{used}",
            (place, site(user.code, user.instruction, f"along axis {used} here"), asked),
            f"use axis={used - len(shares.shape)} here",
            {"here": described(shares)},
            likely=True,
        )
        return


def _normalised(record: Record, history: History) -> tuple[int, Record] | None:
    """The axis along which a softmax, one written by hand or a division by a norm was taken, and the op that has the axis."""
    name, rank = record.plan.primitive.name, len(outputs_of(record)[0].shape)
    if name in ("softmax", "log_softmax"):
        axis = record.attributes.get("axis", -1)
        return (axis % rank, record) if isinstance(axis, int) and rank else None
    if name not in ("multiply", "divide", "subtract") or len(record.inputs) != 2:
        return None
    values, norm = record.inputs
    if len(norm.shape) != len(values.shape) or values.shape != outputs_of(record)[0].shape:
        return None
    axes = [i for i, (v, n) in enumerate(zip(values.shape, norm.shape)) if v != n]
    reducer = _sum_of(history, norm, values) if name != "multiply" else None
    if len(axes) != 1 or (reducer is None and (name == "subtract" or not _is_norm_of(history, norm, values))):
        return None
    return axes[0], reducer or record


def _sum_of(history: History, total: Key, values: Key) -> Record | None:
    """The op that summed up exponentials, of which each is divided by their sum; or their logarithms, in log space."""
    reducer, maker = history.made_by.get(total), history.made_by.get(values)
    if not isinstance(reducer, Record) or reducer.inputs[0] is not values:
        return None
    exponentials = isinstance(maker, Record) and maker.plan.primitive.name == "exp"
    name = reducer.plan.primitive.name
    return reducer if name == "reduce_logsumexp" or (name == "reduce_sum" and exponentials) else None


def _is_norm_of(history: History, norm: Key, values: Key) -> bool:
    """Whether a value is the euclidean norm (or its reciprocal) of others."""
    through = ("sqrt", "rsqrt", "maximum", "add", "reciprocal", "divide", "power")
    while isinstance(maker := history.made_by.get(norm), Record):
        name = maker.plan.primitive.name
        if name == "reduce_euclidean_norm":
            return maker.inputs[0] is values
        if name == "reduce_sum":
            squares = history.made_by.get(maker.inputs[0])
            is_square = isinstance(squares, Record) and squares.plan.primitive.name in ("square", "multiply", "power")
            return is_square and values in squares.inputs  # type: ignore[union-attr]
        if name not in through:
            return False
        norm = maker.inputs[0]
    return False


def _uses(call: GradientCall, history: History, trace: Trace, shares: Key) -> Iterator[tuple[Record, int]]:
    """The ops that sum over one axis of these values, with the axis; through what happens element by element."""
    pending, seen = [shares], {shares}
    rank = len(shares.shape)
    while pending:
        key = pending.pop(0)
        for user in history.used_by.get(key, ()):
            if not isinstance(user, Record):
                continue
            name, output = user.plan.primitive.name, outputs_of(user)[0]
            if name in MATRIX_PRODUCTS and rank == len(output.shape):
                left = user.inputs[0] is key
                turned = bool(user.attributes.get("transpose_a" if left else "transpose_b"))
                if not _moves_shares(user, key, trace):
                    yield user, rank - 1 if left != turned else rank - 2
            elif name == "multiply" and output.shape == shares.shape:
                factors = [each for each in user.inputs if each is not key]
                labels = all(each not in call.tape.live for each in factors)  # nothing that is trained
                axis = _one_hot_axis(user, key, trace) if labels else None
                if axis is not None:
                    yield user, axis
            elif name == "gather" and user.inputs[0] is key and user.attributes["batch_dims"] and _repeats(user, trace):
                yield user, user.attributes["axis"] % rank
            elif name in _ELEMENTWISE and output.shape == shares.shape and output not in seen:
                seen.add(output)
                pending.append(output)


def _moves_shares(record: Record, key: Key, trace: Trace) -> bool:
    """Whether shares are multiplied by shares, as the states of a Markov chain by its transitions: columns may add up to 1."""
    made = trace.numerics.made(outputs_of(record)[0])
    other = next((a for k, a in zip(record.inputs, made.inputs) if k is not key), None) if made is not None else None
    if other is None or other.dtype.kind != "f" or (other < 0).any():
        return False
    if record.inputs[1] is key:
        return True  # each row says where the mass on its left goes
    return any(np.allclose(other.sum(axis=axis), 1.0, atol=1e-3) for axis in (-1, -2))


def _repeats(record: Record, trace: Trace) -> bool:
    """Whether several rows look up the same place, as those of one class do: not so a pairing of rows and columns."""
    made = trace.numerics.made(outputs_of(record)[0])
    return made is not None and len(np.unique(made.inputs[1])) < made.inputs[1].size


def _one_hot_axis(record: Record, key: Key, trace: Trace) -> int | None:
    """The axis along which the other factor adds up to 1, as labels do, if it does so along one axis alone."""
    made = trace.numerics.made(outputs_of(record)[0])
    if made is None:
        return None
    labels = next((a for k, a in zip(record.inputs, made.inputs) if k is not key), None)
    if labels is None or labels.shape != key.shape or (labels < 0).any() or _all_same(labels):
        return None
    axes = [i for i in range(labels.ndim) if np.allclose(labels.sum(axis=i), 1.0, atol=1e-4)]
    return axes[0] if len(axes) == 1 else None
