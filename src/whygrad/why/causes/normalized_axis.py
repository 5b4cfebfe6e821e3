"""`wrong-axis`: a softmax or a norm along one axis, of values that are used as if it were taken along another."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from whygrad.ops.primitive import Record
from whygrad.ops.traits import Arithmetic, Logits, Moves, Reduction, Selects, Traits
from whygrad.values.tensor import Key
from whygrad.why.cause import Cause
from whygrad.why.evidence.history import History, outputs_of
from whygrad.why.evidence.question import Question
from whygrad.why.source.edits import along_axis
from whygrad.why.source.sites import Site, site
from whygrad.why.source.wording import described, spoken

if TYPE_CHECKING:
    from whygrad.why.evidence.trace import Trace

_NORMALISES = (Arithmetic.PRODUCT, Arithmetic.QUOTIENT, Arithmetic.DIFFERENCE)
_SQUARES = (Arithmetic.SQUARE, Arithmetic.PRODUCT, Arithmetic.POWER)
_AFTER_A_SUM_OF_SQUARES = (
    Arithmetic.ROOT, Arithmetic.EXTREMUM, Arithmetic.SUM, Arithmetic.QUOTIENT, Arithmetic.POWER,
)  # fmt: skip


def may_normalise(traits: Traits) -> bool:
    """Whether an op can be the last of a normalisation."""
    return traits.takes_logits is not None or traits.arithmetic in _NORMALISES


def explain(question: Question, record: Record, history: History, trace: Trace, asked: Site) -> Iterator[Cause]:
    """Shares that add up to 1 along one axis, and are used as if they did so along another."""
    normalised = _normalised(record, history)
    shares = outputs_of(record)[0]
    if normalised is None or len(shares.shape) < 2 or shares.shape[normalised[0]] == 1:
        return
    of_parameters = _axes_of_parameters(question, history, record.inputs[0])
    axis, record = normalised
    uses = _uses(question, history, trace, shares)
    if axis == 0:  # shares of clusters and experts lie along a later axis, and collect from all examples
        uses = itertools.chain(uses, _weighted_sums(history, shares))
    for user, used in uses:
        # Shares of learned clusters or slots, of which each collects the examples that it is given.
        collects = axis in of_parameters and user.traits.is_product and user.traits.arithmetic is not Arithmetic.PRODUCT
        if used == axis or collects or (_is_matrix_product(user) and _is_variable(question, record.inputs[0])):
            continue  # a table of parameters has the meaning that the program gives it
        place = site(record.code, record.instruction, f"along axis {axis} here", described(shares))
        # A sum without the axis broadcasts along the first axis, and no other.
        loses_axis = record.traits.reduces is not None and not record.attributes.get("keepdims")
        across = used - len(shares.shape)
        yield Cause(
            "wrong-axis",
            "wrong_value",
            f"{spoken(record)} makes the elements comparable along axis {axis} of {shares.shape}, but they are used along axis "
            f"{used}",
            (place, site(user.code, user.instruction, f"along axis {used} here"), asked),
            f"use axis={across}{', keepdims=True' if loses_axis else ''} here",
            {"here": described(shares)},
            likely=True,
            edits=along_axis(record.code, record.instruction, across, loses_axis),
        )
        return


def _is_variable(question: Question, key: Key) -> bool:
    return any(key in keys for keys in question.evidence.watched_variables.values())


def _axes_of_parameters(question: Question, history: History, logits: Key) -> set[int]:
    """The axes of logits that count the rows of a variable, where they compare examples with it: by products or by distances."""
    values = [key for each in question.evidence.watched_variables.values() for key in each]
    variables = {key for key in values if len(key.shape) <= 2}  # one with a batch of its own stands for data
    key, rank = logits, len(logits.shape)
    while isinstance(maker := history.made_by.get(key), Record):
        same = [each for each in maker.inputs if each.shape == key.shape]
        if maker.traits.arithmetic not in _COMPARES or (same and not _is_matrix_product(maker)):
            summed = maker.traits.reduces is not None and maker.inputs[0].shape[:rank] == logits.shape
            if not same and not summed:
                return set()
            key = same[0] if same else maker.inputs[0]
            continue
        operands = [_unmoved(history, each) for each in maker.inputs]
        return {axis for i, each in enumerate(operands) if each in variables for axis in _axes_of_operand(maker, i)}
    return set()


_COMPARES = (
    Arithmetic.MATRIX_PRODUCT, Arithmetic.CONTRACTION, Arithmetic.DIFFERENCE, Arithmetic.SQUARED_DIFFERENCE,
)  # fmt: skip


def _is_matrix_product(record: Record) -> bool:
    return record.traits.arithmetic in (Arithmetic.MATRIX_PRODUCT, Arithmetic.CONTRACTION)


def _unmoved(history: History, key: Key) -> Key:
    """The value that was transposed, reshaped or given further axes."""
    while isinstance(maker := history.made_by.get(key), Record) and maker.traits.moves in (Moves.ALL, Moves.SOME):
        key = maker.inputs[0]
    return key


def _axes_of_operand(product: Record, position: int) -> set[int]:
    """The axes of a product that only one of its two operands has."""
    shape = outputs_of(product)[0].shape
    rank = len(shape)
    if product.traits.arithmetic is Arithmetic.MATRIX_PRODUCT:
        return {rank - 2 if position == 0 else rank - 1}
    if not _is_matrix_product(product):  # a broadcast
        repeated = product.inputs[1 - position].shape
        sizes = (1,) * (rank - len(repeated)) + tuple(repeated)
        return {axis for axis in range(rank) if sizes[axis] == 1 < shape[axis]}
    own, other = _labels(product, position), _labels(product, 1 - position)
    return {axis for axis, label in enumerate(product.attributes["labels"]) if label in own and label not in other}


def _labels(contraction: Record, position: int) -> tuple[int, ...]:
    """The labels of an operand's axes in an einsum of two."""
    return tuple(contraction.attributes[("a_labels", "b_labels")[position]])


def _contracted(contraction: Record, key: Key) -> list[int]:
    """The axes of an operand of an einsum over which its products with the other operand are summed."""
    position = 0 if contraction.inputs[0] is key else 1
    own, other = _labels(contraction, position), _labels(contraction, 1 - position)
    kept = contraction.attributes["labels"]
    return [axis for axis, label in enumerate(own) if label in other and label not in kept]


def _normalised(record: Record, history: History) -> tuple[int, Record] | None:
    """The axis along which a softmax, one written by hand or a division by a norm was taken, and the op that has the axis."""
    traits, rank = record.traits, len(outputs_of(record)[0].shape)
    if traits.takes_logits in (Logits.SOFTMAX, Logits.LOG_SOFTMAX):
        axis = record.attributes.get("axis", -1)
        return (axis % rank, record) if isinstance(axis, int) and rank else None
    if traits.arithmetic not in _NORMALISES or len(record.inputs) != 2:
        return None
    values, norm = record.inputs
    if norm.shape == values.shape[1:]:  # without keepdims, which broadcasts along the first axis
        reducer = _sum_of(history, norm, values)
        return None if reducer is None or reducer.attributes.get("axis") != (0,) else (0, reducer)
    if len(norm.shape) != len(values.shape) or values.shape != outputs_of(record)[0].shape:
        return None
    axes = [i for i, (v, n) in enumerate(zip(values.shape, norm.shape)) if v != n]
    reducer = _sum_of(history, norm, values) if traits.arithmetic is not Arithmetic.PRODUCT else None
    in_log_space = traits.arithmetic is Arithmetic.DIFFERENCE
    if len(axes) != 1 or (reducer is None and (in_log_space or not _is_norm_of(history, norm, values))):
        return None
    return axes[0], reducer or record


def _sum_of(history: History, total: Key, values: Key) -> Record | None:
    """The op that summed up exponentials, of which each is divided by their sum; or their logarithms, in log space."""
    reducer, maker = history.made_by.get(total), history.made_by.get(values)
    if not isinstance(reducer, Record) or reducer.inputs[0] is not values:
        return None
    exponentials = isinstance(maker, Record) and maker.traits.arithmetic is Arithmetic.EXPONENTIAL
    reduces = reducer.traits.reduces
    return reducer if reduces is Reduction.LOGSUMEXP or (reduces is Reduction.SUM and exponentials) else None


def _is_norm_of(history: History, norm: Key, values: Key) -> bool:
    """Whether a value is the euclidean norm (or its reciprocal) of others."""
    while isinstance(maker := history.made_by.get(norm), Record):
        if maker.traits.reduces is Reduction.NORM:
            return maker.inputs[0] is values
        if maker.traits.reduces is Reduction.SUM:
            squares = history.made_by.get(maker.inputs[0])
            is_square = isinstance(squares, Record) and squares.traits.arithmetic in _SQUARES
            return is_square and values in squares.inputs  # type: ignore[union-attr]
        if maker.traits.arithmetic not in _AFTER_A_SUM_OF_SQUARES:
            return False
        norm = maker.inputs[0]
    return False


def _uses(question: Question, history: History, trace: Trace, shares: Key) -> Iterator[tuple[Record, int]]:
    """The ops that sum over one axis of these values, with the axis; through what happens element by element."""
    pending, seen = [shares], {shares}
    rank = len(shares.shape)
    while pending:
        key = pending.pop(0)
        for user in history.used_by.get(key, ()):
            if not isinstance(user, Record):
                continue
            traits, output = user.traits, outputs_of(user)[0]
            if traits.arithmetic is Arithmetic.MATRIX_PRODUCT and rank == len(output.shape):
                left = user.inputs[0] is key
                turned = bool(user.attributes.get("transpose_a" if left else "transpose_b"))
                if not _moves_shares(user, key, trace):
                    yield user, rank - 1 if left != turned else rank - 2
            elif traits.arithmetic is Arithmetic.CONTRACTION and len(axes := _contracted(user, key)) == 1:
                if not _moves_shares(user, key, trace):
                    yield user, axes[0]
            elif traits.arithmetic is Arithmetic.PRODUCT and output.shape == shares.shape:
                factors = [each for each in user.inputs if each is not key]
                labels = all(each not in question.evidence.watched for each in factors)  # nothing that is trained
                axis = _one_hot_axis(user, key, trace) if labels else None
                if axis is not None:
                    yield user, axis
            elif _looks_up_by_row(user, key) and _repeats(user, trace):
                yield user, user.attributes["axis"] % rank
            elif traits.moves is Moves.JOINED and len(output.shape) == rank and output not in seen:
                # Two views of a batch.
                seen.add(output)
                pending.append(output)
            elif output.shape == shares.shape and output not in seen and _keeps_order(user, trace):
                seen.add(output)
                pending.append(output)


def _weighted_sums(history: History, shares: Key) -> Iterator[tuple[Record, int]]:
    """The sums over one axis of these values times others that have a value of their own for each of them, with the axis."""
    own = _without_last_ones(shares.shape)
    for key in _with_further_axes(history, shares):
        for product in history.used_by.get(key, ()):
            if not isinstance(product, Record) or product.traits.arithmetic is not Arithmetic.PRODUCT:
                continue
            if any(each.shape[: len(own)] != own for each in product.inputs):
                continue
            for user in history.used_by.get(outputs_of(product)[0], ()):
                if isinstance(user, Record) and user.traits.reduces is Reduction.SUM:
                    axes = user.attributes.get("axis")
                    if isinstance(axes, tuple) and len(axes) == 1 and axes[0] < len(own):
                        yield user, axes[0]


def _without_last_ones(shape: tuple[int, ...]) -> tuple[int, ...]:
    """A shape without its last axes of length one, which repeat each value for the elements of a vector."""
    while shape[-1:] == (1,):
        shape = shape[:-1]
    return shape


def _with_further_axes(history: History, key: Key) -> list[Key]:
    """A value, and the same with axes of length one after its own."""
    users = [each for each in history.used_by.get(key, ()) if isinstance(each, Record)]
    outputs = [outputs_of(each)[0] for each in users if each.traits.makes_axis or each.traits.selects is Selects.SLICE]
    rank = len(key.shape)
    return [key, *[each for each in outputs if each.shape[:rank] == key.shape and set(each.shape[rank:]) == {1}]]


def _looks_up_by_row(record: Record, key: Key) -> bool:
    """Whether a lookup takes from each row of a value what the indices of that row say."""
    looks_up = record.traits.selects is Selects.VALUES and record.traits.moves is not None
    return looks_up and record.inputs[0] is key and bool(record.attributes.get("batch_dims"))


def _keeps_order(record: Record, trace: Trace) -> bool:
    """Whether larger elements stay larger (or become smaller), each at its place: not so in the transpose of a square matrix."""
    same = (Arithmetic.LOGARITHM, Arithmetic.SUM, Arithmetic.EXTREMUM, Arithmetic.NEGATION)
    if record.traits.moves is not Moves.ALL:
        return record.traits.arithmetic in same
    made = trace.numerics.made(outputs_of(record)[0])
    return made is not None and np.array_equal(made.inputs[0], made.output)


def _moves_shares(record: Record, key: Key, trace: Trace) -> bool:
    """Whether shares are multiplied by shares, as the states of a Markov chain by its transitions: columns may add up to 1."""
    made = trace.numerics.made(outputs_of(record)[0])
    other = next((a for k, a in zip(record.inputs, made.inputs) if k is not key), None) if made is not None else None
    if other is None or other.dtype.kind != "f" or (other < 0).any():
        return False
    is_turned = bool(record.attributes.get("transpose_a")) and key.shape[-1] == key.shape[-2]
    if record.inputs[1] is key or is_turned:
        return True  # each row says where the mass on its left goes, or on the right of its transpose
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
    if (
        labels is None
        or labels.shape != key.shape
        or (labels < 0).any()
        or bool((labels == labels.reshape(-1)[0]).all())
    ):
        return None
    axes = [i for i in range(labels.ndim) if np.allclose(labels.sum(axis=i), 1.0, atol=1e-4)]
    return axes[0] if len(axes) == 1 else None
