"""The hash functions of TensorFlow: FarmHash's fingerprint, SipHash, and the older 64-bit hash. All on bytes, in Python's integers."""

from __future__ import annotations

from typing import Any

from whygrad._public import export
from whygrad.ops.arguments import integer
from whygrad.strings.arguments import as_strings, compute, each, on_flat_values, string_op
from whygrad.values.errors import invalid
from whygrad.values.tensor import Tensor

_MASK = 0xFFFFFFFFFFFFFFFF
_K0, _K1, _K2 = 0xC3A5C85C97CB3127, 0xB492B66FBE98F273, 0x9AE16A3B2F90404F


def _word(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 8], "little")


def _half(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 4], "little")


def _right(value: int, by: int) -> int:
    """Rotated to the right."""
    return (value >> by | value << 64 - by) & _MASK


def _mixed(value: int) -> int:
    return value ^ value >> 47


def _pair(u: int, v: int, factor: int) -> int:
    """The hash of two words."""
    a = _mixed((u ^ v) * factor & _MASK)
    return _mixed((v ^ a) * factor & _MASK) * factor & _MASK


def fingerprint64(data: bytes) -> int:
    """FarmHash's Fingerprint64: the same for these bytes on every machine."""
    size = len(data)
    if size <= 16:
        return _up_to_16(data, size)
    factor = _K2 + size * 2 & _MASK
    if size <= 32:
        a = _word(data, 0) * _K1 & _MASK
        b = _word(data, 8)
        c = _word(data, size - 8) * factor & _MASK
        d = _word(data, size - 16) * _K2 & _MASK
        u = _right(a + b & _MASK, 43) + _right(c, 30) + d & _MASK
        return _pair(u, a + _right(b + _K2 & _MASK, 18) + c & _MASK, factor)
    if size <= 64:
        return _up_to_64(data, size, factor)
    return _longer(data, size)


def _up_to_16(data: bytes, size: int) -> int:
    factor = _K2 + size * 2 & _MASK
    if size >= 8:
        a = _word(data, 0) + _K2 & _MASK
        b = _word(data, size - 8)
        return _pair(_right(b, 37) * factor + a & _MASK, (_right(a, 25) + b) * factor & _MASK, factor)
    if size >= 4:
        return _pair(size + (_half(data, 0) << 3), _half(data, size - 4), factor)
    if size:
        y = data[0] + (data[size >> 1] << 8)
        z = size + (data[-1] << 2)
        return _mixed((y * _K2 ^ z * _K0) & _MASK) * _K2 & _MASK
    return _K2


def _up_to_64(data: bytes, size: int, factor: int) -> int:
    a = _word(data, 0) * _K2 & _MASK
    b = _word(data, 8)
    c = _word(data, size - 8) * factor & _MASK
    d = _word(data, size - 16) * _K2 & _MASK
    y = _right(a + b & _MASK, 43) + _right(c, 30) + d & _MASK
    z = _pair(y, a + _right(b + _K2 & _MASK, 18) + c & _MASK, factor)
    e = _word(data, 16) * factor & _MASK
    f = _word(data, 24)
    g = (y + _word(data, size - 32)) * factor & _MASK
    h = (z + _word(data, size - 24)) * factor & _MASK
    u = _right(e + f & _MASK, 43) + _right(g, 30) + h & _MASK
    return _pair(u, e + _right(f + a & _MASK, 18) + g & _MASK, factor)


def _of_32(data: bytes, at: int, a: int, b: int) -> tuple[int, int]:
    """Two words from 32 bytes and two seeds."""
    w, x, y, z = [_word(data, at + 8 * i) for i in range(4)]
    a = a + w & _MASK
    b = _right(b + a + z & _MASK, 21)
    total = a + x + y & _MASK
    return total + z & _MASK, b + _right(total, 44) + a & _MASK


def _longer(data: bytes, size: int) -> int:
    seed = 81
    y = seed * _K1 + 113 & _MASK
    z = _mixed(y * _K2 + 113 & _MASK) * _K2 & _MASK
    x = seed * _K2 + _word(data, 0) & _MASK
    v, w = (0, 0), (0, 0)
    end = (size - 1) // 64 * 64
    for at in range(0, end, 64):
        x, y, z, v, w = _block(data, at, x, y, z, v, w, _K1, 1)
    factor = _K1 + ((z & 0xFF) << 1) & _MASK
    rest = size - 1 & 63
    first = w[0] + rest & _MASK
    v = (v[0] + first & _MASK, v[1])
    w = (first + v[0] & _MASK, w[1])
    x, y, z, v, w = _block(data, end + rest - 63, x, y, z, v, w, factor, 9)
    return _pair(_pair(v[0], w[0], factor) + _mixed(y) * _K0 + z & _MASK, _pair(v[1], w[1], factor) + x & _MASK, factor)


def _block(
    data: bytes, at: int, x: int, y: int, z: int, v: tuple[int, int], w: tuple[int, int], factor: int, weight: int
) -> tuple[int, int, int, tuple[int, int], tuple[int, int]]:
    """One round over 64 bytes; the last round weighs its words differently."""
    x = _right(x + y + v[0] + _word(data, at + 8) & _MASK, 37) * factor & _MASK
    y = _right(y + v[1] + _word(data, at + 48) & _MASK, 42) * factor & _MASK
    x ^= w[1] * weight & _MASK
    y = y + v[0] * weight + _word(data, at + 40) & _MASK
    z = _right(z + w[0] & _MASK, 33) * factor & _MASK
    v = _of_32(data, at, v[1] * factor & _MASK, x + w[0] & _MASK)
    w = _of_32(data, at + 32, z + w[1] & _MASK, y + _word(data, at + 16) & _MASK)
    return z, y, x, v, w


def older_hash64(data: bytes, seed: int = 0xDECAFCAFFE) -> int:
    """The hash of `strings.to_hash_bucket`."""
    factor = 0xC6A4A7935BD1E995
    h = seed ^ len(data) * factor & _MASK
    whole = len(data) // 8 * 8
    for at in range(0, whole, 8):
        k = _word(data, at) * factor & _MASK
        h = (h ^ _mixed(k) * factor & _MASK) * factor & _MASK
    if whole < len(data):
        h = (h ^ int.from_bytes(data[whole:], "little")) * factor & _MASK
    return _mixed(_mixed(h) * factor & _MASK)


def siphash(key: tuple[int, int], data: bytes) -> int:
    """SipHash-2-4 of bytes under a key of two words: others cannot choose strings that meet in one bucket."""
    k0, k1 = key
    v = [k0 ^ 0x736F6D6570736575, k1 ^ 0x646F72616E646F6D, k0 ^ 0x6C7967656E657261, k1 ^ 0x7465646279746573]
    whole = len(data) // 8 * 8
    words = [_word(data, at) for at in range(0, whole, 8)]
    words.append(int.from_bytes(data[whole:], "little") | (len(data) & 0xFF) << 56)
    for word in words:
        v[3] ^= word
        _sip_rounds(v, 2)
        v[0] ^= word
    v[2] ^= 0xFF
    _sip_rounds(v, 4)
    return v[0] ^ v[1] ^ v[2] ^ v[3]


def _sip_rounds(v: list[int], rounds: int) -> None:
    a, b, c, d = v
    for _ in range(rounds):
        a = a + b & _MASK
        b = _right(b, 51) ^ a
        a = _right(a, 32)
        c = c + d & _MASK
        d = _right(d, 48) ^ c
        a = a + d & _MASK
        d = _right(d, 43) ^ a
        c = c + b & _MASK
        b = _right(b, 47) ^ c
        c = _right(c, 32)
    v[:] = a, b, c, d


_fast = string_op(
    "string_to_hash_bucket_fast",
    lambda xp, x, *, num_buckets: each(lambda s: fingerprint64(s) % num_buckets, x, "int64"),
    "StringToHashBucketFast",
    is_shaped=True,
)
_older = string_op(
    "string_to_hash_bucket",
    lambda xp, x, *, num_buckets: each(lambda s: older_hash64(s) % num_buckets, x, "int64"),
    "StringToHashBucket",
    is_shaped=True,
)
_strong = string_op(
    "string_to_hash_bucket_strong",
    lambda xp, x, *, num_buckets, key: each(lambda s: siphash(key, s) % num_buckets, x, "int64"),
    "StringToHashBucketStrong",
    is_shaped=True,
)


def _buckets(num_buckets: Any) -> int:
    count = integer(num_buckets, "num_buckets")
    if count < 1:
        raise invalid(f"Value for attr 'num_buckets' of {count} must be at least minimum 1")
    return count


@export("strings.to_hash_bucket_fast")
@on_flat_values
def to_hash_bucket_fast(input: Any, num_buckets: int, name: str | None = None) -> Tensor:
    """A bucket for each string by FarmHash's fingerprint, modulo `num_buckets`.

    >>> import whygrad as tf
    >>> tf.strings.to_hash_bucket_fast(["Hello", "TensorFlow", "2.x"], 3).numpy()
    array([0, 2, 2])
    """
    strings = as_strings(input, "StringToHashBucketFast")
    return compute(_fast, strings, num_buckets=_buckets(num_buckets))  # type: ignore[no-any-return]


@export("strings.to_hash_bucket")
@on_flat_values
def to_hash_bucket(input: Any, num_buckets: int, name: str | None = None) -> Tensor:
    """A bucket for each string, as older models have it. Use `to_hash_bucket_fast` for new ones.

    >>> import whygrad as tf
    >>> tf.strings.to_hash_bucket(["Hello", "TensorFlow", "2.x"], 3).numpy()
    array([2, 0, 1])
    """
    return compute(_older, as_strings(input, "StringToHashBucket"), num_buckets=_buckets(num_buckets))  # type: ignore[no-any-return]


@export("strings.to_hash_bucket_strong")
@on_flat_values
def to_hash_bucket_strong(input: Any, num_buckets: int, key: Any, name: str | None = None) -> Tensor:
    """A bucket for each string by SipHash under a secret `key` of two integers.

    >>> import whygrad as tf
    >>> tf.strings.to_hash_bucket_strong(["Hello", "TF"], 3, [1, 2]).numpy()
    array([2, 0])
    """
    strings = as_strings(input, "StringToHashBucketStrong")
    words = [int(word) & _MASK for word in key]
    if len(words) != 2:
        raise invalid("Key must have 2 elements [Op:StringToHashBucketStrong]")
    return compute(_strong, strings, num_buckets=_buckets(num_buckets), key=tuple(words))  # type: ignore[no-any-return]
