"""SparseTensorSpec: the shape and dtype of sparse tensors, without a value."""

from __future__ import annotations

from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.sparse.tensor import SparseTensor, dispatch
from whygrad.values import dtypes
from whygrad.values.spec import Spec, TensorSpec


@export("SparseTensorSpec")
class SparseTensorSpec(Spec):
    """The shape (in which sizes may be None) and dtype of sparse tensors.

    >>> import whygrad as tf
    >>> spec = tf.SparseTensorSpec([None, 2], tf.int32)
    >>> spec
    SparseTensorSpec(TensorShape([None, 2]), tf.int32)
    >>> spec.is_compatible_with(tf.sparse.from_dense([[0, 3], [4, 0]]))
    True
    """

    __slots__ = ()

    def __init__(self, shape: Any = None, dtype: Any = dtypes.float32) -> None:
        dispatch.ensure()  # `tf.map_fn` takes a spec of its results
        super().__init__(shape, dtype)

    @classmethod
    def from_value(cls, value: Any) -> SparseTensorSpec:
        """The spec of a sparse tensor."""
        found = SparseTensor.from_value(value)
        return cls(found.shape, found.dtype)

    def empty(self, size: int) -> SparseTensor:
        """A sparse tensor without elements, with `size` where a size is open."""
        sizes = [size if each is None else each for each in self._shape.as_list()]
        held = TensorSpec([0], self._dtype).empty(size)
        return SparseTensor(np.zeros((0, len(sizes)), np.int64), held, np.array(sizes, np.int64))

    @property
    def value_type(self) -> type:
        """The class of the values."""
        return SparseTensor

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Whether a sparse tensor, or one of another spec, has this dtype and a compatible shape."""
        return (
            isinstance(spec_or_value, SparseTensor | SparseTensorSpec)
            and self._dtype is spec_or_value.dtype
            and self._shape.is_compatible_with(spec_or_value.shape)
        )

    def __repr__(self) -> str:
        return f"SparseTensorSpec({self._shape!r}, {self._dtype!r})"
