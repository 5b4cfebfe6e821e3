"""`scipy.stats.pareto`: the Pareto distribution of exponent `b`."""

from __future__ import annotations

import math

from whygrad.numpy import elementwise as wnp
from whygrad.scipy.stats._continuous import Continuous

__all__ = ["cdf", "logcdf", "logpdf", "logsf", "pdf", "sf"]

_family = Continuous(
    "pareto",
    lambda z, b: wnp.log(b) - (b + 1.0) * wnp.log(z),
    lambda z, b: 1.0 - z ** (-b),
    shapes=("b",),
    support=(1.0, math.inf),
    inside=2.0,
    sf=lambda z, b: z ** (-b),
    logsf=lambda z, b: -b * wnp.log(z),
)
pdf, logpdf, cdf, logcdf, sf, logsf = _family.functions
