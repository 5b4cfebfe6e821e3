"""What a function was called with: what it must be compiled anew for, and the tensors among it."""

from __future__ import annotations

import enum
import weakref
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from whygrad.values import nest
from whygrad.values.conversion import convert
from whygrad.values.dtypes import DType
from whygrad.values.errors import OpTypeError
from whygrad.values.indexed_slices import IndexedSlices
from whygrad.values.shapes import TensorShape
from whygrad.values.spec import TensorSpec
from whygrad.values.tensor import Tensor
from whygrad.values.variable import Variable

# Python values that are compared by what they are; all else is compared by identity.
_BY_VALUE = (
    bool,
    int,
    float,
    complex,
    str,
    bytes,
    type(None),
    enum.Enum,
    DType,
    np.dtype,
    TensorShape,
    TensorSpec,
    range,
)


class Place:
    """Stands in a described structure where the tensor number `index` was."""

    __slots__ = ("index",)

    def __init__(self, index: int) -> None:
        self.index = index


class _Same:
    """A key for one object, which it does not keep alive."""

    __slots__ = ("_hash", "_object")

    def __init__(self, referent: Any) -> None:
        self._hash = id(referent)
        try:
            self._object: Callable[[], Any] = weakref.ref(referent)
        except TypeError:
            self._object = lambda: referent

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return type(other) is _Same and self._hash == other._hash and self._object() is other._object() is not None

    def __repr__(self) -> str:
        return f"<the same {type(self._object()).__name__}>"


def describe(value: Any, tensors: list[Tensor]) -> tuple[Any, Any]:
    """A key for what `value` is, and its structure with a `Place` for each tensor in it; those are added to `tensors`."""
    if isinstance(value, Tensor):
        return _place(value, tensors)
    if isinstance(value, _BY_VALUE):
        return (type(value), value), value
    if isinstance(value, np.ndarray | np.generic):
        return _place(convert(value, None), tensors)
    if isinstance(value, IndexedSlices):
        parts = [describe(part, tensors) for part in (value.values, value.indices, value.dense_shape)]
        return (IndexedSlices, *[key for key, _ in parts]), IndexedSlices(*[structure for _, structure in parts])
    if nest.is_nested(value):
        children = nest.children_of(value)
        parts = [describe(child, tensors) for child in children]
        labels = tuple(nest.sorted_keys(value)) if isinstance(value, Mapping) else len(children)
        return (type(value), labels, *[key for key, _ in parts]), nest.rebuild(value, [part for _, part in parts])
    return _Same(value), value


def _place(tensor: Tensor, tensors: list[Tensor]) -> tuple[Any, Place]:
    tensors.append(tensor)
    array = tensor._array
    return (array.shape, array.dtype), Place(len(tensors) - 1)


def fill(structure: Any, tensors: Any) -> Any:
    """A described structure with tensors in their places again."""
    if type(structure) is Place:
        return tensors[structure.index]
    if isinstance(structure, IndexedSlices):
        return IndexedSlices(
            *[fill(part, tensors) for part in (structure._values, structure._indices, structure._dense_shape)]
        )
    if nest.is_nested(structure):
        return nest.rebuild(structure, [fill(child, tensors) for child in nest.children_of(structure)])
    return structure


def returned(value: Any, tensors: list[Tensor]) -> Any:
    """The structure of what a function returned; the tensors in it, and numbers as tensors, are added to `tensors`."""
    if isinstance(value, Variable | Tensor | np.ndarray | np.generic | bool | int | float | complex):
        tensors.append(convert(value, None))
        return Place(len(tensors) - 1)
    if isinstance(value, IndexedSlices):
        return IndexedSlices(
            returned(value.values, tensors),
            returned(value.indices, tensors),
            None if value._dense_shape is None else value._dense_shape,
        )
    if nest.is_nested(value):
        return nest.rebuild(value, [returned(child, tensors) for child in nest.children_of(value)])
    if value is None or isinstance(value, str | bytes):
        return value if value is None else convert(value, None)
    raise OpTypeError(
        "To be compatible with tf.function, Python functions must return zero or more Tensors or ExtensionTypes or None "
        f"values; in compilation of a function found return value of type {type(value).__name__}, which is not a Tensor or "
        "ExtensionType."
    )
