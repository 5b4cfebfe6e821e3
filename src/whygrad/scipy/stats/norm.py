"""`scipy.stats.norm`: the normal distribution, by `loc` and `scale`."""

from __future__ import annotations

import math

from whygrad.scipy import special
from whygrad.scipy.stats._continuous import Continuous

__all__ = ["cdf", "logcdf", "logpdf", "logsf", "pdf", "sf"]

_family = Continuous(
    "norm",
    lambda z: -0.5 * z * z - 0.5 * math.log(2 * math.pi),
    special.ndtr,
    sf=lambda z: special.ndtr(-z),
    logcdf=special.log_ndtr,
    logsf=lambda z: special.log_ndtr(-z),
)
pdf, logpdf, cdf, logcdf, sf, logsf = _family.functions
