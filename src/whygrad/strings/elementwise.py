"""Ops on each string of a tensor: case, length, parts of it, numbers and back."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.ops.arguments import flag, integer, text, word
from whygrad.ragged.tensor import RaggedTensor
from whygrad.strings.arguments import (
    Array,
    as_strings,
    as_text,
    compute,
    each,
    number_dtype,
    on_flat_values,
    string_op,
)
from whygrad.values import dtypes
from whygrad.values.conversion import convert, convert_to_tensor
from whygrad.values.errors import invalid, shape_text
from whygrad.values.tensor import Tensor

# -- case and white space --


def _of_text(method: str) -> Any:
    """A method of bytes, and of the text that they encode if an encoding is given."""

    def forward(xp: Any, x: Any, *, encoding: str) -> Array:
        if not encoding:
            return each(lambda s: getattr(s, method)(), x)
        return each(lambda s: getattr(s.decode("utf-8", "replace"), method)().encode(), x)

    return forward


_lower = string_op("string_lower", _of_text("lower"), "StringLower", is_shaped=True)
_upper = string_op("string_upper", _of_text("upper"), "StringUpper", is_shaped=True)
_strip = string_op(
    "string_strip", lambda xp, x: each(lambda s: s.strip(b" \t\n\r\x0b\x0c"), x), "StringStrip", is_shaped=True
)


def _encoding(encoding: Any, op_name: str) -> str:
    if text(encoding, "encoding") not in ("", "utf-8"):
        raise invalid(f"only utf-8 or '' (no encoding) is supported, received {encoding} [Op:{op_name}]")
    return str(encoding)


@export("strings.lower")
@on_flat_values
def lower(input: Any, encoding: str = "", name: str | None = None) -> Tensor:
    """Lower case: of ASCII letters, or of all letters with `encoding="utf-8"`.

    >>> import whygrad as tf
    >>> tf.strings.lower("CamelCase string").numpy()
    b'camelcase string'
    """
    return compute(_lower, as_strings(input, "StringLower"), encoding=_encoding(encoding, "StringLower"))  # type: ignore[no-any-return]


@export("strings.upper")
@on_flat_values
def upper(input: Any, encoding: str = "", name: str | None = None) -> Tensor:
    """Upper case: of ASCII letters, or of all letters with `encoding="utf-8"`.

    >>> import whygrad as tf
    >>> tf.strings.upper("CamelCase string").numpy()
    b'CAMELCASE STRING'
    """
    return compute(_upper, as_strings(input, "StringUpper"), encoding=_encoding(encoding, "StringUpper"))  # type: ignore[no-any-return]


@export("strings.strip")
@on_flat_values
def strip(input: Any, name: str | None = None) -> Tensor:
    """Each string without white space at its ends.

    >>> import whygrad as tf
    >>> tf.strings.strip(["  a ", "b\\n"]).numpy()
    array([b'a', b'b'], dtype=object)
    """
    return compute(_strip, as_strings(input, "StringStrip"))  # type: ignore[no-any-return]


# -- length and parts --

_UNITS = ("BYTE", "UTF8_CHAR")


def _characters(string: bytes) -> int:
    """The number of characters in UTF-8: of bytes that do not continue one."""
    return sum(byte & 0xC0 != 0x80 for byte in string)


_length = string_op(
    "string_length",
    lambda xp, x, *, unit: each(len if unit == "BYTE" else _characters, x, np.int32),
    "StringLength",
    is_shaped=True,
)


@export("strings.length")
@on_flat_values
def length(input: Any, unit: str = "BYTE", name: str | None = None) -> Tensor:
    """The number of bytes of each string, or of characters with `unit="UTF8_CHAR"`.

    >>> import whygrad as tf
    >>> tf.strings.length(["Hello", "\\U0001F642"]).numpy(), tf.strings.length("\\U0001F642", unit="UTF8_CHAR").numpy()
    (array([5, 4], dtype=int32), np.int32(1))
    """
    return compute(_length, as_strings(input, "StringLength"), unit=word(unit, "unit", _UNITS))  # type: ignore[no-any-return]


def _substr_forward(xp: Any, x: Array, pos: Array, length: Array, *, unit: str) -> Array:
    try:
        shape = np.broadcast_shapes(x.shape, pos.shape)
    except ValueError:
        raise invalid(f"Incompatible shapes: {shape_text(x.shape)} vs. {shape_text(pos.shape)} [Op:Substr]") from None
    spread: list[Any] = [np.broadcast_to(array, shape) for array in (x, pos, length)]
    strings, starts, sizes = spread
    out = np.empty(shape, object)
    for at in np.ndindex(shape):
        out[at] = _part(strings[at], int(starts[at]), int(sizes[at]), unit, at)
    return out


def _part(string: bytes, start: int, size: int, unit: str, at: tuple[int, ...]) -> bytes:
    whole: Any = string
    if unit != "BYTE":  # the positions where characters begin, and the end
        begins = [i for i, byte in enumerate(string) if byte & 0xC0 != 0x80] + [len(string)]
        count = len(begins) - 1
    else:
        count = len(string)
    if not -count <= start <= count:
        shown = f" b{string.decode(errors='replace')!r}" if unit == "BYTE" else ""
        raise invalid(f"pos {start} out of range for string{shown} at index {at[-1] if at else 0} [Op:Substr]")
    first = start + count if start < 0 else start
    last = min(first + size, count) if size >= 0 else count
    if unit != "BYTE":
        first, last = begins[first], begins[last]
    return whole[first:last]  # type: ignore[no-any-return]


_substr = string_op("substr", _substr_forward, "Substr", is_shaped=True)


@export("strings.substr")
@on_flat_values
def substr(input: Any, pos: Any, len: Any, unit: str = "BYTE", name: str | None = None) -> Tensor:
    """The part of each string that begins at `pos` (from the end if negative) and has `len` bytes or characters.

    >>> import whygrad as tf
    >>> tf.strings.substr(["Hello", "World"], [1, -2], 3).numpy()
    array([b'ell', b'ld'], dtype=object)
    """
    strings = as_strings(input, "Substr")
    starts, sizes = convert_to_tensor(pos), convert_to_tensor(len, dtype_hint=getattr(pos, "dtype", None))
    for tensor, argument in ((starts, "pos"), (sizes, "len")):
        if tensor.dtype not in (dtypes.int32, dtypes.int64):
            raise invalid(f"`{argument}` must be int32 or int64, not {tensor.dtype.name} [Op:Substr]")
    if sizes.ndim and starts.ndim and sizes.shape != starts.shape:
        raise invalid(f"pos and len should have the same shape, got: {starts.shape} vs. {sizes.shape} [Op:Substr]")
    return compute(_substr, strings, starts, sizes, unit=word(unit, "unit", _UNITS))  # type: ignore[no-any-return]


# -- joining --


def _join_forward(xp: Any, *inputs: Array, separator: bytes) -> Array:
    shapes = {array.shape for array in inputs if array.shape}
    if len(shapes) > 1:
        first, second = [shape_text(array.shape) for array in inputs if array.shape][:2]
        raise invalid(f"Input shapes do not match: {first} vs. {second} [Op:StringJoin]")
    shape = shapes.pop() if shapes else ()
    out = np.empty(shape, object)
    spread: list[Any] = [np.broadcast_to(array, shape) for array in inputs]
    for at in np.ndindex(shape):
        out[at] = separator.join([array[at] for array in spread])
    return out


_join = string_op("string_join", _join_forward, "StringJoin", is_shaped=True)


@export("strings.join")
def join(inputs: Any, separator: str = "", name: str | None = None) -> Any:
    """The strings of several tensors, joined element by element; scalars join with every element.

    >>> import whygrad as tf
    >>> tf.strings.join([["a", "b"], ["c", "d"], "!"], separator=" ").numpy()
    array([b'a c !', b'b d !'], dtype=object)
    """
    values = list(inputs)
    between = as_text(separator, "separator").encode("utf-8", "surrogateescape")
    ragged = next((value for value in values if isinstance(value, RaggedTensor)), None)
    if ragged is not None:
        from whygrad.ragged.elementwise import aligned

        spread, structure = aligned(values)
        return structure(join(spread, separator))
    tensors = [as_strings(value, "StringJoin", i) for i, value in enumerate(values)]
    if not tensors:
        return convert(b"")
    return compute(_join, *tensors, separator=between)


# -- numbers --

_NUMBER = re.compile(rb"[+-]?(\d+\.?\d*([eE][+-]?\d+)?|\.\d+([eE][+-]?\d+)?|inf|infinity|nan)", re.IGNORECASE)
_HEXADECIMAL = re.compile(rb"[+-]?0x[0-9a-f]+(\.[0-9a-f]*)?(p[+-]?\d+)?", re.IGNORECASE)
_INTEGER = re.compile(rb"[+-]?\d+")
_OF_NUMBERS = (dtypes.float32, dtypes.float64, dtypes.int32, dtypes.int64, dtypes.uint32, dtypes.uint64)


def _number_forward(xp: Any, x: Array, *, dtype: Any) -> Array:
    wanted = np.dtype(dtype)
    limits = None if wanted.kind == "f" else np.iinfo(wanted)

    def parsed(string: bytes) -> Any:
        trimmed = string.strip(b" \t\n\r\x0b\x0c")
        if limits is None:
            if _NUMBER.fullmatch(trimmed):
                return float(trimmed)
            if _HEXADECIMAL.fullmatch(trimmed):
                return float.fromhex(trimmed.decode())
        elif _INTEGER.fullmatch(trimmed) and not (limits.min == 0 and trimmed.startswith(b"-")):
            value = int(trimmed)
            if limits.min <= value <= limits.max:
                return value
        shown = string.decode(errors="replace")
        raise invalid(f"StringToNumberOp could not correctly convert string: {shown} [Op:StringToNumber]")

    return each(parsed, x, wanted)


_to_number = string_op("string_to_number", _number_forward, "StringToNumber", is_shaped=True)


@export("strings.to_number")
@on_flat_values
def to_number(input: Any, out_type: Any = dtypes.float32, name: str | None = None) -> Tensor:
    """Each string as a number.

    >>> import whygrad as tf
    >>> tf.strings.to_number(["5", "-3.25e2"]).numpy(), tf.strings.to_number("7", tf.int64).numpy()
    (array([   5., -325.], dtype=float32), np.int64(7))
    """
    wanted = number_dtype(out_type, _OF_NUMBERS, "out_type")
    return compute(_to_number, as_strings(input, "StringToNumber"), dtype=wanted.numpy_dtype)  # type: ignore[no-any-return]


def _as_string_forward(
    xp: Any, x: Array, *, precision: int, scientific: bool, shortest: bool, width: int, fill: str
) -> Array:
    kind = x.dtype.kind
    size = f"{width}" if width >= 0 else ""
    if kind == "b":
        return each(lambda value: b"true" if value else b"false", x)
    if kind == "O":
        padded = f"%{fill}{size}s".encode()
        return each(lambda value: padded % value, x)
    if kind in "iu":
        layout = f"%{fill}{size}d"
        return each(lambda value: (layout % int(value)).encode(), x)
    digits = f".{precision}" if precision >= 0 else ""
    letter = "e" if scientific else "g" if shortest else "f"
    layout = f"%{fill}{size}{digits}{letter}"
    plain = f"%{fill.replace('0', '')}{size}{digits}{letter}"  # infinity and nan are not filled with zeros

    def shown(value: Any) -> str:
        return str((layout if np.isfinite(value) else plain) % value)

    if kind == "c":
        return each(lambda value: f"({shown(float(value.real))},{shown(float(value.imag))})".encode(), x)
    return each(lambda value: shown(float(value)).encode(), x)


_as_string = string_op("as_string", _as_string_forward, "AsString", is_shaped=True)


@export("strings.as_string", "as_string")
@on_flat_values
def as_string(
    input: Any,
    precision: int = -1,
    scientific: bool = False,
    shortest: bool = False,
    width: int = -1,
    fill: str = "",
    name: str | None = None,
) -> Tensor:
    """Each number as a string, in the format of C's printf.

    >>> import whygrad as tf
    >>> tf.strings.as_string([3, 2]).numpy(), tf.strings.as_string([3.1415926, 2.71828], precision=2).numpy()
    (array([b'3', b'2'], dtype=object), array([b'3.14', b'2.72'], dtype=object))
    """
    x = convert(input, None)
    after, wide = integer(precision, "precision"), integer(width, "width")
    flags = {"scientific": flag(scientific, "scientific"), "shortest": flag(shortest, "shortest")}
    if not (x.dtype.is_floating or x.dtype.is_complex):
        for argument, given in (("precision", after >= 0), *flags.items()):
            if given:
                raise invalid(f"{argument} not supported for datatype {x.dtype.name} [Op:AsString]")
    if all(flags.values()):
        raise invalid("Cannot select both scientific and shortest notation [Op:AsString]")
    if len(text(fill, "fill")) > 1:
        raise invalid("Fill string must be one or fewer characters [Op:AsString]")
    if fill not in ("", " ", "+", "-", "0", "#"):
        raise invalid(f'Fill argument not supported: "{fill}" [Op:AsString]')
    return compute(_as_string, x, precision=after, width=wide, fill=fill, **flags)  # type: ignore[no-any-return]
