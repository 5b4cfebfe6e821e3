"""Datasets of files: lines of text, TFRecords, records of a fixed length, CSV."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.data import readers
from whygrad.data.dataset import Dataset
from whygrad.data.stage import Stage
from whygrad.io.csv_lines import Column
from whygrad.io.file_errors import paths_of
from whygrad.io.records import compression_kind
from whygrad.ops.arguments import integer
from whygrad.values import dtypes
from whygrad.values.errors import OpTypeError, invalid
from whygrad.values.spec import TensorSpec
from whygrad.values.tensor import Tensor


class _OfFiles(Dataset):
    """A dataset of files, whose names may be a dataset themselves."""

    def _read(self, filenames: Any, parallel_reads: Any, stage: Callable[[list[str]], Stage]) -> Stage:
        if isinstance(filenames, Dataset):
            spec = filenames.element_spec
            if not isinstance(spec, TensorSpec) or spec.dtype is not dtypes.string:
                raise OpTypeError(
                    f"The `filenames` argument must contain `tf.string` elements. Got a dataset of `{spec}` elements."
                )
            names = filenames
        else:
            paths = paths_of(filenames)
            if parallel_reads is None:
                return stage(paths)
            names = Dataset.from_tensor_slices(paths) if paths else Dataset.from_tensor_slices(np.array([], object))

        def read(name: Tensor) -> Dataset:
            return Dataset(stage(paths_of(name)))

        if parallel_reads is None:
            return names.flat_map(read)._stage
        return names.interleave(
            read, integer(parallel_reads, "num_parallel_reads"), num_parallel_calls=parallel_reads
        )._stage


class _OfPieces(_OfFiles):
    """The pieces of files one after the other, as `_pieces` reads them."""

    _pieces: Callable[[list[str], str], Stage]

    def __init__(
        self,
        filenames: Any,
        compression_type: Any = None,
        buffer_size: Any = None,
        num_parallel_reads: Any = None,
        name: str | None = None,
    ) -> None:
        kind = compression_kind(compression_type)
        super().__init__(self._read(filenames, num_parallel_reads, lambda paths: type(self)._pieces(paths, kind)))


@export("data.TextLineDataset")
class TextLineDataset(_OfPieces):
    """The lines of text files, without their ends.

    >>> import os, tempfile
    >>> import whygrad as tf
    >>> path = os.path.join(tempfile.mkdtemp(), "lines.txt")
    >>> tf.io.write_file(path, "one\\ntwo\\n")
    >>> [line.numpy() for line in tf.data.TextLineDataset(path)]
    [b'one', b'two']
    """

    _pieces = readers.TextLines


@export("data.TFRecordDataset")
class TFRecordDataset(_OfPieces):
    """The records of TFRecord files. A wrong checksum or a truncated file raises tf.errors.DataLossError.

    >>> import os, tempfile
    >>> import whygrad as tf
    >>> path = os.path.join(tempfile.mkdtemp(), "words.tfrecord")
    >>> with tf.io.TFRecordWriter(path) as file:
    ...     file.write(b"ant")
    >>> [record.numpy() for record in tf.data.TFRecordDataset([path])]
    [b'ant']
    """

    _pieces = readers.Records


@export("data.FixedLengthRecordDataset")
class FixedLengthRecordDataset(_OfFiles):
    """Records of `record_bytes` bytes, without the header and footer of each file.

    >>> import os, tempfile
    >>> import whygrad as tf
    >>> path = os.path.join(tempfile.mkdtemp(), "pairs")
    >>> tf.io.write_file(path, b"#aabbcc")
    >>> [record.numpy() for record in tf.data.FixedLengthRecordDataset(path, 2, header_bytes=1)]
    [b'aa', b'bb', b'cc']
    """

    def __init__(
        self,
        filenames: Any,
        record_bytes: Any,
        header_bytes: Any = None,
        footer_bytes: Any = None,
        buffer_size: Any = None,
        compression_type: Any = None,
        num_parallel_reads: Any = None,
        name: str | None = None,
    ) -> None:
        kind = compression_kind(compression_type)
        record, header, footer = (
            integer(each or 0, "record_bytes") for each in (record_bytes, header_bytes, footer_bytes)
        )
        super().__init__(
            self._read(
                filenames,
                num_parallel_reads,
                lambda paths: readers.FixedLengthRecords(paths, record, header, footer, kind),
            )
        )


@export("data.experimental.CsvDataset")
class CsvDataset(_OfFiles):
    """The records of CSV files, a tuple of scalars each. A default is a dtype, for a required field, or a value.

    >>> import os, tempfile
    >>> import whygrad as tf
    >>> path = os.path.join(tempfile.mkdtemp(), "animals.csv")
    >>> tf.io.write_file(path, "name,legs\\nant,6\\nsnail,\\n")
    >>> for name, legs in tf.data.experimental.CsvDataset(path, [tf.string, 0], header=True):
    ...     print(name.numpy(), legs.numpy())
    b'ant' 6
    b'snail' 0
    """

    def __init__(
        self,
        filenames: Any,
        record_defaults: Sequence[Any],
        compression_type: Any = None,
        buffer_size: Any = None,
        header: bool = False,
        field_delim: str = ",",
        use_quote_delim: bool = True,
        na_value: str = "",
        select_cols: Sequence[int] | None = None,
        exclude_cols: Sequence[int] | None = None,
    ) -> None:
        if select_cols is not None and exclude_cols is not None:
            raise invalid("Either select_cols or exclude_cols should be empty.")
        columns = [Column(each) for each in record_defaults]
        chosen = None if select_cols is None else list(select_cols)
        if exclude_cols is not None:
            excluded = set(exclude_cols)
            chosen = [i for i in range(len(columns) + len(excluded)) if i not in excluded]
        if chosen is not None and len(chosen) != len(columns):
            raise invalid(f"select_cols should match output size: {len(chosen)} columns, but {len(columns)} defaults.")
        kind = compression_kind(compression_type)

        def stage(paths: list[str]) -> Stage:
            return readers.CsvRecords(paths, columns, chosen, header, field_delim, use_quote_delim, na_value, kind)

        super().__init__(self._read(filenames, None, stage))
