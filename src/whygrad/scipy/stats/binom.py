"""`scipy.stats.binom`: successes among `n` trials."""

from __future__ import annotations

from whygrad.scipy import special
from whygrad.scipy.stats._discrete import Discrete
from whygrad.values.tensor import Tensor

__all__ = ["logpmf", "pmf"]


def _logpmf(k: Tensor, n: Tensor, p: Tensor) -> Tensor:
    ways = special.gammaln(n + 1.0) - special.gammaln(k + 1.0) - special.gammaln(n - k + 1.0)
    return ways + special.xlogy(k, p) + special.xlog1py(n - k, -p)


_family = Discrete(
    "binom",
    _logpmf,
    (
        "n",
        "p",
    ),
    highest=lambda n, p: n,
)
pmf = _family.pmf
logpmf = _family.logpmf
