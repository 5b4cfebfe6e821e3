"""`scipy.stats.gennorm`: the generalized normal distribution of exponent `beta`."""

from __future__ import annotations

import math

from whygrad.numpy import elementwise as wnp
from whygrad.numpy.elementwise import where
from whygrad.scipy import special
from whygrad.scipy.stats._continuous import Continuous
from whygrad.values.tensor import Tensor

__all__ = ["cdf", "logcdf", "logpdf", "logsf", "pdf", "sf"]


def _logpdf(z: Tensor, beta: Tensor) -> Tensor:
    return wnp.log(0.5 * beta) - special.gammaln(1.0 / beta) - wnp.abs(z) ** beta


def _sf(z: Tensor, beta: Tensor) -> Tensor:
    tail = 0.5 * special.gammaincc(1.0 / beta, wnp.abs(z) ** beta)
    return where(z > 0, tail, 1.0 - tail)  # type: ignore[no-any-return]


_family = Continuous("gennorm", _logpdf, lambda z, beta: _sf(-z, beta), shapes=("beta",), inside=math.e, sf=_sf)
pdf, logpdf, cdf, logcdf, sf, logsf = _family.functions
