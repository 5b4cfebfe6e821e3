"""Whole files as tensors, and the names of files."""

from __future__ import annotations

import glob
import os
import zlib
from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.compile.at_each_call import computed
from whygrad.io.file_errors import file_errors, path_of, paths_of
from whygrad.io.records import WINDOW_BITS, compression_kind
from whygrad.values import dtypes
from whygrad.values.conversion import convert
from whygrad.values.errors import DataLossError, OpTypeError, invalid
from whygrad.values.spec import TensorSpec
from whygrad.values.tensor import Tensor, value_of, wrap

_STRING = TensorSpec((), dtypes.string)


def string_tensor(value: bytes) -> Tensor:
    """Bytes as a scalar tensor."""
    array = np.empty((), object)
    array[()] = value
    return wrap(array)


@export("io.read_file")
def read_file(filename: Any, name: str | None = None) -> Tensor:
    """The bytes of a file, as a scalar string.

    >>> import os, tempfile, whygrad as tf
    >>> path = os.path.join(tempfile.mkdtemp(), "hello")
    >>> tf.io.write_file(path, "hello")
    >>> tf.io.read_file(path).numpy()
    b'hello'
    """

    def read(name: Tensor) -> Tensor:
        path = path_of(name)
        with file_errors(path):
            return string_tensor(_contents(path))

    given = os.fspath(filename) if hasattr(filename, "__fspath__") else filename
    return computed("tf.io.read_file", read, [given], dtypes.string, _STRING)


def _contents(path: str) -> bytes:
    """The bytes of a file, in as few calls of the system as can be: at each one, Python's lock goes to a thread that waits for it."""
    file = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    try:
        size = os.fstat(file).st_size
        parts = [os.read(file, size + 1)]
        if not size or len(parts[0]) != size:  # not a regular file, a very large one, or one that changes
            while parts[-1]:
                parts.append(os.read(file, 1 << 24))
        return b"".join(parts)
    finally:
        os.close(file)


@export("io.write_file")
def write_file(filename: Any, contents: Any, name: str | None = None) -> None:
    """Write a scalar string to a file, and make the folders on the way to it.

    >>> import os, tempfile, whygrad as tf
    >>> path = os.path.join(tempfile.mkdtemp(), "new", "numbers")
    >>> tf.io.write_file(path, b"123")
    >>> os.path.getsize(path)
    3
    """
    path = path_of(filename)
    data = value_of(convert(contents, dtypes.string))
    if data.shape:
        raise OpTypeError(f"contents is a scalar string, not of shape {data.shape}")
    with file_errors(path):
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        with open(path, "wb") as file:
            file.write(data.item())


@export("io.matching_files")
def matching_files(pattern: Any, name: str | None = None) -> Tensor:
    """The names of files that match one of the patterns, sorted.

    >>> import os, tempfile, whygrad as tf
    >>> folder = tempfile.mkdtemp()
    >>> tf.io.write_file(os.path.join(folder, "a.txt"), "")
    >>> tf.io.matching_files(os.path.join(folder, "*.txt")).shape
    TensorShape([1])
    """

    def match(patterns: Tensor) -> Tensor:
        found = sorted(path for each in paths_of(patterns) for path in glob.glob(each))
        array = np.empty(len(found), object)
        array[:] = [each.encode() for each in found]
        return wrap(array)

    return computed("tf.io.matching_files", match, [pattern], dtypes.string, TensorSpec((None,), dtypes.string))


@export("io.decode_raw")
def decode_raw(
    input_bytes: Any,
    out_type: Any,
    little_endian: bool = True,
    fixed_length: Any = None,
    name: str | None = None,
) -> Tensor:
    """The bytes of strings as numbers, along a new last axis.

    >>> import whygrad as tf
    >>> tf.io.decode_raw(tf.constant([b"\\x01\\x02", b"\\x03\\x04"]), tf.uint8).numpy()
    array([[1, 2],
           [3, 4]], dtype=uint8)
    """
    dtype = dtypes.as_dtype(out_type)

    def decode(strings: Tensor) -> Tensor:
        array = value_of(strings)
        parts = array.reshape(-1).tolist()
        if fixed_length is not None:
            length = int(fixed_length)
            if length <= 0 or length % dtype.size:
                raise invalid(
                    f"fixed_length ({length}) must be positive and a multiple of the size of {dtype.name} ({dtype.size})"
                )
            parts = [each[:length].ljust(length, b"\0") for each in parts]
        size = len(parts[0]) if parts else 0
        for i, each in enumerate(parts):
            if len(each) != size:
                raise invalid(
                    f"DecodeRaw requires input strings to all be the same size, but element {i} has size {size} != {len(each)} "
                    "[Op:DecodeRaw]"
                )
        if size % dtype.size:
            raise invalid(
                f"Input to DecodeRaw has length {size} that is not a multiple of {dtype.size}, the size of {dtype.name} [Op:DecodeRaw]"
            )
        order = dtype.numpy_dtype if little_endian or dtype.size == 1 else dtype.numpy_dtype.newbyteorder(">")
        found = np.frombuffer(b"".join(parts), order)
        return wrap(found.astype(dtype.numpy_dtype, copy=False).reshape(*array.shape, size // dtype.size))

    strings = convert(input_bytes, dtypes.string)
    length = None if fixed_length is None else int(fixed_length) // dtype.size
    return computed("tf.io.decode_raw", decode, [strings], dtypes.string, TensorSpec([*strings.shape, length], dtype))


@export("io.decode_compressed")
def decode_compressed(bytes: Any, compression_type: str = "", name: str | None = None) -> Tensor:
    """Decompress each string: "ZLIB", "GZIP" or "", which changes nothing.

    >>> import zlib, whygrad as tf
    >>> tf.io.decode_compressed(zlib.compress(b"ant"), "ZLIB").numpy()
    b'ant'
    """
    kind = compression_kind(compression_type)

    def decompress(strings: Tensor) -> Tensor:
        array = value_of(strings)
        made = np.empty(array.shape, object)
        for at, each in np.ndenumerate(array):
            try:
                made[at] = zlib.decompress(each, WINDOW_BITS[kind]) if kind else each
            except zlib.error as error:
                raise DataLossError(None, None, f"not valid {kind} data: {error}") from None
        return wrap(made)

    strings = convert(bytes, dtypes.string)
    return computed(
        "tf.io.decode_compressed", decompress, [strings], dtypes.string, TensorSpec(strings.shape, dtypes.string)
    )
