"""`scipy.stats.lognorm`: the distribution of exp(s z) for a standard normal z."""

from __future__ import annotations

import math

from whygrad.numpy import elementwise as wnp
from whygrad.scipy import special
from whygrad.scipy.stats._continuous import Continuous
from whygrad.values.tensor import Tensor

__all__ = ["cdf", "logcdf", "logpdf", "logsf", "pdf", "sf"]


def _logpdf(z: Tensor, s: Tensor) -> Tensor:
    ratio = wnp.log(z) / s
    return -0.5 * ratio * ratio - wnp.log(s * z) - 0.5 * math.log(2 * math.pi)


_family = Continuous(
    "lognorm",
    _logpdf,
    lambda z, s: special.ndtr(wnp.log(z) / s),
    shapes=("s",),
    support=(0.0, math.inf),
    inside=1.0,
    sf=lambda z, s: special.ndtr(-wnp.log(z) / s),
)
pdf, logpdf, cdf, logcdf, sf, logsf = _family.functions
