"""The call sites of `gradient`, and a cheap look at the gradients that each call gives, for inf, nan and zeros.

A look at every element takes a few percent of a small training step, so it is taken at the first calls of a call site and then ever
more seldom. Every call looks at one element of each gradient, another one each time: inf and nan spread over a whole gradient within a
step or two. `benchmarks/looks.py` measures what that costs.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from types import CodeType
from typing import Any

import numpy as np

from whygrad.ops.primitive import KEPT, RawRecord
from whygrad.tape.repeated_sweeps import Repeats
from whygrad.values.indexed_slices import IndexedSlices
from whygrad.values.tensor import Tensor

_MOST_PLACES = 10_000
_FIRST_CALLS = 4  # of a call site, at which every element is looked at
# A gradient whose square is below this at the first call may be what rounding leaves of contributions that cancel.
_TINY_SQUARE = 1e-8
_LARGE = 1e4  # after an element beyond this the next call is looked at closely: the program may be diverging
# What the records of a call keep is held until the look is over, to explain what is found; but never more than this, because large
# programs count on their arrays being freed during the sweep.
_MOST_BYTES = 1 << 23
_MOST_RECORDS = 1_000


class Place:
    """A call site of `gradient`."""

    __slots__ = ("calls", "close_at", "had_gradients", "had_variables", "records_norms", "repeats", "site", "zeros")

    def __init__(self, code: CodeType, instruction: int) -> None:
        self.site = code, instruction  # the code is kept alive, because call sites are looked up by its identity
        self.calls = 0
        self.close_at = 1  # the number of the next call whose gradients are looked at closely
        self.repeats = Repeats()
        self.records_norms = False  # whether norms are recorded at every call, not only at the first
        self.had_gradients = False  # whether one of the first calls gave a gradient
        self.had_variables: list[bool] = []  # which sources of an earlier call were variables
        self.zeros: dict[int, int] = {}  # how many close looks in a row found zeros, by position of the source


# Code objects compare by content, which takes long: call sites are looked up by identity.
_places: dict[tuple[int, int], Place] = {}


def place_of(code: CodeType, instruction: int) -> Place:
    """The place of a call site."""
    known = _places.get((id(code), instruction))
    if known is not None:
        return known
    if len(_places) >= _MOST_PLACES:
        _places.clear()
    place = _places[id(code), instruction] = Place(code, instruction)
    return place


def always_record(code: CodeType, instruction: int) -> None:
    """Record norms at every call from this call site: a call there was explained, and the next one may be too."""
    place_of(code, instruction).records_norms = True


def can_hold(records: list[RawRecord]) -> bool:
    """Whether what records keep is little enough to hold it until the end of the call."""
    if len(records) > _MOST_RECORDS:
        return False
    size = 0
    for raw in records:
        for each in raw[KEPT] or ():
            size += sum(_bytes(part) for part in each) if type(each) is tuple else _bytes(each)
    return size <= _MOST_BYTES


def _bytes(value: Any) -> int:
    return getattr(getattr(value, "_array", None), "nbytes", 0)


def looks_odd(place: Place, gradients: Sequence[Any]) -> Sequence[int]:
    """Look at one element of each gradient: the positions of all of them, if one is inf or nan."""
    number = place.calls
    for gradient in gradients:
        if type(gradient) is not Tensor:
            continue
        array = gradient._array
        size = array.size
        if size:
            value = array.item(number % size)
            if type(value) is float and not -_LARGE < value < _LARGE:
                if value - value != 0:
                    return range(len(gradients))
                place.close_at = number + 1
    return ()


def odd_positions(
    place: Place, gradients: Sequence[Any], targets: Sequence[Any], filled: Collection[int]
) -> Sequence[int]:
    """Look at every element: the positions of gradients with inf or nan, or with zeros only (at the first call: next to nothing); all of
    them if a scalar target is inf or nan. Those in `filled` are zeros by request.
    """
    calls = place.calls
    place.close_at = calls + 1 if calls < _FIRST_CALLS else calls + calls // 2
    odd = []
    for position, gradient in enumerate(gradients):
        values = gradient.values if type(gradient) is IndexedSlices else gradient
        array = getattr(values, "_array", None)
        if type(array) is not np.ndarray or not array.size or position in filled:
            continue
        if _is_zero_or_not_finite(array, _TINY_SQUARE if calls == 1 else 0.0):
            odd.append(position)
            if not array.any():
                place.zeros[position] = place.zeros.get(position, 0) + 1
                continue
        if place.zeros:
            place.zeros.pop(position, None)
    return odd or (range(len(gradients)) if any(map(_is_odd_scalar, targets)) else odd)


def _is_odd_scalar(target: Any) -> bool:
    """Whether a target is one number that is inf or nan: its gradient may be finite, where nothing of the nan is passed on."""
    array = getattr(target, "_array", None)
    return type(array) is np.ndarray and array.size == 1 and array.dtype.kind == "f" and not math.isfinite(array.item())


def _is_zero_or_not_finite(array: Any, tiny: float) -> bool:
    """Whether an array holds inf, nan or only zeros, or has a square of at most `tiny`."""
    if array.dtype.kind != "f" or array.dtype.itemsize < 4:
        return not array.any() or not np.isfinite(array).all()
    square = float(np.vdot(array, array))
    if tiny < square < math.inf:
        return False
    if 0.0 < square <= tiny:
        return True
    return not array.any() or not np.isfinite(array).all()  # the sum itself may overflow or underflow
