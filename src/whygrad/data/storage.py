"""Elements that are kept: in memory, or in a folder of TFRecord files (cache, snapshot, save and load).

A folder has a file `elements.json`, with the specs, and a folder of records that it names. It is written last and replaced at once, so a
program that is killed leaves the elements of the last complete run, or none.
"""

from __future__ import annotations

import json
import os
import shutil
import threading
import uuid
import weakref
from collections.abc import Callable
from typing import Any

from whygrad.data.encoding import decode, encode
from whygrad.data.sources import Elements
from whygrad.data.stage import Cursor, CursorOf, Of, Run, Stage, State, saved_elements
from whygrad.data.structure import Flat
from whygrad.io.file_errors import file_errors
from whygrad.io.records import TFRecordOptions, TFRecordWriter, open_to_read, read_record, size_on_disk
from whygrad.modules.safetensors import replacing
from whygrad.values import dtypes
from whygrad.values.errors import DataLossError, NotFoundError, UnimplementedError
from whygrad.values.shapes import TensorShape
from whygrad.values.spec import TensorSpec

_ABOUT = "elements.json"
_FORMAT = "whygrad elements 1"


# -- in memory --


class Cached(Of):
    """Elements that are kept in memory once an iteration has computed all of them."""

    name = "CacheDataset"

    def __init__(self, source: Stage) -> None:
        super().__init__(source)
        self.kept: list[Flat] | None = None

    def cursor(self, run: Run) -> Cursor:
        """An iteration over what is kept, or one that keeps."""
        return _CacheCursor(self, run)


class _CacheCursor(Cursor):
    def __init__(self, stage: Cached, run: Run) -> None:
        self._stage, self._run = stage, run
        self._found: list[Flat] = []
        self._source: Cursor
        self._keeps = stage.kept is None
        self._source = stage.source.cursor(run) if stage.kept is None else Elements(stage.kept, None).cursor(run)

    def __next__(self) -> Flat:
        try:
            flat = next(self._source)
        except StopIteration:
            if self._keeps:
                self._stage.kept, self._keeps = self._found, False
            raise
        if self._keeps:
            self._found.append(flat)
        return flat

    def save(self) -> State:
        kept = saved_elements(self._found if self._keeps else self._stage.kept or ())
        return {"keeps": self._keeps, "elements": kept, "source": self._source.save()}

    def restore(self, state: State) -> None:
        elements = [tuple(each) for each in state["elements"]]
        self._keeps = state["keeps"]
        if self._keeps:
            self._found = elements
            self._source = self._stage.source.cursor(self._run)
        else:
            self._stage.kept = elements
            self._source = Elements(elements, None).cursor(self._run)
        self._source.restore(state["source"])


# -- specs as text --


def spec_as_text(spec: Any) -> Any:
    """The specs of elements for a JSON text."""
    if isinstance(spec, TensorSpec):
        shape = None if spec.shape.rank is None else spec.shape.as_list()
        return {"dtype": spec.dtype.name, "shape": shape, "name": spec.name}
    if spec is None:
        return None
    if isinstance(spec, tuple):
        return [spec_as_text(each) for each in spec]
    if isinstance(spec, dict):
        return {"dict": [[key, spec_as_text(each)] for key, each in spec.items()]}
    raise UnimplementedError(
        None, None, f"{type(spec).__name__} cannot be saved: only tensors can. Map the elements to tensors first"
    )


def spec_of_text(text: Any) -> Any:
    """The specs that `spec_as_text` described."""
    if text is None:
        return None
    if isinstance(text, list):
        return tuple([spec_of_text(each) for each in text])
    if "dict" in text:
        return {key: spec_of_text(each) for key, each in text["dict"]}
    return TensorSpec(TensorShape(text["shape"]), dtypes.as_dtype(text["dtype"]), text["name"])


# -- in a folder --


class _Writer:
    """Elements that are written to a folder: there from `finish` on."""

    def __init__(self, folder: str, compression: str) -> None:
        self._folder = folder
        self._compression = compression
        self._run = uuid.uuid4().hex[:12]
        self._path = os.path.join(folder, self._run)
        self._shards: dict[int, TFRecordWriter] = {}
        self._counts: dict[int, int] = {}
        with file_errors(folder):
            os.makedirs(self._path)
        self._abandon = weakref.finalize(self, shutil.rmtree, self._path, ignore_errors=True)

    def write(self, flat: Flat, shard: int) -> None:
        if shard not in self._shards:
            path = os.path.join(self._path, _shard_name(shard))
            self._shards[shard] = TFRecordWriter(path, TFRecordOptions(self._compression))
            self._counts[shard] = 0
        self._shards[shard].write(encode(list(flat)))
        self._counts[shard] += 1

    def finish(self, spec: Any) -> None:
        for each in self._shards.values():
            each.close()
        about = {
            "format": _FORMAT, "run": self._run, "compression": self._compression, "spec": spec_as_text(spec),
            "shards": sorted(self._counts.items()),
        }  # fmt: skip
        before = _about(self._folder)
        with replacing(os.path.join(self._folder, _ABOUT)) as temporary, open(temporary, "w", encoding="utf-8") as file:
            json.dump(about, file)
        self._abandon.detach()
        if before is not None:
            shutil.rmtree(os.path.join(self._folder, before["run"]), ignore_errors=True)


def _shard_name(shard: int) -> str:
    return f"{shard:05d}.tfrecord"


def _about(folder: str) -> Any:
    """What a folder says of its elements; None where there are none."""
    path = os.path.join(folder, _ABOUT)
    try:
        with open(path, encoding="utf-8") as file:
            about = json.load(file)
        if about["format"] != _FORMAT:
            raise ValueError(f"its format is {about['format']!r}")
        return {**about, "spec": spec_of_text(about["spec"])}
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise DataLossError(None, None, f"{path} is malformed: {error}") from None


def is_complete(folder: str) -> bool:
    """Whether elements were saved in the folder."""
    return os.path.exists(os.path.join(folder, _ABOUT))


class Stored(Stage):
    """The elements of some shards of a folder."""

    name = "_LoadDataset"

    def __init__(self, folder: str, shards: list[int] | None = None) -> None:
        about = _about(folder)
        if about is None:
            partial = " It was not saved to the end." if os.path.isdir(folder) else ""
            raise NotFoundError(None, None, f"{folder} has no saved dataset.{partial}")
        self._path = os.path.join(folder, about["run"])
        self._compression = about["compression"]
        self._spec = about["spec"]
        counts = dict(about["shards"])
        self.shards = sorted(counts) if shards is None else shards
        self._size: int = sum(counts[each] for each in self.shards)

    def cursor(self, run: Run) -> Cursor:
        """An iteration over the files."""
        paths = [os.path.join(self._path, _shard_name(each)) for each in self.shards]
        return RecordsCursor(paths, self._compression, lambda record: tuple(decode(record)))

    @property
    def spec(self) -> Any:
        """The specs that were saved."""
        return self._spec

    @property
    def size(self) -> int:
        """The number of elements that were saved."""
        return self._size


class RecordsCursor(Cursor):
    """A position in TFRecord files."""

    def __init__(self, paths: list[str], compression: str, element: Callable[[bytes], Flat]) -> None:
        self._paths, self._compression, self._element = paths, compression, element
        self._at = self._offset = 0
        self._file: Any = None

    def __next__(self) -> Flat:
        while self._at < len(self._paths):
            path = self._paths[self._at]
            if self._file is None:
                self._file = open_to_read(path, self._compression)
                if self._offset and self._compression:
                    self._file.read(self._offset)
                elif self._offset:
                    self._file.seek(self._offset)
            record = read_record(self._file, path, self._offset)
            if record is not None:
                self._offset += size_on_disk(record)
                return self._element(record)
            self._file.close()
            self._file = None
            self._at, self._offset = self._at + 1, 0
        raise StopIteration

    def save(self) -> State:
        return [self._at, self._offset]

    def restore(self, state: State) -> None:
        self._at, self._offset = state
        self._file = None


class Kept(Of):
    """Elements that the first complete iteration writes to a folder, and later ones read from there."""

    def __init__(
        self,
        source: Stage,
        name: str,
        folder: str,
        compression: str = "",
        read: Callable[[Stored], Stage] | None = None,
        shard: Callable[[Flat, int], int] | None = None,
    ) -> None:
        super().__init__(source)
        self.name = name  # type: ignore[misc]
        self._folder, self._compression = folder, compression
        self._read, self._shard = read, shard
        self._lock = threading.Lock()

    def cursor(self, run: Run) -> Cursor:
        """An iteration that reads, or one that writes."""
        if is_complete(self._folder):
            stored = Stored(self._folder)
            return (stored if self._read is None else self._read(stored)).cursor(run)
        return _KeepCursor(self.source.cursor(run), self, _Writer(self._folder, self._compression), self._shard)


class _KeepCursor(CursorOf):
    def __init__(self, source: Cursor, stage: Stage, writer: _Writer, shard: Callable[[Flat, int], int] | None) -> None:
        super().__init__(source)
        self._stage, self._writer, self._shard = stage, writer, shard
        self._count = 0
        self._is_done = False

    def __next__(self) -> Flat:
        try:
            flat = next(self.source)
        except StopIteration:
            if not self._is_done:
                self._writer.finish(self._stage.spec)
                self._is_done = True
            raise
        self._writer.write(flat, 0 if self._shard is None else self._shard(flat, self._count))
        self._count += 1
        return flat

    save = Cursor.save
    restore = Cursor.restore


def save(source: Stage, folder: str, compression: str, shard: Callable[[Flat, int], int] | None) -> None:
    """Write all elements to a folder."""
    writer = _Writer(folder, compression)
    for count, flat in enumerate(source.cursor(Run())):
        writer.write(flat, 0 if shard is None else shard(flat, count))
    writer.finish(source.spec)
