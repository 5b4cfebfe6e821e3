"""`scipy.stats.poisson`: counts with mean `mu`."""

from __future__ import annotations

from whygrad.scipy import special
from whygrad.scipy.stats._discrete import Discrete

__all__ = ["logpmf", "pmf"]

_family = Discrete("poisson", lambda k, mu: special.xlogy(k, mu) - special.gammaln(k + 1.0) - mu, ("mu",))
pmf = _family.pmf
logpmf = _family.logpmf
