"""Strings as sequences of Unicode characters."""

from __future__ import annotations

import codecs
import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.ops.arguments import flag, integer, text, word
from whygrad.ops.shaping import reshape
from whygrad.ragged.tensor import RaggedTensor, Values, splits_of
from whygrad.strings.arguments import (
    Array,
    as_strings,
    compute,
    each,
    on_flat_values,
    string_op,
    strings_array,
)
from whygrad.strings.scripts import scripts_of
from whygrad.strings.splitting import divided
from whygrad.values import dtypes
from whygrad.values.conversion import convert_to_tensor
from whygrad.values.errors import OpValueError, invalid
from whygrad.values.tensor import Tensor, value_of

_ERRORS = ("strict", "replace", "ignore")
_OUTPUT = ("UTF-8", "UTF-16-BE", "UTF-32-BE")
_SURROGATES = range(0xD800, 0xE000)


def _codec(encoding: Any, op_name: str) -> str:
    name = text(encoding, "input_encoding")
    try:
        return codecs.lookup(name).name
    except LookupError:
        raise invalid(f"Could not create converter for input encoding: {name} [Op:{op_name}]") from None


class _Reading:
    """How characters are read from bytes: the encoding, and what happens to bytes that encode none."""

    def __init__(
        self, op_name: str, encoding: Any, errors: Any, replacement_char: Any, replace_control_characters: Any
    ) -> None:
        self.op_name = op_name
        self.codec = _codec(encoding, op_name)
        self.errors = word(errors, "errors", _ERRORS)
        self.replacement = integer(replacement_char, "replacement_char")
        if not 0 <= self.replacement <= 0x10FFFF or self.replacement in _SURROGATES:
            raise invalid(
                f"replacement_char out of unicode codepoint range: {self.replacement} is no code point [Op:{op_name}]"
            )
        self.replaces_controls = flag(replace_control_characters, "replace_control_characters")

    def characters(self, string: bytes) -> tuple[list[int], list[int]]:
        """The code points of a string, and the positions of the bytes where they begin."""
        codes: list[int] = []
        offsets: list[int] = []
        at = 0
        while at < len(string):
            try:
                found, end, bad = string[at:].decode(self.codec), len(string), 0
            except UnicodeDecodeError as error:
                found = string[at : at + error.start].decode(self.codec)
                end, bad = at + error.start, max(error.end - error.start, 1)
            for character in found:
                codes.append(self._kept(ord(character)))
                offsets.append(at)
                at += len(character.encode(self.codec)) if self.codec != "utf-16" else 2 * (1 + (character > "\uffff"))
            at = end
            if bad:
                if self.errors == "strict":
                    raise invalid(f"Invalid formatting on input string [Op:{self.op_name}]")
                if self.errors == "replace":
                    codes.append(self.replacement)
                    offsets.append(at)
                at += bad
        return codes, offsets

    def _kept(self, code: int) -> int:
        return self.replacement if self.replaces_controls and code < 0x20 else code


def _decode_forward(xp: Any, x: Array, *, reading: _Reading, as_codes: bool) -> tuple[Array, Array, Array]:
    rows = [reading.characters(string) for string in x.reshape(-1)]
    codes = [code for row, _ in rows for code in row]
    offsets = np.array([offset for _, row in rows for offset in row], np.int64)
    values = np.array(codes, np.int32) if as_codes else strings_array([chr(code).encode() for code in codes])
    return values, offsets, splits_of(np.array([len(row) for row, _ in rows], int))


_decode = string_op("unicode_decode", _decode_forward, "UnicodeDecodeWithOffsets")


def _decoded(input: Any, reading: _Reading, as_codes: bool) -> tuple[Values, ...]:
    """The characters of each string, as code points or strings, and their positions."""

    def divide(strings: Tensor) -> tuple[Sequence[Tensor], Array]:
        values, offsets, splits = compute(_decode, strings, reading=reading, as_codes=as_codes)
        return [values, offsets], value_of(splits)

    return divided(input, reading.op_name, divide, (dtypes.int32 if as_codes else dtypes.string, dtypes.int64))


@export("strings.unicode_decode")
def unicode_decode(
    input: Any,
    input_encoding: str,
    errors: str = "replace",
    replacement_char: int = 0xFFFD,
    replace_control_characters: bool = False,
    name: str | None = None,
) -> Values:
    """The code points of each string.

    >>> import whygrad as tf
    >>> tf.strings.unicode_decode(["G\\xf6\\xf6dnight", "\\U0001f60a"], "UTF-8").to_list()
    [[71, 246, 246, 100, 110, 105, 103, 104, 116], [128522]]
    """
    reading = _Reading("UnicodeDecode", input_encoding, errors, replacement_char, replace_control_characters)
    return _decoded(input, reading, as_codes=True)[0]


@export("strings.unicode_decode_with_offsets")
def unicode_decode_with_offsets(
    input: Any,
    input_encoding: str,
    errors: str = "replace",
    replacement_char: int = 0xFFFD,
    replace_control_characters: bool = False,
    name: str | None = None,
) -> tuple[Values, Values]:
    """The code points of each string, and the positions of the bytes where they begin.

    >>> import whygrad as tf
    >>> tf.strings.unicode_decode_with_offsets("G\\xf6d", "UTF-8")[1].numpy()
    array([0, 1, 3])
    """
    reading = _Reading("UnicodeDecodeWithOffsets", input_encoding, errors, replacement_char, replace_control_characters)
    codes, offsets = _decoded(input, reading, as_codes=True)
    return codes, offsets


@export("strings.unicode_split")
def unicode_split(
    input: Any, input_encoding: str, errors: str = "replace", replacement_char: int = 0xFFFD, name: str | None = None
) -> Values:
    """Each string divided into its characters, in UTF-8.

    >>> import whygrad as tf
    >>> tf.strings.unicode_split("G\\xf6d", "UTF-8").numpy()
    array([b'G', b'\\xc3\\xb6', b'd'], dtype=object)
    """
    return _decoded(input, _Reading("UnicodeDecode", input_encoding, errors, replacement_char, False), as_codes=False)[
        0
    ]


@export("strings.unicode_split_with_offsets")
def unicode_split_with_offsets(
    input: Any, input_encoding: str, errors: str = "replace", replacement_char: int = 0xFFFD, name: str | None = None
) -> tuple[Values, Values]:
    """Each string divided into its characters, and the positions of the bytes where they begin.

    >>> import whygrad as tf
    >>> tf.strings.unicode_split_with_offsets("G\\xf6d", "UTF-8")[1].numpy()
    array([0, 1, 3])
    """
    reading = _Reading("UnicodeDecodeWithOffsets", input_encoding, errors, replacement_char, False)
    characters, offsets = _decoded(input, reading, as_codes=False)
    return characters, offsets


def _encode_forward(xp: Any, codes: Array, *, splits: Array, encoding: str, errors: str, replacement: int) -> Array:
    def kept(code: int) -> str:
        if 0 <= code <= 0x10FFFF and code not in _SURROGATES:
            return chr(code)
        if errors == "strict":
            raise invalid("Code point is out of range for Unicode, or is a surrogate. [Op:UnicodeEncode]")
        return chr(replacement) if errors == "replace" else ""

    whole = codes.tolist()
    ends = splits.tolist()
    return strings_array(
        ["".join([kept(code) for code in whole[start:end]]).encode(encoding) for start, end in itertools.pairwise(ends)]
    )


_encode = string_op("unicode_encode", _encode_forward, "UnicodeEncode")


@export("strings.unicode_encode")
def unicode_encode(
    input: Any, output_encoding: str, errors: str = "replace", replacement_char: int = 0xFFFD, name: str | None = None
) -> Values:
    """The code points along the innermost axis as one string.

    >>> import whygrad as tf
    >>> tf.strings.unicode_encode(tf.ragged.constant([[71, 246], [128522]]), "UTF-8").numpy()
    array([b'G\\xc3\\xb6', b'\\xf0\\x9f\\x98\\x8a'], dtype=object)
    """
    attributes = {
        "encoding": word(output_encoding, "output_encoding", _OUTPUT).lower(),
        "errors": word(errors, "errors", _ERRORS),
        "replacement": integer(replacement_char, "replacement_char"),
    }
    if isinstance(input, RaggedTensor):
        inner = input._levels()[-1]
        if inner.values.ndim > 1:
            return input.with_flat_values(unicode_encode(inner.values, output_encoding, errors, replacement_char))
        strings = compute(_encode, inner.values, splits=inner._split_array(), **attributes)
        if inner is input:
            return strings
        outer = input._levels()[:-1]
        for level in reversed(outer):
            strings = RaggedTensor.from_row_splits(strings, level.row_splits)
        return strings
    codes = convert_to_tensor(input, dtype_hint=dtypes.int32)
    if not codes.ndim:
        raise OpValueError("input_tensor's rank must be at least 1.")
    *outside, size = codes._array.shape
    splits = np.arange(int(np.prod(outside)) + 1) * size
    return reshape(compute(_encode, reshape(codes, [-1]), splits=splits, **attributes), outside)


def _transcode_forward(xp: Any, x: Array, *, reading: _Reading, encoding: str) -> Array:
    return each(lambda string: "".join(map(chr, reading.characters(string)[0])).encode(encoding), x)


_transcode = string_op("unicode_transcode", _transcode_forward, "UnicodeTranscode", is_shaped=True)


@export("strings.unicode_transcode")
@on_flat_values
def unicode_transcode(
    input: Any,
    input_encoding: str,
    output_encoding: str,
    errors: str = "replace",
    replacement_char: int = 65533,
    replace_control_characters: bool = False,
    name: str | None = None,
) -> Tensor:
    """Each string in another encoding.

    >>> import whygrad as tf
    >>> tf.strings.unicode_transcode(["Hi"], "UTF-8", "UTF-16-BE").numpy()
    array([b'\\x00H\\x00i'], dtype=object)
    """
    encoding = word(output_encoding, "output_encoding", _OUTPUT).lower()
    reading = _Reading("UnicodeTranscode", input_encoding, errors, replacement_char, replace_control_characters)
    return compute(_transcode, as_strings(input, "UnicodeTranscode"), reading=reading, encoding=encoding)  # type: ignore[no-any-return]


_script = string_op("unicode_script", lambda xp, x: scripts_of(x), "UnicodeScript", is_shaped=True)


@export("strings.unicode_script")
@on_flat_values
def unicode_script(input: Any, name: str | None = None) -> Tensor:
    """The number of the script of each code point, as ICU numbers them; -1 for what is no code point.

    >>> import whygrad as tf
    >>> tf.strings.unicode_script([1, 31, 38, 97]).numpy()
    array([ 0,  0,  0, 25], dtype=int32)
    """
    return compute(_script, convert_to_tensor(input, dtypes.int32))  # type: ignore[no-any-return]
