"""`scipy.stats.t`: Student's distribution of `df` degrees of freedom."""

from __future__ import annotations

import math

from whygrad.numpy import elementwise as wnp
from whygrad.scipy import special
from whygrad.scipy.stats._continuous import Continuous
from whygrad.values.tensor import Tensor

__all__ = ["logpdf", "pdf"]


def _logpdf(z: Tensor, df: Tensor) -> Tensor:
    constant = special.gammaln(0.5 * (df + 1.0)) - special.gammaln(0.5 * df) - 0.5 * wnp.log(df * math.pi)
    return constant - 0.5 * (df + 1.0) * wnp.log1p(z * z / df)


_family = Continuous("t", _logpdf, shapes=("df",))
pdf = _family.pdf
logpdf = _family.logpdf
