"""Continuous distributions of one number: what all of them share."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from whygrad.numpy import elementwise as wnp
from whygrad.numpy.creation import full_like
from whygrad.numpy.elementwise import where
from whygrad.scipy.special import floats
from whygrad.values.errors import OpTypeError
from whygrad.values.tensor import Tensor

Formula = Callable[..., Tensor]


class Parameters:
    """The parameters of a distribution, by position or name, as SciPy takes them."""

    def __init__(self, name: str, *names: str) -> None:
        self._name, self._names = name, names

    def given(self, method: str, args: tuple[Any, ...], named: dict[str, Any], defaults: dict[str, Any]) -> list[Any]:
        """A value for each parameter."""
        where_ = f"{self._name}.{method}"
        if len(args) > len(self._names):
            raise OpTypeError(f"{where_}() takes at most the parameters {', '.join(self._names)}")
        values = dict(zip(self._names, args))
        for name, value in named.items():
            if name not in self._names or name in values:
                raise OpTypeError(
                    f"{where_}() got {'two values for' if name in values else 'an unexpected'} parameter {name!r}"
                )
            values[name] = value
        missing = [name for name in self._names if name not in values and name not in defaults]
        if missing:
            raise OpTypeError(f"{where_}() needs the parameter {missing[0]!r}")
        return [values.get(name, defaults.get(name)) for name in self._names]


class Continuous:
    """A distribution with a location and a scale, from formulas for location 0 and scale 1.

    The formulas are handed a point inside the support, and the shape parameters, which must be positive.
    """

    def __init__(
        self,
        name: str,
        logpdf: Formula,
        cdf: Formula | None = None,
        *,
        shapes: tuple[str, ...] = (),
        support: tuple[float, float] = (-math.inf, math.inf),
        inside: float = 0.0,
        sf: Formula | None = None,
        logcdf: Formula | None = None,
        logsf: Formula | None = None,
    ) -> None:
        self._parameters = Parameters(name, *shapes, "loc", "scale")
        self._formulas = {"logpdf": logpdf, "cdf": cdf, "sf": sf, "logcdf": logcdf, "logsf": logsf}
        self._support, self._inside = support, inside

    @property
    def functions(self) -> tuple[Formula, Formula, Formula, Formula, Formula, Formula]:
        """The functions of the distribution's module: density and probabilities, each with its logarithm."""
        return self.pdf, self.logpdf, self.cdf, self.logcdf, self.sf, self.logsf

    def _at(
        self, formula: str, x: Any, args: Any, named: Any, below: float, above: float, scaled: bool = False
    ) -> Tensor:
        """A formula at the standardized point, with its values left and right of the support."""
        values = self._parameters.given(formula, args, named, {"loc": 0.0, "scale": 1.0})
        x, *shapes, loc, scale = floats(x, *values)
        z = (x - loc) / scale
        lower, upper = self._support
        is_below, is_above = z < lower, z > upper
        # The formula is computed inside of the support everywhere, so that its derivative is finite everywhere.
        safe = where(is_below | is_above, full_like(z, self._inside), z)
        compute = self._formulas[formula]
        assert compute is not None, "the callers check it"
        found = compute(safe, *shapes)
        if scaled:
            found = found - wnp.log(scale)
        found = where(is_below, full_like(found, below), where(is_above, full_like(found, above), found))
        is_valid = (scale > 0) & wnp.logical_not(wnp.isnan(z))
        for each in shapes:
            is_valid = is_valid & (each > 0)
        return where(is_valid, found, full_like(found, np.nan))  # type: ignore[no-any-return]

    def logpdf(self, x: Any, *args: Any, **named: Any) -> Tensor:
        """The logarithm of the density."""
        return self._at("logpdf", x, args, named, -np.inf, -np.inf, scaled=True)

    def pdf(self, x: Any, *args: Any, **named: Any) -> Tensor:
        """The density."""
        return wnp.exp(self.logpdf(x, *args, **named))

    def cdf(self, x: Any, *args: Any, **named: Any) -> Tensor:
        """The probability of values up to `x`."""
        return self._at("cdf", x, args, named, 0.0, 1.0)

    def sf(self, x: Any, *args: Any, **named: Any) -> Tensor:
        """The probability of values above `x`."""
        if self._formulas["sf"] is None:
            return 1.0 - self.cdf(x, *args, **named)
        return self._at("sf", x, args, named, 1.0, 0.0)

    def logcdf(self, x: Any, *args: Any, **named: Any) -> Tensor:
        """The logarithm of `cdf`."""
        if self._formulas["logcdf"] is None:
            return wnp.log(self.cdf(x, *args, **named))
        return self._at("logcdf", x, args, named, -np.inf, 0.0)

    def logsf(self, x: Any, *args: Any, **named: Any) -> Tensor:
        """The logarithm of `sf`."""
        if self._formulas["logsf"] is None:
            return wnp.log(self.sf(x, *args, **named))
        return self._at("logsf", x, args, named, 0.0, -np.inf)
