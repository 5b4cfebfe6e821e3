"""`scipy.stats.invgamma`: the inverse of a gamma number, of shape `a`."""

from __future__ import annotations

import math

from whygrad.numpy import elementwise as wnp
from whygrad.scipy import special
from whygrad.scipy.stats._continuous import Continuous

__all__ = ["cdf", "logcdf", "logpdf", "logsf", "pdf", "sf"]

_family = Continuous(
    "invgamma",
    lambda z, a: -(a + 1.0) * wnp.log(z) - special.gammaln(a) - 1.0 / z,
    lambda z, a: special.gammaincc(a, 1.0 / z),
    shapes=("a",),
    support=(0.0, math.inf),
    inside=1.0,
    sf=lambda z, a: special.gammainc(a, 1.0 / z),
)
pdf, logpdf, cdf, logcdf, sf, logsf = _family.functions
