"""Convert Python and NumPy values to Tensors, with TensorFlow's dtype rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.runtime.malloc import LARGE, keep_freed_memory
from whygrad.values import dtypes
from whygrad.values.composite import TensorLikeComposite
from whygrad.values.dtypes import DType
from whygrad.values.errors import CompositeGiven, OpTypeError, OpValueError
from whygrad.values.faults import ConversionDtype, NoneGiven, NotRepresentable, RaggedSequence
from whygrad.values.recorders import state
from whygrad.values.shapes import TensorShape
from whygrad.values.tensor import DeviceTensor, FollowedTensor, SymbolicTensor, Tensor, on_device, wrap

# Types with a conversion to Tensor: Variable, IndexedSlices and those that users register.
_converters: list[tuple[Any, Callable[..., Tensor], int]] = []

# Classes that stand for a tensor, mainly Variable, and how to read it: avoids the search among the converters.
readers: dict[type, Callable[[Any], Tensor]] = {
    kind: kind.here for kind in (DeviceTensor, FollowedTensor, SymbolicTensor)
}


class ActsAsTensor:
    """Base of classes of other libraries that hold a variable and are used in its place, as Keras's variables.

    An op takes what `value` returns. A tape takes the variable itself, `handle`.
    """

    __slots__ = ()

    value: Any
    handle: Any

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        readers[cls] = _value_held


def _value_held(holder: Any) -> Tensor:
    return convert(holder.value, None)


# Lists that contain tensors are packed by an op, which the ops register here when they are loaded.
_pack: Callable[[Sequence[Any], DType | None], Tensor] | None = None


@export("register_tensor_conversion_function")
def register_tensor_conversion_function(base_type: Any, conversion_func: Any, priority: int = 100) -> None:
    """Make `convert_to_tensor` accept objects of `base_type`, through `conversion_func(value, dtype, name, as_ref)`.

    >>> import whygrad as tf
    >>> class Celsius:
    ...     def __init__(self, degrees): self.degrees = degrees
    >>> tf.register_tensor_conversion_function(
    ...     Celsius, lambda value, dtype=None, name=None, as_ref=False: tf.constant(value.degrees, dtype))
    >>> tf.convert_to_tensor(Celsius(21.5)).numpy()
    np.float32(21.5)
    """
    if not callable(conversion_func):
        raise OpTypeError(f"Argument `conversion_func` must be callable. Received {conversion_func}.")
    _converters.append((base_type, conversion_func, priority))
    _converters.sort(key=lambda entry: entry[2])


def set_packing(pack: Callable[[Sequence[Any], DType | None], Tensor]) -> None:
    """Set the function that packs a list of tensors into one tensor."""
    global _pack
    _pack = pack


@export("convert_to_tensor")
def convert_to_tensor(value: Any, dtype: Any = None, dtype_hint: Any = None, name: str | None = None) -> Tensor:
    """Convert `value` to a Tensor: a tensor, a variable, an array, a number or nested lists of those.

    `dtype` is required; `dtype_hint` is used if the value allows it.

    >>> import numpy as np, whygrad as tf
    >>> tf.convert_to_tensor([[1, 2], [3, 4]]).dtype, tf.convert_to_tensor(np.ones(2)).dtype
    (tf.int32, tf.float64)
    """
    if dtype is not None:
        return convert(value, dtypes.as_dtype(dtype))
    if dtype_hint is not None and not isinstance(value, Tensor):
        hint = dtypes.as_dtype(dtype_hint)
        given = _OF_KIND.get(type(value))
        if given is None or is_compatible(hint, given):  # known of numbers: an error made to be caught takes longer
            try:
                return convert(value, hint)
            except (TypeError, ValueError):
                pass
    return convert(value, None)


def convert(value: Any, dtype: DType | None = None) -> Tensor:
    """Convert `value` to a Tensor of `dtype`, or of its own dtype."""
    kind = type(value)
    if kind is Tensor or kind in readers:
        tensor: Tensor = value if kind is Tensor else readers[kind](value)
        if dtype is not None and tensor.dtype is not dtype:
            raise OpValueError(ConversionDtype(wanted=dtype, dtype=tensor.dtype, shown=repr(tensor)))
        return tensor
    if dtype is None:  # a short path for the most common numbers
        if kind is float and -3e38 < value < 3e38:
            return _report_creation(wrap(np.array(value, np.float32)), value)
        if kind is int and -(2**31) <= value < 2**31:
            return _report_creation(wrap(np.array(value, np.int32)), value)
    if hasattr(kind, "__tf_tensor__"):  # a class that converts itself
        converted = value.__tf_tensor__(None if is_of_tensorflow(kind) else dtype, None)
        if type(converted) is not kind:
            return convert(converted, dtype)
        # A tensor of TensorFlow itself: its numbers are taken, and no tape knows where they come from.
    for base_type, conversion_func, _ in _converters:
        if isinstance(value, base_type):
            converted = conversion_func(value, dtype=dtype, name=None, as_ref=False)
            if converted is not NotImplemented:
                return converted
    if _pack is not None and isinstance(value, list | tuple) and _holds_tensor(value):
        return _pack(value, dtype)
    return placed(_report_creation(wrap(as_array(value, dtype)), value))


def is_of_tensorflow(kind: type) -> bool:
    """Whether a class belongs to TensorFlow itself, installed beside whygrad."""
    return kind.__module__.partition(".")[0] == "tensorflow"


def placed(tensor: Tensor) -> Tensor:
    """Move a new tensor to the device of `with whygrad.device(...)`."""
    return tensor if state.device is None or state.context is not None else on_device(tensor)


def _report_creation(tensor: Tensor, value: Any) -> Tensor:
    """Notify the recorders that `tensor` was created from a NumPy or Python value, and return it."""
    for recorder in state.recorders:
        recorder.converted(tensor, value)
    return tensor


def as_array(value: Any, dtype: DType | None) -> np.ndarray[Any, Any]:
    """Convert `value`, which contains no tensors, to an array that no other code can write to."""
    if value is None:
        raise OpValueError(NoneGiven())
    if isinstance(value, np.ndarray | np.generic):
        return _from_numpy(value, dtype)
    if isinstance(value, bool | int | float | complex | str | bytes):
        return _from_python(value, dtype)
    if isinstance(value, TensorShape):
        return _from_shape(value, dtype)
    if isinstance(value, list | tuple | range):
        return _from_python(value, dtype)
    if isinstance(value, TensorLikeComposite):
        raise _not_dense(value)
    if hasattr(value, "__array__") or hasattr(value, "__array_interface__"):
        return _from_numpy(np.asarray(value), dtype)
    if isinstance(value, Iterable) and hasattr(value, "__getitem__") and not isinstance(value, Mapping):
        return _from_python(list(value), dtype)  # a user-defined sequence
    if hasattr(value, "__dlpack__"):
        return _from_numpy(np.from_dlpack(value), dtype)
    raise OpValueError(f"Attempt to convert a value ({value!r}) with an unsupported type ({type(value)}) to a Tensor.")


def _not_dense(value: TensorLikeComposite) -> CompositeGiven:
    kind = type(value).__name__
    return value.refusal(
        f"TypeError: object of type '{kind}' has no len(): it is not one dense tensor. {value.made_dense}"
    )


def is_compatible(wanted: DType, given: DType) -> bool:
    """Return whether a Python number of type `given` may become a tensor of type `wanted` (tensors never change dtype)."""
    if wanted is given:
        return True
    if wanted.is_integer:
        return given.is_integer or given.is_bool
    if wanted.is_floating:
        return given.is_floating or given.is_integer or given.is_bool
    if wanted.is_complex:
        return given.is_numeric or given.is_bool
    return False


def _holds_tensor(value: Any) -> bool:
    if _OF_KIND.keys() >= set(map(type, value)):
        return False
    for item in value:
        if isinstance(item, list | tuple):
            if _holds_tensor(item):
                return True
        elif isinstance(item, Tensor | ActsAsTensor) or any(isinstance(item, base) for base, _, _ in _converters):
            return True
    return False


def _from_numpy(array: Any, dtype: DType | None) -> np.ndarray[Any, Any]:
    if array.nbytes >= LARGE:
        keep_freed_memory()
    kind = array.dtype.kind
    if kind in "SUO":
        if dtype not in (None, dtypes.string):
            raise OpValueError(NotRepresentable(shown=repr(array.tolist()), dtype=dtype))
        return _strings(array)
    try:
        given = dtypes.as_dtype(array.dtype)
    except TypeError:
        raise OpValueError(
            f"Failed to convert a NumPy array to a Tensor (Unsupported numpy type: {array.dtype})."
        ) from None
    if dtype is None or dtype is given:
        return np.array(array, dtype=given.numpy_dtype, copy=True, order="C")
    # NumPy arrays and scalars are cast to any numeric dtype, as in TensorFlow, which is strict only with Python numbers.
    if dtype is dtypes.string:
        return _strings(np.asarray(array, dtype=object))
    if kind == "c" and not dtype.is_complex:
        array = array.real
    with np.errstate(all="ignore"):
        return np.array(array, dtype=dtype.numpy_dtype, order="C")


def _from_shape(shape: TensorShape, dtype: DType | None) -> np.ndarray[Any, Any]:
    if not shape.is_fully_defined():
        raise OpValueError(f"Cannot convert a partially known TensorShape {shape} to a Tensor.")
    if dtype not in (None, dtypes.int32, dtypes.int64):
        raise OpTypeError(
            f"Cannot convert TensorShape {shape} to dtype {dtype!s}. Allowed dtypes are tf.int32 and tf.int64."
        )
    if dtype is dtypes.int32 and any(size >= 2**31 for size in shape):
        raise OpValueError(
            f"Cannot convert TensorShape {shape} to dtype int32; a dimension is too large. Consider using tf.int64."
        )
    return _from_python(shape.as_list(), dtype or (None if len(shape) else dtypes.int32))


def _strings(array: Any) -> np.ndarray[Any, Any]:
    strings = np.empty(array.shape, dtype=object)
    for at, item in np.ndenumerate(array):
        if isinstance(item, str):
            item = item.encode()
        if not isinstance(item, bytes):
            raise OpValueError(
                f"Failed to convert a NumPy array to a Tensor (Unsupported object type {type(item).__name__})."
            )
        strings[at] = bytes(item)  # numpy.bytes_ is bytes, but has another repr
    return strings


def _from_python(value: Any, dtype: DType | None) -> np.ndarray[Any, Any]:
    given = _python_dtype(value, mixes=dtype is not None)
    if given is dtypes.string and dtype in (None, given):
        return _strings(np.array(value, dtype=object))
    if dtype is not None and given is not None and not is_compatible(dtype, given):
        raise OpTypeError(NotRepresentable(shown=repr(value), dtype=dtype))
    wanted = dtype or given or dtypes.float32
    if wanted.is_integer and wanted is not dtypes.uint64:
        wide = _array(value, np.int64)
        if dtype is None and wide.size and (wide.min() < -(2**31) or wide.max() >= 2**31):
            return wide
        return wide.astype(wanted.numpy_dtype)  # an explicit dtype wraps around, as in TensorFlow
    array = _array(value, wanted.numpy_dtype)
    if dtype is None and wanted is dtypes.float32:
        infinite = np.isinf(array)
        if infinite.any() and not np.isinf(_array(value, np.float64)[infinite]).all():
            raise OpValueError(
                "Can't convert Python sequence with a value out of range for a double-precision float. "
                "(It does not fit into float32: give dtype=tf.float64.)"
            )
    return array


def _array(value: Any, dtype: Any) -> np.ndarray[Any, Any]:
    """Convert a number or nested sequence to an array of this dtype."""
    try:
        with np.errstate(all="ignore"):  # values too large for the dtype become infinite
            return np.array(value, dtype=dtype, order="C")
    except OverflowError:
        raise OpValueError("Can't convert Python sequence with out-of-range integer to Tensor.") from None
    except (ValueError, TypeError):
        raise OpValueError(RaggedSequence()) from None


_SEQUENCES = (list, tuple, range, np.ndarray, TensorShape)
_OF_KIND = {
    bool: dtypes.bool_,
    int: dtypes.int32,
    float: dtypes.float32,
    complex: dtypes.complex128,
    str: dtypes.string,
    bytes: dtypes.string,
}


def _python_dtype(value: Any, mixes: bool) -> DType | None:
    """TensorFlow's dtype for a number or nested sequence; None for an empty sequence.

    With an explicit dtype (`mixes`), complex numbers may follow real ones.
    """
    if isinstance(value, np.ndarray | np.generic):  # first: numpy.float64 is also a Python float
        if not value.size:
            return None
        # Inside a sequence NumPy's floats keep their dtype; integers and complex numbers count as Python's.
        counts_as = {"i": dtypes.int32, "u": dtypes.int32, "c": dtypes.complex128}
        return counts_as.get(value.dtype.kind) or dtypes.as_dtype(value.dtype)
    for kind, dtype in _OF_KIND.items():
        if isinstance(value, kind):
            return dtype
    if isinstance(value, list | tuple | range | TensorShape):
        size = len(value)  # first: len() of a list may raise
        kinds = set(map(type, value))
        if len(kinds) == 1 and (only := kinds.pop()) in _OF_KIND:  # fast path: most long lists hold a single type
            return _OF_KIND[only]
        found: DType | None = None
        nested = size > 0 and isinstance(value[0], _SEQUENCES)
        for item in value:
            if not nested and isinstance(item, _SEQUENCES) and not (isinstance(item, np.ndarray) and not item.ndim):
                raise OpValueError("Can't convert Python sequence with mixed types to Tensor.")
            if item is None and found is not None:
                raise OpValueError("Can't convert Python sequence with mixed types to Tensor.")
            given = _python_dtype(item, mixes)
            if found is None:
                found = given
            elif given is not None and found.is_integer and given.is_floating:
                found = dtypes.float32
            elif given is not None and not is_compatible(found, given) and not (mixes and given.is_complex):
                raise OpValueError("Can't convert Python sequence with mixed types to Tensor.")
        return found
    if isinstance(value, TensorLikeComposite):
        raise _not_dense(value)
    if value is None:
        raise OpValueError(NoneGiven())
    raise OpValueError(f"Attempt to convert a value ({value!r}) with an unsupported type ({type(value)}) to a Tensor.")
