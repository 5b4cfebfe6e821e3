"""`tf.io.serialize_tensor` and `parse_tensor`: one tensor as a message of protocol buffers."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.compile.at_each_call import computed
from whygrad.io import wire
from whygrad.io.files import string_tensor
from whygrad.values import dtypes
from whygrad.values.errors import invalid
from whygrad.values.spec import TensorSpec
from whygrad.values.tensor import Tensor, value_of, wrap

_DTYPE, _SHAPE, _CONTENT, _STRINGS = 1, 2, 4, 8  # the fields of a tensor
_FLOATS, _DOUBLES = 5, 6
_INTEGERS = {7, 10, 11, 16, 17}  # the fields that hold integers and bools one by one


@export("io.serialize_tensor")
def serialize_tensor(tensor: Any, name: str | None = None) -> Tensor:
    """A tensor as bytes, for `parse_tensor`.

    >>> import whygrad as tf
    >>> tf.io.parse_tensor(tf.io.serialize_tensor([[1, 2]]), tf.int32).numpy()
    array([[1, 2]], dtype=int32)
    """

    def serialize(given: Tensor) -> Tensor:
        return string_tensor(message_of(value_of(given), given.dtype))

    return computed("tf.io.serialize_tensor", serialize, [tensor], None, TensorSpec((), dtypes.string))


def message_of(array: Any, dtype: dtypes.DType, strings_apart: bool = True) -> bytes:
    """An array as a message; strings in a field each, or their lengths and then their bytes in one."""
    sizes = [wire.field(2, wire.varint(1 << 3) + wire.varint(size)) for size in array.shape]
    parts = [
        wire.varint(_DTYPE << 3) + wire.varint(dtype.as_datatype_enum),
        wire.field(_SHAPE, b"".join(sizes)),
    ]
    if dtype is not dtypes.string:
        parts.append(wire.field(_CONTENT, np.ascontiguousarray(array).tobytes()))
    elif strings_apart:
        parts += [wire.field(_STRINGS, each) for each in array.reshape(-1).tolist()]
    else:
        strings = array.reshape(-1).tolist()
        parts.append(wire.field(_CONTENT, b"".join([wire.varint(len(each)) for each in strings]) + b"".join(strings)))
    return b"".join(parts)


@export("io.parse_tensor")
def parse_tensor(serialized: Any, out_type: Any, name: str | None = None) -> Tensor:
    """The tensor that `serialize_tensor` made bytes of.

    >>> import whygrad as tf
    >>> tf.io.parse_tensor(tf.io.serialize_tensor(["ant"]), tf.string).numpy()
    array([b'ant'], dtype=object)
    """
    wanted = dtypes.as_dtype(out_type)

    def parse(given: Tensor) -> Tensor:
        data = value_of(given)
        if data.shape:
            raise invalid(f"Expected `serialized` to be a scalar, got shape: {list(data.shape)} [Op:ParseTensor]")
        try:
            return wrap(array_of_message(data.item(), wanted))
        except wire.DecodeError as error:
            raise invalid(f"Could not parse `serialized` as TensorProto: {error} [Op:ParseTensor]") from None

    return computed("tf.io.parse_tensor", parse, [serialized], dtypes.string, None)


def array_of_message(data: bytes, wanted: dtypes.DType) -> np.ndarray[Any, Any]:
    """The array in a message; raises `DecodeError` if it holds no tensor of this dtype."""
    shape: list[int] = []
    content = b""
    values: list[Any] = []
    kind_of_dtype = 0
    for number, kind, found in wire.fields(data):
        if number == _DTYPE and kind == 0:
            kind_of_dtype = found
        elif number == _SHAPE and kind == 2:
            for dimension, _, inner in wire.fields(found):
                if dimension == 2:
                    shape.append(next((wire.signed(size) for part, _, size in wire.fields(inner) if part == 1), 0))
        elif number == _CONTENT and kind == 2:
            content = found
        elif number == _STRINGS and kind == 2:
            values.append(found)
        elif number == _FLOATS:
            values += wire.floats(kind, found)
        elif number == _DOUBLES and kind == 2 and len(found) % 8 == 0:
            values += np.frombuffer(found, "<f8").tolist()
        elif number in _INTEGERS:
            values += wire.integers(kind, found)
    if kind_of_dtype != wanted.as_datatype_enum:
        raise invalid(
            f"Type mismatch between parsed tensor ({_name(kind_of_dtype)}) and dtype ({wanted.name}) [Op:ParseTensor]"
        )
    count = math.prod(shape)
    dtype = wanted.numpy_dtype
    if min(shape, default=0) < 0 or len(values) > count:
        raise wire.DecodeError(f"{len(values)} values for a tensor of shape {shape}")
    if content and wanted is dtypes.string:
        values, content = _strings_in(content, count), b""
    if content or not count:
        if content and (len(content) != count * dtype.itemsize):
            raise wire.DecodeError(f"{len(content)} bytes for a tensor of {wanted.name} and shape {shape}")
        return np.frombuffer(content, dtype).reshape(shape) if content else np.empty(shape, dtype)
    if not values:
        raise wire.DecodeError(f"no values for a tensor of shape {shape}")
    made = np.empty(count, dtype)
    made[: len(values)] = values
    made[len(values) :] = values[-1]  # the last one stands for those that follow
    return made.reshape(shape)


def _strings_in(content: bytes, count: int) -> list[bytes]:
    """Strings of which the lengths come first, and then the bytes."""
    lengths, at = [], 0
    for _ in range(count):
        length, at = wire.read_varint(content, at)
        lengths.append(length)
    if at + sum(lengths) != len(content):
        raise wire.DecodeError(f"{len(content) - at} bytes for {count} strings of {sum(lengths)} bytes")
    ends = np.cumsum([at, *lengths])
    return [content[start:end] for start, end in itertools.pairwise(ends)]


def _name(number: int) -> str:
    try:
        return dtypes.as_dtype(number).name
    except (TypeError, ValueError):
        raise wire.DecodeError(f"there is no dtype of number {number}") from None
