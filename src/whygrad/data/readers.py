"""Stages that read files: lines of text, TFRecords, records of a fixed length, CSV."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from whygrad.data.options import UNKNOWN_CARDINALITY
from whygrad.data.stage import Cursor, Run, Stage, State
from whygrad.data.storage import RecordsCursor
from whygrad.data.structure import Flat
from whygrad.io.csv_lines import Column, fields_of
from whygrad.io.file_errors import file_errors
from whygrad.io.records import open_to_read
from whygrad.values import dtypes
from whygrad.values.errors import invalid
from whygrad.values.spec import TensorSpec

_STRINGS = TensorSpec((), dtypes.string)


def string_of(value: bytes) -> np.ndarray[Any, Any]:
    """Bytes as a scalar component."""
    made = np.empty((), object)
    made[()] = value
    return made


class Files(Stage):
    """What is read of files, one after the other."""

    def __init__(self, name: str, paths: Sequence[str], spec: Any = _STRINGS) -> None:
        self.name = name  # type: ignore[misc]
        self._paths = list(paths)
        self._spec = spec

    @property
    def spec(self) -> Any:
        """Scalars of strings, unless the format says otherwise."""
        return self._spec

    @property
    def size(self) -> int:
        """Not known before the files are read."""
        return UNKNOWN_CARDINALITY


class TextLines(Files):
    """The lines of text files."""

    def __init__(self, paths: Sequence[str], compression: str) -> None:
        super().__init__("TextLineDatasetV2", paths)
        self._compression = compression

    def cursor(self, run: Run) -> Cursor:
        """An iteration over the files."""
        return LinesCursor(self._paths, self._compression, _line_alone)


def _line_alone(line: bytes, number: int) -> Flat:
    return (string_of(line),)


class LinesCursor(Cursor):
    """A position in the lines of files; `element` makes an element of a line and its number in the file, or None for no element."""

    def __init__(
        self,
        paths: list[str],
        compression: str,
        element: Callable[[bytes, int], Flat | None],
        joins_quoted: bool = False,  # whether a line goes on where its quotes are not closed
    ) -> None:
        self._paths, self._compression, self._element, self._joins_quoted = paths, compression, element, joins_quoted
        self._at = self._offset = self._number = 0
        self._file: Any = None

    def __next__(self) -> Flat:
        while self._at < len(self._paths):
            if self._file is None:
                self._file = open_to_read(self._paths[self._at], self._compression)
                if self._offset and self._compression:
                    self._file.read(self._offset)
                elif self._offset:
                    self._file.seek(self._offset)
            line = self._file.readline()
            while self._joins_quoted and line.count(b'"') % 2 and (more := self._file.readline()):
                line += more
            if line:
                self._offset += len(line)
                self._number += 1
                if line.endswith(b"\n"):
                    line = line[:-2] if line.endswith(b"\r\n") else line[:-1]
                found = self._element(line, self._number - 1)
                if found is None:
                    continue
                return found
            self._file.close()
            self._file = None
            self._at, self._offset, self._number = self._at + 1, 0, 0
        raise StopIteration

    def save(self) -> State:
        return [self._at, self._offset, self._number]

    def restore(self, state: State) -> None:
        self._at, self._offset, self._number = state
        self._file = None


class Records(Files):
    """The records of TFRecord files."""

    def __init__(self, paths: Sequence[str], compression: str) -> None:
        super().__init__("TFRecordDatasetV2", paths)
        self._compression = compression

    def cursor(self, run: Run) -> Cursor:
        """An iteration over the files."""
        return RecordsCursor(self._paths, self._compression, lambda record: (string_of(record),))


class FixedLengthRecords(Files):
    """Records of a fixed number of bytes, between the header and the footer of each file."""

    def __init__(self, paths: Sequence[str], record: int, header: int, footer: int, compression: str) -> None:
        super().__init__("FixedLengthRecordDatasetV2", paths)
        if record < 1:
            raise invalid("`record_bytes` must be > 0")
        if header < 0:
            raise invalid("`header_bytes` must be >= 0")
        if footer < 0:
            raise invalid("`footer_bytes` must be >= 0")
        self._record, self._header, self._footer, self._compression = record, header, footer, compression

    def cursor(self, run: Run) -> Cursor:
        """An iteration over the files."""
        return _FixedLengthCursor(self._paths, self._record, self._header, self._footer, self._compression)


class _FixedLengthCursor(Cursor):
    def __init__(self, paths: list[str], record: int, header: int, footer: int, compression: str) -> None:
        self._paths, self._compression = paths, compression
        self._record, self._header, self._footer = record, header, footer
        self._at = self._taken = 0
        self._file: Any = None
        self._records = 0

    def _open(self) -> None:
        path = self._paths[self._at]
        self._file = open_to_read(path, self._compression)
        if self._compression:
            size = 0
            while part := self._file.read(1 << 20):
                size += len(part)
            self._file = open_to_read(path, self._compression)
        else:
            with file_errors(path):
                size = os.path.getsize(path)
        body = size - self._header - self._footer
        if body < 0 or body % self._record:
            raise invalid(
                f'Excluding the header ({self._header} bytes) and footer ({self._footer} bytes), input file "{path}" has body length '
                f"{body} bytes, which is not an exact multiple of the record length ({self._record} bytes)."
            )
        self._records = body // self._record
        self._file.read(self._header + self._taken * self._record)

    def __next__(self) -> Flat:
        while self._at < len(self._paths):
            if self._file is None:
                self._open()
            if self._taken < self._records:
                self._taken += 1
                return (string_of(self._file.read(self._record)),)
            self._file.close()
            self._file = None
            self._at, self._taken = self._at + 1, 0
        raise StopIteration

    def save(self) -> State:
        return [self._at, self._taken]

    def restore(self, state: State) -> None:
        self._at, self._taken = state
        self._file = None


class CsvRecords(Files):
    """The records of CSV files: a tuple of scalars each."""

    def __init__(
        self,
        paths: Sequence[str],
        columns: list[Column],
        chosen: list[int] | None,
        header: bool,
        delimiter: str,
        quotes: bool,
        na_value: str,
        compression: str,
    ) -> None:
        super().__init__("CsvDatasetV2", paths, tuple([TensorSpec((), each.dtype) for each in columns]))
        self._columns, self._chosen, self._header = columns, chosen, header
        self._delimiter, self._quotes, self._na_value, self._compression = delimiter, quotes, na_value, compression

    def cursor(self, run: Run) -> Cursor:
        """An iteration over the files."""
        return LinesCursor(self._paths, self._compression, self._element, self._quotes)

    def _element(self, line: bytes, number: int) -> Flat | None:
        if (self._header and not number) or not line:
            return None
        fields = fields_of(line.decode(), self._delimiter, self._quotes)
        record = number - self._header
        wanted = range(len(self._columns)) if self._chosen is None else self._chosen
        if self._chosen is None and len(fields) != len(self._columns):
            raise invalid(f"Expect {len(self._columns)} fields but have {len(fields)} in record")
        found = []
        for column, place in zip(self._columns, wanted):
            if place >= len(fields):
                raise invalid(f"Expect {max(wanted) + 1} fields but have {len(fields)} in record")
            value = column.value(fields[place], place, record, self._na_value)
            found.append(
                string_of(value) if column.dtype is dtypes.string else np.array(value, column.dtype.numpy_dtype)
            )
        return tuple(found)
