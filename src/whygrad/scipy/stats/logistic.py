"""`scipy.stats.logistic`: the logistic distribution."""

from __future__ import annotations

from whygrad.scipy import special
from whygrad.scipy.stats._continuous import Continuous

__all__ = ["cdf", "logcdf", "logpdf", "logsf", "pdf", "sf"]

_family = Continuous(
    "logistic",
    lambda z: special.log_expit(z) + special.log_expit(-z),
    special.expit,
    sf=lambda z: special.expit(-z),
    logcdf=special.log_expit,
    logsf=lambda z: special.log_expit(-z),
)
pdf, logpdf, cdf, logcdf, sf, logsf = _family.functions
