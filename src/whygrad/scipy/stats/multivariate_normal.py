"""`scipy.stats.multivariate_normal`: the normal distribution of vectors."""

from __future__ import annotations

import math
from typing import Any

from whygrad.numpy import elementwise as wnp
from whygrad.numpy import linalg, reductions, shaping
from whygrad.numpy.creation import eye
from whygrad.numpy.promotion import floating
from whygrad.ops import linalg_solvers
from whygrad.scipy.special import floats
from whygrad.values.errors import OpTypeError, OpValueError
from whygrad.values.tensor import Tensor

__all__ = ["entropy", "logpdf", "pdf"]


def _parameters(x: Any, mean: Any, cov: Any) -> tuple[Tensor, Tensor, Tensor]:
    """Points, mean and covariance matrix, in the shapes that they stand for."""
    mean = 0.0 if mean is None else mean
    x, mean, cov = floats(x, mean, cov)
    size = mean._array.shape[0] if mean.ndim else cov._array.shape[0] if cov.ndim else 1
    if cov.ndim == 0 or cov.ndim == 1:
        cov = cov * eye(size, dtype=cov._array.dtype)
    if cov._array.shape != (size, size):
        raise OpValueError(f"the covariance has shape {cov.shape}, but there are {size} numbers in a point")
    if size == 1 and not (x.ndim and x._array.shape[-1] == 1):
        x = shaping.expand_dims(x, -1)  # each number is a point
    if not x.ndim or x._array.shape[-1] != size:
        raise OpValueError(f"the points have shape {x.shape}, but the mean has {size} numbers")
    return x, mean, cov


def logpdf(x: Any, mean: Any = None, cov: Any = 1, allow_singular: bool = False) -> Tensor:
    """The logarithm of the density at the points `x`, whose last axis holds the numbers of a point."""
    if allow_singular:
        raise OpTypeError("multivariate_normal.logpdf(..., allow_singular=True) is not supported on tensors")
    points, mean, cov = _parameters(x, mean, cov)
    factor = linalg.cholesky(cov)
    size = factor._array.shape[0]
    offsets = shaping.reshape(points - mean, (-1, size))
    solved = linalg_solvers.triangular_solve(factor, shaping.transpose(offsets))
    distance = shaping.reshape(reductions.sum(solved * solved, axis=0), points._array.shape[:-1])
    log_det = 2.0 * reductions.sum(wnp.log(linalg.diagonal(factor)))
    return -0.5 * (size * math.log(2 * math.pi) + log_det + distance)  # type: ignore[no-any-return]


def pdf(x: Any, mean: Any = None, cov: Any = 1, allow_singular: bool = False) -> Tensor:
    """The density."""
    return wnp.exp(logpdf(x, mean, cov, allow_singular))


def entropy(mean: Any = None, cov: Any = 1) -> Tensor:
    """The differential entropy."""
    cov = floating(cov)
    _, _, cov = _parameters(0.0 if not cov.ndim else cov[0], mean, cov)
    return 0.5 * linalg.slogdet(2 * math.pi * math.e * cov)[1]
