"""Elements and positions as bytes: a JSON text and the bytes of arrays. Nothing in them is ever executed."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np

from whygrad.values import dtypes
from whygrad.values.errors import DataLossError, UnimplementedError


def encode(value: Any) -> bytes:
    """Numbers, strings, bytes, arrays, and lists and dicts of them, as bytes."""
    parts: list[bytes] = []
    text = json.dumps(_described(value, parts), separators=(",", ":")).encode()
    return b"".join([len(text).to_bytes(8, "little"), text, *parts])


def _described(value: Any, parts: list[bytes]) -> Any:
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, list | tuple):
        return [_described(each, parts) for each in value]
    if isinstance(value, dict):
        return {"d": {str(key): _described(each, parts) for key, each in value.items()}}
    if isinstance(value, bytes):
        parts.append(value)
        return {"b": len(value)}
    if isinstance(value, np.ndarray | np.generic):
        array = np.asarray(value)
        if array.dtype == object:
            strings = array.reshape(-1).tolist()
            parts += strings
            return {"s": list(array.shape), "n": [len(each) for each in strings]}
        parts.append(np.ascontiguousarray(array).tobytes())
        return {"a": dtypes.of_array(array).name, "s": list(array.shape)}
    raise UnimplementedError(
        None, None, f"{type(value).__name__} in an element cannot be saved: only tensors can. Map it to tensors first"
    )


def decode(data: bytes) -> Any:
    """What `encode` was given: tuples as lists."""
    try:
        size = int.from_bytes(data[:8], "little")
        text = json.loads(data[8 : 8 + size])
        return _Reader(data, 8 + size).value(text)
    except (ValueError, TypeError, KeyError, IndexError, AttributeError) as error:
        raise DataLossError(None, None, f"a saved element is malformed ({error})") from None


class _Reader:
    def __init__(self, data: bytes, at: int) -> None:
        self._data = data
        self._at = at

    def _take(self, count: int) -> bytes:
        found = self._data[self._at : self._at + count]
        if count < 0 or len(found) < count:
            raise ValueError("bytes are missing")
        self._at += count
        return found

    def value(self, text: Any) -> Any:
        if isinstance(text, list):
            return [self.value(each) for each in text]
        if not isinstance(text, dict):
            return text
        if "d" in text:
            return {key: self.value(each) for key, each in text["d"].items()}
        if "b" in text:
            return self._take(text["b"])
        shape = tuple(text["s"])
        if "n" in text:
            made = np.empty(len(text["n"]), object)
            for i, count in enumerate(text["n"]):
                made[i] = self._take(count)
            return made.reshape(shape)
        dtype = dtypes.as_dtype(text["a"]).numpy_dtype
        data = self._take(math.prod(shape) * dtype.itemsize)
        return np.frombuffer(data, dtype).reshape(shape)
