"""The messages of event files, and the files: a TFRecord of events, each with its time, step and summary."""

from __future__ import annotations

import itertools
import os
import socket
import threading
import time
import weakref
from typing import Any

import numpy as np

from whygrad.io import wire
from whygrad.io.examples import Message, one_bytes, one_double, one_integer, one_text
from whygrad.io.file_errors import file_errors
from whygrad.io.records import TFRecordWriter
from whygrad.io.tensor_protos import message_of
from whygrad.values.dtypes import as_dtype
from whygrad.values.errors import DataLossError, FailedPreconditionError, NotFoundError, OpValueError

_WRITER = "whygrad.summary"  # the writer of a file, as its first event names it
_number = itertools.count()  # of the files of this process


class PluginData(Message):
    """The part of TensorBoard that shows a summary, and the settings that it reads."""

    FIELDS = {"plugin_name": (1, ("one", one_text)), "content": (2, ("one", one_bytes))}


class SummaryMetadata(Message):
    """What TensorBoard knows of a summary beside its value.

    >>> made = SummaryMetadata(summary_description="the loss")
    >>> made.plugin_data.plugin_name = "scalars"
    >>> made.SerializeToString()
    b'\\n\\t\\n\\x07scalars\\x1a\\x08the loss'
    """

    FIELDS = {
        "plugin_data": (1, PluginData),
        "display_name": (2, ("one", one_text)),
        "summary_description": (3, ("one", one_text)),
        "data_class": (4, ("one", one_integer)),
    }


class Value(Message):
    """One summary: its tag, and what is shown under it. Tensors, and the kinds that TensorFlow 1 wrote, are left as bytes."""

    FIELDS = {
        "tag": (1, ("one", one_text)),
        "image": (4, ("one", one_bytes)),
        "histo": (5, ("one", one_bytes)),
        "audio": (6, ("one", one_bytes)),
        "tensor": (8, ("one", one_bytes)),
        "metadata": (9, SummaryMetadata),
    }
    ONE_OF = "value"
    OUTSIDE = ("tag", "metadata")


class Summary(Message):
    """Summaries of one step."""

    FIELDS = {"value": (1, ("list", lambda value: Value() if value is None else value))}


class SourceMetadata(Message):
    """The writer of a file."""

    FIELDS = {"writer": (1, ("one", one_text))}


class Event(Message):
    """A record of an event file.

    >>> Event(wall_time=0.5, step=3, summary=Summary(value=[Value(tag="loss")]))
    wall_time: 0.5
    step: 3
    summary {
      value {
        tag: "loss"
      }
    }
    <BLANKLINE>
    """

    FIELDS = {
        "wall_time": (1, ("one", one_double)),
        "step": (2, ("one", one_integer)),
        "file_version": (3, ("one", one_text)),
        "graph_def": (4, ("one", one_bytes)),
        "summary": (5, Summary),
        "source_metadata": (10, SourceMetadata),
    }
    ONE_OF = "what"
    OUTSIDE = ("wall_time", "step", "source_metadata")


def metadata(plugin: str, description: str | None, content: bytes = b"") -> SummaryMetadata:
    """The metadata of a summary that a part of TensorBoard shows."""
    plugin_data = PluginData(plugin_name=plugin, content=content)
    return SummaryMetadata(plugin_data=plugin_data, summary_description=description)


def as_metadata(given: Any) -> SummaryMetadata | None:
    """Metadata that was given as a message, also one of protocol buffers' own, or as its bytes."""
    if isinstance(given, SummaryMetadata):
        return given
    data = given.SerializeToString() if hasattr(given, "SerializeToString") else given
    if not data:
        return None
    try:
        return SummaryMetadata.FromString(data.encode() if isinstance(data, str) else data)
    except wire.DecodeError as error:
        raise OpValueError(f"`metadata` is not a SummaryMetadata message: {error}") from None


def tensor_summary(tag: str, array: np.ndarray[Any, Any], described: SummaryMetadata | None) -> bytes:
    """A summary of one tensor."""
    value = Value(tag=tag, tensor=message_of(array, as_dtype(array.dtype)), metadata=described)
    return Summary(value=[value]).SerializeToString()


def checked_summary(data: bytes) -> bytes:
    """Bytes that are a summary."""
    try:
        Summary.FromString(data)
    except wire.DecodeError as error:
        raise DataLossError(None, None, f"Bad tf.compat.v1.Summary binary proto tensor string: {error}") from None
    return data


class EventFile:
    """A file of events. It is made at once; events wait until there are `max_queue`, or the last were written `flush_millis` ago."""

    def __init__(self, folder: str, max_queue: int, flush_millis: int, suffix: str) -> None:
        now = int(time.time())
        name = f"events.out.tfevents.{now}.{socket.gethostname()}.{os.getpid()}.{next(_number)}{suffix}"
        self.path = os.path.join(folder, name)
        try:
            os.makedirs(folder, exist_ok=True)
        except (FileExistsError, NotADirectoryError):
            raise FailedPreconditionError(None, None, f"{folder} is not a directory") from None
        except OSError:
            with file_errors(folder):
                raise
        self._file: TFRecordWriter | None = TFRecordWriter(self.path)
        self._lock = threading.Lock()
        self._max_queue, self._seconds = max_queue, flush_millis / 1000
        self._waiting = 0
        self._flushed = time.monotonic()
        source = SourceMetadata(writer=_WRITER)
        first = Event(wall_time=now, file_version="brain.Event:2", source_metadata=source)
        self._file.write(first.SerializeToString())
        self._file.flush()
        # A program may end without closing it: the events that wait are written then.
        self._end = weakref.finalize(self, self._file.close)

    def write(self, step: int, summary: bytes) -> None:
        """Add a summary."""
        event = Event(wall_time=time.time(), step=step).SerializeToString() + wire.field(5, summary)
        with self._lock:
            if self._file is None:
                raise NotFoundError(None, None, f"the summary writer of {self.path} is closed: create another one")
            self._file.write(event)
            self._waiting += 1
            if self._waiting > self._max_queue or time.monotonic() - self._flushed > self._seconds:
                self._flush()

    def flush(self) -> None:
        """Write the events that wait."""
        with self._lock:
            self._flush()

    def _flush(self) -> None:
        if self._file is not None:
            self._file.flush()
            self._waiting = 0
            self._flushed = time.monotonic()

    def close(self) -> None:
        """Write the events that wait, and close the file."""
        with self._lock:
            self._file = None
            self._end()
