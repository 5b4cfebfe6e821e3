"""Files of named arrays in the safetensors format: a JSON header and bytes. Nothing in them is ever executed.

The `safetensors` library writes the format; it is imported with the first file that is written. Done by hand are:
- replacing a file atomically: the library does not wait until the bytes are on the disk, and a killed process leaves its
  temporary files behind;
- checksums, of every array and of the header, in the metadata: the format has none;
- complex128, for which the format has no code;
- reading: the library opens a path each time, so that header and arrays may come from two files when the path is replaced
  meanwhile; and it names neither the array nor the sizes of a malformed file, and accepts a repeated name.
"""

from __future__ import annotations

import contextlib
import errno
import io
import json
import math
import os
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, NoReturn, TypeVar

import numpy as np

from whygrad.modules import workspace
from whygrad.values import dtypes
from whygrad.values.errors import (
    DataLossError,
    FailedPreconditionError,
    NotFoundError,
    OpError,
    OpValueError,
    PermissionDeniedError,
    ResourceExhaustedError,
    UnimplementedError,
)

Array = np.ndarray[Any, Any]
T = TypeVar("T")

_NAMES = {
    "F64": "float64", "F32": "float32", "F16": "float16", "BF16": "bfloat16", "C64": "complex64", "I64": "int64",
    "I32": "int32", "I16": "int16", "I8": "int8", "U64": "uint64", "U32": "uint32", "U16": "uint16", "U8": "uint8",
    "BOOL": "bool",
}  # fmt: skip
_LARGEST_HEADER = 100_000_000  # the format's own limit
_MOST_AXES = 64  # NumPy's limit
_PAIRS = "complex128"  # stored as pairs of float64; the metadata lists the names of such arrays under this key
_CHECKSUMS = "checksums"  # the key of the metadata's CRC-32s, as JSON: {"header": "1f2e3d4c", "arrays": {name: ...}}


# -- writing --


def write(path: str, arrays: Mapping[str, Array], metadata: Mapping[str, str]) -> None:
    """Write the arrays to `path`, completely or not at all."""
    from safetensors import SafetensorError
    from safetensors.numpy import save_file

    stored, pairs = {}, []
    for name, array in arrays.items():
        dtype = dtypes.of_array(array).name
        if dtype != _PAIRS and dtype not in _CODES:
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
    about = {**metadata, **({_PAIRS: json.dumps(pairs)} if pairs else {})}
    layout = {name: (_CODES[dtypes.of_array(array).name], array.shape) for name, array in stored.items()}
    sums = {
        "header": _header_checksum(about, layout),
        "arrays": {name: _checksum(each) for name, each in stored.items()},
    }
    about[_CHECKSUMS] = json.dumps(sums, separators=(",", ":"))
    with replacing(path) as temporary:
        try:
            save_file(stored, temporary, about)
        except SafetensorError as error:
            number = re.search(r"\(os error (\d+)\)", str(error))  # the library says it in the text alone
            raise OSError(int(number[1]) if number else None, str(error)) from None


_CODES = {name: code for code, name in _NAMES.items()}


def _checksum(array: Array) -> str:
    return f"{zlib.crc32(array.reshape(-1).view(np.uint8).data):08x}"


def _header_checksum(metadata: Mapping[str, str], layout: Mapping[str, tuple[str, tuple[int, ...]]]) -> str:
    """The checksum of what the header says, in any order. Offsets are left out: they follow from the sizes or are refused."""
    said = json.dumps([metadata, layout], sort_keys=True, separators=(",", ":"))
    return f"{zlib.crc32(said.encode()):08x}"


@contextlib.contextmanager
def replacing(path: str) -> Iterator[str]:
    """The path of a file to write: it replaces `path` once its bytes are on the disk, or is removed on an error.

    An error of the file system is raised as TensorFlow's class, with the file's name; nothing has changed then.
    """
    directory = os.path.dirname(path) or "."
    try:
        os.makedirs(directory, exist_ok=True)
        workspace.remove_abandoned(directory)
        with workspace.workspace(directory) as (folder, mode):
            temporary = os.path.join(folder, "new")
            yield temporary
            os.chmod(temporary, mode)  # the library's files can be read by their owner alone
            with open(temporary, "rb+") as written:
                os.fsync(written.fileno())
            os.replace(temporary, path)
        if hasattr(os, "O_DIRECTORY"):  # the new name, too, must survive a loss of power
            listing = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
            try:
                os.fsync(listing)
            finally:
                os.close(listing)
    except OSError as error:
        raise _as_op_error(error, f"cannot write {path}", "The file that was there before is unchanged.") from None


_CLASSES: dict[int, type[OpError]] = {
    **dict.fromkeys([errno.ENOSPC, errno.EDQUOT, errno.EFBIG], ResourceExhaustedError),
    **dict.fromkeys([errno.EACCES, errno.EPERM, errno.EROFS], PermissionDeniedError),
    **dict.fromkeys([errno.EISDIR, errno.ENOTDIR, errno.ENOTEMPTY], FailedPreconditionError),
    errno.ENOENT: NotFoundError,
}


def _as_op_error(error: OSError, what: str, after: str = "") -> Exception:
    """TensorFlow's error for an error of the file system; the error itself where TensorFlow has none."""
    if error.errno not in _CLASSES:
        return error
    return _CLASSES[error.errno](None, None, f"{what}: {os.strerror(error.errno)}. {after}".rstrip())


# -- reading --


class Entry(NamedTuple):
    """The dtype and the shape of one array of a file."""

    dtype: dtypes.DType
    shape: tuple[int, ...]


class _Extent(NamedTuple):
    """Where the bytes of an array begin and end in a file, and their code and shape."""

    begin: int
    end: int
    code: str
    shape: tuple[int, ...]


class Reader:
    """A file whose header was checked; arrays are read on demand.

    Until `close`, header and arrays come from one open file, whatever happens to its path. A closed reader opens the path again to
    read, and refuses another file: a checkpoint may wait long for its variables, and should not keep a file open meanwhile.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self._file: io.BufferedReader | None = self._open()
        try:
            self._identity = _identity(self._file)
            self.metadata, self._extents = self.checked(lambda: _header(self._known()))
            self._pairs = self.checked(lambda: _pairs(self.metadata, self._extents))
            self._checksums = self.checked(lambda: _checksums(self.metadata, self._extents))
        except BaseException:
            self.close()
            raise
        self.entries = {name: self._entry(name) for name in self._extents}

    def _open(self) -> io.BufferedReader:
        try:
            return open(self.path, "rb")
        except OSError as error:
            raise _as_op_error(error, f"cannot read {self.path}") from None

    def _known(self) -> io.BufferedReader:
        assert self._file is not None
        return self._file

    def close(self) -> None:
        """Close the file; it is opened again, and compared, if another array is read."""
        file, self._file = self._file, None
        if file is not None:
            file.close()

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_file", None) is not None:
            self.close()

    def checked(self, work: Callable[[], T]) -> T:
        """The result of `work`, which interprets the file; its errors become a DataLossError with the file's name."""
        try:
            return work()
        except RecursionError:
            flaw = "its header cannot be read (it is nested too deeply)"
        except _Flaw as error:
            flaw = str(error)
        except (ValueError, TypeError, KeyError, AttributeError, IndexError, OverflowError) as error:
            flaw = f"its header cannot be read ({error})"
        raise self._malformed(flaw)

    def _malformed(self, flaw: str) -> DataLossError:
        return DataLossError(None, None, f"{self.path} is not a whole safetensors file: {flaw}.")

    def _entry(self, name: str) -> Entry:
        extent = self._extents[name]
        if name in self._pairs:
            return Entry(dtypes.complex128, extent.shape[:-1])
        return Entry(dtypes.as_dtype(_NAMES[extent.code]), extent.shape)

    def read(self, name: str) -> Array:
        """The array of this name."""
        return self.read_all([name])[0]

    def read_all(self, names: Iterable[str]) -> list[Array]:
        """The arrays of these names."""
        if self._file is not None:
            return self._read_all(self._file, names)
        with self._open() as file:
            return self._read_all(file, names)

    def _read_all(self, file: io.BufferedReader, names: Iterable[str]) -> list[Array]:
        names = list(names)
        self._compare(file, names)
        arrays = [self._read(file, name) for name in names]
        self._compare(file, names)  # a file that another tool changes in place
        return arrays

    def _compare(self, file: io.BufferedReader, names: list[str]) -> None:
        now = _identity(file)
        if now == self._identity:
            return
        if now.number == self._identity.number and now.size != self._identity.size:
            raise self._malformed(f"it has {now.size} bytes where its header describes {self._identity.size}")
        shown = ", ".join(names[:5]) + (", ..." if len(names) > 5 else "")
        raise self._malformed(f"{shown} has changed since the file was opened")

    def _read(self, file: io.BufferedReader, name: str) -> Array:
        extent, entry = self._extents[name], self.entries[name]
        raw = np.empty(extent.end - extent.begin, np.uint8)
        file.seek(extent.begin)
        try:
            count = file.readinto(raw.data)
        except OSError as error:
            raise self._malformed(f"{name} cannot be read ({error.strerror})") from None
        if count != raw.size:
            raise self._malformed(f"{name} ends after {count} of {raw.size} bytes")
        expected = self._checksums.get(name)
        if expected is not None and _checksum(raw) != expected:
            raise self._malformed(
                f"the bytes of {name} are not those that were saved (checksum {_checksum(raw)} instead of {expected})"
            )
        if entry.dtype.name == "bool" and raw.size and raw.max() > 1:
            raise self._malformed(f"{name} is of type bool and has bytes other than 0 and 1")
        array: Array = raw.view(entry.dtype.as_numpy_dtype)
        return array.reshape(entry.shape)


class _Identity(NamedTuple):
    number: tuple[int, int]
    size: int
    changed: int


def _identity(file: io.BufferedReader) -> _Identity:
    """What is different for another file, or for the same one after it was written to."""
    found = os.fstat(file.fileno())
    return _Identity((found.st_dev, found.st_ino), found.st_size, found.st_mtime_ns)


class _Flaw(Exception):
    """What is wrong with a file."""


def _header(file: io.BufferedReader) -> tuple[dict[str, str], dict[str, _Extent]]:
    """The metadata of a file and its arrays; an error unless the header describes every byte."""
    size = os.fstat(file.fileno()).st_size
    length = int.from_bytes(file.read(8), "little")
    if size < 8 or length > min(size - 8, _LARGEST_HEADER):
        raise _Flaw("it ends before its header does")
    header = parsed(file.read(length).decode("utf-8"))
    if not isinstance(header, dict):
        raise OpValueError("it is not an object")
    metadata = header.pop("__metadata__", {})
    if not isinstance(metadata, dict) or not all(isinstance(each, str) for each in metadata.values()):
        raise OpValueError("__metadata__ is not an object of strings")
    arrays = {name: _extent(name, description, 8 + length) for name, description in header.items()}
    end = 8 + length
    for each in sorted(arrays.values()):
        if each.begin != end:
            raise _Flaw("its arrays overlap or leave gaps")
        end = each.end
    if end != size:
        raise _Flaw(f"it has {size} bytes where its header describes {end}")
    return metadata, arrays


def _extent(name: str, description: Any, start: int) -> _Extent:
    if not isinstance(description, dict):
        raise OpValueError(f"{name} is described by {description!r:.40}, not by an object")
    missing = [key for key in ("dtype", "shape", "data_offsets") if key not in description]
    if missing:
        raise OpValueError(f"{name} has no {' and no '.join(missing)}")
    code, shape, offsets = description["dtype"], description["shape"], description["data_offsets"]
    if not isinstance(code, str) or code not in _NAMES:
        raise OpValueError(f"{name} has the dtype {code!r:.40}, which whygrad does not read")
    if not _are_sizes(shape):
        raise OpValueError(f"{name} has the shape {shape!r:.40}, which is not a list of sizes")
    if len(shape) > _MOST_AXES:
        raise OpValueError(f"{name} has {len(shape)} axes; an array has at most {_MOST_AXES}")
    if not _are_sizes(offsets) or len(offsets) != 2:
        raise OpValueError(f"{name} has the data_offsets {offsets!r:.40}, which are not two sizes")
    begin, end = offsets
    dtype = dtypes.as_dtype(_NAMES[code])
    if end - begin != math.prod(shape) * dtype.size:
        raise OpValueError(f"{name} has {end - begin} bytes, which are no {dtype.name} of shape {tuple(shape)}")
    # It has no elements, but NumPy multiplies the other sizes.
    if math.prod([each or 1 for each in shape]) * dtype.size >= 2**63:
        raise OpValueError(f"{name} has the shape {tuple(shape)}, which is too large for an array")
    return _Extent(start + begin, start + end, code, tuple(shape))


def _are_sizes(value: Any) -> bool:
    return isinstance(value, list) and all(type(each) is int and each >= 0 for each in value)


def _pairs(metadata: Mapping[str, str], extents: Mapping[str, _Extent]) -> set[str]:
    """The names of the arrays that are pairs of float64."""
    names = parsed(metadata.get(_PAIRS, "[]"))
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise OpValueError(f"the metadata's {_PAIRS} is not a list of names")
    for name in names:
        if name not in extents or extents[name].code != "F64" or extents[name].shape[-1:] != (2,):
            raise OpValueError(
                f"the metadata says that {name} is complex128, but it is not an array of pairs of float64"
            )
    return set(names)


def _checksums(metadata: Mapping[str, str], extents: Mapping[str, _Extent]) -> dict[str, str]:
    """The checksums of the arrays, after checking the header's; none in files of other programs."""
    if _CHECKSUMS not in metadata:
        return {}
    sums = parsed(metadata[_CHECKSUMS])
    if not isinstance(sums, dict) or not isinstance(sums.get("arrays"), dict) or set(sums["arrays"]) != set(extents):
        raise OpValueError(f"the metadata's {_CHECKSUMS} are not those of its arrays")
    others = {key: value for key, value in metadata.items() if key != _CHECKSUMS}
    found = _header_checksum(others, {name: (each.code, each.shape) for name, each in extents.items()})
    if found != sums.get("header"):
        raise _Flaw(
            f"its header is not the one that was saved (checksum {found} instead of {sums.get('header')!r:.20})"
        )
    return dict(sums["arrays"])


def parsed(text: str) -> Any:
    """JSON, in which no name occurs twice and every number is finite."""
    return json.loads(text, object_pairs_hook=_unique, parse_constant=_no_number)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise OpValueError("a name occurs twice")
    return found


def _no_number(text: str) -> NoReturn:
    raise OpValueError(f"{text} is not a number of JSON")
