"""Discrete distributions: what all of them share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from whygrad.numpy import elementwise as wnp
from whygrad.numpy.creation import full_like
from whygrad.numpy.elementwise import where
from whygrad.scipy.special import floats
from whygrad.scipy.stats._continuous import Parameters
from whygrad.values.tensor import Tensor


class Discrete:
    """A distribution of whole numbers from 0 to `highest(*shapes)`, from a formula for location 0."""

    def __init__(
        self,
        name: str,
        logpmf: Callable[..., Tensor],
        shapes: tuple[str, ...],
        highest: Callable[..., Any] = lambda *shapes: np.inf,
        lowest: float = 0.0,
    ) -> None:
        self._parameters = Parameters(name, *shapes, "loc")
        self._logpmf, self._highest, self._lowest = logpmf, highest, lowest

    def logpmf(self, k: Any, *args: Any, **named: Any) -> Tensor:
        """The logarithm of the probability of `k`."""
        k, *shapes, loc = floats(k, *self._parameters.given("logpmf", args, named, {"loc": 0.0}))
        k = k - loc
        is_inside = (k >= self._lowest) & (k <= self._highest(*shapes)) & (wnp.floor(k) == k)
        found = self._logpmf(where(is_inside, k, full_like(k, self._lowest)), *shapes)
        return where(is_inside, found, full_like(found, -np.inf))  # type: ignore[no-any-return]

    def pmf(self, k: Any, *args: Any, **named: Any) -> Tensor:
        """The probability of `k`."""
        return wnp.exp(self.logpmf(k, *args, **named))
