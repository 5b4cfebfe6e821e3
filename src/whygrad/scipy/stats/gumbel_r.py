"""`scipy.stats.gumbel_r`: the distribution of largest values."""

from __future__ import annotations

from whygrad.numpy import elementwise as wnp
from whygrad.scipy.stats._continuous import Continuous

__all__ = ["cdf", "logcdf", "logpdf", "logsf", "pdf", "sf"]

_family = Continuous(
    "gumbel_r",
    lambda z: -z - wnp.exp(-z),
    lambda z: wnp.exp(-wnp.exp(-z)),
    sf=lambda z: -wnp.expm1(-wnp.exp(-z)),
    logcdf=lambda z: -wnp.exp(-z),
)
pdf, logpdf, cdf, logcdf, sf, logsf = _family.functions
