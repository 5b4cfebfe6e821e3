"""`tf.print`: tensors in the format of TensorFlow's runtime, which differs from Python's."""

from __future__ import annotations

import collections
import logging
import os
import pprint
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.runtime.prints import real_stream
from whygrad.values import nest
from whygrad.values.composite import TensorLikeComposite
from whygrad.values.conversion import convert
from whygrad.values.errors import NotFoundError, OpTypeError, OpValueError
from whygrad.values.indexed_slices import IndexedSlices
from whygrad.values.recorders import state
from whygrad.values.tensor import Operand, Tensor, are_known, placement, wrap

_LOGGERS = {
    logging.INFO: logging.INFO,
    logging.info: logging.INFO,
    logging.WARNING: logging.WARNING,
    logging.warning: logging.WARNING,
    logging.ERROR: logging.ERROR,
    logging.error: logging.ERROR,
}


@export("print")
def print_(*inputs: Any, **kwargs: Any) -> None:
    """Print tensors, structures of them, and anything else; to standard error by default.

    output_stream  sys.stdout, sys.stderr, a logging level or function, or "file://path" to append to a file
    summarize      how many elements to show at both ends of each axis (3; -1 for all)
    sep, end       as in Python's print

    >>> import sys, whygrad as tf
    >>> tf.print("x:", tf.range(10), {"y": tf.constant([1.0, 2.5])}, output_stream=sys.stdout)
    x: [0 1 2 ... 7 8 9] {'y': [1 2.5]}
    """
    stream = kwargs.pop("output_stream", sys.stderr)
    summarize = kwargs.pop("summarize", 3)
    sep = kwargs.pop("sep", " ")
    end = kwargs.pop("end", os.linesep)
    kwargs.pop("name", None)
    if kwargs:
        raise OpValueError(f"Unrecognized keyword arguments for tf.print: {kwargs}")
    if not isinstance(end, str):
        raise OpTypeError(f"Expected string for argument 'end' not {end!r}.")
    summarize = 3 if summarize is None else summarize
    if not isinstance(summarize, int):
        raise OpTypeError(f"Expected int for argument 'summarize' not {summarize!r}.")
    write = _writer(stream)
    if state.context is None:
        write(sep.join(_shown(each, summarize) for each in inputs), end)
        return
    symbolic: list[Tensor] = []
    layout = [nest.map_structure(lambda each: _place_of(each, symbolic), each) for each in inputs]

    def print_values(*arrays: Any) -> list[Any]:
        filled = [
            nest.map_structure(lambda each: wrap(arrays[each.at]) if isinstance(each, _Place) else each, part)
            for part in layout
        ]
        write(sep.join(_shown(each, summarize) for each in filled), end)
        return []

    placement.engine.call_python(print_values, [], *[tensor._array for tensor in symbolic])


class _Place:
    """A placeholder in the printed text for a symbolic value."""

    def __init__(self, at: int) -> None:
        self.at = at


def _place_of(value: Any, symbolic: list[Tensor]) -> Any:
    if not _is_tensor(value):
        return value
    tensor = convert(value, None)
    if are_known(tensor):
        return tensor
    symbolic.append(tensor)
    return _Place(len(symbolic) - 1)


def _writer(stream: Any) -> Any:
    stream = real_stream(stream)
    if stream is real_stream(sys.stdout) or stream is sys.stderr:
        return lambda text, end: stream.write(text + end) and stream.flush()
    if isinstance(stream, str) and stream.startswith("file://"):
        return lambda text, end: _append(stream.removeprefix("file://"), text + end)
    try:
        level = _LOGGERS[stream]
    except (KeyError, TypeError):
        raise OpValueError(
            f"Unsupported output stream, logging level, or file.{stream}. Supported streams are sys.stdout, sys.stderr, "
            "tf.logging.info, tf.logging.warning, tf.logging.error. "
            "File needs to be in the form of 'file://<filepath>'."
        ) from None
    return lambda text, end: logging.getLogger("tensorflow").log(level, text)


def _append(path: str, text: str) -> None:
    try:
        with open(path, "a", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise NotFoundError(None, None, f"{path}; {error.strerror} [Op:PrintV2]") from None


def _is_tensor(value: Any) -> bool:
    return isinstance(value, Operand | IndexedSlices)


def _shown(value: Any, summarize: int) -> str:
    if isinstance(value, str):
        return value
    if _has_text(value):
        return _text(value, summarize)
    if isinstance(value, collections.OrderedDict):
        value = collections.OrderedDict(sorted(value.items()))
    # The structure is formatted with placeholders, which the tensors' texts then replace.
    flat = nest.flatten(value)
    placeholder = "{}"
    while placeholder in repr(nest.pack_sequence_as(value, [None if _has_text(each) else each for each in flat])):
        placeholder += "0"
    layout = pprint.pformat(nest.pack_sequence_as(value, [placeholder if _has_text(each) else each for each in flat]))
    texts = [_text(each, summarize) for each in flat if _has_text(each)]
    pieces = layout.split(repr(placeholder))
    return "".join([piece + text for piece, text in zip(pieces, [*texts, ""])])


def _has_text(value: Any) -> bool:
    return _is_tensor(value) or isinstance(value, TensorLikeComposite)


def _text(value: Any, summarize: int) -> str:
    if isinstance(value, TensorLikeComposite) and not _is_tensor(value):
        return value._text(summarize)
    return tensor_text(convert(value, None)._array, summarize)


def tensor_text(array: Any, summarize: int) -> str:
    """The array in the format of TensorFlow's runtime, with `summarize` elements at both ends of each axis (-1: all)."""
    if array.dtype == object and not array.shape:
        return str(array[()].decode(errors="replace"))
    return _axis_text(array, summarize, depth=1)


def _axis_text(array: Any, summarize: int, depth: int) -> str:
    if not array.shape:
        return _element_text(array[()])
    shown = _ends(len(array), summarize)
    if array.ndim == 1:
        return "[" + " ".join([_element_text(array[i]) if i >= 0 else "..." for i in shown]) + "]"
    parts = [_axis_text(array[i], summarize, depth + 1) if i >= 0 else "..." for i in shown]
    separator = "\n" * (array.ndim - 1) + " " * depth
    return f"[{separator.join(parts)}]"


def _ends(size: int, summarize: int) -> Iterator[int]:
    """The indices shown along an axis, -1 for the ellipsis."""
    if summarize < 0 or size <= 2 * summarize:
        yield from range(size)
    else:
        yield from range(summarize)
        yield -1
        yield from range(size - summarize, size)


def _element_text(value: Any) -> str:
    if isinstance(value, bytes):
        return f'"{value.decode(errors="replace")}"'
    kind = np.asarray(value).dtype.kind
    if kind == "b":
        return "1" if value else "0"
    if kind == "f" or kind == "V":  # bfloat16's kind is V
        return _float_text(value)
    return str(value)


def _float_text(value: Any) -> str:
    """The shorter of two digit counts that gives the number back: 6 or 9 for float, 15 or 17 for double."""
    few, many = ("%.15g", "%.17g") if isinstance(value, np.float64) else ("%.6g", "%.9g")
    text: str = few % value
    same = np.float64(text) == value if isinstance(value, np.float64) else np.float32(text) == np.float32(value)
    return text if same or value != value else many % value
