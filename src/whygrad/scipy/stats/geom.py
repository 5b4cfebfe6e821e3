"""`scipy.stats.geom`: the number of the first success."""

from __future__ import annotations

from whygrad.numpy import elementwise as wnp
from whygrad.scipy import special
from whygrad.scipy.stats._discrete import Discrete

__all__ = ["logpmf", "pmf"]

_family = Discrete("geom", lambda k, p: special.xlog1py(k - 1.0, -p) + wnp.log(p), ("p",), lowest=1.0)
pmf = _family.pmf
logpmf = _family.logpmf
