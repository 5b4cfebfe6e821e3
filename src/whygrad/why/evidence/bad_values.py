"""Values that were not finite when ops made them, found again in data: a dataset hands them back without their identity."""

from __future__ import annotations

from collections import deque
from types import CodeType
from typing import Any

import numpy as np

from whygrad.values.tensor import Key

_MOST_PLACES = 256
_MOST_VALUES = 16  # of one place
_MOST_BYTES = 1 << 22  # of one place, where it has several
_MOST_ROWS = 1024  # that are looked at


class BadValues:
    """The values with inf or nan that ops made last, by the ops' places in the program."""

    def __init__(self) -> None:
        self._by_place: dict[tuple[CodeType, int], deque[tuple[Key, Any]]] = {}

    def add(self, place: tuple[CodeType, int], key: Key, array: Any) -> None:
        """Keep a value."""
        # To the end: the place that was seen last.
        values = self._by_place.pop(place, None) or deque(maxlen=_MOST_VALUES)
        values.append((key, array))
        while len(values) > 1 and sum(each.nbytes for _, each in values) > _MOST_BYTES:
            values.popleft()
        self._by_place[place] = values
        if len(self._by_place) > _MOST_PLACES:
            del self._by_place[next(iter(self._by_place))]

    def origin_of(self, data: Any) -> Key | None:
        """The value that came back as data: as a whole, as a row of a batch, or row by row.

        Rows are compared bit by bit. Those that hold finite numbers too come first: rows of nan alone are told apart by their
        shape, and a single nan is like any other.
        """
        rows = {row.tobytes() for row in _bad_rows(data)}
        bare = (
            {row.tobytes() for row in data[:_MOST_ROWS] if row.size and not np.isfinite(row).any()}
            if _is_inexact(data)
            else set()
        )
        values = [each for place in reversed(self._by_place.values()) for each in reversed(place)]
        alike = [(key, array) for key, array in values if array.dtype == data.dtype]
        key: Key
        for key, array in alike:
            if _is_part(array, data, rows):
                return key
        for key, array in alike if bare else ():
            if array.size > 1 and array.shape == data.shape[1:] and array.tobytes() in bare:
                return key
        return None


def _is_part(array: Any, data: Any, rows: set[bytes]) -> bool:
    """Whether data, whose bad rows are `rows`, are an array, or hold it or one of its rows."""
    if array.shape == data.shape and array.tobytes() == data.tobytes():
        return bool(array.dtype.kind in "fc" and np.isfinite(array).any())
    if array.shape == data.shape[1:]:
        return array.tobytes() in rows
    return array.shape[1:] == data.shape[1:] and any(row.tobytes() in rows for row in _bad_rows(array))


def _bad_rows(array: Any) -> list[Any]:
    """Rows of an array that hold finite numbers and others."""
    if not _is_inexact(array):
        return []
    finite = np.isfinite(array).reshape(len(array), -1)
    return list(array[finite.any(axis=1) & ~finite.all(axis=1)][:_MOST_ROWS])


def _is_inexact(array: Any) -> bool:
    """Whether an array has rows that may hold inf or nan."""
    return bool(array.ndim) and array.dtype.kind in "fc"
