"""Files of named arrays in the safetensors format: a JSON header and bytes. Nothing in them is ever executed.

The `safetensors` library reads and writes the format; it is imported with the first file. Done by hand are:
- replacing a file atomically: the library does not wait until the bytes are on the disk;
- complex128, for which the format has no code;
- saying what is wrong with a malformed file: the library names neither the array nor the sizes, and accepts a repeated name.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from whygrad.values import dtypes
from whygrad.values.errors import DataLossError, OpValueError, UnimplementedError

Array = np.ndarray[Any, Any]

_NAMES = {
    "F64": "float64", "F32": "float32", "F16": "float16", "BF16": "bfloat16", "C64": "complex64", "I64": "int64",
    "I32": "int32", "I16": "int16", "I8": "int8", "U64": "uint64", "U32": "uint32", "U16": "uint16", "U8": "uint8",
    "BOOL": "bool",
}  # fmt: skip
_LARGEST_HEADER = 100_000_000  # the format's own limit
_PAIRS = "complex128"  # stored as pairs of float64; the metadata lists the names of such arrays under this key


def write(path: str, arrays: Mapping[str, Array], metadata: Mapping[str, str]) -> None:
    """Write the arrays to `path`, completely or not at all."""
    from safetensors import SafetensorError
    from safetensors.numpy import save_file

    stored, pairs = {}, []
    for name, array in arrays.items():
        dtype = dtypes.of_array(array).name
        if dtype != _PAIRS and dtype not in _NAMES.values():
            raise UnimplementedError(
                None,
                None,
                f"{name} is of type {dtype}, which a checkpoint cannot hold: safetensors holds numbers and bools",
            )
        flat = np.ascontiguousarray(array).reshape(-1)  # the library copies memory, whatever the strides
        if dtype == _PAIRS:
            pairs.append(name)
            stored[name] = flat.view(np.float64).reshape(*array.shape, 2)
        else:
            stored[name] = flat.reshape(array.shape)
    with replacing(path) as temporary:
        try:
            save_file(stored, temporary, {**metadata, **({_PAIRS: json.dumps(pairs)} if pairs else {})})
        except SafetensorError as error:  # for a full disk, too
            raise OSError(f"cannot write {path}: {error}") from None


@contextlib.contextmanager
def replacing(path: str) -> Iterator[str]:
    """The path of an empty file to write to: it replaces `path` once its bytes are on the disk, or is removed on an error."""
    directory = os.path.dirname(path) or "."
    os.makedirs(directory, exist_ok=True)
    temporary = os.path.join(directory, f".{os.path.basename(path)}.{os.urandom(6).hex()}.part")
    try:
        with open(temporary, "xb") as created:
            mode = os.fstat(created.fileno()).st_mode & 0o777
        yield temporary
        os.chmod(temporary, mode)  # the library's files can be read by their owner alone
        with open(temporary, "rb+") as written:
            os.fsync(written.fileno())
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
    if hasattr(os, "O_DIRECTORY"):  # the new name, too, must survive a loss of power
        listing = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(listing)
        finally:
            os.close(listing)


class Entry(NamedTuple):
    """The dtype and the shape of one array of a file."""

    dtype: dtypes.DType
    shape: tuple[int, ...]


class Reader:
    """A file whose header was checked; arrays are read on demand."""

    def __init__(self, path: str) -> None:
        self.path = path
        flaw = _flaw(path)
        if flaw:
            raise self._malformed(flaw)
        with self._opened() as file:
            self.metadata: dict[str, str] = file.metadata() or {}
            slices = {name: file.get_slice(name) for name in file.offset_keys()}
        try:
            pairs = set(json.loads(self.metadata.get(_PAIRS, "[]")))
        except (ValueError, TypeError) as error:
            raise self._malformed(f"its header cannot be read ({error})") from None
        self.entries = {name: _entry(each, name in pairs) for name, each in slices.items()}

    @contextlib.contextmanager
    def _opened(self) -> Iterator[Any]:
        """The file, open in the library. It is not kept open: a checkpoint may wait long for its variables, and be deleted."""
        from safetensors import SafetensorError, safe_open

        try:
            # With "pread" a file that has become shorter is an error; with a memory map it would end the process.
            with safe_open(self.path, "np", backend="pread") as file:
                yield file
        except SafetensorError as error:
            raise self._malformed(_flaw(self.path) or str(error)) from None

    def _malformed(self, flaw: str) -> DataLossError:
        return DataLossError(None, None, f"{self.path} is not a whole safetensors file: {flaw}.")

    def read(self, name: str) -> Array:
        """The array of this name."""
        return self.read_all([name])[0]

    def read_all(self, names: Iterable[str]) -> list[Array]:
        """The arrays of these names."""
        with self._opened() as file:
            return [self._read(file, name) for name in names]

    def _read(self, file: Any, name: str) -> Array:
        entry = self.entries[name]
        array: Array = file.get_tensor(name)
        if entry.dtype is dtypes.complex128:
            array = array.reshape(-1).view(np.complex128).reshape(array.shape[:-1])
        if Entry(dtypes.of_array(array), array.shape) != entry:
            raise self._malformed(f"{name} has changed since the file was opened")
        return array


def _entry(stored: Any, is_pair: bool) -> Entry:
    code, shape = stored.get_dtype(), tuple(stored.get_shape())
    if is_pair and code == "F64" and shape[-1:] == (2,):
        return Entry(dtypes.complex128, shape[:-1])
    return Entry(dtypes.as_dtype(_NAMES[code]), shape)


def _flaw(path: str) -> str | None:
    """What is wrong with a file; None if its header describes every byte."""
    size = os.path.getsize(path)
    with open(path, "rb") as file:
        length = int.from_bytes(file.read(8), "little")
        if size < 8 or length > min(size - 8, _LARGEST_HEADER):
            return "it ends before its header does"
        text = file.read(length)
    try:
        header = json.loads(text, object_pairs_hook=_unique)
        header.pop("__metadata__", None)
        extents = sorted([_extent(name, description) for name, description in header.items()])
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        return f"its header cannot be read ({error})"
    end = 0
    for begin, stop in extents:
        if begin != end:
            return "its arrays overlap or leave gaps"
        end = stop
    if 8 + length + end != size:
        return f"it has {size} bytes where its header describes {8 + length + end}"
    return None


def _extent(name: str, description: dict[str, Any]) -> tuple[int, int]:
    """Where the bytes of an array begin and end."""
    dtype = dtypes.as_dtype(_NAMES[description["dtype"]])
    shape = tuple([int(each) for each in description["shape"]])
    begin, end = description["data_offsets"]
    if min(shape, default=0) < 0 or end - begin != math.prod(shape) * dtype.size:
        raise OpValueError(f"{name} has {end - begin} bytes, which are no {dtype.name} of shape {shape}")
    return begin, end


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise OpValueError("a name occurs twice")
    return found
