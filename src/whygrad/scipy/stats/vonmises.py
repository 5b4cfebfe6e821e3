"""`scipy.stats.vonmises`: the von Mises distribution of concentration `kappa`, on a circle."""

from __future__ import annotations

import math

from whygrad.numpy import elementwise as wnp
from whygrad.scipy import special
from whygrad.scipy.stats._continuous import Continuous

__all__ = ["logpdf", "pdf"]

_family = Continuous(
    "vonmises",
    lambda z, kappa: kappa * (wnp.cos(z) - 1.0) - wnp.log(2.0 * math.pi * special.i0e(kappa)),
    shapes=("kappa",),
)
pdf = _family.pdf
logpdf = _family.logpdf
