"""Conversions between Python's text and bytes: `tf.compat.as_text` and others."""

from __future__ import annotations

from typing import Any

from whygrad._public import export
from whygrad.values.errors import OpTypeError


def _refused(value: Any) -> OpTypeError:
    return OpTypeError(f"Expected binary or unicode string, got {value!r}")


@export("compat.as_text", "compat.as_str")
def as_text(bytes_or_text: Any, encoding: str = "utf-8") -> str:
    """Bytes as text; text as it is.

    >>> import whygrad as tf
    >>> tf.compat.as_text(b"caf\\xc3\\xa9"), tf.compat.as_text("text")
    ('café', 'text')
    """
    if isinstance(bytes_or_text, str):
        return bytes_or_text
    if isinstance(bytes_or_text, bytes):
        return bytes_or_text.decode(encoding)
    raise _refused(bytes_or_text)


@export("compat.as_bytes")
def as_bytes(bytes_or_text: Any, encoding: str = "utf-8") -> bytes:
    """Text as bytes; bytes as they are.

    >>> import whygrad as tf
    >>> tf.compat.as_bytes("text"), tf.compat.as_bytes(b"bytes")
    (b'text', b'bytes')
    """
    if isinstance(bytes_or_text, bytes | bytearray):
        return bytes(bytes_or_text)
    if isinstance(bytes_or_text, str):
        return bytes_or_text.encode(encoding)
    raise _refused(bytes_or_text)


@export("compat.as_str_any")
def as_str_any(value: Any, encoding: str = "utf-8") -> str:
    """Bytes as text; anything else as `str` shows it.

    >>> import whygrad as tf
    >>> tf.compat.as_str_any(b"bytes"), tf.compat.as_str_any(3)
    ('bytes', '3')
    """
    return as_text(value, encoding) if isinstance(value, bytes) else str(value)
