"""`scipy.stats.uniform`: the uniform distribution on [loc, loc + scale]."""

from __future__ import annotations

from whygrad.scipy.stats._continuous import Continuous

__all__ = ["cdf", "logcdf", "logpdf", "logsf", "pdf", "sf"]

_family = Continuous("uniform", lambda z: z * 0.0, lambda z: z, support=(0.0, 1.0), inside=0.5)
pdf = _family.pdf
logpdf = _family.logpdf
cdf = _family.cdf
logcdf = _family.logcdf
sf = _family.sf
logsf = _family.logsf
