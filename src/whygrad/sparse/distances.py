"""`tf.edit_distance`: how many insertions, deletions and replacements lead from one sequence to another."""

from __future__ import annotations

from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.ops.arguments import flag
from whygrad.sparse.tensor import Array, SparseTensor, positions_of, sizes_of
from whygrad.values.errors import OpTypeError, invalid
from whygrad.values.tensor import Tensor, value_of, wrap


@export("edit_distance")
def edit_distance(hypothesis: Any, truth: Any, normalize: bool = True, name: str = "edit_distance") -> Tensor:
    """The Levenshtein distance of sequences, which lie along the last axis of two sparse tensors.

    With `normalize`, distances are divided by the length of the truth; where that is 0 they are inf, and 0 if the hypothesis is empty too.

    >>> import whygrad as tf
    >>> heard = tf.sparse.from_dense([["a", "x", "c"], ["d", "", ""]])
    >>> said = tf.sparse.from_dense([["a", "b", "c"], ["d", "e", ""]])
    >>> tf.edit_distance(heard, said, normalize=False).numpy()
    array([1., 1.], dtype=float32)
    """
    for value, parameter in ((hypothesis, "Hypothesis"), (truth, "Truth")):
        if not isinstance(value, SparseTensor):
            raise OpTypeError(f"{parameter} must be a SparseTensor, but is of class {type(value).__name__}.")
    if hypothesis.dtype is not truth.dtype:
        raise invalid(
            f"cannot compute EditDistance as input #4(zero-based) was expected to be a {hypothesis.dtype.cxx_name} tensor but is a "
            f"{truth.dtype.cxx_name} tensor [Op:EditDistance]"
        )
    shapes = sizes_of(hypothesis), sizes_of(truth)
    if len(shapes[0]) != len(shapes[1]):
        raise invalid(
            f"hypothesis_shape and truth_shape must have as many elements, but are {shapes} [Op:EditDistance]"
        )
    if len(shapes[0]) < 2:
        raise invalid(
            f"hypothesis_shape must have at least 2 elements, but is: {list(shapes[0])} [Op:EditDistance]: the last axis is that of "
            "the sequence"
        )
    said, heard = _sequences(truth), _sequences(hypothesis)
    distances = np.zeros(tuple(map(max, shapes[0][:-1], shapes[1][:-1])), np.float32)
    relative = flag(normalize, "normalize")
    for place in {*said, *heard}:
        one, other = heard.get(place, []), said.get(place, [])
        distance = _distance(one, other)
        if relative:
            distances[place] = distance / len(other) if other else np.inf
        else:
            distances[place] = distance
    return wrap(distances)


def _sequences(value: SparseTensor) -> dict[tuple[int, ...], list[Any]]:
    """The sequences that are not empty, by their positions."""
    found: dict[tuple[int, ...], list[Any]] = {}
    for position, each in zip(positions_of(value)[:, :-1].tolist(), value_of(value.values).tolist()):
        found.setdefault(tuple(position), []).append(each)
    return found


def _distance(one: list[Any], other: list[Any]) -> int:
    """The distance of two sequences: a row of the table for each element of the first."""
    codes = {each: number for number, each in enumerate(dict.fromkeys([*one, *other]))}
    columns = np.array([codes[each] for each in other], np.int64)
    steps = np.arange(len(other) + 1)
    row: Array = steps
    for number, each in enumerate(one, 1):
        best = np.minimum(row[1:] + 1, row[:-1] + (columns != codes[each]))
        # An insertion costs 1 more than the best to its left: a running minimum of what is left of the position's own costs.
        row = np.minimum.accumulate(np.concatenate([[number], best]) - steps) + steps
    return int(row[-1])
