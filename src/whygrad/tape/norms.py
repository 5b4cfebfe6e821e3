"""Norms of the cotangents of a sweep, one for each rule that ran: `why()` shows them along a gradient's path."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from whygrad.ops.partial import Rows, Slot
from whygrad.ops.primitive import OUTPUT, RawRecord
from whygrad.values.tensor import Key, Tensor, placement

Output = Key | tuple[Key, ...]

# For sweeps of more ops norms are recorded only on request: the path is too long to read, and recording takes time.
MOST_RECORDS = 10_000


class Norms:
    """Observes a sweep, and keeps the norm of what each rule gave, but none of the arrays."""

    def __init__(self) -> None:
        # By an op's output and one of its inputs, in sweep order; twice for x * x.
        self.given: dict[tuple[Output, Key], list[float | None]] = {}

    def computed(self, raw: RawRecord, inputs: tuple[Tensor, ...], outputs: Any) -> None:
        """Ignore ops."""

    def pulled(self, raw: RawRecord, key: Key, g: Any, gx: Any) -> None:
        """Record the norm of what a rule gave."""
        self.given.setdefault((raw[OUTPUT], key), []).append(norm(gx))


def norm(value: Any) -> float | None:
    """The Euclidean norm of a tensor, an array or a partial cotangent; None for a symbolic array."""
    array: Any = value
    if type(array) is not np.ndarray:
        if isinstance(array, Rows | Slot):
            array = array.values
        array = array._array if isinstance(array, Tensor) else array
        if placement.engine is not None and placement.engine.is_symbolic(array):
            return None  # first: JAX's error about its missing value would search the whole trace for where it was made
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
    # The squares of very small and very large numbers would underflow or overflow.
    if largest == 0.0 or not math.isfinite(largest):
        return largest
    return largest * float(np.linalg.norm(wide / largest))
