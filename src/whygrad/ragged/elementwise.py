"""Functions of each element, on ragged tensors: operands with the same rows, or broadcast to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np

from whygrad._public import export
from whygrad.ops.debugging import comparison
from whygrad.ops.shaping import reshape
from whygrad.ragged.indexing import rows_at, taken, with_outer_axis
from whygrad.ragged.tensor import RaggedTensor, Values
from whygrad.values import nest
from whygrad.values.conversion import convert_to_tensor
from whygrad.values.errors import OpValueError, invalid
from whygrad.values.tensor import Tensor

# What TensorFlow says where the numbers of rows differ: it compares the answer with True.
_COUNTS_DIFFER = "Condition x == y did not hold.\nFirst 1 elements of x:\n[False]\nFirst 1 elements of y:\n[ True]"


def aligned(operands: Sequence[Any]) -> tuple[list[Tensor], Callable[[Any], Values]]:
    """Operands as tensors of flat values that match, and a function that gives such values their rows again.

    Ragged operands must have the same rows, or a uniform axis of size 1, which broadcasts. Dense ones broadcast to the rows.
    """
    ragged = [value for value in operands if isinstance(value, RaggedTensor)]
    rank = max(len(value.shape) for value in ragged)
    model = max(ragged, key=lambda value: (len(value.shape), value.ragged_rank, value.flat_values._array.shape[0]))
    dense = [value if isinstance(value, RaggedTensor) else convert_to_tensor_like(value, model) for value in operands]
    longer = max([rank, *[value.ndim for value in dense if isinstance(value, Tensor)]])
    place = next(i for i, value in enumerate(operands) if value is model)
    dense = [with_outer_axes(value, longer) if isinstance(value, RaggedTensor) else value for value in dense]
    model = with_outer_axes(model, longer)
    flat = [
        # An operand that was given outer axes comes first, as the one that is broadcast.
        _flat_of_ragged(value, model, i <= place or value is not operands[i])
        if isinstance(value, RaggedTensor)
        else _flat_of_dense(value, model)
        for i, value in enumerate(dense)
    ]
    return flat, model.with_flat_values


def with_outer_axes(value: RaggedTensor, rank: int) -> RaggedTensor:
    """A ragged tensor with outer axes of size 1 up to a rank."""
    while len(value.shape) < rank:
        value = with_outer_axis(value)
    return value


def convert_to_tensor_like(value: Any, model: RaggedTensor) -> Tensor:
    """A number or list beside a ragged tensor: of its dtype, where that can hold it."""
    return value if isinstance(value, Tensor) else convert_to_tensor(value, dtype_hint=model.dtype)


def _flat_of_ragged(value: RaggedTensor, model: RaggedTensor, is_first: bool) -> Tensor:
    """The flat values of `value` in the rows of `model`; an error, which begins with the first operand, if they do not fit."""
    own: Values = value
    other: Values = model

    def differ(mine: RaggedTensor, theirs: RaggedTensor) -> Exception:
        first, second = (mine, theirs) if is_first else (theirs, mine)
        return _rows_differ(
            first._split_array(),
            second._split_array(),
            f"the rows of two ragged tensors differ: lengths {_lengths_text(first)} and {_lengths_text(second)}",
        )

    if value._count() != model._count():
        if value._count() != 1:
            raise differ(value, model)
        own = rows_at(value, np.zeros(model._count(), np.int64))
    while isinstance(own, RaggedTensor) and isinstance(other, RaggedTensor):
        mine, theirs = own._split_array(), other._split_array()
        if np.array_equal(mine, theirs):
            own = own.values
        elif len(mine) == len(theirs) and own._uniform == 1:
            own = taken(own.values, np.repeat(mine[:-1], np.diff(theirs)))
        else:
            raise differ(own, other)
        other = other.values
    if isinstance(own, RaggedTensor) or isinstance(other, RaggedTensor):
        raise invalid(f"{_COUNTS_DIFFER}\n  an axis of one ragged tensor is ragged, but uniform in another")
    return cast(Tensor, own)


def _rows_differ(x: Any, y: Any, reason: str) -> Exception:
    """The error for two partitions into rows that do not match: TensorFlow's comparison of their splits, and the reason."""
    if x.shape != y.shape:  # TensorFlow compares whether the counts are equal
        return invalid(f"{_COUNTS_DIFFER}\n  {reason}")
    return invalid(f"{comparison('==', x, y, x == y)}\n  {reason}")


def _lengths_text(value: RaggedTensor) -> str:
    lengths = np.diff(value._split_array()).tolist()
    return str(lengths if len(lengths) <= 6 else [*lengths[:3], "...", *lengths[-2:]])


def _flat_of_dense(value: Tensor, model: RaggedTensor) -> Tensor:
    """A dense operand as values that match the flat values of the model: with an axis for each of its own."""
    rank = len(model.shape)
    inner = len(model.flat_values._array.shape) - 1
    levels = model._levels()
    if value.ndim <= inner:  # it broadcasts to the innermost values alone
        return value
    shape = (1,) * (rank - value.ndim) + value._array.shape
    # For each flat value its place along every partitioned axis: the row, then the position within each row.
    places = model._coordinates()
    chosen = []
    for axis, size in enumerate(shape[: len(levels) + 1]):
        if size != 1 and axis and (np.diff(levels[axis - 1]._split_array()) != size).any():
            splits = levels[axis - 1]._split_array()
            raise _rows_differ(
                np.arange(len(splits)) * size,
                splits,
                f"axis {axis} of a dense tensor has size {size}, but the rows of the ragged tensor have lengths "
                f"{_lengths_text(levels[axis - 1])}",
            )
        if size != 1 and not axis and size != model._count():
            raise invalid(f"{_COUNTS_DIFFER}\n  a dense tensor has {size} rows, but the ragged tensor {model._count()}")
        chosen.append(np.zeros_like(places[axis]) if size == 1 else places[axis])
    outer = shape[: len(levels) + 1]
    flat = reshape(value, (int(np.prod(outer)), *shape[len(levels) + 1 :]))
    return taken(flat, np.ravel_multi_index(tuple(chosen), outer)) if len(chosen[0]) else flat[:0]


def mapped(function: Callable[..., Any], *operands: Any, **attributes: Any) -> Values:
    """A function of each element, of operands of which one at least is ragged."""
    flat, with_rows = aligned(operands)
    return with_rows(function(*flat, **attributes))


@export("ragged.map_flat_values")
def map_flat_values(op: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """The result of `op` on the flat values of ragged arguments, which have the same rows, in these rows.

    >>> import whygrad as tf
    >>> tf.ragged.map_flat_values(tf.ones_like, tf.ragged.constant([[1, 2, 3], [], [4, 5]]))
    <tf.RaggedTensor [[1, 1, 1], [], [1, 1]]>
    """
    ragged = [each for each in nest.flatten((args, kwargs)) if isinstance(each, RaggedTensor)]
    if not ragged:
        return op(*args, **kwargs)
    first = ragged[0]
    for other in ragged[1:]:
        ours, others = [[each._split_array() for each in value._levels()] for value in (first, other)]
        if len(ours) != len(others) or not all(map(np.array_equal, ours, others)):
            raise invalid("the ragged arguments have incompatible row_splits: their rows differ in length")
    flat_args, flat_kwargs = nest.map_structure(
        lambda each: each.flat_values if isinstance(each, RaggedTensor) else each, (args, kwargs)
    )
    result = op(*flat_args, **flat_kwargs)
    count = first.flat_values._array.shape[0]
    shape = result.shape
    if not len(shape) or shape[0] != count:
        raise OpValueError(
            "tf.ragged.map_flat_values requires that the output of `op` have the same outer-dimension size as flat_values of any "
            f"ragged inputs. (output shape: {shape}; expected outer dimension size: {count})"
        )
    return first.with_flat_values(result)
