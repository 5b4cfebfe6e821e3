"""Random order, as TensorFlow draws it: each element comes from a buffer of the next ones."""

from __future__ import annotations

from typing import Any

from whygrad.data.options import UNKNOWN_CARDINALITY
from whygrad.data.randomness import Draws, SeedSource
from whygrad.data.sources import Slices
from whygrad.data.stage import Cursor, CursorOf, Of, Run, Stage, State
from whygrad.data.structure import Flat
from whygrad.values.errors import invalid


class Shuffled(Of):
    """A dataset in random order."""

    name = "_ShuffleDataset"

    def __init__(self, source: Stage, buffer: int, seed: Any, again: bool) -> None:
        super().__init__(source)
        if buffer < 1 and buffer != UNKNOWN_CARDINALITY:
            raise invalid("buffer_size must be greater than zero or UNKNOWN_CARDINALITY [Op:ShuffleDatasetV3]")
        self._buffer = buffer
        self._seeds = SeedSource(seed, again)

    def cursor(self, run: Run) -> Cursor:
        """An iteration in the next order."""
        limit = None if self._buffer == UNKNOWN_CARDINALITY else self._buffer
        if isinstance(self.source, Slices):
            return _ShuffledRows(self.source, limit, self._seeds, run.peeks)
        return _ShuffleCursor(self.source.cursor(run), limit, self._seeds, run.peeks)


class _Buffer:
    """A ring of elements. The one that is drawn changes places with the first one, which is then free."""

    def __init__(self, limit: int | None, draws: Draws) -> None:
        self.limit = limit
        self.draws = draws
        self.ring: list[Any] = []
        self.start = self.count = 0

    @property
    def is_full(self) -> bool:
        return self.limit is not None and self.count == self.limit

    def add(self, value: Any) -> None:
        if self.limit is None or len(self.ring) < self.limit:
            self.ring.append(value)
        else:
            self.ring[(self.start + self.count) % self.limit] = value
        self.count += 1

    def draw(self) -> Any:
        ring, start, size = self.ring, self.start, self.limit or len(self.ring)
        at = (start + self.draws() % self.count) % size
        found = ring[at]
        ring[at] = ring[start % size]
        ring[start % size] = None
        self.start = (start + 1) % size
        self.count -= 1
        return found


class _ShuffleCursor(CursorOf):
    def __init__(self, source: Cursor, limit: int | None, seeds: SeedSource, peeks: bool) -> None:
        super().__init__(source)
        self._seeds = seeds
        self._buffer = _Buffer(limit, seeds.draws(peeks))
        self._is_over = False

    def __next__(self) -> Flat:
        buffer = self._buffer
        while not (self._is_over or buffer.is_full):
            try:
                buffer.add(next(self.source))
            except StopIteration:
                self._is_over = True
        if not buffer.count:
            raise StopIteration
        return buffer.draw()  # type: ignore[no-any-return]

    def save(self) -> State:
        buffer = self._buffer
        kept = [None if each is None else list(each) for each in buffer.ring]
        return {
            "source": self.source.save(), "ring": kept, "start": buffer.start, "count": buffer.count, "over": self._is_over,
            "draws": buffer.draws.save(), "seeds": self._seeds.save(),
        }  # fmt: skip

    def restore(self, state: State) -> None:
        self.source.restore(state["source"])
        buffer = self._buffer
        buffer.ring = [None if each is None else tuple(each) for each in state["ring"]]
        buffer.start, buffer.count, self._is_over = state["start"], state["count"], state["over"]
        buffer.draws = Draws.restored(state["draws"])
        self._seeds.restore(state["seeds"])


class _ShuffledRows(Cursor):
    """Rows of tensors in random order: the buffer holds their numbers, and a batch is gathered at once."""

    def __init__(self, rows: Slices, limit: int | None, seeds: SeedSource, peeks: bool) -> None:
        self._rows = rows
        self._at = 0
        self._seeds = seeds
        self._buffer = _Buffer(limit, seeds.draws(peeks))

    def _draw(self) -> int:
        buffer = self._buffer
        if self._at < self._rows.rows:
            if buffer.ring:
                buffer.add(self._at)
                self._at += 1
            else:
                end = self._rows.rows if buffer.limit is None else min(buffer.limit, self._rows.rows)
                buffer.ring = list(range(end))
                self._at = buffer.count = end
        if not buffer.count:
            raise StopIteration
        return buffer.draw()  # type: ignore[no-any-return]

    def __next__(self) -> Flat:
        return self._rows.row(self._draw())

    def block(self, count: int) -> tuple[Flat, int]:
        indices: list[int] = []
        try:
            while len(indices) < count:
                indices.append(self._draw())
        except StopIteration:
            pass
        if not indices:
            return (), 0
        found = self._rows.gathered(indices)
        if found is None:
            from whygrad.data.structure import stacked

            found = stacked([self._rows.row(each) for each in indices])
        return found, len(indices)

    def save(self) -> State:
        buffer = self._buffer
        return {
            "at": self._at, "ring": list(buffer.ring), "start": buffer.start, "count": buffer.count,
            "draws": buffer.draws.save(), "seeds": self._seeds.save(),
        }  # fmt: skip

    def restore(self, state: State) -> None:
        self._at = state["at"]
        buffer = self._buffer
        buffer.ring, buffer.start, buffer.count = list(state["ring"]), state["start"], state["count"]
        buffer.draws = Draws.restored(state["draws"])
        self._seeds.restore(state["seeds"])
