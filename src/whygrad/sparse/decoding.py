"""Decoders of connectionist temporal classification: the labels that class scores at each time spell."""

from __future__ import annotations

from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.ops.arguments import flag, integer
from whygrad.ops.primitive import check_dtype
from whygrad.sparse.tensor import SparseTensor, from_arrays
from whygrad.values import dtypes
from whygrad.values.conversion import convert
from whygrad.values.errors import FailedPreconditionError, invalid
from whygrad.values.tensor import Tensor, value_of, wrap

Array = np.ndarray[Any, Any]
# By the labels that they spell: the scores of paths that end in the blank, and in the last label.
_Beams = dict[tuple[int, ...], tuple[float, float]]


def _scores_and_ends(inputs: Any, sequence_length: Any, op_name: str) -> tuple[Array, Array]:
    """The class scores, (time, sequence, class), and the number of times of each sequence, checked."""
    values = convert(inputs, None)
    check_dtype(values, "float", op_name)
    ends = value_of(convert(sequence_length, dtypes.int32))
    scores = value_of(values)
    if scores.dtype.itemsize < 4:
        scores = scores.astype(np.float32)
    if scores.ndim != 3:
        raise invalid(f"inputs is not a 3-Tensor [Op:{op_name}]")
    if not scores.size:
        raise invalid(f"inputs must not be empty [Op:{op_name}]")
    if ends.ndim != 1:
        raise invalid(f"sequence_length is not a vector [Op:{op_name}]")
    times, count, _ = scores.shape
    if len(ends) != count:
        message = f"len(sequence_length) != batch_size.  len(sequence_length):  {len(ends)} batch_size: {count} [Op:{op_name}]"
        raise FailedPreconditionError(None, None, message)
    for sequence, end in enumerate(ends):
        if end > times:
            raise FailedPreconditionError(None, None, f"sequence_length({sequence}) <= {times} [Op:{op_name}]")
    return scores, np.maximum(ends, 0)


def _as_sparse(rows: list[list[int]]) -> SparseTensor:
    """The labels of each sequence as the rows of a sparse matrix."""
    positions = [(row, column) for row, labels in enumerate(rows) for column in range(len(labels))]
    values = np.array([label for labels in rows for label in labels], np.int64)
    sizes = (len(rows), max(map(len, rows)))
    return from_arrays(np.array(positions, np.int64).reshape(-1, 2), wrap(values), sizes)


@export("nn.ctc_greedy_decoder")
def ctc_greedy_decoder(
    inputs: Any, sequence_length: Any, merge_repeated: Any = True, blank_index: Any = None
) -> tuple[list[SparseTensor], Tensor]:
    """The class of the highest score at each time, with repeats merged and blanks removed; and the sum of these scores, negated.

    `inputs` are (time, sequence, class). The blank is the last class unless `blank_index` says otherwise.

    >>> import whygrad as tf
    >>> scores = [[[5.0, 0.0, 0.0]], [[5.0, 0.0, 0.0]], [[0.0, 0.0, 5.0]], [[0.0, 5.0, 0.0]]]
    >>> (labels,), score = tf.nn.ctc_greedy_decoder(scores, [4])
    >>> labels.values.numpy(), score.numpy()
    (array([0, 1]), array([[-20.]], dtype=float32))
    """
    op_name = "CTCGreedyDecoder"
    scores, ends = _scores_and_ends(inputs, sequence_length, op_name)
    classes = scores.shape[2]
    blank = -1 if blank_index is None else integer(blank_index, "blank_index", op_name)
    if not -classes <= blank < classes:
        raise invalid(f"blank_index expected to be between {-classes} and {classes - 1} but was {blank} [Op:{op_name}]")
    merges = flag(merge_repeated, "merge_repeated")
    rows = []
    sums = np.zeros((len(ends), 1), scores.dtype)
    for sequence, end in enumerate(ends):
        best = np.argmax(scores[:end, sequence], axis=1)
        for chosen in scores[np.arange(end), sequence, best]:  # one after the other, as TensorFlow rounds
            sums[sequence, 0] -= chosen
        is_new = np.ones(end, bool)
        if merges:
            is_new[1:] = best[1:] != best[:-1]
        rows.append(best[is_new & (best != blank % classes)].tolist())
    return [_as_sparse(rows)], wrap(sums)


@export("nn.ctc_beam_search_decoder")
def ctc_beam_search_decoder(
    inputs: Any, sequence_length: Any, beam_width: Any = 100, top_paths: Any = 1
) -> tuple[list[SparseTensor], Tensor]:
    """The `top_paths` most probable labellings of each sequence, as one sparse matrix each, and the logarithms of their probabilities.

    `inputs` are logits, (time, sequence, class); the blank is the last class. The search keeps the best `beam_width` labellings of each
    time (Graves, 2012), and sums over the paths that spell them.

    >>> import whygrad as tf
    >>> logits = tf.math.log([[[0.5, 0.5]], [[0.4, 0.6]]])
    >>> (labels,), score = tf.nn.ctc_beam_search_decoder(logits, [2])
    >>> labels.values.numpy(), tf.exp(score).numpy()  # 0 by three paths: 0 0, 0 blank, blank 0
    (array([0]), array([[0.7]], dtype=float32))
    """
    op_name = "CTCBeamSearchDecoder"
    width, wanted = integer(beam_width, "beam_width", op_name), integer(top_paths, "top_paths", op_name)
    for name, value in (("beam_width", width), ("top_paths", wanted)):
        if value < 1:
            raise invalid(f"Value for attr '{name}' of {value} must be at least minimum 1 [Op:{op_name}]")
    if wanted > width:
        raise invalid(f"requested more paths than the beam width. [Op:{op_name}]")
    scores, ends = _scores_and_ends(inputs, sequence_length, op_name)
    wide = scores.astype(np.float64)
    wide -= np.logaddexp.reduce(wide, axis=2, keepdims=True)
    found = [_search(wide[:end, sequence], width) for sequence, end in enumerate(ends)]
    if any(len(paths) < wanted for paths in found):
        raise invalid(f"Less leaves in the beam search than requested. [Op:{op_name}]")
    sums = np.array([[score for _, score in paths[:wanted]] for paths in found], np.float64).astype(scores.dtype)
    return [_as_sparse([list(paths[place][0]) for paths in found]) for place in range(wanted)], wrap(sums)


def _search(scores: Array, width: int) -> list[tuple[tuple[int, ...], float]]:
    """The best labellings of one sequence, with the logarithms of their probabilities."""
    blank = scores.shape[1] - 1
    beams: _Beams = {(): (0.0, -np.inf)}
    for now in scores.tolist():
        grown: _Beams = {}
        for labels, (in_blank, in_label) in beams.items():
            total = _log_add(in_blank, in_label)
            if labels:
                repeated = in_label
                if labels[:-1] in beams:
                    repeated = _log_add(in_label, _before(labels, beams[labels[:-1]]))
                grown[labels] = total + now[blank], repeated + now[labels[-1]]
            else:
                grown[labels] = total + now[blank], -np.inf
            for label in range(blank):
                longer = (*labels, label)
                if longer not in beams:
                    grown[longer] = -np.inf, _before(longer, beams[labels]) + now[label]
        best = sorted(grown.items(), key=lambda item: -_log_add(*item[1]))
        beams = {labels: both for labels, both in best[:width] if _log_add(*both) > -np.inf}
    return [(labels, _log_add(*both)) for labels, both in beams.items()]


def _before(labels: tuple[int, ...], both: tuple[float, float]) -> float:
    """The score of the paths for `labels` but the last that the last may follow: a label is repeated only after a blank."""
    return both[0] if labels[-2:-1] == labels[-1:] else _log_add(*both)


def _log_add(a: float, b: float) -> float:
    return float(np.logaddexp(a, b))
