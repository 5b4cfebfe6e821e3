"""Protocol buffers' wire format, as far as `tf.train.Example` needs it: messages of numbered fields, read with checks and written."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

import numpy as np


class DecodeError(ValueError):
    """Bytes that are not the message they should be."""


def varint(value: int) -> bytes:
    """A number as base 128, low digits first; negative ones as 64 bits."""
    value &= (1 << 64) - 1
    made = bytearray()
    while value > 127:
        made.append(value & 127 | 128)
        value >>= 7
    made.append(value)
    return bytes(made)


def field(number: int, data: bytes) -> bytes:
    """A field of bytes, with its length."""
    return varint(number << 3 | 2) + varint(len(data)) + data


def read_varint(data: bytes, at: int) -> tuple[int, int]:
    """A number at a position, and the position after it."""
    value = shift = 0
    while True:
        if at >= len(data) or shift > 63:
            raise DecodeError("a number is not complete")
        byte = data[at]
        value |= (byte & 127) << shift
        at += 1
        if byte < 128:
            return value & (1 << 64) - 1, at
        shift += 7


def fields(data: bytes) -> Iterator[tuple[int, int, Any]]:
    """The fields of a message: number, wire type (0: a number, 1 and 5: 8 and 4 bytes, 2: bytes), and what it holds."""
    at = 0
    while at < len(data):
        tag, at = read_varint(data, at)
        number, kind = tag >> 3, tag & 7
        if number == 0:
            raise DecodeError("a field has the number 0")
        found: Any
        if kind == 0:
            found, at = read_varint(data, at)
        elif kind in (1, 2, 5):
            size = {1: 8, 5: 4}.get(kind, 0)
            if kind == 2:
                size, at = read_varint(data, at)
            if at + size > len(data):
                raise DecodeError(f"field {number} has {size} bytes, but {len(data) - at} are left")
            found = data[at : at + size]
            at += size
        else:
            raise DecodeError(f"field {number} has the wire type {kind}")
        yield number, kind, found


def signed(value: int) -> int:
    """64 bits as a number with a sign."""
    return value - (1 << 64) if value >> 63 else value


def floats(kind: int, found: Any) -> list[float]:
    """The numbers of a field of floats, one or many."""
    if kind not in (2, 5) or len(found) % 4:
        raise DecodeError("a field of floats has another number of bytes")
    return np.frombuffer(found, "<f4").tolist()  # type: ignore[no-any-return]


def integers(kind: int, found: Any) -> list[int]:
    """The numbers of a field of integers, one or many."""
    if kind == 0:
        return [signed(found)]
    if kind != 2:
        raise DecodeError("a field of integers has another wire type")
    made, at = [], 0
    while at < len(found):
        value, at = read_varint(found, at)
        made.append(signed(value))
    return made


def packed_floats(values: list[float]) -> bytes:
    """Floats, one after the other."""
    return struct.pack(f"<{len(values)}f", *values)
