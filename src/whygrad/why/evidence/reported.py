"""Reported: the places of a program whose causes have been reported."""

from __future__ import annotations

import weakref
from types import CodeType

Place = tuple[CodeType, int, int]  # a call, by its code and instruction, and which of its sources


class Reported:
    """A set of places, in which code objects are distinguished by identity.

    Python takes two code objects for equal that stand in two files, or in two cells of a notebook, and read the same; a cell
    that is run again has a new one, and is reported again.
    """

    def __init__(self) -> None:
        self._places: dict[int, tuple[weakref.ref[CodeType], set[tuple[int, int]]]] = {}

    def __contains__(self, place: Place) -> bool:
        code, *rest = place
        known = self._places.get(id(code))
        return known is not None and known[0]() is code and tuple(rest) in known[1]

    def add(self, place: Place) -> bool:
        """Add a place; whether it is new."""
        if place in self:
            return False
        code, instruction, source = place
        known = self._places.get(id(code))
        if known is None or known[0]() is not code:
            known = self._places[id(code)] = (weakref.ref(code), set())
        known[1].add((instruction, source))
        return True

    def clear(self) -> None:
        """Forget everything."""
        self._places.clear()
