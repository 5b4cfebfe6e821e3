"""`scipy.stats.weibull_min`: the Weibull distribution of shape `c`."""

from __future__ import annotations

import math

from whygrad.numpy import elementwise as wnp
from whygrad.scipy import special
from whygrad.scipy.stats._continuous import Continuous

__all__ = ["cdf", "logcdf", "logpdf", "logsf", "pdf", "sf"]

_family = Continuous(
    "weibull_min",
    lambda z, c: wnp.log(c) + special.xlogy(c - 1.0, z) - z**c,
    lambda z, c: -wnp.expm1(-(z**c)),
    shapes=("c",),
    support=(0.0, math.inf),
    inside=1.0,
    sf=lambda z, c: wnp.exp(-(z**c)),
    logsf=lambda z, c: -(z**c),
)
pdf, logpdf, cdf, logcdf, sf, logsf = _family.functions
