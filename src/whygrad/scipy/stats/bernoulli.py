"""`scipy.stats.bernoulli`: 1 with probability `p`, otherwise 0."""

from __future__ import annotations

from whygrad.scipy import special
from whygrad.scipy.stats._discrete import Discrete

__all__ = ["logpmf", "pmf"]

_family = Discrete(
    "bernoulli", lambda k, p: special.xlogy(k, p) + special.xlog1py(1.0 - k, -p), ("p",), highest=lambda p: 1.0
)
pmf = _family.pmf
logpmf = _family.logpmf
