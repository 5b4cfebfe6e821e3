"""TFRecord files: records of bytes, each with its length and masked CRC-32C checksums of both."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Iterator
from typing import Any, BinaryIO

from whygrad._public import export
from whygrad.io.crc32c import masked_crc32c
from whygrad.io.file_errors import file_errors, path_of
from whygrad.io.open_files import OpenFile
from whygrad.values.errors import DataLossError, FailedPreconditionError, OpTypeError, OpValueError
from whygrad.values.tensor import Tensor, value_of

_HEADER = struct.Struct("<QI")
_FOOTER = struct.Struct("<I")
_GROUP = 1 << 16  # bytes of whole records that are written together
_KINDS = ("", "ZLIB", "GZIP")
WINDOW_BITS = {"ZLIB": 15, "GZIP": 31}


@export("io.TFRecordOptions")
class TFRecordOptions:
    """How a TFRecord file is compressed: "", "ZLIB" or "GZIP".

    >>> import whygrad as tf
    >>> tf.io.TFRecordOptions("GZIP").compression_type
    'GZIP'
    """

    def __init__(
        self,
        compression_type: str | None = None,
        flush_mode: int | None = None,
        input_buffer_size: int | None = None,
        output_buffer_size: int | None = None,
        window_bits: int | None = None,
        compression_level: int | None = None,
        compression_method: int | None = None,
        mem_level: int | None = None,
        compression_strategy: int | None = None,
    ) -> None:
        self.compression_type = compression_kind(compression_type)
        self.flush_mode = flush_mode
        self.input_buffer_size = input_buffer_size
        self.output_buffer_size = output_buffer_size
        self.window_bits = window_bits
        self.compression_level = compression_level
        self.compression_method = compression_method
        self.mem_level = mem_level
        self.compression_strategy = compression_strategy


def compression_kind(given: Any) -> str:
    """The name of a compression, checked: "", "ZLIB" or "GZIP"."""
    if isinstance(given, TFRecordOptions):
        return given.compression_type
    if isinstance(given, Tensor):
        given = value_of(given).item().decode()
    if given is None:
        return ""
    if given not in _KINDS:
        raise OpValueError(f'compression_type must be one of "", "ZLIB" and "GZIP", not {given!r}')
    return str(given)


@export("io.TFRecordWriter")
class TFRecordWriter(OpenFile):
    """Write records to a TFRecord file. Whole records reach the file: a program that is killed leaves no part of one.

    >>> import os, tempfile
    >>> import whygrad as tf
    >>> path = os.path.join(tempfile.mkdtemp(), "numbers.tfrecord")
    >>> with tf.io.TFRecordWriter(path) as file:
    ...     for i in range(3):
    ...         file.write(str(i).encode())
    >>> [record.numpy() for record in tf.data.TFRecordDataset(path)]
    [b'0', b'1', b'2']
    """

    def __init__(self, path: Any, options: Any = None) -> None:
        self._path = path_of(path)
        kind = compression_kind(options)
        level = options.compression_level if isinstance(options, TFRecordOptions) else None
        with file_errors(self._path):
            # Unbuffered: what is handed over is whole.
            self._file: BinaryIO | None = open(self._path, "wb", buffering=0)  # noqa: SIM115
        self._compressor = (
            zlib.compressobj(-1 if level is None else level, zlib.DEFLATED, WINDOW_BITS[kind]) if kind else None
        )
        self._group = bytearray()

    def write(self, record: Any) -> None:
        """Add a record of bytes."""
        if self._file is None:
            raise FailedPreconditionError(None, None, f"Writer not initialized or previously closed: {self._path}")
        if isinstance(record, Tensor):
            record = value_of(record).item()
        if not isinstance(record, bytes | bytearray | memoryview):
            raise OpTypeError(f"write takes bytes, not {type(record).__name__}: serialize the record first")
        self._group += framed(record)
        if len(self._group) >= _GROUP:
            self._write()

    def _write(self) -> None:
        assert self._file is not None
        data = memoryview(self._compressor.compress(self._group) if self._compressor else self._group)
        with file_errors(self._path):
            while data:
                data = data[self._file.write(data) :]
        self._group = bytearray()

    def flush(self) -> None:
        """Write what waits."""
        if self._file is not None:
            self._write()

    def close(self) -> None:
        """Write what waits, and close the file."""
        if self._file is None:
            return
        self._write()
        with file_errors(self._path):
            if self._compressor is not None:
                self._file.write(self._compressor.flush())
            self._file.close()
        self._file = None


def framed(record: bytes | bytearray | memoryview) -> bytes:
    """A record as a file holds it."""
    length = struct.pack("<Q", len(record))
    return b"".join([length, _FOOTER.pack(masked_crc32c(length)), record, _FOOTER.pack(masked_crc32c(record))])


class _Inflated(io.RawIOBase):
    """The bytes of a compressed file."""

    def __init__(self, file: Any, kind: str, path: str) -> None:
        self._file, self._kind, self._path = file, kind, path
        self._stream = zlib.decompressobj(WINDOW_BITS[kind])
        self._ready = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._ready:
            data = self._stream.unused_data if self._stream.eof else self._file.read(1 << 16)
            if self._stream.eof and data:
                self._stream = zlib.decompressobj(WINDOW_BITS[self._kind])
            elif not data:
                if not self._stream.eof and self._file.tell():
                    raise DataLossError(None, None, f"{self._path}: the {self._kind} data is truncated")
                return 0
            try:
                self._ready = self._stream.decompress(data)
            except zlib.error as error:
                raise DataLossError(None, None, f"{self._path}: not valid {self._kind} data ({error})") from None
        count = min(len(buffer), len(self._ready))
        buffer[:count] = self._ready[:count]
        self._ready = self._ready[count:]
        return count

    def close(self) -> None:
        self._file.close()
        super().close()


class _Raw(io.FileIO):
    """A file that is closed with its last reference: an iteration may be given up anywhere."""

    def __del__(self) -> None:
        self.close()


class Opened(io.BufferedReader):
    """A file to read, closed with its last reference."""

    def __del__(self) -> None:
        self.close()


def open_to_read(path: str, compression: str, buffer: int = 1 << 18) -> Opened:
    """A file to read, decompressed."""
    with file_errors(path):
        file = Opened(_Raw(path), buffer)
    return Opened(_Inflated(file, compression, path), buffer) if compression else file


def read_record(file: Any, path: str, at: int) -> bytes | None:
    """The record at position `at`, where the file stands; None at the end."""
    header = file.read(_HEADER.size)
    if not header:
        return None
    if len(header) < _HEADER.size:
        raise _truncated(path, at, "the header of a record")
    length, checksum = _HEADER.unpack(header)
    if masked_crc32c(header[:8]) != checksum:
        raise DataLossError(
            None,
            None,
            f"corrupted record at {at}: the checksum of its length is wrong, in {path}. Is it a TFRecord file?",
        )
    data = _read(file, length + _FOOTER.size, path, at)
    record = data[:length]
    if masked_crc32c(record) != _FOOTER.unpack_from(data, length)[0]:
        raise DataLossError(
            None,
            None,
            f"corrupted record at {at + _HEADER.size}: the checksum of its {length} bytes is wrong, in {path}",
        )
    return record


def _read(file: Any, count: int, path: str, at: int) -> bytes:
    """So many bytes, in pieces: a wrong length does not allocate memory for itself."""
    parts = []
    while count:
        part = file.read(min(count, 1 << 24))
        if not part:
            raise _truncated(path, at, f"{count} bytes of a record")
        parts.append(part)
        count -= len(part)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def _truncated(path: str, at: int, what: str) -> DataLossError:
    return DataLossError(None, None, f"truncated record at {at}: {what} is missing at the end of {path}")


def size_on_disk(record: bytes) -> int:
    """The number of bytes that a record takes in a file."""
    return len(record) + _HEADER.size + _FOOTER.size


def records_in(path: str, compression: str = "", at: int = 0) -> Iterator[bytes]:
    """The records of a file, from a position on."""
    with open_to_read(path, compression) as file:
        if at:
            file.read(at) if compression else file.seek(at)
        while (record := read_record(file, path, at)) is not None:
            yield record
            at += size_on_disk(record)
