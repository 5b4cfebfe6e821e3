"""`scipy.stats.laplace`: the Laplace distribution."""

from __future__ import annotations

import math

from whygrad.numpy import elementwise as wnp
from whygrad.numpy.elementwise import where
from whygrad.scipy.stats._continuous import Continuous
from whygrad.values.tensor import Tensor

__all__ = ["cdf", "logcdf", "logpdf", "logsf", "pdf", "sf"]


def _cdf(z: Tensor) -> Tensor:
    tail = 0.5 * wnp.exp(-wnp.abs(z))
    return where(z > 0, 1.0 - tail, tail)  # type: ignore[no-any-return]


_family = Continuous("laplace", lambda z: -wnp.abs(z) - math.log(2.0), _cdf, sf=lambda z: _cdf(-z))
pdf, logpdf, cdf, logcdf, sf, logsf = _family.functions
