"""Connectionist temporal classification (CTC; Graves et al., 2006): losses of sequences without time alignment.

A labelling stands for all paths that spell it: one class or the blank at each time, with repeats merged and blanks removed. Its
states are the labels with blanks before, between and after; a path stays, moves to the next state, or skips a blank between two
different labels. Sums over paths are computed in logarithms, for all states of all sequences at once, one time step after the other.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.ops import elementwise
from whygrad.ops.arguments import flag, integer
from whygrad.ops.primitive import Primitive, apply, apply_several, check_dtype
from whygrad.ops.shaping import transpose
from whygrad.ops.traits import Defined, Traits
from whygrad.values import dtypes
from whygrad.values.conversion import convert
from whygrad.values.errors import OpValueError, invalid, shape_text
from whygrad.values.faults import DtypeNotAllowed, LabelOutOfRange
from whygrad.values.tensor import Tensor, are_known, value_of, wrap

# The logarithm of 0: finite, so that the difference of two of them is not nan.
_LOG_0 = -1e30
_IMPOSSIBLE = _LOG_0 / 2

# -- from classes to states and back --

_class_to_states = Primitive(
    "class_to_states",
    lambda xp, x, states: xp.class_to_states(x, states),
    vjp=(lambda xp, g, states, x_shape: xp.states_to_class(g, states, classes=x_shape[-1]), None),
)
_states_to_class = Primitive(
    "states_to_class",
    lambda xp, x, states, *, classes: xp.states_to_class(x, states, classes=classes),
    vjp=(lambda xp, g, states: xp.class_to_states(g, states), None),
)

# -- sums over paths --
# `scores` is (time, sequence, state); `skip`, `start`, `end` (sequence, state) and `live` (time, sequence, 1) are masks.


def _later(xp: Any, x: Any, by: int) -> Any:
    """Shift each state's value to the state `by` positions later."""
    return xp.concatenate((xp.full_like(x[:, :by], _LOG_0), x[:, :-by]), axis=1)


def _earlier(xp: Any, x: Any, by: int) -> Any:
    return xp.concatenate((x[:, by:], xp.full_like(x[:, :by], _LOG_0)), axis=1)


def _log_sum(xp: Any, a: Any, b: Any, c: Any) -> Any:
    return xp.logaddexp(xp.logaddexp(a, b), c)


def _forward_sums(xp: Any, scores: Any, skip: Any, start: Any, live: Any) -> list[Any]:
    """For each time and state, the logarithm of the sum over all paths that reach it."""
    before = start
    sums = []
    for t in range(scores.shape[0]):
        entered = _log_sum(xp, before, _later(xp, before, 1), _later(xp, before, 2) + skip) if t else before
        before = xp.where(live[t], entered + scores[t], before)
        sums.append(before)
    return sums


def _backward_sums(xp: Any, scores: Any, skip: Any, end: Any, live: Any) -> list[Any]:
    """For each time and state, the logarithm of the sum over all paths from it to the end, excluding the current time."""
    after = end
    sums = [after]
    for t in range(scores.shape[0] - 1, 0, -1):
        ahead = after + scores[t]
        left = _log_sum(xp, ahead, _earlier(xp, ahead, 1), _earlier(xp, ahead + skip, 2))
        after = xp.where(live[t], left, after)
        sums.append(after)
    return sums[::-1]


def _total(xp: Any, last: Any, end: Any) -> Any:
    """The logarithm of the sum over all complete paths of each sequence."""
    complete = last + end
    top = xp.max(complete, axis=1, keepdims=True)
    return xp.log(xp.sum(xp.exp(complete - top), axis=1, keepdims=True)) + top


def _ctc_forward(xp: Any, logits: Any, states: Any, skip: Any, start: Any, end: Any, live: Any) -> Any:
    scores = xp.class_to_states(xp.log_softmax(logits, axis=2), states)
    last = _forward_sums(xp, scores, skip, start, live)[-1] if len(scores) else start
    total = _total(xp, last, end)[:, 0]
    return xp.where(total > _IMPOSSIBLE, -total, xp.full_like(total, np.inf))


def ctc_vjp(xp: Any, g: Any, logits: Any, states: Any, skip: Any, start: Any, end: Any, live: Any) -> Any:
    """At each time, softmax minus the share of each class in the paths; 0 after the end or if no path is possible."""
    if not logits.shape[0]:
        return xp.zeros_like(logits)
    logs = xp.log_softmax(logits, axis=2)
    scores = xp.class_to_states(logs, states)
    forward = _forward_sums(xp, scores, skip, start, live)
    backward = _backward_sums(xp, scores, skip, end, live)
    total = _total(xp, forward[-1], end)
    possible = total > _IMPOSSIBLE
    through = xp.stack(forward) + xp.stack(backward) - xp.where(possible, total, xp.zeros_like(total))
    # As in TensorFlow, a label that is the blank has no share, although its paths count in the loss.
    is_label = np.arange(states.shape[1]) % 2 == 1
    counted = xp.where(is_label & (states == states[:, :1]), xp.zeros_like(through), xp.exp(through))
    shares = xp.states_to_class(counted, states, classes=logits.shape[2])
    beyond = xp.where(live & possible, xp.exp(logs) - shares, xp.zeros_like(logs))
    return xp.reshape(g, (1, -1, 1)) * beyond


_ctc_loss = Primitive(
    "ctc_loss",
    _ctc_forward,
    vjp=(ctc_vjp, None, None, None, None, None),
    op_name="CTCLoss",
    traits=Traits(
        domain=(Defined("logit_length must be at least label_length, plus 1 for each label that is repeated at once"),)
    ),
)


@export("nn.ctc_loss")
def ctc_loss(
    labels: Any,
    logits: Any,
    label_length: Any,
    logit_length: Any,
    logits_time_major: bool = True,
    unique: Any = None,
    blank_index: Any = None,
    name: str | None = None,
) -> Tensor:
    """For each sequence, -log of the probability that `logits`, (time, sequence, class), spell its row of `labels`.

    Rows end at `label_length`, sequences at `logit_length`. The blank is class 0 unless `blank_index` says otherwise.
    A sequence too short for its labels has probability 0: its loss is inf and its gradient 0. `unique` is ignored.

    >>> import whygrad as tf
    >>> logits = tf.math.log([[[0.5, 0.5]], [[0.25, 0.75]]])
    >>> tf.exp(-tf.nn.ctc_loss([[1]], logits, label_length=[1], logit_length=[2])).numpy().round(4)  # 01, 10 or 11
    array([0.875], dtype=float32)
    """
    op_name = "CTCLoss"
    values = convert(logits, None)
    check_dtype(values, "float", op_name)
    if values.ndim != 3:
        raise invalid(f"logits must have 3 dimensions, got shape {shape_text(values._array.shape)} [Op:{op_name}]")
    dtype = values.dtype
    if dtype.size < 4:
        return elementwise.cast(  # type: ignore[no-any-return]
            ctc_loss(
                labels,
                elementwise.cast(values, dtypes.float32),
                label_length,
                logit_length,
                logits_time_major,
                blank_index=blank_index,
            ),
            dtype,
        )
    if not flag(logits_time_major, "logits_time_major"):
        values = transpose(values, (1, 0, 2))
    times, count, classes = values._array.shape
    rows = _integers(labels, "labels", (count, None))
    sizes, ends = _integers(label_length, "label_length", (count,)), _integers(logit_length, "logit_length", (count,))
    blank = 0 if blank_index is None else integer(blank_index, "blank_index", op_name)
    if not -classes <= blank < classes:
        raise invalid(f"blank_index {blank} is outside the {classes} classes of the logits [Op:{op_name}]")
    blank %= classes
    _check_labels(rows, sizes, classes, blank, op_name)
    paths = apply_several(_ctc_paths, rows, sizes, ends, blank=blank, times=times, dtype=values._array.dtype)
    return apply(_ctc_loss, values, *paths)


def _ctc_paths_forward(
    xp: Any, rows: Any, sizes: Any, ends: Any, *, blank: int, times: int, dtype: Any
) -> tuple[Any, ...]:
    """The states of each sequence, blanks before, between and after its labels; those that a path may skip, start and end with;
    and the times before its end."""
    count, length = rows.shape
    place, size = np.arange(2 * length + 1), sizes[:, None]
    spelled = xp.where(np.arange(length) < size, rows, blank)
    blanks = xp.full_like(rows, blank)
    states = xp.concatenate(
        [xp.reshape(xp.stack([blanks, spelled], axis=-1), (count, 2 * length)), xp.full_like(sizes, blank)[:, None]],
        axis=1,
    )
    skips = (place % 2 == 1) & (place >= 3) & (states != xp.roll(states, 2, axis=1))
    speaks = ((place == 2 * size) | (place == xp.maximum(2 * size - 1, 0))) & (
        (ends > 0) | (sizes <= 0)  # no time, but labels to spell
    )[:, None]
    starts = np.broadcast_to(place < 2, (count, len(place)))
    return (
        states,
        *[xp.where(each, np.zeros((), dtype), np.asarray(_LOG_0, dtype)) for each in (skips, starts, speaks)],
        (np.arange(times)[:, None] < ends)[:, :, None],
    )


_ctc_paths = Primitive(
    "ctc_paths",
    _ctc_paths_forward,
    no_gradient="which paths spell a row of labels does not change under a small step",
)


def _integers(value: Any, what: str, shape: tuple[int | None, ...]) -> Tensor:
    """Convert an argument to integers of this shape, in which None stands for any size."""
    tensor = convert(value, None)
    array = tensor._array
    if array.dtype.kind not in "iu" and array.size:
        wording = f"{DtypeNotAllowed.sentence}: {what} of ctc_loss are integers"
        allowed = ("uint8", "int8", "int32", "int64")
        raise invalid(DtypeNotAllowed(dtype=tensor.dtype, allowed=allowed, attribute="TI", wording=wording))
    if array.ndim != len(shape) or any(wanted not in (None, size) for wanted, size in zip(shape, array.shape)):
        expected = ",".join("?" if wanted is None else str(wanted) for wanted in shape)
        raise invalid(f"{what} must have shape [{expected}], got {shape_text(array.shape)} [Op:CTCLoss]")
    whole: Tensor = elementwise.cast(tensor, dtypes.int64)
    return whole


def _check_labels(labels: Tensor, lengths: Tensor, classes: int, blank: int, op_name: str) -> None:
    if not are_known(labels, lengths):
        return
    rows, sizes = value_of(labels), value_of(lengths)
    if sizes.size and not 0 <= sizes.min() <= sizes.max() <= rows.shape[1]:
        wrong = sizes[(sizes < 0) | (sizes > rows.shape[1])][0]
        raise invalid(f"label_length {wrong} is outside [0, {rows.shape[1]}], the columns of labels [Op:{op_name}]")
    used = rows[np.arange(rows.shape[1]) < sizes[:, None]]
    wrong = used[(used < 0) | (used >= classes)]
    if wrong.size:
        raise invalid(LabelOutOfRange(label=int(wrong[0]), count=classes, least=int(used.min()), op=op_name))
    if blank and (used == blank).any():  # class 0 pads rows: where it is the blank, it may be among the labels
        raise invalid(f"Received a label value of {blank} which is the blank: labels may not hold it [Op:{op_name}]")


# -- labels --


@export("nn.ctc_unique_labels")
def ctc_unique_labels(labels: Any, name: str | None = None) -> tuple[Tensor, Tensor]:
    """For each row of labels, its distinct labels in order, padded with 0, and the index of each label among them.

    >>> import whygrad as tf
    >>> different, place = tf.nn.ctc_unique_labels([[3, 4, 4, 3]])
    >>> different.numpy(), place.numpy()
    (array([[3, 4, 0, 0]]), array([[0, 1, 1, 0]], dtype=int32))
    """
    rows = value_of(convert(labels, None))
    if rows.ndim != 2:
        raise OpValueError(f"labels must be a matrix [batch, labels], received shape {rows.shape}")
    _check_integers(rows, "labels", "Unique")
    same = rows[:, :, None] == rows[:, None, :]
    # The first occurrence of each label.
    first = np.argmax(same, axis=2) if rows.size else np.zeros(rows.shape, np.int64)
    is_first = first == np.arange(rows.shape[1])
    number = np.cumsum(is_first, axis=1) - 1
    different = np.zeros(rows.shape, np.int64)
    row, column = np.nonzero(is_first)
    different[row, number[row, column]] = rows[row, column]
    return wrap(different), wrap(np.take_along_axis(number, first, axis=1).astype(np.int32))


def _check_integers(values: np.ndarray[Any, Any], parameter: str, op: str) -> None:
    """Raise InvalidArgumentError for what can be no labels and no lengths; floats can be, as in TensorFlow."""
    if values.dtype.kind not in "iuf":
        dtype = dtypes.as_dtype(values.dtype)
        raise invalid(DtypeNotAllowed(dtype=dtype, allowed=("int32", "int64"), parameter=parameter, op=op))


@export("nn.collapse_repeated")
def collapse_repeated(labels: Any, seq_length: Any, name: str | None = None) -> tuple[Tensor, Tensor]:
    """Merge repeated labels in rows of the given lengths; returns the rows, padded with 0, and the new lengths.

    >>> import whygrad as tf
    >>> rows, lengths = tf.nn.collapse_repeated([[1, 1, 2, 2, 1], [1, 2, 3, 3, 3]], seq_length=[5, 3])
    >>> rows.numpy(), lengths.numpy()
    (array([[1, 2, 1],
           [1, 2, 3]], dtype=int32), array([3, 3], dtype=int32))
    """
    rows, lengths = value_of(convert(labels, None)), value_of(convert(seq_length, None))
    if rows.ndim != 2 or lengths.shape != rows.shape[:1]:
        raise OpValueError(
            "labels must be a matrix [batch, labels] and seq_length a vector [batch], received shapes "
            f"{rows.shape} and {lengths.shape}"
        )
    _check_integers(lengths, "seq_length", "SequenceMask")
    fresh = np.ones(rows.shape, bool)
    fresh[:, 1:] = rows[:, 1:] != rows[:, :-1]
    fresh &= np.arange(rows.shape[1]) < lengths[:, None]
    counts = np.add.reduce(fresh, axis=1)
    out = np.zeros((len(rows), int(counts.max(initial=0))), rows.dtype)
    out[np.arange(out.shape[1]) < counts[:, None]] = rows[fresh]
    return wrap(out), wrap(counts.astype(lengths.dtype))
