"""`scipy.stats.expon`: the exponential distribution."""

from __future__ import annotations

import math

from whygrad.numpy import elementwise as wnp
from whygrad.scipy.stats._continuous import Continuous

__all__ = ["cdf", "logcdf", "logpdf", "logsf", "pdf", "sf"]

_family = Continuous(
    "expon",
    lambda z: -z,
    lambda z: -wnp.expm1(-z),
    support=(0.0, math.inf),
    inside=1.0,
    sf=lambda z: wnp.exp(-z),
    logsf=lambda z: -z,
)
pdf, logpdf, cdf, logcdf, sf, logsf = _family.functions
