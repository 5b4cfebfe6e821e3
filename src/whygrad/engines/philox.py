"""Philox 4x32-10, TensorFlow's counter-based random generator, and distributions drawn from it.

A `Stream` is a key and a position; block i of a stream is four 32-bit numbers that depend only on the key and on the position plus i.
So the numbers do not depend on the order in which they are drawn, and equal TensorFlow's: the bits exactly, floating point values up
to the rounding of log, sin and cos.

Distributions that reject candidates give every output its own section of the stream (`RESERVED` blocks), as TensorFlow does.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

Array = Any

MULTIPLIER_A, MULTIPLIER_B = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
WEYL_A, WEYL_B = 0x9E3779B9, 0xBB67AE85
ROUNDS = 10
LOW = np.uint64(0xFFFFFFFF)
SHIFT_32 = np.uint64(32)
SCRAMBLING_KEY = 0x02461E293EC8F720  # TensorFlow's: turns a pair of seeds into a stream
_MASK_32, _MASK_64, _MASK_128 = (1 << 32) - 1, (1 << 64) - 1, (1 << 128) - 1

# Blocks that TensorFlow reserves for each output: a distribution may reject candidates.
RESERVED = 256

_AT_ONCE = 8192  # blocks computed together: the working arrays fit in the cache


class Stream(NamedTuple):
    """A 64-bit key and a 128-bit position."""

    key: int
    position: int

    def skip(self, blocks: int) -> Stream:
        """The same stream, advanced by `blocks`."""
        return Stream(self.key, (self.position + blocks) & _MASK_128)

    def state(self) -> Array:
        """Position, low before high, and key: uint64 of shape (3,)."""
        return np.array([self.position & _MASK_64, self.position >> 64, self.key], np.uint64)

    def blocks(self, offsets: Array) -> Array:
        """The blocks at these offsets (uint64) from the position: uint32 of shape (len(offsets), 4)."""
        out = np.empty((len(offsets), 4), np.uint32)
        for start in range(0, len(offsets), _AT_ONCE):
            part = slice(start, start + _AT_ONCE)
            self._compute(offsets[part], out[part])
        return out

    def _compute(self, offsets: Array, out: Array) -> None:
        low, high = self.position & _MASK_64, self.position >> 64
        lows = offsets + np.uint64(low)
        highs = (lows < offsets).astype(np.uint64) + np.uint64(high)
        c0, c1, c2, c3 = lows & LOW, lows >> SHIFT_32, highs & LOW, highs >> SHIFT_32
        k0, k1 = self.key & _MASK_32, self.key >> 32
        for _ in range(ROUNDS):
            p0 = c0 * MULTIPLIER_A
            p1 = c2 * MULTIPLIER_B
            c1 ^= p1 >> SHIFT_32
            c1 ^= np.uint64(k0)
            c3 ^= p0 >> SHIFT_32
            c3 ^= np.uint64(k1)
            p0 &= LOW
            p1 &= LOW
            c0, c1, c2, c3 = c1, p1, c3, p0
            k0, k1 = (k0 + WEYL_A) & _MASK_32, (k1 + WEYL_B) & _MASK_32
        for i, word in enumerate((c0, c1, c2, c3)):
            out[:, i] = word

    def words(self, count: int) -> Array:
        """The first `count` 32-bit numbers."""
        return self.blocks(np.arange(-(-count // 4), dtype=np.uint64)).reshape(-1)[:count]

    def long_words(self, count: int) -> Array:
        """The first `count` 64-bit numbers, each from two 32-bit ones, low before high."""
        return _join(self.words(2 * count))

    # -- distributions: each returns a flat array of `count` values --

    def uniform(self, count: int, dtype: np.dtype[Any]) -> Array:
        """Uniform in [0, 1): random bits as the mantissa of a number in [1, 2), minus 1."""
        if dtype == np.float64:
            return unit_double(self.words(2 * count))
        words = self.words(count)
        if dtype == np.float32:
            return unit_float(words)
        return _unit_short(words, dtype)

    def full_integers(self, count: int, dtype: np.dtype[Any]) -> Array:
        """Uniform over all values of a 32- or 64-bit integer type."""
        return (self.words(count) if dtype.itemsize == 4 else self.long_words(count)).view(dtype)

    def integers(self, count: int, dtype: np.dtype[Any], low: int, high: int) -> Array:
        """Uniform in [low, high), with the slight bias of the modulo."""
        bits = self.words(count) if dtype.itemsize == 4 else self.long_words(count)
        return (bits % bits.dtype.type(high - low) + np.array(low, dtype).view(bits.dtype)).view(dtype)

    def normal(self, count: int, dtype: np.dtype[Any]) -> Array:
        """Standard normal."""
        if dtype == np.float64:
            words = self.words(-(-count // 2) * 4)
            return normal_pairs(unit_double(words).reshape(-1, 2)).reshape(-1)[:count]
        words = self.words(-(-count // 2) * 2)
        return normal_pairs(unit_float(words).reshape(-1, 2)).reshape(-1)[:count].astype(dtype, copy=False)

    def truncated_normal(self, count: int, dtype: np.dtype[Any]) -> Array:
        """Standard normal, redrawn where its magnitude exceeds 2."""
        wide = dtype == np.float64
        size = 2 if wide else 4  # values from one group of candidates
        groups = -(-count // size)
        out = np.empty((groups, size), np.float64 if wide else np.float32)
        filled = np.zeros(groups, np.intp)
        todo = np.arange(groups)
        block = 0
        while len(todo):
            words = self.blocks(todo.astype(np.uint64) * np.uint64(size * RESERVED // 4) + np.uint64(block))
            uniforms = (unit_double if wide else unit_float)(words.reshape(-1)).reshape(len(todo), -1, 2)
            candidates = normal_pairs(uniforms).reshape(len(todo), -1)
            for candidate in candidates.T:
                good = (np.abs(candidate) < 2) & (filled[todo] < size)
                rows = todo[good]
                out[rows, filled[rows]] = candidate[good]
                filled[rows] += 1
            todo = todo[filled[todo] < size]
            block += 1
        return out.reshape(-1)[:count].astype(dtype, copy=False)


def stream_of_seeds(seed: int, seed2: int) -> Stream:
    """The stream of a stateful op: the graph's seed is the key, the op's seed is the position."""
    return Stream(seed & _MASK_64, (seed2 & _MASK_64) << 64)


def stream_of_words(words: Array) -> Stream:
    """The stream with this state: the position, low before high, and the key."""
    low, high, key = (int(each) & _MASK_64 for each in np.asarray(words).tolist())
    return Stream(key, low | high << 64)


def stream_of_pair(first: int, second: int) -> Stream:
    """The stream of a stateless op: the pair of seeds is scrambled, so that poor seeds do no harm."""
    mixed = Stream(SCRAMBLING_KEY, (first & _MASK_64) | (second & _MASK_64) << 64).words(4).tolist()
    return Stream(mixed[0] | mixed[1] << 32, (mixed[2] | mixed[3] << 32) << 64)


def _join(words: Array) -> Array:
    pairs = words.reshape(-1, 2).astype(np.uint64)
    return pairs[:, 0] | pairs[:, 1] << SHIFT_32


# -- from random bits to numbers --


def unit_float(words: Array) -> Array:
    """float32 in [0, 1), one per word."""
    bits = words & np.uint32(0x7FFFFF)
    bits |= np.uint32(0x3F800000)
    return bits.view(np.float32) - np.float32(1)


def unit_double(words: Array) -> Array:
    """float64 in [0, 1), one per pair of words."""
    pairs = words.reshape(-1, 2)
    bits = (pairs[:, 0] & np.uint32(0xFFFFF)).astype(np.uint64) << SHIFT_32
    bits |= pairs[:, 1]
    bits |= np.uint64(0x3FF0000000000000)
    return bits.view(np.float64) - 1.0


def _unit_short(words: Array, dtype: np.dtype[Any]) -> Array:
    """Uniform numbers for float16 (10 bits of mantissa) and bfloat16 (7)."""
    mantissa, one = (0x3FF, 0x3C00) if dtype == np.float16 else (0x7F, 0x3F80)
    bits = (words & np.uint32(mantissa)).astype(np.uint16) | np.uint16(one)
    return bits.view(dtype) - dtype.type(1)


def normal_pairs(uniforms: Array) -> Array:
    """Box-Muller: two uniform numbers (the last axis) give two normal ones."""
    # log, sin and cos are computed in double precision and rounded: TensorFlow calls the C library's float functions, which
    # are correctly rounded; NumPy's are not.
    kind = uniforms.dtype.type
    log = np.log(np.maximum(uniforms[..., 0], kind(1e-7)), dtype=np.float64).astype(kind, copy=False)
    radius = np.sqrt(kind(-2) * log)
    angle = (uniforms[..., 1] * np.float64(2 * np.pi)).astype(kind, copy=False)
    out = np.empty_like(uniforms)
    out[..., 0] = np.sin(angle, dtype=np.float64)
    out[..., 1] = np.cos(angle, dtype=np.float64)
    out *= radius[..., None]
    return out
