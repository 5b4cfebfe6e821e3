"""`scipy.stats.dirichlet`: the distribution of shares that add up to one."""

from __future__ import annotations

from typing import Any

from whygrad.numpy import elementwise as wnp
from whygrad.numpy import reductions, shaping
from whygrad.scipy import special
from whygrad.values.tensor import Tensor

__all__ = ["logpdf", "pdf"]


def logpdf(x: Any, alpha: Any) -> Tensor:
    """The logarithm of the density at `x`, whose first axis holds the shares; the last share may be left out."""
    x, alpha = special.floats(x, alpha)
    if x._array.shape[0] + 1 == alpha._array.shape[0]:
        x = shaping.concatenate([x, 1.0 - reductions.sum(x, axis=0, keepdims=True)])
    constant = special.gammaln(reductions.sum(alpha)) - reductions.sum(special.gammaln(alpha))
    weights = shaping.reshape(alpha - 1.0, (-1, *(1,) * (x.ndim - 1)))
    return constant + reductions.sum(special.xlogy(weights + x * 0.0, x), axis=0)


def pdf(x: Any, alpha: Any) -> Tensor:
    """The density."""
    return wnp.exp(logpdf(x, alpha))
