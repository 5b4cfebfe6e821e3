"""RaggedTensorSpec: the shape, dtype and ragged axes of ragged tensors, without a value."""

from __future__ import annotations

from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.ragged.tensor import RaggedTensor, dispatch
from whygrad.values import dtypes
from whygrad.values.dtypes import DType
from whygrad.values.errors import OpValueError
from whygrad.values.spec import Spec, TensorSpec


@export("RaggedTensorSpec")
class RaggedTensorSpec(Spec):
    """The shape (in which ragged axes have size None), dtype and number of ragged axes.

    >>> import whygrad as tf
    >>> spec = tf.RaggedTensorSpec([None, None], tf.int32)
    >>> spec
    RaggedTensorSpec(TensorShape([None, None]), tf.int32, 1, tf.int64)
    >>> spec.is_compatible_with(tf.ragged.constant([[1, 2], [3]]))
    True
    """

    __slots__ = ("_ragged_rank", "_splits_dtype")

    def __init__(
        self,
        shape: Any = None,
        dtype: Any = dtypes.float32,
        ragged_rank: int | None = None,
        row_splits_dtype: Any = dtypes.int64,
        flat_values_spec: Any = None,
    ) -> None:
        if flat_values_spec is not None:
            dtype = flat_values_spec.dtype if dtype is None else dtype
        dispatch.ensure()  # `tf.map_fn` takes a spec of its results
        super().__init__(shape, dtype)
        self._splits_dtype = dtypes.as_dtype(row_splits_dtype)
        rank = self._shape.rank
        if ragged_rank is None:
            if rank is None:
                raise OpValueError("Must specify ragged_rank or a shape with a known rank.")
            ragged_rank = max(rank - 1, 0)
        if rank is not None and ragged_rank >= max(rank, 1):
            raise OpValueError(f"Argument `ragged_rank` ({ragged_rank}) must be less than rank ({rank}).")
        self._ragged_rank = ragged_rank

    @classmethod
    def from_value(cls, value: Any) -> RaggedTensorSpec:
        """The spec of a ragged tensor."""
        return cls(value.shape, value.dtype, value.ragged_rank, value.row_splits.dtype)

    def empty(self, size: int) -> RaggedTensor:
        """A ragged tensor of zeros or empty strings, with `size` where a size is open, and as many in each row."""
        rank = self._ragged_rank + 1 if self._shape.rank is None else self._shape.rank
        known = self._shape.as_list() if self._shape.rank is not None else [None] * rank
        sizes = [size if each is None else each for each in known]
        count, lengths = sizes[0], []
        for length in sizes[1 : self._ragged_rank + 1]:
            lengths.append(np.full(count, length, self._splits_dtype.numpy_dtype))
            count *= length
        flat = TensorSpec([count, *sizes[self._ragged_rank + 1 :]], self._dtype).empty(size)
        return flat if not lengths else RaggedTensor.from_nested_row_lengths(flat, lengths)  # type: ignore[return-value]

    @property
    def ragged_rank(self) -> int:
        """The number of axes that are divided into rows."""
        return self._ragged_rank

    @property
    def row_splits_dtype(self) -> DType:
        """The dtype of the row splits."""
        return self._splits_dtype

    @property
    def flat_values_spec(self) -> None:
        """None: the flat values are a tensor."""
        return None

    @property
    def value_type(self) -> type:
        """The class of the values."""
        return RaggedTensor

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Whether a ragged tensor, or one of another spec, has this dtype, these ragged axes and a compatible shape."""
        other = RaggedTensorSpec.from_value(spec_or_value) if isinstance(spec_or_value, RaggedTensor) else spec_or_value
        return (
            isinstance(other, RaggedTensorSpec)
            and self._key() == other._key()
            and self._shape.is_compatible_with(other._shape)
        )

    def _key(self) -> tuple[DType, int, DType]:
        return self._dtype, self._ragged_rank, self._splits_dtype

    def __repr__(self) -> str:
        return f"RaggedTensorSpec({self._shape!r}, {self._dtype!r}, {self._ragged_rank}, {self._splits_dtype!r})"
