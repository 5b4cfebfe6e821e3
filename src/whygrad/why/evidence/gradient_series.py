"""How the gradient of each variable went over the steps of a program: its norm, and the share of zeros and of inf or nan."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from types import CodeType
from typing import Any, NamedTuple

import numpy as np

from whygrad.tape.gradient_calls import GradientCall
from whygrad.tape.norms import norm
from whygrad.values.tensor import Tensor
from whygrad.values.variable import Variable
from whygrad.why.evidence.numerics import array_of
from whygrad.why.source.names import names_of
from whygrad.why.source.wording import described

_MOST_POINTS = 256  # of one series; every other one is dropped when there are more
_MOST_SERIES = 2_000


class Point(NamedTuple):
    """One gradient."""

    step: int  # calls of gradient at this call site, from 1
    norm: float | None  # None for a gradient that is None
    zeros: float  # share of the elements
    bad: float  # share of inf and nan


@dataclass
class Series:
    """The gradients that one variable got at one call site."""

    name: str
    shape: str
    place: tuple[CodeType, int]
    points: list[Point] = field(default_factory=list)
    stride: int = 1  # steps between two points
    steps: int = 0

    def add(self, gradient: Any) -> None:
        """Note a gradient, unless it falls between two points."""
        self.steps += 1
        if (self.steps - 1) % self.stride:
            return
        self.points.append(_point(self.steps, gradient))
        if len(self.points) > _MOST_POINTS:
            del self.points[1::2]
            self.stride *= 2


class GradientSeries:
    """The series of all variables that were sources."""

    def __init__(self) -> None:
        self._known: dict[tuple[CodeType, int, int], Series] = {}

    def __iter__(self) -> Any:
        return iter(self._known.values())

    def __len__(self) -> int:
        return len(self._known)

    def add(self, call: GradientCall) -> None:
        """Note the gradients of a call."""
        names: list[str] | None = None
        for i, (source, gradient) in enumerate(zip(call.sources, call.gradients)):
            if not isinstance(source, Variable):
                continue
            key = (call.code, call.instruction, source._number)
            series = self._known.get(key)
            if series is None:
                if len(self._known) >= _MOST_SERIES:
                    return
                names = names or names_of(call)[1]
                series = self._known[key] = Series(names[i], described(source), (call.code, call.instruction))
            series.add(None if i in call.without_path else gradient)


def _point(step: int, gradient: Any) -> Point:
    if gradient is None:
        return Point(step, None, 0.0, 0.0)
    array = gradient._array if type(gradient) is Tensor else array_of(gradient)
    if not array.size or not isinstance(array, np.ndarray):
        return Point(step, 0.0, 0.0, 0.0)
    size = norm(array)
    zeros = 1 - np.count_nonzero(array != 0) / array.size  # NumPy counts what is true in a quarter of the time
    is_bad = size is not None and not math.isfinite(size)
    bad = 1 - np.count_nonzero(np.isfinite(array)) / array.size if is_bad else 0.0
    return Point(step, size, zeros, bad)
