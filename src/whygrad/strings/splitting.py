"""Strings divided into pieces, and pieces joined again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.compile.at_each_call import computed_parts
from whygrad.ops.arguments import flag, integer, items, text
from whygrad.ops.printing import tensor_text
from whygrad.ops.shaping import reshape
from whygrad.ragged.tensor import RaggedTensor, Values, from_splits, splits_of, text_of
from whygrad.strings.arguments import Array, as_strings, as_text, compute, string_op, strings_array
from whygrad.values import dtypes
from whygrad.values.conversion import convert, convert_to_tensor
from whygrad.values.errors import OpTypeError, OpValueError, OutOfRangeError, invalid, shape_text
from whygrad.values.spec import TensorSpec
from whygrad.values.tensor import SymbolicTensor, Tensor, value_of
from whygrad.values.variable import Variable

# -- one string into several --


def _pieces_forward(xp: Any, x: Array, *, divide: Callable[[bytes], list[bytes]]) -> tuple[Array, Array]:
    rows = [divide(string) for string in x.reshape(-1)]
    return strings_array([piece for row in rows for piece in row]), splits_of(np.array([len(row) for row in rows], int))


def divided(
    input: Any,
    op_name: str,
    divide: Callable[[Tensor], tuple[Sequence[Tensor], Array]],
    results_in: Sequence[dtypes.DType] = (dtypes.string,),
) -> tuple[Values, ...]:
    """The results of an op that makes a row of each string: one tensor for a scalar, else ragged with the strings' own axes outside.

    `divide` gives the values of all rows, of each result, and the row splits, for a vector of strings. Where one string is divided in
    a function that is traced, the number of pieces is unknown.
    """
    if isinstance(input, RaggedTensor):
        return tuple([input.with_flat_values(each) for each in divided(input.flat_values, op_name, divide, results_in)])
    strings = as_strings(input, op_name)
    shape = strings._array.shape
    if not shape and type(strings) is SymbolicTensor:
        pieces = [TensorSpec([None], each) for each in results_in]
        return tuple(
            computed_parts(op_name, lambda one: list(divide(reshape(one, [-1]))[0]), [strings], dtypes.string, pieces)
        )
    results, splits = divide(reshape(strings, [-1]))
    if not shape:
        return tuple(results)
    rows: tuple[Values, ...] = tuple([from_splits(each, splits) for each in results])
    for axis in range(len(shape) - 1, 0, -1):
        count = int(np.prod(shape[:axis]))
        outer = np.arange(count + 1) * shape[axis]
        rows = tuple([from_splits(each, outer, shape[axis]) for each in rows])
    return rows


_split = string_op("string_split", _pieces_forward, "StringSplitV2")
_bytes = string_op("string_bytes_split", _pieces_forward, "StringBytesSplit")


@export("strings.split")
def split(input: Any, sep: Any = None, maxsplit: int = -1, name: str | None = None) -> Values:
    """Each string divided at `sep`, or at white space; a ragged tensor, or for one string a tensor.

    >>> import whygrad as tf
    >>> tf.strings.split(["hello world", "a b c"])
    <tf.RaggedTensor [[b'hello', b'world'], [b'a', b'b', b'c']]>
    >>> tf.strings.split("1,2,,3", sep=",").numpy()
    array([b'1', b'2', b'', b'3'], dtype=object)
    """
    between = as_text("" if sep is None else sep, "sep").encode("utf-8", "surrogateescape") or None
    most = integer(maxsplit, "maxsplit")

    def divide(strings: Tensor) -> tuple[Sequence[Tensor], Array]:
        values, splits = compute(_split, strings, divide=lambda string: string.split(between, most))
        return [values], value_of(splits)

    return divided(input, "StringSplitV2", divide)[0]


@export("strings.bytes_split")
def bytes_split(input: Any, name: str | None = None) -> Values:
    """Each string divided into its bytes.

    >>> import whygrad as tf
    >>> tf.strings.bytes_split(["hello", "123"])
    <tf.RaggedTensor [[b'h', b'e', b'l', b'l', b'o'], [b'1', b'2', b'3']]>
    """

    def divide(strings: Tensor) -> tuple[Sequence[Tensor], Array]:
        values, splits = compute(_bytes, strings, divide=lambda string: [string[i : i + 1] for i in range(len(string))])
        return [values], value_of(splits)

    return divided(input, "StringBytesSplit", divide)[0]


# -- several strings into one --


def _reduce_join_forward(xp: Any, x: Array, *, axes: tuple[int, ...], keepdims: bool, separator: bytes) -> Array:
    kept = [axis for axis in range(x.ndim) if axis not in axes]
    moved = x.transpose([*kept, *reversed(axes)])  # the first axis is joined first
    shape = moved.shape[: len(kept)]
    rows = moved.reshape(*shape, -1) if moved.size else np.empty((*shape, 0), object)
    out = np.empty(shape, object)
    for at in np.ndindex(shape):
        out[at] = separator.join(rows[at].tolist())
    return out.reshape([1 if axis in axes else size for axis, size in enumerate(x.shape)]) if keepdims else out


_reduce_join = string_op("reduce_join", _reduce_join_forward, "ReduceJoin", is_shaped=True)


@export("strings.reduce_join")
def reduce_join(
    inputs: Any, axis: Any = None, keepdims: bool = False, separator: Any = "", name: str | None = None
) -> Values:
    """The strings along `axis` joined to one; along all axes without it.

    >>> import whygrad as tf
    >>> tf.strings.reduce_join([["abc", "123"], ["def", "456"]], axis=-1, separator=" ").numpy()
    array([b'abc 123', b'def 456'], dtype=object)
    """
    between = as_text(separator, "separator").encode("utf-8", "surrogateescape")
    keep = flag(keepdims, "keepdims")
    if isinstance(inputs, RaggedTensor):
        return _join_ragged(inputs, axis, keep, between)
    strings = as_strings(inputs, "ReduceJoin")
    if axis is None:
        axes = tuple(reversed(range(strings.ndim)))
    else:
        axes = tuple(_axis(each, strings.ndim) for each in np.atleast_1d(value_of(convert_to_tensor(axis))).tolist())
        if len(set(axes)) < len(axes):
            raise invalid(f"Duplicate reduction dimension {axes} [Op:ReduceJoin]")
    return compute(_reduce_join, strings, axes=axes, keepdims=keep, separator=between)


def _axis(axis: float, rank: int) -> int:
    at = int(axis)
    if not -rank <= at < rank:
        message = f"Invalid reduction dimension {at} for input with {rank} dimension(s) [Op:ReduceJoin]"
        raise OutOfRangeError(None, None, message)
    return at % rank


def _join_ragged(value: RaggedTensor, axis: Any, keepdims: bool, separator: bytes) -> Values:
    """The same of a ragged tensor, one axis after the other: the innermost first."""
    from whygrad.ragged.reductions import reduced

    def joined(values: Any, ids: Array, count: int) -> Tensor:
        return compute(_segment_join, values, ids=ids, num_segments=count, separator=separator)  # type: ignore[no-any-return]

    return reduced(value, axis, keepdims, joined, lambda x, at, keep: reduce_join(x, at, keep, separator))


def _segment_join_forward(xp: Any, x: Array, *, ids: Array, num_segments: int, separator: bytes) -> Array:
    inner = x.shape[ids.ndim :]
    rows = x.reshape(ids.size, int(np.prod(inner)))
    joined = np.empty((num_segments, rows.shape[1]), object)
    order = np.argsort(ids.reshape(-1), kind="stable")
    ends = np.searchsorted(ids.reshape(-1)[order], np.arange(num_segments + 1))
    for segment in range(num_segments):
        chosen = rows[order[ends[segment] : ends[segment + 1]]]
        for column in range(rows.shape[1]):
            joined[segment, column] = separator.join(chosen[:, column].tolist())
    return joined.reshape(num_segments, *inner)


_segment_join = string_op("unsorted_segment_join", _segment_join_forward, "UnsortedSegmentJoin")


@export("strings.unsorted_segment_join")
def unsorted_segment_join(
    inputs: Any, segment_ids: Any, num_segments: Any, separator: Any = "", name: str | None = None
) -> Tensor:
    """The strings of each segment joined to one.

    >>> import whygrad as tf
    >>> tf.strings.unsorted_segment_join(["this", "a", "is", "test"], [0, 1, 0, 1], 2, separator=" ").numpy()
    array([b'this is', b'a test'], dtype=object)
    """
    strings = as_strings(inputs, "UnsortedSegmentJoin")
    ids = value_of(convert_to_tensor(segment_ids))
    count = integer(num_segments, "num_segments")
    if strings._array.shape[: ids.ndim] != ids.shape:
        raise invalid(
            f"segment_ids of shape {shape_text(ids.shape)} must be the first sizes of inputs of shape "
            f"{shape_text(strings._array.shape)} [Op:UnsortedSegmentJoin]"
        )
    if count < 0:
        raise invalid(f"num_segments must not be negative, not {count} [Op:UnsortedSegmentJoin]")
    if ids.size and not (ids.min() >= 0 and ids.max() < count):
        raise invalid(
            "segment_ids are not allowed to exceed num_segments or to have negative values. [Op:UnsortedSegmentJoin]"
        )
    between = as_text(separator, "separator").encode("utf-8", "surrogateescape")
    return compute(_segment_join, strings, ids=ids, num_segments=count, separator=between)  # type: ignore[no-any-return]


# -- n-grams --


def _ngrams_forward(
    xp: Any,
    x: Array,
    *,
    splits: Array,
    widths: Sequence[int],
    separator: bytes,
    pads: tuple[bytes, bytes] | None,
    padding_width: int,
    preserve_short: bool,
) -> tuple[Array, Array]:
    grams: list[bytes] = []
    counts: list[int] = []
    for start, end in zip(splits.tolist(), splits.tolist()[1:]):
        before = len(grams)
        words = x[start:end].tolist()
        for width in widths:
            around = min(padding_width if padding_width >= 0 else width - 1, width - 1) if pads else 0
            row = [pads[0]] * around + words + [pads[1]] * around if pads else words
            grams += [separator.join(row[i : i + width]) for i in range(len(row) - width + 1)]
        if preserve_short and len(grams) == before and words:
            around = padding_width if pads and padding_width >= 0 else 0
            row = [pads[0]] * around + words + [pads[1]] * around if pads else words
            grams.append(separator.join(row))
        counts.append(len(grams) - before)
    return strings_array(grams), splits_of(np.array(counts, int))


_ngrams = string_op("string_ngrams", _ngrams_forward, "StringNGrams")


@export("strings.ngrams")
def ngrams(
    data: Any,
    ngram_width: Any,
    separator: str = " ",
    pad_values: Any = None,
    padding_width: int | None = None,
    preserve_short_sequences: bool = False,
    name: str | None = None,
) -> Values:
    """All runs of `ngram_width` neighbours along the innermost axis, joined to one string each.

    >>> import whygrad as tf
    >>> tf.strings.ngrams(["A", "B", "C", "D"], 2).numpy()
    array([b'A B', b'B C', b'C D'], dtype=object)
    >>> tf.strings.ngrams(["TF", "and", "keras"], 1).numpy()
    array([b'TF', b'and', b'keras'], dtype=object)
    """
    widths = list(ngram_width) if isinstance(ngram_width, list | tuple) else [ngram_width]
    for width in widths:
        if not isinstance(width, int | np.integer):
            raise OpTypeError(f"Expected int for argument 'ngram_width' not {ngram_width!r}.")
        if width < 1:
            raise OpValueError(f"All ngram_widths must be greater than 0. Got {ngram_width}")
    pads = _pads(pad_values)
    if padding_width is not None and pads is None:
        raise OpValueError("pad_values must be provided if padding_width is set.")
    if padding_width is not None and padding_width < 1:
        raise OpValueError(f"padding_width must be greater than 0. Got {padding_width}")
    is_tensor = not isinstance(data, RaggedTensor)
    rows = data
    if is_tensor:
        strings = as_strings(data, "StringNGrams")
        if not strings.ndim:
            raise OpValueError("`data` must have an axis along which to look for neighbours, not be a scalar")
        if strings.ndim == 1:
            rows = from_splits(strings, np.array([0, len(strings)]))
        else:
            rows = RaggedTensor.from_tensor(strings, ragged_rank=strings.ndim - 1)
    inner = rows._levels()[-1]
    if inner.values.ndim != 1:
        inner = RaggedTensor.from_tensor(inner.values, ragged_rank=inner.values.ndim - 1)._levels()[-1]
        rows = rows.with_flat_values(inner)
    values, splits = compute(
        _ngrams,
        inner.values,
        splits=inner._split_array(),
        widths=[int(width) for width in widths],
        separator=as_text(separator, "separator").encode(),
        pads=pads,
        padding_width=-1 if padding_width is None else padding_width,
        preserve_short=flag(preserve_short_sequences, "preserve_short_sequences"),
    )
    made: Values = from_splits(values, value_of(splits))
    for level in reversed(rows._levels()[:-1]):
        made = from_splits(made, level._split_array(), level._uniform)
    if not is_tensor:
        return made
    if strings.ndim == 1:
        return values
    return made.to_tensor()


def _pads(pad_values: Any) -> tuple[bytes, bytes] | None:
    if pad_values is None:
        return None
    pair = pad_values if isinstance(pad_values, list | tuple) else (pad_values, pad_values)
    if not all(isinstance(value, str | bytes) for value in pair):
        raise OpTypeError("pad_values must be a string, tuple of strings, or None.")
    if len(pair) != 2:
        raise OpValueError(f"pad_values must be one string or a pair of them, not {len(pair)}")
    left, right = [value.encode() if isinstance(value, str) else value for value in pair]
    return left, right


# -- tensors in a text --


def _format_forward(xp: Any, *inputs: Array, template: str, placeholder: str, summarize: int) -> Array:
    parts = template.split(placeholder)
    texts = [
        f'"{each[()].decode(errors="replace")}"' if _is_one(each) else tensor_text(each, summarize) for each in inputs
    ]
    whole = "".join([part + shown for part, shown in zip(parts, [*texts, ""])])
    return strings_array([whole.encode("utf-8", "surrogateescape")], ())


def _is_one(array: Array) -> bool:
    return array.dtype == object and not array.shape


_format = string_op("string_format", _format_forward, "StringFormat", is_shaped=True)


@export("strings.format")
def format_(template: str, inputs: Any, placeholder: str = "{}", summarize: int = 3, name: str | None = None) -> Tensor:
    """A text in which each `placeholder` is replaced by a tensor, as `tf.print` shows it.

    >>> import whygrad as tf
    >>> tf.strings.format("tensor: {}, suffix", tf.range(10)).numpy()
    b'tensor: [0 1 2 ... 7 8 9], suffix'
    """
    values = [inputs] if isinstance(inputs, Tensor | Variable | RaggedTensor) else items(inputs, "inputs")
    if text(placeholder, "placeholder") == "":
        raise OpValueError("`placeholder` must not be empty")
    wanted = template.count(placeholder)
    if wanted != len(values):
        raise OpValueError(
            f"The template expects {wanted} tensors, but the inputs only has {len(values)}. Please ensure the number of "
            "placeholders in template matches inputs length."
        )
    if any(isinstance(value, RaggedTensor) for value in values):  # these have no runtime format of their own
        parts = template.split(placeholder)
        texts = [
            text_of(value)
            if isinstance(value, RaggedTensor)
            else tensor_text(value_of(convert(value, None)), summarize)
            for value in values
        ]
        return convert("".join([part + shown for part, shown in zip(parts, [*texts, ""])]))
    tensors = [convert(value, None) for value in values]
    most = integer(summarize, "summarize")
    if not tensors:
        return convert(template, dtypes.string)
    return compute(_format, *tensors, template=template, placeholder=placeholder, summarize=most)  # type: ignore[no-any-return]
