"""The shapes of ragged tensors: what `tf.shape` gives for them, and what `tf.reshape` and `tf.broadcast_to` take."""

from __future__ import annotations

from typing import Any

import numpy as np

from whygrad.ops import creation, shaping
from whygrad.ragged.elementwise import mapped
from whygrad.ragged.tensor import Array, RaggedTensor, Values, from_splits
from whygrad.values import dtypes
from whygrad.values.conversion import convert
from whygrad.values.dtypes import DType
from whygrad.values.errors import OpTypeError, OpValueError, invalid
from whygrad.values.tensor import Tensor, wrap


class DynamicRaggedShape:
    """The number of rows, the lengths of the rows of each ragged axis, and the shape of the innermost values."""

    __slots__ = ("_dtype", "_inner", "_splits")

    def __init__(self, splits: list[Array], inner: tuple[int, ...], dtype: DType) -> None:
        self._splits = splits  # of each ragged axis, the outermost first
        self._inner = inner  # of the flat values
        self._dtype = dtype

    @property
    def rank(self) -> int:
        """The number of axes."""
        return len(self._splits) + len(self._inner)

    @property
    def dtype(self) -> DType:
        """The dtype of the sizes."""
        return self._dtype

    @property
    def num_row_partitions(self) -> int:
        """The number of axes that are divided into rows."""
        return len(self._splits)

    @property
    def inner_shape(self) -> Tensor:
        """The shape of the flat values."""
        return self._number(np.array(self._inner))

    def static_lengths(self) -> list[Any]:
        """The size of each axis, or the lengths of its rows where it is ragged."""
        lengths: list[Any] = [len(self._splits[0]) - 1]
        lengths += [tuple(np.diff(each).tolist()) for each in self._splits]
        return [*lengths, *self._inner[1:]]

    def is_uniform(self, axis: int) -> bool:
        """Whether an axis has one size."""
        return not isinstance(self.static_lengths()[axis], tuple)

    def with_rows(self, flat_values: Any) -> Values:
        """Flat values in these rows."""
        for splits in reversed(self._splits):
            flat_values = from_splits(flat_values, splits)
        return flat_values

    def _number(self, array: Array) -> Tensor:
        return wrap(array.astype(self._dtype.numpy_dtype))

    def __getitem__(self, index: Any) -> Tensor:
        if not isinstance(index, int):
            raise OpTypeError(f"the shape of a ragged tensor takes an axis as its index, not {index!r}")
        if not -self.rank <= index < self.rank:
            raise OpValueError(f"Index {index} must be from {-self.rank} to {self.rank - 1}")
        size = self.static_lengths()[index]
        if isinstance(size, tuple):
            raise OpValueError(f"Index {index} is not uniform")
        return self._number(np.array(size))

    def __repr__(self) -> str:
        return f"<DynamicRaggedShape lengths={self.static_lengths()} num_row_partitions={len(self._splits)}>"


def shape(input: Any, out_type: Any = None, name: str | None = None) -> DynamicRaggedShape:
    """The shape of a ragged tensor."""
    wanted = dtypes.int32 if out_type is None else dtypes.as_dtype(out_type)
    return DynamicRaggedShape([each._split_array() for each in input._levels()], input.flat_values._array.shape, wanted)


def reshape(tensor: Any, shape: Any, name: str | None = None) -> Values:
    """The values of a dense or ragged tensor in another shape, which may be that of a ragged one."""
    flat = tensor.flat_values if isinstance(tensor, RaggedTensor) else convert(tensor, None)
    if not isinstance(shape, DynamicRaggedShape):
        return shaping.reshape(flat, shape)
    if flat._array.size != int(np.prod(shape._inner)):
        raise invalid(f"a tensor of {flat._array.size} values cannot be reshaped to {shape} [Op:Reshape]")
    return shape.with_rows(shaping.reshape(flat, shape._inner))


def broadcast_to(input: Any, shape: Any, name: str | None = None) -> Values:
    """A dense or ragged tensor broadcast to the shape of a ragged one."""
    if not isinstance(shape, DynamicRaggedShape):
        return NotImplemented
    rows = shape.with_rows(creation.zeros(shape._inner, dtypes.int32))
    given = input if isinstance(input, RaggedTensor) else convert(input, None)
    return mapped(lambda values, like: shaping.broadcast_to(values, like._array.shape), given, rows)


def is_given(*args: Any, **kwargs: Any) -> bool:
    """Whether the shape among these arguments is that of a ragged tensor."""
    return isinstance(kwargs.get("shape", args[1] if len(args) > 1 else None), DynamicRaggedShape)
