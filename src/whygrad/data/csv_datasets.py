"""`make_csv_dataset`: batches of the columns of CSV files, with the dtypes that the first rows show."""

from __future__ import annotations

import collections
import csv
import glob
import gzip
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.data.dataset import Dataset
from whygrad.data.file_datasets import CsvDataset
from whygrad.data.options import AUTOTUNE
from whygrad.io.file_errors import file_errors, paths_of
from whygrad.ops.arguments import integer
from whygrad.values import dtypes
from whygrad.values.dtypes import DType
from whygrad.values.errors import OpValueError

# From the narrowest to the widest.
_KINDS = (dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64, dtypes.string)


@export("data.experimental.make_csv_dataset")
def make_csv_dataset(
    file_pattern: Any,
    batch_size: Any,
    column_names: Sequence[str] | None = None,
    column_defaults: Sequence[Any] | None = None,
    label_name: str | None = None,
    select_columns: Sequence[Any] | None = None,
    field_delim: str = ",",
    use_quote_delim: bool = True,
    na_value: str = "",
    header: bool = True,
    num_epochs: int | None = None,
    shuffle: bool = True,
    shuffle_buffer_size: int = 10000,
    shuffle_seed: Any = None,
    prefetch_buffer_size: Any = None,
    num_parallel_reads: Any = None,
    sloppy: bool = False,
    num_rows_for_inference: int | None = 100,
    compression_type: Any = None,
    ignore_errors: bool = False,
    encoding: str = "utf-8",
) -> Dataset:
    """A dataset of batches of CSV files: a dict of columns, or a pair of it and the column `label_name`.

    >>> import os, tempfile
    >>> import whygrad as tf
    >>> path = os.path.join(tempfile.mkdtemp(), "animals.csv")
    >>> tf.io.write_file(path, "legs,flies\\n6,1\\n4,0\\n")
    >>> dataset = tf.data.experimental.make_csv_dataset(path, 2, label_name="flies", num_epochs=1, shuffle=False)
    >>> for features, label in dataset:
    ...     print(features["legs"].numpy(), label.numpy())
    [6 4] [1 0]
    """
    files = _files(file_pattern)
    names = Dataset.from_tensor_slices(files)
    if shuffle:
        names = names.shuffle(len(files), shuffle_seed)
    rows = _Rows(files, field_delim, use_quote_delim, _opened(compression_type, encoding))
    if column_names is None:
        if not header:
            raise OpValueError("Expected `column_names` or `header` arguments. Neither is provided.")
        column_names = rows.names()
    columns = list(column_names)
    if len(columns) != len(set(columns)):
        doubles = {each for each in columns if columns.count(each) > 1}
        raise OpValueError(
            f"Either `column_names` argument or CSV header row contains duplicate column names: {doubles}."
        )
    chosen = None if select_columns is None else _indices(select_columns, columns)
    if column_defaults is None:
        column_defaults = rows.defaults(len(columns), na_value, header, num_rows_for_inference, chosen)
    if chosen is not None:
        if len(column_defaults) != len(chosen):
            raise OpValueError(
                "If specified, `column_defaults` and `select_columns` must have the same length: `column_defaults` has length "
                f"{len(column_defaults)}, `select_columns` has length {len(chosen)}."
            )
        columns = [columns[i] for i in chosen]
    if label_name is not None and label_name not in columns:
        raise OpValueError(f"`label_name` provided must be one of the columns: {columns}. Received: {label_name}.")

    def of_file(name: Any) -> Dataset:
        made = CsvDataset(
            name, column_defaults, compression_type, None, header, field_delim, use_quote_delim, na_value, chosen
        )
        return made.ignore_errors() if ignore_errors else made

    def features(*values: Any) -> Any:
        found = collections.OrderedDict(zip(columns, values))
        return found if label_name is None else (found, found.pop(label_name))

    reads = 1 if num_parallel_reads is None else integer(num_parallel_reads, "num_parallel_reads")
    dataset = names.interleave(of_file, cycle_length=reads, num_parallel_calls=None if reads == 1 else reads)
    if shuffle:
        dataset = dataset.shuffle(shuffle_buffer_size, shuffle_seed)
    if num_epochs != 1:
        dataset = dataset.repeat(num_epochs)
    dataset = dataset.batch(batch_size, drop_remainder=num_epochs is None).map(features)
    return dataset.prefetch(AUTOTUNE if prefetch_buffer_size is None else prefetch_buffer_size)


def _files(patterns: Any) -> list[str]:
    found = sorted(path for pattern in paths_of(patterns) for path in glob.glob(pattern))
    if not found:
        raise OpValueError(f"No files match `file_pattern` {patterns}.")
    return found


def _opened(compression: Any, encoding: str) -> Callable[[str], Any]:
    if compression in (None, ""):
        return lambda path: open(path, encoding=encoding, newline="")
    if compression == "GZIP":
        return lambda path: gzip.open(path, "rt", encoding=encoding, newline="")
    raise OpValueError(f"`compression_type` {compression} is not supported for probing columns.")


def _indices(chosen: Sequence[Any], names: list[str]) -> list[int]:
    """The numbers of columns that are chosen by number or name, in the order of the file."""
    found = []
    for each in chosen:
        if isinstance(each, str):
            if each not in names:
                raise OpValueError(f"Can't find specified column name {each} in column names {names}.")
            found.append(names.index(each))
        else:
            found.append(integer(each, "select_columns"))
    if any(not 0 <= each < len(names) for each in found):
        raise OpValueError(f"`select_columns` {list(chosen)} has a number that is not one of {len(names)} columns.")
    if len(set(found)) != len(found):
        raise OpValueError(f"`select_columns` {list(chosen)} has a column twice.")
    return sorted(found)


class _Rows:
    """The rows of CSV files, to find names and dtypes."""

    def __init__(self, files: list[str], delimiter: str, quotes: bool, opened: Callable[[str], Any]) -> None:
        self._files, self._opened = files, opened
        self._delimiter, self._quotes = delimiter, quotes

    def _read(self, path: str) -> Iterator[list[str]]:
        with file_errors(path), self._opened(path) as file:
            if self._quotes:
                yield from csv.reader(file, delimiter=self._delimiter)
            else:
                yield from csv.reader(file, delimiter=self._delimiter, quoting=csv.QUOTE_NONE)

    def names(self) -> list[str]:
        """The header, which all files must share."""
        headers = [next(self._read(path), []) for path in self._files]
        for path, header in zip(self._files, headers):
            if header != headers[0]:
                raise OpValueError(
                    f"All input CSV files should have the same column names in the header row. File {path} has other ones."
                )
        return headers[0]

    def defaults(
        self, count: int, na_value: str, header: bool, limit: int | None, chosen: list[int] | None
    ) -> list[Any]:
        """A default for each column: 0 or an empty string, of the narrowest dtype that its first values have."""
        kinds: list[DType | None] = [None] * count
        read = 0
        for path in self._files:
            rows = self._read(path)
            if header:
                next(rows, None)
            for row in rows:
                if limit is not None and read == limit:
                    break
                if len(row) != count:
                    raise OpValueError(
                        f"Problem inferring types: CSV row {row} has {len(row)} number of fields. Expected: {count}."
                    )
                kinds = [_kind(value, na_value, before) for value, before in zip(row, kinds)]
                read += 1
        wanted = [kinds[i] for i in (range(count) if chosen is None else chosen)]
        return [_default(kind or dtypes.string) for kind in wanted]


def _default(kind: DType) -> Any:
    return np.array("", object) if kind is dtypes.string else np.zeros((), kind.numpy_dtype)


def _kind(value: str, na_value: str, before: DType | None) -> DType | None:
    """The narrowest dtype that a value has, and those before it."""
    if value in ("", na_value):
        return before
    first = 0 if before is None else _KINDS.index(before)
    return next(kind for kind in _KINDS[first:] if _is_of(value, kind))


def _is_of(value: str, kind: DType) -> bool:
    if kind is dtypes.string:
        return True
    limits: Any = np.iinfo(kind.numpy_dtype) if kind.is_integer else np.finfo(kind.numpy_dtype)
    try:
        number = int(value) if kind.is_integer else float(value)
    except ValueError:
        return False
    return bool(limits.min <= number <= limits.max if kind.is_integer else limits.min < number < limits.max)
