"""`scipy.stats.uniform`: the uniform distribution on [loc, loc + scale]."""

from __future__ import annotations

from whygrad.scipy.stats._continuous import Continuous

__all__ = ["cdf", "logcdf", "logpdf", "logsf", "pdf", "sf"]

_family = Continuous("uniform", lambda z: z * 0.0, lambda z: z, support=(0.0, 1.0), inside=0.5)
pdf, logpdf, cdf, logcdf, sf, logsf = _family.functions
