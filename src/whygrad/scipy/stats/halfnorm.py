"""`scipy.stats.halfnorm`: the absolute value of a normal number."""

from __future__ import annotations

import math

from whygrad.numpy import elementwise as wnp
from whygrad.scipy import special
from whygrad.scipy.stats._continuous import Continuous

__all__ = ["cdf", "logcdf", "logpdf", "logsf", "pdf", "sf"]

_family = Continuous(
    "halfnorm",
    lambda z: 0.5 * math.log(2.0 / math.pi) - 0.5 * z**2,
    lambda z: special.erf(z / math.sqrt(2.0)),
    support=(0.0, math.inf),
    inside=1.0,
    sf=lambda z: special.erfc(z / math.sqrt(2.0)),
    logsf=lambda z: math.log(2.0) + special.log_ndtr(-wnp.positive(z)),
)
pdf, logpdf, cdf, logcdf, sf, logsf = _family.functions
