"""The signature of a call: the key that decides whether a function must be compiled again, and the tensors among its arguments."""

from __future__ import annotations

import enum
import functools
import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from whygrad.ops.tensor_array import TensorArray
from whygrad.values import nest
from whygrad.values.composite import TensorLikeComposite
from whygrad.values.conversion import ActsAsTensor, convert
from whygrad.values.dtypes import DType
from whygrad.values.errors import OpTypeError
from whygrad.values.faults import CompositeReturned, NotReturnable
from whygrad.values.indexed_slices import IndexedSlices
from whygrad.values.recorders import state
from whygrad.values.shapes import TensorShape
from whygrad.values.spec import TensorSpec
from whygrad.values.tensor import Tensor
from whygrad.values.variable import Variable
from whygrad.values.weak_tensor import WeakTensor

# Python values that are compared by value; everything else is compared by identity.
BY_VALUE = (
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
    """Marks the position of tensor number `index` in a described structure."""

    __slots__ = ("index",)

    def __init__(self, index: int) -> None:
        self.index = index

    def __repr__(self) -> str:
        return f"<tensor {self.index}>"


class Elements:
    """Marks the position of a TensorArray in a described structure.

    Its tensors are described one by one or, if they all have one shape in a function that is being compiled, as a whole.
    """

    __slots__ = ("array", "parts", "whole")

    def __init__(self, array: TensorArray, parts: list[Any] | None, whole: Any = None) -> None:
        self.array = array.of([None] * array.count)
        self.parts = parts
        self.whole = whole

    def filled(self, tensors: Any) -> TensorArray:
        """Return the array with tensors in its positions again."""
        if self.parts is None:
            return self.array.of([None] * self.array.count).unstack(fill(self.whole, tensors))
        return self.array.of([None if part is None else fill(part, tensors) for part in self.parts])


class Weak:
    """Marks the position of a weak tensor in a described structure."""

    __slots__ = ("part",)

    def __init__(self, part: Any) -> None:
        self.part = part


class Same:
    """A weak reference to one object: a key for it, and its position in a described structure."""

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
        return type(other) is Same and self._hash == other._hash and self.object is other.object is not None

    @property
    def object(self) -> Any:
        """Return the object; None when it is gone."""
        return self._object()

    def __repr__(self) -> str:
        return f"<the same {type(self.object).__name__}>"


def describe(value: Any, tensors: list[Tensor], variables: list[Variable]) -> tuple[Any, Any]:
    """Return a key for `value`, and its structure with a `Place` for each tensor and a `Same` for each object.

    The tensors are added to `tensors`, and each variable once to `variables`. Variables of one kind have the same key.
    """
    if type(value) is Variable:
        number = next((i for i, each in enumerate(variables) if each is value), len(variables))
        if number == len(variables):
            variables.append(value)
        array = value._value._array
        settings = (value._shape, value._trainable, value._constraint, value._layout)
        return (Variable, number, array.shape, array.dtype, *settings), Same(value)
    if isinstance(value, Tensor):
        return _place(value, tensors)
    if isinstance(value, BY_VALUE):
        return (type(value), value), value
    if isinstance(value, np.ndarray | np.generic):
        return _place(convert(value, None), tensors)
    if isinstance(value, IndexedSlices):
        (rows, of_rows), (indices, of_indices) = [
            describe(part, tensors, variables) for part in (value.values, value.indices)
        ]
        shape = None if value._dense_shape is None else tuple(value.shape.as_list())
        return (IndexedSlices, rows, indices, shape), IndexedSlices(of_rows, of_indices, shape)
    if isinstance(value, WeakTensor):
        key, part = describe(value.tensor, tensors, variables)
        return (WeakTensor, key), Weak(part)
    if isinstance(value, TensorLikeComposite):
        raise HoldsComposite
    if isinstance(value, TensorArray):
        described = [(None, None) if each is None else describe(each, tensors, variables) for each in value.elements]
        keys = tuple([key for key, _ in described])
        kind = (value.dtype, value.dynamic_size, str(value.element_shape))
        return (TensorArray, kind, keys), Elements(value, [part for _, part in described])
    if nest.is_nested(value):
        children = nest.children_of(value)
        parts = [describe(child, tensors, variables) for child in children]
        labels = tuple(nest.sorted_keys(value)) if isinstance(value, Mapping) else len(children)
        return (type(value), labels, *[key for key, _ in parts]), nest.rebuild(value, [part for _, part in parts])
    if hasattr(type(value), "__tf_tracing_type__"):  # its class says what functions are traced for
        tracing_type = value.__tf_tracing_type__(None)
        return (type(tracing_type), tracing_type), tracing_type.placeholder_value(None)
    if isinstance(value, weakref.ref):
        raise OpTypeError(f"weakref input {value} not supported for tf.function. Pass the object that it refers to.")
    if type(value).__hash__ is None:  # a trace for what it holds now would be used when it has changed
        raise OpTypeError(
            f"Could not generate a generic TraceType for {value!r}: it is of class {type(value).__name__}, whose objects have no "
            "hash because they may change. Pass a tuple, a frozenset or a tensor, or give the class a `__hash__`."
        )
    same = Same(value)
    return same, same


class Inputs(list[Tensor]):
    """The tensors among some arguments of a function that runs op by op: strings too. Compiled code does not compute them."""


def _place(tensor: Tensor, tensors: list[Tensor]) -> tuple[Any, Any]:
    array = tensor._array
    if array.dtype.kind == "O" and type(tensors) is not Inputs:  # strings are constants
        return (Tensor, array.shape, tuple(array.reshape(-1).tolist())), tensor
    tensors.append(tensor)
    return (array.shape, array.dtype), Place(len(tensors) - 1)


class HoldsComposite(Exception):
    """Raised for arguments among which is a ragged or sparse tensor: a function of them runs as Python, for any rows."""


def fill(structure: Any, tensors: Any) -> Any:
    """Return a described structure with tensors in their positions again."""
    if type(structure) is Place:
        return tensors[structure.index]
    if type(structure) is Same:
        return structure.object
    if type(structure) is Elements:
        return structure.filled(tensors)
    if type(structure) is Weak:
        return WeakTensor(fill(structure.part, tensors))
    if isinstance(structure, IndexedSlices):
        return IndexedSlices(
            fill(structure._values, tensors), fill(structure._indices, tensors), structure._dense_shape
        )
    if nest.is_nested(structure):
        return nest.rebuild(structure, [fill(child, tensors) for child in nest.children_of(structure)])
    return structure


def packer(results: Any) -> Callable[[Sequence[Any]], Any]:
    """Return `fill` for one structure of results: as one expression, if that is of tensors in plain tuples, lists and dicts."""
    expression = expression_of(results, "tensors[{}]")
    if expression is None:
        return functools.partial(fill, results)
    return eval(f"lambda tensors: {expression}", {})  # type: ignore[no-any-return]


def expression_of(structure: Any, tensor: str, depth: int = 0) -> str | None:
    """Return the Python that makes a structure, if it is of tensors in plain tuples, lists and dicts; `tensor` names one by its index."""
    kind = type(structure)
    if depth > 50:  # Python's parser accepts 200 nested brackets
        return None
    if kind is Place:
        return tensor.format(structure.index)
    if structure is None:
        return "None"
    if kind is dict and all(type(key) is str for key in structure):
        names = [f"{key!r}: " for key in structure]
        parts = [expression_of(each, tensor, depth + 1) for each in structure.values()]
    elif kind in (tuple, list):
        names = [""] * len(structure)
        parts = [expression_of(each, tensor, depth + 1) for each in structure]
    else:
        return None
    if None in parts:
        return None
    brackets = "()" if kind is tuple else "[]" if kind is list else "{}"
    return brackets[0] + "".join(f"{name}{part}, " for name, part in zip(names, parts)) + brackets[1]


def with_variables(structure: Any, variables: dict[Variable, Variable]) -> Any:
    """Return a described structure with other variables in place of some."""
    if type(structure) is Same:
        found = variables.get(structure.object) if type(structure.object) is Variable else None
        return structure if found is None else Same(found)
    if nest.is_nested(structure):
        children = [with_variables(child, variables) for child in nest.children_of(structure)]
        return nest.rebuild(structure, children)
    return structure


_RETURNED_AS_TENSORS = Variable | Tensor | ActsAsTensor | np.ndarray | np.generic | bool | int | float | complex


def with_tensors(result: Any) -> Any:
    """Return the result of Python with numbers and variables as tensors, as a traced function returns them."""
    return nest.map_structure(
        lambda each: convert(each, None) if isinstance(each, _RETURNED_AS_TENSORS) else each, result
    )


def returned(value: Any, tensors: list[Tensor]) -> Any:
    """Return the structure of a function's result; its tensors, and numbers as tensors, are added to `tensors`."""
    if isinstance(value, _RETURNED_AS_TENSORS):
        tensor = convert(value, None)
        is_constant = state.context is None or not state.context.replays
        if tensor._array.dtype.kind == "O" and is_constant:  # compiled code does not compute strings
            return tensor
        tensors.append(tensor)
        return Place(len(tensors) - 1)
    if isinstance(value, IndexedSlices):
        shape = None if value._dense_shape is None else tuple(value.shape.as_list())
        return IndexedSlices(returned(value.values, tensors), returned(value.indices, tensors), shape)
    if isinstance(value, WeakTensor):
        return Weak(returned(value.tensor, tensors))
    if isinstance(value, TensorLikeComposite):
        raise OpTypeError(CompositeReturned(kind=type(value).__name__))
    if isinstance(value, TensorArray):
        if value.buffer is not None:
            return Elements(value, None, returned(value.buffer, tensors))
        return Elements(value, [None if each is None else returned(each, tensors) for each in value.elements])
    if nest.is_nested(value):
        return nest.rebuild(value, [returned(child, tensors) for child in nest.children_of(value)])
    if value is None or isinstance(value, str | bytes):
        return value if value is None else convert(value, None)
    raise OpTypeError(NotReturnable(kind=type(value).__name__))
