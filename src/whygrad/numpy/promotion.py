"""Convert arguments to Tensors with NumPy's default dtypes and promotion (NEP 50), not TensorFlow's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from whygrad.numpy.errors import OpAxisError, OpOverflowError
from whygrad.ops import elementwise, shaping
from whygrad.ops.arguments import unexpected
from whygrad.values import dtypes
from whygrad.values.conversion import convert
from whygrad.values.errors import Explained, OpIndexError, OpTypeError, OpValueError, ResourceExhaustedError
from whygrad.values.faults import AxisOutOfRange, RaggedSequence
from whygrad.values.recorders import state
from whygrad.values.shapes import TensorShape
from whygrad.values.tensor import Operand, Tensor, placement, wrap
from whygrad.values.variable import Variable

NumpyDType = np.dtype[Any]
_WEAK = (int, float, complex)  # Python numbers take the dtype of the other operand; bool is a dtype of its own


def tensor(x: Any) -> Tensor:
    """Convert `x` to a Tensor of NumPy's dtype for it: Python floats are float64, Python integers int64."""
    if type(x) is Tensor:
        return x
    if isinstance(x, Variable):
        return x.read()
    if isinstance(x, np.ndarray | np.generic):
        return convert(x, None)
    if isinstance(x, list | tuple | TensorShape):
        if _holds_tensor(x):
            return shaping.stack(together(*x))
        return convert(_plain_array(x), None)
    if isinstance(x, bool | int | float | complex | range):
        return convert(np.asarray(x), None)
    return convert(x, None)


def typed(x: Any, dtype: NumpyDType) -> Tensor:
    """Convert `x` to a Tensor of `dtype`, lists of numbers in one step: NumPy makes float64 of [2**64 - 1, 0], which loses digits."""
    if dtype.kind in "iu" and isinstance(x, list | tuple) and not _holds_tensor(x):
        found = _plain_array(x)
        if found.dtype.kind in "fO":
            return wrap(ask_numpy(np.asarray, x, dtype))
    return as_dtype(tensor(x), dtype)


def together(*operands: Any) -> list[Tensor]:
    """Convert the operands to Tensors of one dtype, by NumPy's promotion."""
    if len(operands) == 2:
        a, b = operands
        if type(a) is Tensor and type(b) is Tensor and a._array.dtype is b._array.dtype:
            return [a, b]
    values = [x if type(x) in _WEAK else tensor(x) for x in operands]
    dtype = common_dtype(values)
    return [as_dtype(x, dtype) for x in values]


def common_dtype(values: Sequence[Any]) -> NumpyDType:
    """NumPy's result type of Tensors and Python numbers."""
    strong: set[NumpyDType] = {x._array.dtype for x in values if isinstance(x, Tensor)}
    weak = {type(x) for x in values if not isinstance(x, Tensor)}
    if len(strong) == 1 and not weak:
        return strong.pop()
    if weak and any(dtype.kind == "V" for dtype in strong):
        # ml_dtypes does not treat Python numbers as weak: a float would turn bfloat16 into float64.
        return np.result_type(*strong, *(np.dtype(np.complex64) for kind in weak if kind is complex))
    return ask_numpy(np.result_type, *strong, *[kind(0) for kind in weak])  # type: ignore[no-any-return]


def as_dtype(x: Any, dtype: NumpyDType) -> Tensor:
    """Convert a Tensor or a Python number to a Tensor of `dtype`."""
    if isinstance(x, Tensor):
        return x if x._array.dtype == dtype else elementwise.cast(x, dtype)
    return wrap(ask_numpy(np.asarray, x, dtype))


def floating(x: Any) -> Tensor:
    """Convert `x` to a Tensor of a floating or complex dtype: integers and bools become float64."""
    t = tensor(x)
    return t if t._array.dtype.kind in "fcV" else elementwise.cast(t, np.float64)


def numpy_dtype(dtype: Any, default: Any = None) -> NumpyDType:
    """Convert a dtype argument (NumPy's, TensorFlow's, a name, a Python type) to NumPy's dtype."""
    if dtype is None:
        dtype = default
    if isinstance(dtype, np.dtype):
        return dtype
    if isinstance(dtype, dtypes.DType | str):
        return dtypes.as_dtype(dtype).numpy_dtype
    try:
        found: NumpyDType = np.dtype(dtype)
    except Exception:  # NumPy looks into the object's attributes, which may raise anything
        raise unexpected("dtype", "dtype", dtype) from None
    return found


def number(x: Any) -> Any:
    """Convert an argument to a plain number or nested sequence (an axis, a count, a shape)."""
    if isinstance(x, Operand):
        return np.asarray(convert(x, None)).tolist()
    if isinstance(x, np.ndarray | np.generic):
        return x.tolist()
    if isinstance(x, list | tuple | TensorShape):
        return tuple([number(each) for each in x])
    return x


def normal_axis(axis: Any, rank: int) -> int:
    """Make an axis non-negative."""
    axis = number(axis)
    try:
        position = axis.__index__()
    except (AttributeError, TypeError):
        raise OpTypeError(f"an axis must be an integer, not {type(axis).__name__}: {axis!r}") from None
    if not -rank <= position < rank:
        wording = "axis {axis} is out of bounds for a tensor of {rank} dimensions"
        raise OpAxisError(AxisOutOfRange(axis=position, rank=rank, wording=wording))
    return int(position % rank)


def normal_axes(axis: Any, rank: int) -> tuple[int, ...]:
    """Make axes (None for all, a number, or several) non-negative, in the given order."""
    if axis is None:
        return tuple(range(rank))
    if type(axis) is int and 0 <= axis < rank:
        return (axis,)
    axis = number(axis)
    axes = tuple([normal_axis(each, rank) for each in (axis if isinstance(axis, tuple | list) else (axis,))])
    if len(set(axes)) != len(axes):
        raise OpValueError(f"an axis is given twice: {axis}")
    return axes


def static_shape(shape: Any) -> tuple[int, ...]:
    """Convert a shape argument to a tuple of ints."""
    if type(shape) is tuple and all(type(each) is int for each in shape):
        return shape
    shape = number(shape)
    return tuple([whole(each, "shape") for each in (shape if isinstance(shape, tuple | list) else (shape,))])


def whole(value: Any, parameter: str) -> int:
    """Convert an argument to an int; like NumPy, refuse floats."""
    try:
        return int(number(value).__index__())
    except (AttributeError, TypeError):
        raise unexpected("int", parameter, value) from None


def ask_numpy(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Call a NumPy function. What it refuses is raised as whygrad's error of the same built-in class."""
    try:
        return function(*args, **kwargs)
    except Explained:
        raise
    except Exception as error:
        if state.context is not None and isinstance(error, placement.engine.has_no_value):
            raise  # the context says what it is that needs a value
        raise _refusal(function.__name__, error) from None


def _refusal(name: str, error: Exception) -> Exception:
    """NumPy's error as a whygrad error."""
    if isinstance(error, MemoryError):
        return ResourceExhaustedError(None, None, f"OOM in {name}(): {error}")
    message = f"{name}() cannot take these arguments: {error}"
    if isinstance(error, TypeError | AttributeError):
        return OpTypeError(message)
    if isinstance(error, OverflowError):
        return OpOverflowError(message)
    if isinstance(error, ValueError | BufferError | ZeroDivisionError | KeyError):
        return OpValueError(message)
    return OpIndexError(message) if isinstance(error, IndexError) else error


def refuse(function: str, **arguments: Any) -> None:
    """Raise TypeError for NumPy arguments that are not supported here but were given."""
    for name, value in arguments.items():
        if value is not None and value is not np._NoValue:
            reason = "Tensors are never written to" if name == "out" else "only its default has a counterpart"
            raise OpTypeError(f"{function}(..., {name}=) is not supported on Tensors: {reason}")


def is_recorded(x: Any) -> bool:
    """Return whether a tape may watch it: a Tensor or Variable of a floating or complex dtype."""
    return isinstance(x, Tensor | Variable) and (x.dtype.is_floating or x.dtype.is_complex)


def _holds_tensor(x: Any) -> bool:
    return any(
        _holds_tensor(each) if isinstance(each, list | tuple) else isinstance(each, Tensor | Variable) for each in x
    )


def _plain_array(x: Any) -> np.ndarray[Any, Any]:
    try:
        return np.asarray(x)
    except ValueError:
        raise OpValueError(RaggedSequence()) from None
