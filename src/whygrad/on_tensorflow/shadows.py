"""Shadows: whygrad's tensors and variables that stand for TensorFlow's, with the same values.

A shadow is held by TensorFlow's own object, so it lives exactly as long. Its array is TensorFlow's memory, read-only.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from whygrad.values import nest
from whygrad.values.indexed_slices import IndexedSlices
from whygrad.values.recorders import state
from whygrad.values.tensor import Tensor, wrap
from whygrad.values.variable import Variable

_asarray = np.asarray  # itself: the witness sets another in its place, to see what the program takes
SHADOW = "_whygrad_shadow"  # the attribute that holds it
WITHOUT_ARRAYS = frozenset({"resource", "variant"})  # dtypes that have no arrays
WITHOUT_NUMBERS = WITHOUT_ARRAYS | {"string"}
# The same, and those of Python's buffers, by the numbers of TensorFlow's protocol (`types.proto`): an op is done before a name is made.
_NO_ARRAYS = frozenset({20, 21})  # resource, variant
_BUFFERS = frozenset({1, 2, 3, 8, 9, 18, 19})  # float32, float64, int32, complex64, int64, complex128, float16


def array_of(tensor: Any) -> np.ndarray[Any, Any] | None:
    """The value of one of TensorFlow's eager tensors, without a copy where it is in main memory; None if it is not an array."""
    kind = tensor._datatype_enum()
    if kind in _NO_ARRAYS:
        return None
    if not tensor._rank() and kind in _BUFFERS:  # for a scalar, `_numpy` gives a copy
        array: np.ndarray[Any, Any] = _asarray(memoryview(tensor))
    else:
        array = _asarray(tensor._numpy())
    array.flags.writeable = False
    return array


def array_in(tensor: Any) -> np.ndarray[Any, Any]:
    """The value of an eager tensor that is known to be an array."""
    array = array_of(tensor)
    assert array is not None
    return array


def attach(tensor: Any, shadow: Tensor) -> None:
    """Let a shadow stand for a tensor from now on, with the value that TensorFlow computed."""
    array = array_of(tensor)
    if array is not None:
        shadow._array = array
    setattr(tensor, SHADOW, shadow)


def attach_if_fits(tensor: Any, shadow: Any) -> bool:
    """The same, if what whygrad computed has the tensor's shape and dtype; return whether it has."""
    array = array_of(tensor)
    if not fits(shadow, array):
        return False
    shadow._array = array
    setattr(tensor, SHADOW, shadow)
    return True


def shadow_of(tensor: Any, read: Callable[[np.ndarray[Any, Any]], Tensor | None] = lambda array: None) -> Tensor | None:
    """The shadow of an eager tensor; for one that no op made, what `read` finds, or a new constant. None for what has no array."""
    known: Tensor | None = tensor.__dict__.get(SHADOW)  # `getattr` would make an error where there is none
    if known is None:
        array = array_of(tensor)
        if array is None:
            return None
        known = read(array)
        if known is None:
            known = wrap(array)
            for recorder in state.recorders:
                recorder.converted(known, array)
        setattr(tensor, SHADOW, known)
    return known


def address_of(array: np.ndarray[Any, Any]) -> int:
    """Where an array's memory begins."""
    return int(array.__array_interface__["data"][0])


def fits(shadow: Any, array: Any) -> bool:
    """Whether what whygrad computed has the shape and dtype of the array that TensorFlow did."""
    return (
        isinstance(shadow, Tensor)
        and array is not None
        and shadow._array.shape == array.shape
        and shadow._array.dtype == array.dtype
    )


def variable_of(value: Any) -> Variable | None:
    """The shadow of a TensorFlow or Keras variable; None for anything else."""
    inner = getattr(value, "_value", None)  # Keras's variable holds TensorFlow's
    for each in (value, inner):
        handle = getattr(each, "handle", None)
        if handle is not None:
            known = getattr(handle, SHADOW, None)
            if isinstance(known, Variable):
                return known
    return None


def seen(value: Any) -> Any:
    """The shadow of one of the program's tensors or variables; any other value as it is."""
    found = getattr(value, SHADOW, None)
    if found is None:
        found = variable_of(value)
    return value if found is None else found


def structure(value: Any) -> Any:
    """A nested structure of TensorFlow's tensors and variables as one of shadows."""
    return nest.map_structure(_one, value)


def _one(value: Any) -> Any:
    known = variable_of(value)
    if known is not None:
        return known
    if type(value).__name__ == "EagerTensor":
        found = shadow_of(value)
        return value if found is None else found
    if type(value).__name__ == "IndexedSlices" and hasattr(value, "dense_shape"):
        return _slices(value)
    return getattr(value, SHADOW, value)  # a symbolic tensor that leaked


def _slices(value: Any) -> Any:
    parts = [None if each is None else shadow_of(each) for each in (value.values, value.indices, value.dense_shape)]
    return IndexedSlices(parts[0], parts[1], parts[2])


def join(tensor: Any, shadow: Any) -> bool:
    """Let what whygrad differentiated stand for what TensorFlow did; return whether they are alike."""
    if tensor is None or shadow is None:
        return tensor is None and shadow is None
    if isinstance(shadow, IndexedSlices):
        return hasattr(tensor, "indices") and join(tensor.values, shadow.values)
    if hasattr(tensor, "indices"):  # sparse in TensorFlow alone
        return False
    return attach_if_fits(tensor, shadow)


def flat_gradients(result: Any) -> list[Any]:
    """The tensors in what TensorFlow returned; its sparse gradients are one each."""
    if isinstance(result, dict):
        return [each for key in sorted(result) for each in flat_gradients(result[key])]
    if isinstance(result, list | tuple) and not hasattr(result, "indices"):
        return [each for part in result for each in flat_gradients(part)]
    return [result]
