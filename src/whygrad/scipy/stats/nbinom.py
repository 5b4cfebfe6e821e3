"""`scipy.stats.nbinom`: failures before success number `n`."""

from __future__ import annotations

from whygrad.scipy import special
from whygrad.scipy.stats._discrete import Discrete
from whygrad.values.tensor import Tensor

__all__ = ["logpmf", "pmf"]


def _logpmf(k: Tensor, n: Tensor, p: Tensor) -> Tensor:
    ways = special.gammaln(k + n) - special.gammaln(k + 1.0) - special.gammaln(n)
    return ways + special.xlogy(n, p) + special.xlog1py(k, -p)


_family = Discrete(
    "nbinom",
    _logpmf,
    (
        "n",
        "p",
    ),
)
pmf = _family.pmf
logpmf = _family.logpmf
