"""Philox 4x32-10 in XLA: streams whose key and position are known only when a compiled function runs.

The numbers equal those of `whygrad.engines.philox`: the bits exactly, floating point values up to the rounding of log, sin and cos.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from whygrad.engines.philox import (
    LOW,
    MULTIPLIER_A,
    MULTIPLIER_B,
    RESERVED,
    ROUNDS,
    SCRAMBLING_KEY,
    SHIFT_32,
    WEYL_A,
    WEYL_B,
)

Array = Any


class XlaStream:
    """A 64-bit key and a 128-bit position as XLA values, with the methods of a `Stream`."""

    def __init__(self, xp: Any, low: Array, high: Array, key: Array) -> None:
        self.xp = xp
        self.jnp = xp.jnp
        self.low, self.high, self.key = low, high, key

    def state(self) -> Array:
        """Position, low before high, and key: uint64 of shape (3,)."""
        return self.jnp.stack([self.low, self.high, self.key])

    def skip(self, blocks: Any) -> XlaStream:
        """The same stream, advanced by `blocks`."""
        low = self.low + (np.uint64(blocks) if isinstance(blocks, int) else blocks.astype(np.uint64))
        return XlaStream(self.xp, low, self.high + (low < self.low).astype(np.uint64), self.key)

    def blocks(self, offsets: Array) -> Array:
        """The blocks at these offsets (uint64) from the position: uint32 of shape (len(offsets), 4)."""
        lows = offsets + self.low
        highs = (lows < offsets).astype(np.uint64) + self.high
        c0, c1, c2, c3 = lows & LOW, lows >> SHIFT_32, highs & LOW, highs >> SHIFT_32
        k0, k1 = self.key & LOW, self.key >> SHIFT_32
        for _ in range(ROUNDS):
            p0, p1 = c0 * MULTIPLIER_A, c2 * MULTIPLIER_B
            c0, c1, c2, c3 = p1 >> SHIFT_32 ^ c1 ^ k0, p1 & LOW, p0 >> SHIFT_32 ^ c3 ^ k1, p0 & LOW
            k0, k1 = k0 + np.uint64(WEYL_A) & LOW, k1 + np.uint64(WEYL_B) & LOW
        return self.jnp.stack([c0, c1, c2, c3], axis=-1).astype(np.uint32)

    def words(self, count: int) -> Array:
        """The first `count` 32-bit numbers."""
        return self.blocks(np.arange(-(-count // 4), dtype=np.uint64)).reshape(-1)[:count]

    def long_words(self, count: int) -> Array:
        """The first `count` 64-bit numbers, each of two 32-bit ones, low before high."""
        pairs = self.words(2 * count).reshape(-1, 2).astype(np.uint64)
        return pairs[:, 0] | pairs[:, 1] << SHIFT_32

    # -- distributions --

    def uniform(self, count: int, dtype: np.dtype[Any]) -> Array:
        """Uniform in [0, 1): random bits as the mantissa of a number in [1, 2), minus 1."""
        if dtype == np.float64:
            return unit_double(self.xp, self.words(2 * count))
        words = self.words(count)
        if dtype == np.float32:
            return unit_float(self.xp, words)
        mantissa, one = (0x3FF, 0x3C00) if dtype == np.float16 else (0x7F, 0x3F80)
        bits = (words & np.uint32(mantissa)).astype(np.uint16) | np.uint16(one)
        return self.xp.lax.bitcast_convert_type(bits, dtype) - dtype.type(1)

    def full_integers(self, count: int, dtype: np.dtype[Any]) -> Array:
        """Uniform over all values of a 32- or 64-bit integer type."""
        return (self.words(count) if dtype.itemsize == 4 else self.long_words(count)).astype(dtype)

    def integers(self, count: int, dtype: np.dtype[Any], low: Any, high: Any) -> Array:
        """Uniform in [low, high), with the slight bias of the modulo."""
        bits = self.words(count) if dtype.itemsize == 4 else self.long_words(count)
        low, high = (self.jnp.asarray(each, dtype).astype(bits.dtype) for each in (low, high))
        return (bits % (high - low) + low).astype(dtype)

    def normal(self, count: int, dtype: np.dtype[Any]) -> Array:
        """Standard normal."""
        if dtype == np.float64:
            uniforms = unit_double(self.xp, self.words(-(-count // 2) * 4))
        else:
            uniforms = unit_float(self.xp, self.words(-(-count // 2) * 2))
        return normal_pairs(self.xp, uniforms.reshape(-1, 2)).reshape(-1)[:count].astype(dtype)

    def truncated_normal(self, count: int, dtype: np.dtype[Any]) -> Array:
        """Standard normal, redrawn where its magnitude exceeds 2."""
        jnp = self.jnp
        wide = dtype == np.float64
        size = 2 if wide else 4  # values from one group of candidates
        groups = -(-count // size)
        starts = np.arange(groups, dtype=np.uint64) * np.uint64(size * RESERVED // 4)

        def more(state: Any) -> Array:
            return jnp.any(state[1] < size)

        def draw(state: Any) -> Any:
            out, filled, block = state
            words = self.blocks(starts + block).reshape(-1)
            uniforms = (unit_double if wide else unit_float)(self.xp, words).reshape(groups, -1, 2)
            candidates = normal_pairs(self.xp, uniforms).reshape(groups, -1)
            for i in range(candidates.shape[1]):
                candidate = candidates[:, i]
                good = (jnp.abs(candidate) < 2) & (filled < size)
                here = good[:, None] & (np.arange(size) == filled[:, None])
                out = jnp.where(here, candidate[:, None], out)
                filled = filled + good
            return out, filled, block + np.uint64(1)

        out = jnp.zeros((groups, size), np.float64 if wide else np.float32)
        drawn = self.xp.lax.while_loop(more, draw, (out, jnp.zeros(groups, np.int32), jnp.uint64(0)))[0]
        return drawn.reshape(-1)[:count].astype(dtype)


def stream_of_state(xp: Any, state: Array) -> XlaStream:
    """The stream of a state, as returned by `XlaStream.state` or held by a generator's variable."""
    words = state.astype(np.uint64)
    return XlaStream(xp, words[0], words[1], words[2])


def stream_of_pair(xp: Any, pair: Array) -> XlaStream:
    """The stream of a stateless op: the pair of seeds is scrambled, so that poor seeds do no harm."""
    seeds = pair.astype(np.int64).astype(np.uint64)
    mixed = XlaStream(xp, seeds[0], seeds[1], np.uint64(SCRAMBLING_KEY)).long_words(2)
    return XlaStream(xp, xp.jnp.uint64(0), mixed[1], mixed[0])


def unit_float(xp: Any, words: Array) -> Array:
    """float32 in [0, 1), one per word."""
    bits = words & np.uint32(0x7FFFFF) | np.uint32(0x3F800000)
    return xp.lax.bitcast_convert_type(bits, np.float32) - np.float32(1)


def unit_double(xp: Any, words: Array) -> Array:
    """float64 in [0, 1), one per pair of words."""
    pairs = words.reshape(-1, 2).astype(np.uint64)
    bits = (pairs[:, 0] & np.uint64(0xFFFFF)) << SHIFT_32 | pairs[:, 1] | np.uint64(0x3FF0000000000000)
    return xp.lax.bitcast_convert_type(bits, np.float64) - 1.0


def normal_pairs(xp: Any, uniforms: Array) -> Array:
    """Box-Muller: two uniform numbers (the last axis) give two normal ones; see `philox.normal_pairs`."""
    kind = uniforms.dtype
    first = xp.jnp.maximum(uniforms[..., 0], kind.type(1e-7))
    radius = xp.jnp.sqrt(kind.type(-2) * xp.jnp.log(first.astype(np.float64)).astype(kind))
    angle = (uniforms[..., 1].astype(np.float64) * (2 * np.pi)).astype(kind).astype(np.float64)
    directions = xp.jnp.stack([xp.jnp.sin(angle), xp.jnp.cos(angle)], axis=-1).astype(kind)
    return directions * radius[..., None]
