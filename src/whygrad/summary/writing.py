"""What is written: a tensor with a tag and a step, and the kinds of summaries that TensorBoard shows."""

from __future__ import annotations

import contextlib
import math
import re
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.io import wav
from whygrad.io.images import encode_png
from whygrad.ops.control import cond
from whygrad.ops.debugging import assert_scalar
from whygrad.ops.image_colour import convert_image_dtype
from whygrad.ops.scopes import get_current_name_scope, name_scope
from whygrad.summary import events
from whygrad.summary.writers import at_each_run, here, should_record_summaries, truth
from whygrad.values import dtypes
from whygrad.values.conversion import convert
from whygrad.values.errors import OpNotImplementedError, OpTypeError, OpValueError, UnimplementedError, invalid
from whygrad.values.faults import DtypesDiffer
from whygrad.values.recorders import state
from whygrad.values.tensor import Tensor, are_known, value_of, wrap

Array = np.ndarray[Any, Any]

_NO_STEP = (
    "No step set. Please specify one either through the `step` argument or through tf.summary.experimental.set_step()"
)
_ILLEGAL = re.compile(r"[^-_/.A-Za-z0-9]")
_BUCKETS = 30
_WAV = b"\x10\x0b"  # the field of TensorBoard's that says how audio is encoded


@export("summary.experimental.summary_scope")
@contextlib.contextmanager
def summary_scope(name: Any, default_name: str = "summary", values: Any = None) -> Iterator[tuple[str, str]]:
    """The tag of a summary, its name behind the current name scopes, and a name scope for it.

    >>> import whygrad as tf
    >>> with tf.name_scope("model"), tf.summary.experimental.summary_scope("the loss") as (tag, scope):
    ...     print(tag, scope)
    model/the loss model/theloss/
    """
    name = name or default_name
    if not isinstance(name, str):
        raise OpTypeError(f"the name of a summary is a string, not {name!r}")
    outer = get_current_name_scope()
    with name_scope(_ILLEGAL.sub("", name) or default_name) as scope:
        yield f"{outer}/{name}" if outer else name, scope


def _step(given: Any) -> Tensor:
    step = convert(given, dtypes.int64)
    if math.prod(step._array.shape) != 1:
        raise OpValueError(f"Argument `step` must be a scalar. Received step with shape {step.shape}.")
    return step


def _record(
    tensors: Callable[[], list[Tensor]], summary: Callable[..., bytes], step: Any, needs_step: bool = False
) -> Tensor:
    """Write a summary of the arrays of these tensors, if summaries are recorded; tensors are asked for only then."""
    if step is not None:
        _step(step)
    writer = here.writer
    if writer is None:
        return truth(False)
    step = here.step if step is None else step
    if needs_step and step is None:
        raise OpValueError(_NO_STEP)

    def record() -> Tensor:
        if step is None:
            raise OpValueError(_NO_STEP)

        def write(at: Array, *arrays: Array) -> None:
            writer._write(int(at.reshape(())), summary(*arrays))

        at_each_run(write, [_step(step), *tensors()])
        return truth(True)

    recorded = should_record_summaries()
    if not are_known(recorded):
        made: Tensor = cond(recorded, record, lambda: truth(False))
        return made
    return record() if value_of(recorded) else truth(False)


def _tag(tag: Any) -> str:
    if isinstance(tag, Tensor) and tag.dtype is dtypes.string:
        tag = value_of(tag).item()
    if isinstance(tag, bytes):
        return tag.decode()
    if not isinstance(tag, str):
        raise OpTypeError(f"the tag of a summary is a string, not {tag!r}")
    return tag


@export("summary.write")
def write(tag: Any, tensor: Any, step: Any = None, metadata: Any = None, name: str | None = None) -> Tensor:
    """Write a tensor, or what a function without arguments gives, with the default writer; True if it was recorded.

    `metadata` is the message that says how TensorBoard shows it, or its bytes.

    >>> import tempfile, whygrad as tf
    >>> with tf.summary.create_file_writer(tempfile.mkdtemp()).as_default():
    ...     print(tf.summary.write("weights", tf.ones((2, 3)), step=0).numpy())
    True
    """
    described = events.as_metadata(metadata)

    def tensors() -> list[Tensor]:
        return [convert(tensor() if callable(tensor) else tensor, None)]

    return _record(tensors, lambda array: events.tensor_summary(_tag(tag), array, described), step)


@export("summary.experimental.write_raw_pb")
def write_raw_pb(tensor: Any, step: Any = None, name: str | None = None) -> Tensor:
    """Write summaries that are messages already: bytes, or a tensor of strings.

    >>> import whygrad as tf
    >>> tf.summary.experimental.write_raw_pb(b"", step=0).numpy()
    np.False_
    """

    def summary(array: Array) -> bytes:
        return b"".join([events.checked_summary(each) for each in array.reshape(-1).tolist()])

    return _record(lambda: [convert(tensor, dtypes.string)], summary, step, needs_step=True)


def _not_a_string(tensor: Tensor, wanted: str) -> Tensor:
    if tensor.dtype is dtypes.string:
        raise UnimplementedError(None, None, f"Cast string to {wanted} is not supported [Op:Cast]")
    return tensor


@export("summary.scalar")
def scalar(name: Any, data: Any, step: Any = None, description: str | None = None) -> Tensor:
    """Write a number as a point of a curve; True if it was recorded.

    >>> import tempfile, whygrad as tf
    >>> with tf.summary.create_file_writer(tempfile.mkdtemp()).as_default(step=5):
    ...     print(tf.summary.scalar("loss", 0.25).numpy())
    True
    """
    described = events.metadata("scalars", description)
    with summary_scope(name, "scalar_summary") as (tag, _):
        number = _not_a_string(convert(data, None), "float")
        assert_scalar(number)
        return _record(
            lambda: [number], lambda array: events.tensor_summary(tag, _real(array, np.float32), described), step
        )


def _real(array: Array, dtype: Any) -> Array:
    return np.asarray(array.real, dtype)


@export("summary.histogram")
def histogram(name: Any, data: Any, step: Any = None, buckets: Any = None, description: str | None = None) -> Tensor:
    """Write how often values occur, in `buckets` (30) intervals of equal size; True if it was recorded.

    >>> import tempfile, whygrad as tf
    >>> with tf.summary.create_file_writer(tempfile.mkdtemp()).as_default(step=0):
    ...     print(tf.summary.histogram("weights", tf.random.normal((100, 50))).numpy())
    True
    """
    described = events.metadata("histograms", description)
    values = convert(data, None)

    def tensors() -> list[Tensor]:
        count = convert(_BUCKETS if buckets is None else buckets, None)
        assert_scalar(count)
        if count.dtype is not dtypes.int32:
            raise OpTypeError(f"tensor must be of type tf.int32; got {count.dtype!r}")
        return [_not_a_string(values, "double"), count]

    with summary_scope(name, "histogram_summary") as (tag, _):
        return _record(
            tensors,
            lambda array, count: events.tensor_summary(tag, histogram_rows(array, max(0, int(count))), described),
            step,
        )


def histogram_rows(array: Array, count: int) -> Array:
    """A row for each of `count` intervals: where it begins and ends, and how many values lie in it.

    Of equal values all lie in the last interval, and all intervals begin and end there.
    """
    values = _real(array, np.float64).reshape(-1)
    if not count or not values.size:
        return np.zeros((count, 3))
    low, high = values.min(), values.max()
    if low == high:
        rows = np.full((count, 3), high)
        rows[:, 2] = [0.0] * (count - 1) + [values.size]
        return rows
    with np.errstate(invalid="ignore"):
        places = np.floor((values - low) / ((high - low) / count))
        edges = low + (high - low) / count * np.arange(count + 1)
    edges[0], edges[-1] = low, high
    inside = places[places >= 0]  # not nan, which lies in no interval
    counts = np.bincount(np.minimum(inside, count - 1).astype(int), minlength=count)
    return np.stack([edges[:-1], edges[1:], counts], axis=1)


def _outputs(max_outputs: Any) -> Tensor:
    count = convert(max_outputs, None)
    if are_known(count) and (value_of(count) < 0).any():
        raise invalid(f"Condition x >= 0 did not hold element-wise: max_outputs is {value_of(count)}")
    return count


def _ranked(data: Any, rank: int) -> Tensor:
    tensor = convert(data, None)
    if tensor.ndim != rank:
        raise OpValueError(f"Tensor must have rank {rank}.  Received rank {tensor.ndim}, shape {tuple(tensor.shape)}")
    return tensor


@export("summary.image")
def image(name: Any, data: Any, step: Any = None, max_outputs: Any = 3, description: str | None = None) -> Tensor:
    """Write the first `max_outputs` images of a batch (images, height, width, channels) as PNG; True if they were recorded.

    Floats are between 0 and 1. Images are encoded by Pillow (`whygrad[scripts]`).

    >>> import tempfile, whygrad as tf
    >>> with tf.summary.create_file_writer(tempfile.mkdtemp()).as_default(step=0):
    ...     print(tf.summary.image("noise", tf.random.uniform((1, 8, 8, 3))).numpy())
    True
    """
    described = events.metadata("images", description)

    def summary(pictures: Array, count: Array) -> bytes:
        pixels: Any = convert_image_dtype(wrap(pictures), dtypes.uint8, saturate=True)
        height, width = pictures.shape[1:3]
        encoded = [value_of(encode_png(each)).item() for each in pixels[: int(count)]]
        return events.tensor_summary(tag, _strings([b"%d" % width, b"%d" % height, *encoded]), described)

    with summary_scope(name, "image_summary") as (tag, _):
        return _record(lambda: [_ranked(data, 4), _outputs(max_outputs)], summary, step)


def _strings(values: Any) -> Array:
    made = np.empty(len(values), object)
    made[:] = values
    return made


@export("summary.audio")
def audio(
    name: Any,
    data: Any,
    sample_rate: Any,
    step: Any = None,
    max_outputs: Any = 3,
    encoding: str | None = None,
    description: str | None = None,
) -> Tensor:
    """Write the first `max_outputs` clips of a batch (clips, samples, channels) as WAV; True if they were recorded.

    >>> import tempfile, whygrad as tf
    >>> tone = tf.sin(tf.range(800.0) * 0.3)[tf.newaxis, :, tf.newaxis]
    >>> with tf.summary.create_file_writer(tempfile.mkdtemp()).as_default(step=0):
    ...     print(tf.summary.audio("tone", tone, sample_rate=8000).numpy())
    True
    """
    if encoding not in (None, "wav"):
        raise OpValueError(f"Unknown encoding: {encoding!r}")
    described = events.metadata("audio", description, _WAV)

    def tensors() -> list[Tensor]:
        clips = _ranked(data, 3)
        if clips.dtype is not dtypes.float32 and clips.shape[0]:
            raise invalid(DtypesDiffer(wanted=dtypes.float32, dtype=clips.dtype, position=0, op="EncodeWav"))
        return [clips, convert(sample_rate, dtypes.int32), _outputs(max_outputs)]

    def summary(clips: Array, rate: Array, count: Array) -> bytes:
        encoded = [wav.encoded(each, rate) for each in clips[: int(count)]]
        rows = _strings([part for each in encoded for part in (each, b"")]).reshape(-1, 2)  # beside each its label
        return events.tensor_summary(tag, rows, described)

    with summary_scope(name, "audio_summary") as (tag, _):
        return _record(tensors, summary, step)


@export("summary.text")
def text(name: Any, data: Any, step: Any = None, description: str | None = None) -> Tensor:
    """Write text, which TensorBoard shows as Markdown; True if it was recorded.

    >>> import tempfile, whygrad as tf
    >>> with tf.summary.create_file_writer(tempfile.mkdtemp()).as_default(step=0):
    ...     print(tf.summary.text("notes", "a **new** run").numpy())
    True
    """
    described = events.metadata("text", description)
    words = convert(data, None)
    if words.dtype is not dtypes.string:
        raise OpTypeError(f"tensor must be of type tf.string; got {words.dtype!r}")
    with summary_scope(name, "text_summary") as (tag, _):
        return _record(lambda: [words], lambda array: events.tensor_summary(tag, array, described), step)


# -- graphs and traces, of which whygrad has none --

_NO_GRAPHS = "whygrad has no graphs"


@export("summary.graph")
def graph(graph_data: Any) -> Tensor:
    """Refuse to write a graph: whygrad has none.

    >>> import whygrad as tf
    >>> tf.summary.graph(None).numpy()  # nothing is written without a writer
    np.False_
    """
    if state.context is not None:
        raise OpValueError("graph() cannot be invoked inside a graph context.")
    if here.writer is None or not value_of(should_record_summaries()):
        return truth(False)
    if graph_data is None or isinstance(graph_data, int | float | str | bytes | Tensor):
        raise OpValueError(
            "Argument 'graph_data' is not tf.Graph or tf.compat.v1.GraphDef. Received "
            f"graph_data={graph_data!r} of type {type(graph_data).__name__}."
        )
    raise OpNotImplementedError(
        f"{_NO_GRAPHS} that tf.summary.graph could write: leave the call out (keras.callbacks.TensorBoard writes the layers of a model)"
    )


class _Trace:
    is_on = False


@export("summary.trace_on")
def trace_on(graph: bool = True, profiler: bool = False, profiler_outdir: Any = None) -> None:
    """Begin a trace for `trace_export`. It stays empty, since whygrad has no graphs; a warning says so.

    >>> import warnings, whygrad as tf
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     tf.summary.trace_on()
    ...     tf.summary.trace_off()
    >>> str(caught[0].message).partition(":")[0]
    'whygrad has no graphs to trace'
    """
    warnings.warn(
        f"{_NO_GRAPHS} to trace: tf.summary.trace_export will write none; profile with a Python profiler (docs/performance.md)",
        stacklevel=2,
    )
    _Trace.is_on = True


@export("summary.trace_off")
def trace_off() -> None:
    """End a trace.

    >>> import whygrad as tf
    >>> tf.summary.trace_off()
    """
    _Trace.is_on = False


@export("summary.trace_export")
def trace_export(name: str, step: Any = None, profiler_outdir: Any = None) -> None:
    """End the trace that `trace_on` began, and write it. It is empty: whygrad has no graphs.

    >>> import whygrad as tf
    >>> try:
    ...     tf.summary.trace_export("step", step=0)
    ... except ValueError as error:
    ...     print(error)
    Must enable trace before export through tf.summary.trace_on.
    """
    if not _Trace.is_on:
        raise OpValueError("Must enable trace before export through tf.summary.trace_on.")
    _Trace.is_on = False
    with summary_scope(name, "graph_run_metadata_graph_summary") as (tag, _):
        write(tag, "", step, events.metadata("graph_run_metadata_graph", None, b"1"))
