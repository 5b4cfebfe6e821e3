"""`scipy.stats.chi2`: the distribution of a sum of `df` squares of standard normal numbers."""

from __future__ import annotations

import math

from whygrad.scipy import special
from whygrad.scipy.stats._continuous import Continuous

__all__ = ["cdf", "logcdf", "logpdf", "logsf", "pdf", "sf"]

_family = Continuous(
    "chi2",
    lambda z, df: special.xlogy(0.5 * df - 1.0, 0.5 * z) - 0.5 * z - special.gammaln(0.5 * df) - math.log(2.0),
    lambda z, df: special.gammainc(0.5 * df, 0.5 * z),
    shapes=("df",),
    support=(0.0, math.inf),
    inside=1.0,
    sf=lambda z, df: special.gammaincc(0.5 * df, 0.5 * z),
)
pdf, logpdf, cdf, logcdf, sf, logsf = _family.functions
