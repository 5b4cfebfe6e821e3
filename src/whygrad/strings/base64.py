"""Bytes as text and back: `tf.io.encode_base64` and `tf.io.decode_base64`, in the alphabet that is safe in addresses."""

from __future__ import annotations

import base64
import re
from typing import Any

from whygrad._public import export
from whygrad.ops.arguments import flag
from whygrad.strings.arguments import as_strings, compute, each, on_flat_values, string_op
from whygrad.values.errors import invalid
from whygrad.values.tensor import Tensor


def _encoded(string: bytes, pad: bool) -> bytes:
    whole = base64.urlsafe_b64encode(string)
    return whole if pad else whole.rstrip(b"=")


def _decoded(string: bytes) -> bytes:
    digits = re.sub(rb"={1,2}$", b"", string)
    if not re.fullmatch(rb"[A-Za-z0-9_-]*", digits):
        raise invalid("Invalid character found in base64. [Op:DecodeBase64]")
    if len(digits) % 4 == 1:
        raise invalid("Base64 string length cannot be 1 modulo 4. [Op:DecodeBase64]")
    return base64.urlsafe_b64decode(digits + b"=" * (-len(digits) % 4))


_encode = string_op(
    "encode_base64", lambda xp, x, *, pad: each(lambda s: _encoded(s, pad), x), "EncodeBase64", is_shaped=True
)
_decode = string_op("decode_base64", lambda xp, x: each(_decoded, x), "DecodeBase64", is_shaped=True)


@export("io.encode_base64")
@on_flat_values
def encode_base64(input: Any, pad: bool = False, name: str | None = None) -> Tensor:
    """Bytes in base 64, in letters, digits, `-` and `_`.

    >>> import whygrad as tf
    >>> tf.io.encode_base64("hello").numpy()
    b'aGVsbG8'
    """
    return compute(_encode, as_strings(input, "EncodeBase64"), pad=flag(pad, "pad"))  # type: ignore[no-any-return]


@export("io.decode_base64")
@on_flat_values
def decode_base64(input: Any, name: str | None = None) -> Tensor:
    """The bytes that a text in base 64 stands for.

    >>> import whygrad as tf
    >>> tf.io.decode_base64("aGVsbG8").numpy()
    b'hello'
    """
    return compute(_decode, as_strings(input, "DecodeBase64"))  # type: ignore[no-any-return]
