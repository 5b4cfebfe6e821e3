"""Where a table's keys and values come from: tensors, or the lines of a file."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.ops.arguments import integer
from whygrad.strings.arguments import Array, as_text, strings_array
from whygrad.strings.elementwise import to_number
from whygrad.values import dtypes
from whygrad.values.conversion import convert
from whygrad.values.dtypes import DType
from whygrad.values.errors import NotFoundError, OpValueError, invalid, shape_text
from whygrad.values.tensor import Tensor, value_of, wrap


class KeyedDtypes:
    """The dtypes of keys and values, of a table or of what it is filled with."""

    def __init__(self, key_dtype: Any, value_dtype: Any) -> None:
        self._key_dtype = dtypes.as_dtype(key_dtype)
        self._value_dtype = dtypes.as_dtype(value_dtype)

    @property
    def key_dtype(self) -> DType:
        """The dtype of the keys."""
        return self._key_dtype

    @property
    def value_dtype(self) -> DType:
        """The dtype of the values."""
        return self._value_dtype


class TableInitializer(KeyedDtypes):
    """The keys and values that a table is filled with."""

    def initialize(self, table: Any) -> None:
        """Fill a table. A subclass may do nothing here, to leave the table empty."""
        table.fill(*self.pairs())

    def pairs(self) -> tuple[Array, Array]:
        """The keys and the values, as vectors."""
        raise NotImplementedError


@export("lookup.KeyValueTensorInitializer")
class KeyValueTensorInitializer(TableInitializer):
    """Keys and values given as tensors, or what becomes tensors.

    >>> import whygrad as tf
    >>> pairs = tf.lookup.KeyValueTensorInitializer(["a", "b"], [7, 8])
    >>> tf.lookup.StaticHashTable(pairs, default_value=-1).lookup(tf.constant(["b", "c"])).numpy()
    array([ 8, -1], dtype=int32)
    """

    def __init__(
        self, keys: Any, values: Any, key_dtype: Any = None, value_dtype: Any = None, name: str | None = None
    ) -> None:
        self._keys = convert(keys, None if key_dtype is None else dtypes.as_dtype(key_dtype))
        self._values = convert(values, None if value_dtype is None else dtypes.as_dtype(value_dtype))
        super().__init__(self._keys.dtype, self._values.dtype)

    def pairs(self) -> tuple[Array, Array]:
        """The keys and the values, as vectors."""
        keys, values = value_of(self._keys), value_of(self._values)
        if keys.shape != values.shape:
            raise invalid(
                f"Expected shape {shape_text(keys.shape)} for value, got {shape_text(values.shape)}: there is one value for each "
                "key [Op:LookupTableImportV2]"
            )
        return keys.reshape(-1), values.reshape(-1)


@export("lookup.TextFileIndex")
class TextFileIndex:
    """What of a line is taken, other than a column: all of it, or its number.

    >>> import whygrad as tf
    >>> tf.lookup.TextFileIndex.WHOLE_LINE, tf.lookup.TextFileIndex.LINE_NUMBER
    (-2, -1)
    """

    WHOLE_LINE = -2
    LINE_NUMBER = -1


@export("lookup.TextFileInitializer")
class TextFileInitializer(TableInitializer):
    """Keys and values from the lines of a file: columns between delimiters, whole lines, or the numbers of the lines.

    >>> import os, tempfile, whygrad as tf
    >>> path = os.path.join(tempfile.mkdtemp(), "words.txt")
    >>> with open(path, "w") as file:
    ...     _ = file.write("emerson 10\\nlake 20\\n")
    >>> pairs = tf.lookup.TextFileInitializer(path, tf.string, 0, tf.int64, 1, delimiter=" ")
    >>> tf.lookup.StaticHashTable(pairs, -1).lookup(tf.constant(["lake", "palmer"])).numpy()
    array([20, -1])
    """

    def __init__(
        self,
        filename: Any,
        key_dtype: Any,
        key_index: int,
        value_dtype: Any,
        value_index: int,
        vocab_size: int | None = None,
        delimiter: str = "\t",
        name: str | None = None,
        value_index_offset: int = 0,
    ) -> None:
        super().__init__(key_dtype, value_dtype)
        if isinstance(filename, Tensor) and convert(filename, dtypes.string).ndim:
            raise invalid(f"`filename` should be a single string, but is a tensor of shape {filename.shape}")
        self._filename = os.fspath(filename) if isinstance(filename, os.PathLike) else as_text(filename, "filename")
        if not self._filename:
            raise OpValueError("`filename` argument required for tf.lookup.TextFileInitializer")
        for argument, index, dtype in (
            ("key", key_index, self._key_dtype),
            ("value", value_index, self._value_dtype),
        ):
            if index < -2:
                raise OpValueError(f"`{argument}_index` should be >= -2, received: {index}.")
            if index == TextFileIndex.LINE_NUMBER and dtype is not dtypes.int64:
                raise OpValueError(f"`{argument}_dtype` must be int64 if `{argument}_index` is -1, received: {dtype}")
            if index == TextFileIndex.WHOLE_LINE and dtype not in (dtypes.string, dtypes.int32, dtypes.int64):
                raise OpValueError(
                    f"`{argument}_dtype` should be either integer or string if `{argument}_index` is -2, received: {dtype}"
                )
        if vocab_size is not None and vocab_size <= 0:
            raise OpValueError(f"`vocab_size` should be > 0, received: {vocab_size}")
        self._key_index = integer(key_index, "key_index")
        self._value_index = integer(value_index, "value_index")
        self._vocab_size = vocab_size
        self._delimiter = as_text(delimiter, "delimiter").encode()
        self._offset = integer(value_index_offset, "value_index_offset")

    def pairs(self) -> tuple[Array, Array]:
        """The keys and the values, as vectors."""
        try:
            with open(self._filename, "rb") as file:
                lines = file.read().splitlines()
        except FileNotFoundError as error:
            raise NotFoundError(None, None, f"{self._filename}; {error.strerror}") from None
        if self._vocab_size is not None:
            if len(lines) < self._vocab_size:
                raise invalid(
                    f"Invalid vocab_size in {self._filename}: expected {self._vocab_size} but got {len(lines)}"
                )
            lines = lines[: self._vocab_size]
        columns = [
            self._column(lines, self._key_index, self._key_dtype, 0),
            self._column(lines, self._value_index, self._value_dtype, self._offset),
        ]
        return columns[0], columns[1]

    def _column(self, lines: list[bytes], index: int, dtype: DType, offset: int) -> Array:
        if index == TextFileIndex.LINE_NUMBER:
            return np.arange(len(lines), dtype=np.int64) + offset
        taken = (
            lines if index == TextFileIndex.WHOLE_LINE else [self._part(i, line, index) for i, line in enumerate(lines)]
        )
        strings = strings_array(taken)
        return strings if dtype is dtypes.string else value_of(to_number(wrap(strings), dtype))

    def _part(self, number: int, line: bytes, index: int) -> bytes:
        parts = line.split(self._delimiter)
        if index >= len(parts):
            wanted = max(self._key_index, self._value_index) + 1
            raise invalid(
                f"Invalid number of columns in {self._filename} line {number} ({line.decode(errors='replace')}) : expected at "
                f"least {wanted} got {len(parts)}"
            )
        return parts[index]
