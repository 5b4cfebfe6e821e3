"""What a function that is differentiated or traced is called with: tensors, and `Box`es around objects of the program's own types.

An object that is not an array enters the tape through a *handle*, a tensor of one number that stands for it. The op that takes or makes the
object takes or makes the handle, so the tape knows the order; cotangents of objects are collected beside the sweep, by their handles.
"""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from whygrad.functional.arguments import left
from whygrad.numpy.elementwise import conj
from whygrad.values import nest
from whygrad.values.errors import OpTypeError
from whygrad.values.tensor import Key, Tensor, key_of, value_of, wrap
from whygrad.values.variable import Variable

# From the type of a value to what makes its vector space: `VSpace.register` fills it.
space_makers: dict[type, Callable[[Any], Any]] = {}


def vspace(value: Any) -> Any:
    """The vector space of a value: its zeros, and how its elements are added."""
    value = getval(value)
    try:
        return space_makers[type(value)](value)
    except KeyError:
        raise OpTypeError(
            f"{type(value).__name__} has no vector space: register one with VSpace.register. There are some for "
            f"{', '.join(sorted(each.__name__ for each in space_makers))}"
        ) from None


class Box:
    """An object of the program's own type, inside of a function that is differentiated by it.

    A subclass gives the box the methods of the type, and is registered for it with `register`.
    """

    type_mappings: dict[type, type[Box]] = {}
    types: set[type] = set()

    def __init__(self, value: Any, trace: Any, node: Any) -> None:
        self._value = value
        self._trace = trace
        self._node = node
        self._handle = new_handle()

    def __bool__(self) -> bool:
        return bool(self._value)

    def __str__(self) -> str:
        return f"{type(self).__name__} with value {self._value}"

    @classmethod
    def register(cls, value_type: type) -> None:
        """Use this class for the values of a type."""
        Box.types.add(cls)
        Box.type_mappings[value_type] = Box.type_mappings[cls] = cls


def new_handle() -> Tensor:
    """A tensor that stands for an object."""
    return wrap(np.zeros(()))


def is_object(value: Any) -> bool:
    """Whether a value is of a type that the program registered a `Box` for."""
    return type(value) in Box.type_mappings


def boxed(value: Any, handle: Tensor) -> Box:
    """An object in the box of its type."""
    box = Box.type_mappings[type(value)](getval(value), None, None)
    box._handle = handle
    return box


def handle_of(value: Any) -> Any:
    """The tensor that tapes know a value by: a tensor itself, and of a box its handle."""
    return value._handle if isinstance(value, Box) else value


def isbox(value: Any) -> bool:
    """Whether a value is a tensor or a box, which a tape may watch."""
    return isinstance(value, Tensor | Variable | Box)


def getval(value: Any) -> Any:
    """The value of a tensor as an array or a NumPy scalar, of a box the object; anything else as it is."""
    if isinstance(value, Box):
        return getval(value._value)
    if not isinstance(value, Tensor | Variable):
        return value
    array = value_of(value.value_here if isinstance(value, Variable) else value)
    return array.copy() if array.shape else array[()]


def outside(value: Any) -> Any:
    """A value, or a list, tuple or dict of values, as the recorders that are left see it: tensors only where one differentiates them."""
    if isinstance(value, Box):
        return value._value
    return nest.map_structure(_left, value) if type(value) in (list, tuple, dict) else left(value)


def _left(value: Any) -> Any:
    return value._value if isinstance(value, Box) else left(value)


def conjugated(structure: Any) -> Any:
    """Cotangents in autograd's convention from TensorFlow's, and back: the complex ones conjugated."""
    return nest.map_structure(_conjugated, structure)


def _conjugated(value: Any) -> Any:
    if isinstance(value, Tensor):
        return conj(value) if value.dtype.is_complex else value
    return np.conj(value) if isinstance(value, complex | np.ndarray | np.generic) and np.iscomplexobj(value) else value


class _Sweeps(threading.local):
    """The cotangents of objects in this thread's sweeps, innermost last: by the key of the handle."""

    def __init__(self) -> None:
        self.sums: list[dict[Key, Any]] = []


_sweeps = _Sweeps()


@contextlib.contextmanager
def object_cotangents() -> Iterator[dict[Key, Any]]:
    """Collect the cotangents of objects in the sweep inside the block."""
    _sweeps.sums.append({})
    try:
        yield _sweeps.sums[-1]
    finally:
        _sweeps.sums.pop()


def add_cotangent(box: Box, cotangent: Any) -> None:
    """Add what a rule gave for an object."""
    sums, key = _sweeps.sums[-1], key_of(box._handle)
    sums[key] = vspace(cotangent).add(sums[key], cotangent) if key in sums else cotangent


def cotangent_of(value: Any, handle: Tensor) -> Any:
    """The cotangent that was collected for an object, zero if there is none; it is forgotten."""
    found = _sweeps.sums[-1].pop(key_of(handle), None) if _sweeps.sums else None
    return vspace(value).zeros() if found is None else found


def wraps(function: Callable[..., Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """`functools.wraps`, for ufuncs and other callables too."""
    return functools.wraps(function, assigned=("__name__", "__qualname__", "__doc__"), updated=())
