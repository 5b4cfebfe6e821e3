"""Tables of cotangents: for each tensor, by its key, the running sum of what arrived for it.

There are three kinds, one for each way in which rules run: on NumPy arrays, on arrays of the other engine, and on Tensors where the
sweep itself is recorded. `whygrad.tape.jacobian` adds a fourth, for many cotangents at once. `sweep` only uses what they share.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import CodeType
from typing import Any

import numpy as np

from whygrad.engines.numpy import engine
from whygrad.ops.partial import Rows, Slot
from whygrad.ops.primitive import Record
from whygrad.ops.recorded import recorded
from whygrad.runtime.call_sites import At, Place, users_site
from whygrad.values.recorders import Observer, observers
from whygrad.values.tensor import Key, Tensor, placement, wrap

Array = Any


class Cotangents:
    """What all tables share."""

    xp: Any  # the namespace that rules compute with
    arithmetic: Any = None  # the context in which rules compute, if they need one
    observers: Sequence[Observer] = ()  # shown what each rule gave

    def __init__(self) -> None:
        self.sums: dict[Key, Any] = {}
        self.rows: dict[Key, list[Rows]] = {}  # what lookups gave, kept sparse until a dense sum is asked for
        self.broadcasts: list[Record] = []  # ops that repeated both of their operands
        # Keys whose sum is an array that only this table holds, and may be added to in place.
        self.owned: set[Key] = set()

    def add(self, key: Key, gx: Any) -> None:
        """Add a rule's result to the sum for `key`."""
        raise NotImplementedError

    def get(self, key: Key) -> Any:
        """The sum for `key`, dense; None if nothing arrived."""
        raise NotImplementedError

    def pop(self, key: Key) -> Any:
        """As `get`, and forget it."""
        total = self.get(key)
        self.sums.pop(key, None)
        return total

    def of_source(self, key: Key) -> Any:
        """The sum for a source that an op made, dense, as that op's rule takes it. What is sparse stays so for `result`."""
        rows = None if key in self.sums else self.rows.get(key)
        total = self.get(key)
        if rows is not None:
            del self.sums[key]
            self.rows[key] = rows
        return total

    def pop_rows(self, key: Key) -> Rows | None:
        """The sum for `key` as rows, and forget it; None if it is dense, or if nothing arrived."""
        if key not in self.rows or key in self.sums:
            return None
        rows = self._joined_rows(key)
        del self.rows[key]
        return rows

    def zeros(self, key: Key) -> Any:
        """The cotangent of an output that nothing arrived for."""
        return self.xp.zeros(key.shape, key.dtype)

    def seed(self, key: Key, seed: Tensor) -> None:
        """Add the upstream gradient of a target."""
        self.add(key, seed._array)

    def result(self, key: Key) -> Any:
        """The sum for a source: a Tensor, `Rows` of Tensors if only lookups contributed, or None."""
        if self.rows and key in self.rows:
            if key not in self.sums:
                values, indices = self._joined_rows(key)
                return Rows(wrap(values), wrap(indices))
            return wrap(self.get(key))
        total = self.sums.get(key)
        return None if total is None else wrap(total)

    def _joined_rows(self, key: Key) -> Rows:
        rows = self.rows[key]
        return rows[0] if len(rows) == 1 else Rows(*[self.xp.concatenate(part, axis=0) for part in zip(*rows)])

    @staticmethod
    def kept(tensor: Any) -> Any:
        """What a rule is handed for a tensor that was kept."""
        return tuple([t._array for t in tensor]) if type(tensor) is tuple else tensor._array


class ArrayCotangents(Cotangents):
    """Running sums as NumPy arrays. Sums that the sweep itself allocated are added to in place."""

    xp = engine

    def seed(self, key: Key, seed: Tensor) -> None:
        """Add the upstream gradient of a target."""
        if key in self.sums:
            self.add(key, seed._array)
        else:
            self.sums[key] = seed._array

    def add(self, key: Key, gx: Any) -> None:
        """Add a rule's result to the sum for `key`."""
        if type(gx) is Rows:
            self.rows.setdefault(key, []).append(gx)
            return
        if type(gx) is Slot:
            total = self._own(key)
            total[gx.index] += gx.values
            return
        total = self.sums.get(key)
        if total is None:
            self.sums[key] = gx
        elif key in self.owned:
            total += gx
        else:
            self.sums[key] = total + gx
            if key.shape:  # a sum of scalars is a NumPy scalar, which cannot be added to in place
                self.owned.add(key)

    def _own(self, key: Key) -> Array:
        """The sum for `key` as an array to add to in place."""
        total = self.sums.get(key)
        if total is None:
            total = np.zeros(key.shape, key.dtype)
        elif key not in self.owned:
            total = np.array(total)
        self.sums[key] = total
        self.owned.add(key)
        return total

    def get(self, key: Key) -> Array | None:
        """The sum for `key`, dense; None if nothing arrived."""
        if key in self.rows:
            total = self._own(key)
            for rows in self.rows.pop(key):
                engine.add_rows(total, rows.indices, rows.values)
        return self.sums.get(key)


class PlacedCotangents(Cotangents):
    """Running sums as arrays of the other engine, which nothing changes in place."""

    def __init__(self) -> None:
        super().__init__()
        self.xp = placement.engine
        self.arithmetic = placement.engine.exactly()

    def add(self, key: Key, gx: Any) -> None:
        """Add a rule's result to the sum for `key`."""
        if type(gx) is Rows:
            self.rows.setdefault(key, []).append(gx)
            return
        total = self.sums.get(key)
        if type(gx) is Slot:
            if total is None:
                total = self.zeros(key)
            self.sums[key] = self.xp.add_at(total, gx.values, index=gx.index)
        else:
            self.sums[key] = gx if total is None else total + gx

    def get(self, key: Key) -> Array | None:
        """The sum for `key`, dense; None if nothing arrived."""
        for rows in self.rows.pop(key, ()):
            self.add(key, self.xp.scatter_rows(rows.values, rows.indices, shape=key.shape))
        return self.sums.get(key)


class TensorCotangents(Cotangents):
    """Running sums as Tensors, everything recorded: for sweeps that are themselves differentiated."""

    xp = recorded

    def __init__(self, site: tuple[CodeType, int] | None = None) -> None:
        """`site` is the line that asked for the sweep, if it is known: to walk the stack takes as long as an op."""
        super().__init__()
        self.slots: dict[Key, list[Slot]] = {}
        if not observers:  # which look at the stack for all of the calls around an op
            self.arithmetic = At(Place(*(site or users_site())))

    def seed(self, key: Key, seed: Tensor) -> None:
        """Add the upstream gradient of a target."""
        self.add(key, seed)

    def add(self, key: Key, gx: Any) -> None:
        """Add a rule's result to the sum for `key`."""
        if type(gx) is Rows:
            self.rows.setdefault(key, []).append(gx)
        elif type(gx) is Slot:
            self.slots.setdefault(key, []).append(gx)
        else:
            total = self.sums.get(key)
            self.sums[key] = gx if total is None else total + gx

    def get(self, key: Key) -> Tensor | None:
        """The sum for `key`, dense; None if nothing arrived."""
        if self.slots or self.rows:
            self._make_dense(key)
        return self.sums.get(key)

    def pop(self, key: Key) -> Any:
        """As `get`, and forget it."""
        if self.slots or self.rows:
            self._make_dense(key)
        return self.sums.pop(key, None)

    def _make_dense(self, key: Key) -> None:
        slots = self.slots.pop(key, None)
        if slots:  # all at once, so that n slices cost O(n) here as well
            values, indices = zip(*slots)
            self.add(key, recorded.place_slots(*values, slots=indices, shape=key.shape))
        for rows in self.rows.pop(key, ()):
            self.add(key, recorded.scatter_rows(rows.values, rows.indices, shape=key.shape))

    def result(self, key: Key) -> Any:
        """The sum for a source: a Tensor, `Rows` of Tensors if only lookups contributed, or None."""
        if key in self.rows and key not in self.sums and key not in self.slots:
            return self._joined_rows(key)
        return self.get(key)

    def of_source(self, key: Key) -> Any:
        """The sum for a source that an op made, dense, as that op's rule takes it. What is sparse stays so for `result`."""
        return self.get(key) if key in self.slots else super().of_source(key)

    def pop_rows(self, key: Key) -> Rows | None:
        """The sum for `key` as rows, and forget it; None if it is dense, or if nothing arrived."""
        return None if key in self.slots else super().pop_rows(key)

    @staticmethod
    def kept(tensor: Any) -> Any:
        """What a rule is handed for a tensor that was kept."""
        return tensor


def dense(cotangents: Cotangents, key: Key) -> Tensor | None:
    """What arrived for a tensor, as a Tensor; None if nothing did."""
    found = cotangents.get(key)
    return found if found is None or isinstance(found, Tensor) else wrap(found)
