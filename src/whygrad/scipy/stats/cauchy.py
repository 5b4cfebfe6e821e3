"""`scipy.stats.cauchy`: the Cauchy distribution."""

from __future__ import annotations

import math

from whygrad.numpy import elementwise as wnp
from whygrad.scipy.stats._continuous import Continuous

__all__ = ["cdf", "logcdf", "logpdf", "logsf", "pdf", "sf"]

_family = Continuous(
    "cauchy",
    lambda z: -math.log(math.pi) - wnp.log1p(z * z),
    lambda z: 0.5 + wnp.arctan(z) / math.pi,
    sf=lambda z: 0.5 - wnp.arctan(z) / math.pi,
)
pdf, logpdf, cdf, logcdf, sf, logsf = _family.functions
