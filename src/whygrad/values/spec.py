"""TensorSpec: the shape, dtype and name of a tensor, without a value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from whygrad._public import export
from whygrad.values import dtypes
from whygrad.values.dtypes import DType
from whygrad.values.errors import OpValueError
from whygrad.values.shapes import TensorShape, as_shape
from whygrad.values.tensor import Tensor, wrap


class Spec:
    """What specs of all kinds have in common: a shape, in which sizes may be None, a dtype, and perhaps more.

    A spec of a kind is made from its shape and what `_key` gives.
    """

    __slots__ = ("_dtype", "_shape")

    def __init__(self, shape: Any, dtype: Any) -> None:
        self._shape = as_shape(shape)
        self._dtype = dtypes.as_dtype(dtype)

    @property
    def shape(self) -> TensorShape:
        """The shape; sizes that may differ are None."""
        return self._shape

    @property
    def dtype(self) -> DType:
        """The dtype."""
        return self._dtype

    def _key(self) -> tuple[Any, ...]:
        """What must be equal beside the shape."""
        return (self._dtype,)

    def empty(self, size: int) -> Any:
        """A value of this spec with zeros, empty strings or no elements, and with `size` where a size is open."""
        raise NotImplementedError

    def is_subtype_of(self, other: Any) -> bool:
        """Whether every value of this spec also fits the other."""
        return type(other) is type(self) and self._key() == other._key() and self._shape.is_subtype_of(other._shape)

    def most_specific_common_supertype(self, others: Sequence[Any]) -> Self | None:
        """The narrowest spec that all of these fit; None if there is none."""
        shape = self._shape
        for other in others:
            if type(other) is not type(self) or other._key() != self._key():
                return None
            shape = shape.most_specific_compatible_shape(other._shape)
        return type(self)(shape, *self._key())

    def most_specific_compatible_type(self, other: Any) -> Self:
        """Like `most_specific_common_supertype` of two; raises ValueError if there is none."""
        found = self.most_specific_common_supertype([other])
        if found is None:
            raise OpValueError(f"No TypeSpec is compatible with both {self} and {other}")
        return found

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._shape == other._shape and self._key() == other._key()

    def __hash__(self) -> int:
        return hash((self._shape, *self._key()))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._shape, *self._key())


@export("TensorSpec")
class TensorSpec(Spec):
    """The shape (in which sizes may be None), dtype and name of tensors.

    >>> import whygrad as tf
    >>> spec = tf.TensorSpec((None, 3), tf.float32)
    >>> spec
    TensorSpec(shape=(None, 3), dtype=tf.float32, name=None)
    >>> spec.is_compatible_with(tf.ones((2, 3))), spec.is_compatible_with(tf.ones((2, 4)))
    (True, False)
    """

    __slots__ = ("_name",)

    def __init__(self, shape: Any, dtype: Any = dtypes.float32, name: str | None = None) -> None:
        super().__init__(shape, dtype)
        self._name = name

    @classmethod
    def from_spec(cls, spec: Any, name: str | None = None) -> TensorSpec:
        """A spec with the shape and dtype of another, and its name unless one is given."""
        return cls(spec.shape, spec.dtype, name or spec.name)

    @classmethod
    def from_tensor(cls, tensor: Any, name: str | None = None) -> TensorSpec:
        """The spec of a tensor."""
        if not isinstance(tensor, Tensor):
            raise OpValueError(f"`tensor` should be a tf.Tensor, but got type {type(tensor)}.")
        return cls(tensor.shape, tensor.dtype, name)

    @property
    def name(self) -> str | None:
        """The name, if there is one."""
        return self._name

    def empty(self, size: int) -> Tensor:
        """A tensor of zeros or empty strings, with `size` where a size is open; a scalar of unknown rank."""
        sizes = [] if self._shape.rank is None else [size if each is None else each for each in self._shape.as_list()]
        filling = b"" if self._dtype is dtypes.string else 0
        return wrap(np.full(sizes, filling, self._dtype.numpy_dtype))

    @property
    def value_type(self) -> type:
        """The class of the values: Tensor."""
        return Tensor

    def is_compatible_with(self, spec_or_tensor: Any) -> bool:
        """Whether a tensor, or a tensor of another spec, has this dtype and a compatible shape."""
        return (
            isinstance(spec_or_tensor, Tensor | TensorSpec)
            and self._dtype is spec_or_tensor.dtype
            and self._shape.is_compatible_with(spec_or_tensor.shape)
        )

    def is_subtype_of(self, other: Any) -> bool:
        """Whether every tensor of this spec also fits the other."""
        return (
            isinstance(other, TensorSpec)
            and self._dtype is other._dtype
            and self._name in (None, other._name)
            and self._shape.is_subtype_of(other._shape)
        )

    def _key(self) -> tuple[Any, ...]:
        return self._dtype, self._name

    def __repr__(self) -> str:
        return f"TensorSpec(shape={self._shape}, dtype={self._dtype!r}, name={self._name!r})"
