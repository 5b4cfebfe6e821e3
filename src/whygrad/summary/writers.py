"""Where summaries go: writers, the default one of a thread, and whether and with which step it records."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.io.file_errors import path_of
from whygrad.ops.arguments import integer
from whygrad.summary.events import EventFile
from whygrad.values import dtypes
from whygrad.values.conversion import convert
from whygrad.values.errors import OpRuntimeError, OpTypeError, OpValueError
from whygrad.values.recorders import state
from whygrad.values.tensor import Tensor, are_known, placement, value_of, wrap


class _Here(threading.local):
    """What is set in this thread."""

    writer: SummaryWriter | None = None
    step: Any = None
    condition: Any = None  # of `record_if`; None where none is set


here = _Here()


@export("summary.SummaryWriter")
class SummaryWriter:
    """A writer of summaries; `create_file_writer` makes one.

    >>> import whygrad as tf
    >>> isinstance(tf.summary.create_noop_writer(), tf.summary.SummaryWriter)
    True
    """

    def set_as_default(self, step: Any = None) -> None:
        """Write the summaries of this thread with this writer from now on; a `step` that is given becomes the default."""
        self.as_default(step).__enter__()

    def as_default(self, step: Any = None) -> Any:
        """Write the summaries of this thread with this writer inside a `with` block, and flush it at the end."""
        return _AsDefault(self, step)

    def init(self) -> None:
        """Make the writer ready: it is, in eager programs."""
        raise NotImplementedError

    def flush(self) -> None:
        """Write what waits."""
        raise NotImplementedError

    def close(self) -> None:
        """Write what waits, and close the writer."""
        raise NotImplementedError

    def _write(self, step: int, summary: bytes) -> None:
        raise NotImplementedError


class _AsDefault:
    """The block in which a writer is the default one."""

    def __init__(self, writer: SummaryWriter, step: Any) -> None:
        self._writer, self._step = writer, step

    def __enter__(self) -> SummaryWriter:
        self._before = here.writer, here.step
        here.writer = self._writer
        if self._step is not None:
            here.step = self._step
        return self._writer

    def __exit__(self, *exception: Any) -> None:
        if here.writer is not None:
            here.writer.flush()
        here.writer, step = self._before
        if self._step is not None:
            here.step = step


class FileWriter(SummaryWriter):
    """A writer to an event file."""

    def __init__(self, file: EventFile) -> None:
        self._file = file
        self._closed = False

    def _check_open(self) -> None:
        if self._closed:
            raise OpRuntimeError(f"SummaryWriter {self!r} is already closed: create another one for {self._file.path}")

    def as_default(self, step: Any = None) -> Any:
        """Write the summaries of this thread to this file inside a `with` block, and flush it at the end."""
        self._check_open()
        return super().as_default(step)

    def init(self) -> None:
        """Make the writer ready: its file is open."""
        self._check_open()

    def flush(self) -> None:
        """Write what waits."""
        at_each_run(lambda: self._file.flush(), [])

    def close(self) -> None:
        """Write what waits, and close the file."""
        at_each_run(self._close, [])

    def _close(self) -> None:
        self._closed = True
        self._file.close()

    def _write(self, step: int, summary: bytes) -> None:
        self._file.write(step, summary)


class NoopWriter(SummaryWriter):
    """A writer that does nothing, and leaves the default writer as it is."""

    def set_as_default(self, step: Any = None) -> None:
        """Do nothing."""

    @contextlib.contextmanager
    def as_default(self, step: Any = None) -> Iterator[None]:
        """Do nothing."""
        yield

    def init(self) -> None:
        """Do nothing."""

    def flush(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


@export("summary.create_file_writer")
def create_file_writer(
    logdir: Any,
    max_queue: Any = None,
    flush_millis: Any = None,
    filename_suffix: Any = None,
    name: str | None = None,
    experimental_trackable: bool = False,
    experimental_mesh: Any = None,
) -> SummaryWriter:
    """A writer to a new event file in a folder, which is made where it does not exist.

    Events wait until there are more than `max_queue` (10), or the last were written `flush_millis` ago (two minutes).

    >>> import os, tempfile
    >>> import whygrad as tf
    >>> folder = tempfile.mkdtemp()
    >>> with tf.summary.create_file_writer(folder).as_default():
    ...     for step in range(3):
    ...         written = tf.summary.scalar("loss", 1.0 / (step + 1), step=step)
    >>> [name.partition(".tfevents")[0] for name in os.listdir(folder)]
    ['events.out']
    """
    if logdir is None:
        raise OpValueError("Argument `logdir` cannot be None")
    if experimental_mesh is not None:
        raise OpTypeError("whygrad has no DTensor: leave out experimental_mesh")
    given = {"logdir": logdir, "max_queue": max_queue, "flush_millis": flush_millis, "filename_suffix": filename_suffix}
    for parameter, value in given.items():
        if isinstance(value, Tensor) and not are_known(value):
            raise OpValueError(
                f"Invalid graph Tensor argument '{parameter}' to create_file_writer() inside a tf.function: the writer is created "
                "when the function is traced, before the tensor has a value"
            )
    file = EventFile(
        path_of(logdir),
        10 if max_queue is None else integer(max_queue, "max_queue", "CreateSummaryFileWriter"),
        120_000 if flush_millis is None else integer(flush_millis, "flush_millis", "CreateSummaryFileWriter"),
        ".v2" if filename_suffix is None else path_of(filename_suffix),
    )
    return FileWriter(file)


@export("summary.create_noop_writer")
def create_noop_writer() -> SummaryWriter:
    """A writer that does nothing, for programs that expect one.

    >>> import whygrad as tf
    >>> with tf.summary.create_noop_writer().as_default():
    ...     print(tf.summary.scalar("loss", 0.5, step=0).numpy())
    False
    """
    return NoopWriter()


@export("summary.flush")
def flush(writer: Any = None, name: str | None = None) -> None:
    """Write what waits in a writer: the default one where none is given.

    >>> import whygrad as tf
    >>> tf.summary.flush()
    """
    writer = here.writer if writer is None else writer
    if writer is None:
        return
    if not isinstance(writer, SummaryWriter):
        raise OpValueError(f"Invalid argument to flush(): {writer!r}")
    writer.flush()


@export("summary.record_if")
@contextlib.contextmanager
def record_if(condition: Any) -> Iterator[None]:
    """Record summaries in a `with` block only if a condition holds: a bool, a tensor, or a function that gives one.

    A function is called at each summary.

    >>> import whygrad as tf
    >>> with tf.summary.record_if(False):
    ...     print(tf.summary.should_record_summaries().numpy())
    False
    """
    before = here.condition
    here.condition = condition
    try:
        yield
    finally:
        here.condition = before


@export("summary.should_record_summaries")
def should_record_summaries() -> Tensor:
    """Whether summaries are recorded: there is a default writer, and the condition of `record_if` holds.

    >>> import whygrad as tf
    >>> tf.summary.should_record_summaries().numpy()
    np.False_
    """
    if here.writer is None:
        return truth(False)
    condition = here.condition() if callable(here.condition) else here.condition
    return truth(True) if condition is None else convert(condition, dtypes.bool_)


@export("summary.experimental.get_step")
def get_step() -> Any:
    """The default step of this thread, None where none is set.

    >>> import whygrad as tf
    >>> tf.summary.experimental.get_step()
    """
    return here.step


@export("summary.experimental.set_step")
def set_step(step: Any) -> None:
    """Set the default step of this thread: a number or a variable; None for none.

    A function that is traced keeps the number that it saw; a `tf.Variable` is read at each call.

    >>> import whygrad as tf
    >>> tf.summary.experimental.set_step(3)
    >>> tf.summary.experimental.get_step()
    3
    >>> tf.summary.experimental.set_step(None)
    """
    here.step = step


def truth(value: bool) -> Tensor:
    """A bool as a tensor."""
    return wrap(np.array(value))


def at_each_run(function: Callable[..., None], tensors: list[Tensor]) -> None:
    """Call a function with the arrays of these tensors: now, or at each run of the function that is being traced."""
    if state.context is None:
        function(*[value_of(each) for each in tensors])
        return
    symbolic = [each for each in tensors if not are_known(each)]

    def call(*arrays: Any) -> list[Any]:
        rest = iter(arrays)
        function(*[value_of(each) if are_known(each) else next(rest) for each in tensors])
        return []

    placement.engine.call_python(call, [], *[each._array for each in symbolic])
