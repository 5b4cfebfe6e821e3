"""How large the cotangents of a sweep were: a number for each rule that ran, for who asks where a gradient comes from."""

from __future__ import annotations

import math
from types import CodeType
from typing import Any

import numpy as np

from whygrad.ops.partial import Rows, Slot
from whygrad.ops.primitive import OUTPUT, RawRecord
from whygrad.values.tensor import Key, Tensor

Output = Key | tuple[Key, ...]

# Sweeps of more ops are not noted by themselves: nobody reads the way through them, and noting is not free.
MOST_RECORDS = 10_000
_MOST_PLACES = 10_000


class Sizes:
    """Looks on at a sweep, and keeps the norm of what each rule gave: none of the arrays."""

    def __init__(self) -> None:
        # By an op's output and one of its inputs, in the order of the sweep; twice for x * x.
        self.given: dict[tuple[Output, Key], list[float | None]] = {}

    def computed(self, raw: RawRecord, inputs: tuple[Tensor, ...], outputs: Any) -> None:
        """Ops are not looked at."""

    def pulled(self, raw: RawRecord, key: Key, g: Any, gx: Any) -> None:
        """Note what a rule gave."""
        self.given.setdefault((raw[OUTPUT], key), []).append(norm(gx))


def norm(value: Any) -> float | None:
    """The Euclidean norm of a tensor, an array or a partial cotangent; None of an array that has no numbers yet (a tracer)."""
    if isinstance(value, Rows | Slot):
        value = value.values
    array: Any = value._array if isinstance(value, Tensor) else value
    if not isinstance(array, np.ndarray | np.generic):
        try:
            array = np.asarray(array)
        except TypeError:
            return None
    if array.dtype.kind == "f" and array.dtype.itemsize >= 4:
        square = float(np.vdot(array, array))
        if 1e-30 < square < math.inf:
            return math.sqrt(square)
    wide = np.abs(np.asarray(array).astype(np.complex128 if array.dtype.kind == "c" else np.float64)).ravel()
    largest = float(wide.max(initial=0.0))
    if largest == 0.0 or not math.isfinite(largest):  # squares of very small and very large numbers leave the range
        return largest
    return largest * float(np.linalg.norm(wide / largest))


# The places that have asked for gradients, and whether every call there is to be noted. Code objects are compared by what
# they contain, which takes long: places go by their identity, and so the objects must live.
_places: dict[tuple[int, int], tuple[CodeType, bool]] = {}


def is_to_be_noted(place: tuple[CodeType, int]) -> bool:
    """Whether a call of gradient at a place is noted: the first one is, and all others once somebody has asked about one."""
    code, instruction = place
    known = _places.get((id(code), instruction))
    if known is not None:
        return known[1]
    if len(_places) >= _MOST_PLACES:
        _places.clear()
    _places[id(code), instruction] = (code, False)
    return True


def note_from_now_on(code: CodeType, instruction: int) -> None:
    """Somebody asked about a call at this place, and may well ask again."""
    _places[id(code), instruction] = (code, True)
