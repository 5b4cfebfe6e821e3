"""Files of named arrays in the safetensors format: a length, a JSON header, the bytes. Nothing in them is ever executed.

A file is written beside its place and then moved there, so that a crash leaves the old one whole; a file is believed only
if its header describes every byte of it.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import sys
from collections.abc import Iterator, Mapping
from typing import IO, Any, NamedTuple

import numpy as np

from whygrad.values import dtypes
from whygrad.values.errors import DataLossError, OpValueError, UnimplementedError

Array = np.ndarray[Any, Any]

_CODES = {
    "float64": "F64", "float32": "F32", "float16": "F16", "bfloat16": "BF16", "complex64": "C64", "int64": "I64",
    "int32": "I32", "int16": "I16", "int8": "I8", "uint64": "U64", "uint32": "U32", "uint16": "U16", "uint8": "U8",
    "bool": "BOOL",
}  # fmt: skip
_NAMES = {code: name for name, code in _CODES.items()}
_MOST_HEADER = 100_000_000  # the format's own limit
_PAIRS = "complex128"  # which the format has no code for: pairs of F64, named in the metadata


def write(path: str, arrays: Mapping[str, Array], metadata: Mapping[str, str]) -> None:
    """Write the arrays to `path`, whole or not at all."""
    stored, pairs = {}, []
    for name, array in arrays.items():
        dtype = dtypes.of_array(array).name
        if dtype == _PAIRS:
            pairs.append(name)
            array, dtype = np.stack([array.real, array.imag], axis=-1), "float64"
        if dtype not in _CODES:
            raise UnimplementedError(
                None,
                None,
                f"{name} is of type {dtype}, which a checkpoint cannot hold: safetensors holds numbers and bools",
            )
        stored[name] = (_CODES[dtype], array)
    header: dict[str, Any] = {"__metadata__": {**metadata, **({_PAIRS: json.dumps(pairs)} if pairs else {})}}
    end = 0
    # The widest numbers first: so every array is aligned.
    order = sorted(stored, key=lambda name: (-stored[name][1].dtype.itemsize, name))
    for name in order:
        code, array = stored[name]
        header[name] = {"dtype": code, "shape": list(array.shape), "data_offsets": [end, end + array.nbytes]}
        end += array.nbytes
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with replacing(path) as file:
        file.write(len(text).to_bytes(8, "little"))
        file.write(text)
        for name in order:
            file.write(_little_endian(np.ascontiguousarray(stored[name][1])).reshape(-1).view(np.uint8).data)


@contextlib.contextmanager
def replacing(path: str) -> Iterator[IO[bytes]]:
    """A file to write to that takes the place of `path` once all of it is on the disk, or else leaves nothing."""
    directory = os.path.dirname(path) or "."
    os.makedirs(directory, exist_ok=True)
    temporary = os.path.join(directory, f".{os.path.basename(path)}.{os.urandom(6).hex()}.part")
    try:
        with open(temporary, "xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
    if hasattr(os, "O_DIRECTORY"):  # the new name, too, is to survive a loss of power
        listing = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(listing)
        finally:
            os.close(listing)


class Entry(NamedTuple):
    """One array of a file: what it is, and where its bytes are."""

    dtype: dtypes.DType
    shape: tuple[int, ...]
    offset: int
    stored_shape: tuple[int, ...]


class Reader:
    """A file that was opened and checked; arrays are read when asked for."""

    def __init__(self, path: str) -> None:
        self.path = path
        size = os.path.getsize(path)
        with open(path, "rb") as file:
            length = int.from_bytes(file.read(8), "little")
            if size < 8 or length > min(size - 8, _MOST_HEADER):
                raise self._broken("it ends before its header does")
            text = file.read(length)
        try:
            header = json.loads(text, object_pairs_hook=_unique)
            self.metadata: dict[str, str] = header.pop("__metadata__", {})
            pairs = set(json.loads(self.metadata.get(_PAIRS, "[]")))
            self.entries = {name: self._entry(name, said, 8 + length, name in pairs) for name, said in header.items()}
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise self._broken(f"its header cannot be read ({error})") from None
        end = 8 + length
        for entry in sorted(self.entries.values(), key=lambda each: (each.offset, math.prod(each.stored_shape))):
            if entry.offset != end:
                raise self._broken("its arrays overlap or leave gaps")
            end += math.prod(entry.stored_shape) * _stored(entry.dtype).itemsize
        if end != size:
            raise self._broken(f"it has {size} bytes where its header describes {end}")

    def _entry(self, name: str, said: dict[str, Any], start: int, is_pair: bool) -> Entry:
        dtype = dtypes.as_dtype(_NAMES[said["dtype"]])
        shape = tuple([int(each) for each in said["shape"]])
        begin, end = said["data_offsets"]
        if min(shape, default=0) < 0 or end - begin != math.prod(shape) * dtype.size:
            raise OpValueError(f"{name} has {end - begin} bytes, which are no {dtype.name} of shape {shape}")
        if is_pair:
            return Entry(dtypes.complex128, shape[:-1], start + begin, shape)
        return Entry(dtype, shape, start + begin, shape)

    def _broken(self, reason: str) -> DataLossError:
        return DataLossError(None, None, f"{self.path} is not a whole safetensors file: {reason}.")

    def read(self, name: str) -> Array:
        """The array of this name."""
        entry = self.entries[name]
        count = math.prod(entry.stored_shape)
        stored = np.fromfile(self.path, _stored(entry.dtype), count, offset=entry.offset)
        if stored.size != count:
            raise self._broken(f"{name} has become shorter")
        array = _little_endian(stored).reshape(entry.stored_shape)
        return array.view(np.complex128)[..., 0] if entry.dtype is dtypes.complex128 else array


def _stored(dtype: dtypes.DType) -> np.dtype[Any]:
    return np.dtype(np.float64) if dtype is dtypes.complex128 else dtype.numpy_dtype


def _little_endian(array: Array) -> Array:
    return array if sys.byteorder == "little" else array.byteswap()


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise OpValueError("a name occurs twice")
    return found
