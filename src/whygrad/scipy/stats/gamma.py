"""`scipy.stats.gamma`: the gamma distribution of shape `a`."""

from __future__ import annotations

import math

from whygrad.scipy import special
from whygrad.scipy.stats._continuous import Continuous

__all__ = ["cdf", "logcdf", "logpdf", "logsf", "pdf", "sf"]

_family = Continuous(
    "gamma",
    lambda z, a: special.xlogy(a - 1.0, z) - z - special.gammaln(a),
    lambda z, a: special.gammainc(a, z),
    shapes=("a",),
    support=(0.0, math.inf),
    inside=1.0,
    sf=lambda z, a: special.gammaincc(a, z),
)
pdf, logpdf, cdf, logcdf, sf, logsf = _family.functions
