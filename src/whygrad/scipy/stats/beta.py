"""`scipy.stats.beta`: the beta distribution."""

from __future__ import annotations

from whygrad.scipy import special
from whygrad.scipy.stats._continuous import Continuous

__all__ = ["cdf", "logcdf", "logpdf", "logsf", "pdf", "sf"]

_family = Continuous(
    "beta",
    lambda z, a, b: special.xlogy(a - 1.0, z) + special.xlog1py(b - 1.0, -z) - special.betaln(a, b),
    lambda z, a, b: special.betainc(a, b, z),
    shapes=("a", "b"),
    support=(0.0, 1.0),
    inside=0.5,
)
pdf, logpdf, cdf, logcdf, sf, logsf = _family.functions
