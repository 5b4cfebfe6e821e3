"""TensorFlow's random numbers for datasets: 32 bits at a time from Philox, and the seeds of each iteration."""

from __future__ import annotations

import os
import threading
from typing import Any

from whygrad.engines import philox
from whygrad.ops.random_streams import seeds_of

_AT_ONCE = 256  # numbers computed together


class Draws:
    """32-bit random numbers of a pair of seeds, one after the other."""

    def __init__(self, seeds: tuple[int, int], drawn: int = 0) -> None:
        self.seeds = seeds
        self._stream = philox.Stream(seeds[0] & (2**64 - 1), (seeds[1] & (2**64 - 1)) << 64)
        self._first = drawn  # the number of the first one in `_words`
        self._words: list[int] = []
        self._at = 0

    @property
    def drawn(self) -> int:
        """How many were drawn."""
        return self._first + self._at

    def __call__(self) -> int:
        """The next number."""
        if self._at == len(self._words):
            self._first += self._at
            block, offset = divmod(self._first, 4)
            self._words = self._stream.skip(block).words(offset + _AT_ONCE)[offset:].tolist()
            self._at = 0
        self._at += 1
        return self._words[self._at - 1]

    def save(self) -> Any:
        """The position."""
        return [*self.seeds, self.drawn]

    @classmethod
    def restored(cls, state: Any) -> Draws:
        """Those that `save` described."""
        first, second, drawn = state
        return cls((first, second), drawn)


class SeedSource:
    """The seeds of the iterations over a dataset: the same for all, or others for each."""

    def __init__(self, seed: Any, again: bool) -> None:
        pair = seeds_of(seed)
        if pair == (0, 0):
            pair = int.from_bytes(os.urandom(8)), int.from_bytes(os.urandom(8))
        self._pair = pair
        self._draws = Draws(pair) if again else None
        self._lock = threading.Lock()

    def save(self) -> int:
        """How many seeds were drawn."""
        return 0 if self._draws is None else self._draws.drawn

    def restore(self, drawn: int) -> None:
        """Continue after `drawn` seeds."""
        if self._draws is not None:
            with self._lock:
                self._draws = Draws(self._pair, drawn)

    def draws(self, peeks: bool) -> Draws:
        """The random numbers of the next iteration; those of one that `peeks` are there for the one after it, too."""
        if self._draws is None:
            return Draws(self._pair)
        with self._lock:
            seeds = Draws(self._pair, self._draws.drawn) if peeks else self._draws
            return Draws((seeds(), seeds()))
