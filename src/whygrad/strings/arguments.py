"""What the ops on strings share: arguments, elements, and what is recorded."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

from whygrad.ops.primitive import Primitive, apply
from whygrad.ragged.tensor import RaggedTensor
from whygrad.values import dtypes
from whygrad.values.conversion import convert
from whygrad.values.dtypes import DType
from whygrad.values.errors import OpError, OpTypeError, invalid
from whygrad.values.faults import StringsComputed
from whygrad.values.recorders import state
from whygrad.values.tensor import SymbolicTensor, Tensor

Array = Any  # numpy.ndarray
_F = TypeVar("_F", bound=Callable[..., Any])

NO_DERIVATIVE = "strings have no derivative: they do not change under a small step"


# The ops whose results have shapes that the shapes of the inputs decide, by name.
shaped: dict[str, Primitive] = {}


def string_op(name: str, forward: Callable[..., Any], op_name: str, is_shaped: bool = False) -> Primitive:
    """An op that takes or gives strings. It is recorded, so that a None further on can be explained; no rule computes with it.

    `is_shaped` says that the shapes of the inputs decide that of the result: the op can be traced.
    """
    op = Primitive(name, forward, no_gradient=NO_DERIVATIVE, op_name=op_name, register=False)
    if is_shaped:
        shaped[name] = op
    return op


def compute(op: Primitive, *inputs: Tensor, **attributes: Any) -> Any:
    """Compute an op on strings.

    Where a function is traced to be run op by op, an op whose shape is known is a part of the trace. Any other raises: the function runs
    as Python.
    """
    if state.context is None:
        return apply(op, *inputs, **attributes)
    if not (state.context.replays and shaped.get(op.name) is op):
        raise _not_traced(op.op_name)
    try:
        return apply(op, *inputs, **attributes)
    except OpError as error:  # of the example values of the trace
        raise _not_traced(op.op_name) from error


def _not_traced(op_name: str) -> OpTypeError:
    return OpTypeError(StringsComputed(what=f"{op_name} computes with them"))


def as_strings(value: Any, op_name: str, number: int = 0) -> Tensor:
    """An argument as a tensor of strings."""
    if isinstance(value, Tensor):
        if value.dtype is not dtypes.string:
            raise invalid(
                f"cannot compute {op_name} as input #{number}(zero-based) was expected to be a string tensor but is a "
                f"{value.dtype.name} tensor [Op:{op_name}]"
            )
        return value
    tensor = convert(value, dtypes.string if isinstance(value, list | tuple) and not value else None)
    if tensor.dtype is not dtypes.string:
        raise OpTypeError(f"Cannot convert {value!r} to EagerTensor of dtype string")
    return tensor


def as_text(value: Any, argument: str) -> str:
    """An argument that is one string: a Python string, bytes or a scalar tensor."""
    if isinstance(value, Tensor | list | tuple | np.ndarray):
        value = convert(value)
        if value.dtype is not dtypes.string or value.ndim:
            raise invalid(f"`{argument}` must be one string, not a {value.dtype.name} tensor of shape {value.shape}")
        if isinstance(value, SymbolicTensor):
            raise _not_traced(argument)
        value = value._array[()]
    if isinstance(value, bytes):
        return value.decode("utf-8", "surrogateescape")
    if not isinstance(value, str):
        raise OpTypeError(f"Expected string for argument '{argument}' not {value!r}.")
    return value


def each(function: Callable[[Any], Any], array: Array, dtype: Any = object) -> Array:
    """The results of a Python function of every element."""
    out = np.empty(array.shape, dtype)
    if array.shape:
        out.reshape(-1)[:] = _listed([function(element) for element in array.reshape(-1)], dtype)
    else:
        out[()] = function(array[()])
    return out


def _listed(elements: list[Any], dtype: Any) -> Array:
    row = np.empty(len(elements), dtype)
    row[:] = elements
    return row


def strings_array(elements: Sequence[bytes], shape: tuple[int, ...] | None = None) -> Array:
    """Bytes as the array of a tensor of strings."""
    row = _listed(list(elements), object)
    return row if shape is None else row.reshape(shape)


def on_flat_values(function: _F) -> _F:
    """A function of each element, that also takes a ragged tensor as its first argument and then gives one."""

    @functools.wraps(function)
    def of_tensor_or_ragged(input: Any, *args: Any, **kwargs: Any) -> Any:
        if isinstance(input, RaggedTensor):
            return input.with_flat_values(function(input.flat_values, *args, **kwargs))
        return function(input, *args, **kwargs)

    return of_tensor_or_ragged  # type: ignore[return-value]


def number_dtype(value: Any, allowed: Sequence[DType], argument: str) -> DType:
    """A dtype among those that an argument allows."""
    dtype = dtypes.as_dtype(value)
    if dtype not in allowed:
        listed = ", ".join(each.name for each in allowed)
        raise invalid(f"Value for attr '{argument}' of {dtype.name} is not in the list of allowed values: {listed}")
    return dtype
