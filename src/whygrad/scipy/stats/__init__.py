"""Densities of `scipy.stats`, differentiable by points and parameters; each distribution is a module.

>>> import whygrad
>>> from whygrad.scipy.stats import gamma
>>> whygrad.grad(lambda a: gamma.logpdf(2.0, a))(3.0)
np.float64(-0.22963715453852185)
"""

from whygrad.scipy.stats import (
    bernoulli,
    beta,
    binom,
    cauchy,
    chi2,
    dirichlet,
    expon,
    gamma,
    gennorm,
    geom,
    gumbel_l,
    gumbel_r,
    halfnorm,
    invgamma,
    laplace,
    logistic,
    lognorm,
    multivariate_normal,
    nbinom,
    norm,
    pareto,
    poisson,
    t,
    uniform,
    vonmises,
    weibull_min,
)

__all__ = [
    "bernoulli",
    "beta",
    "binom",
    "cauchy",
    "chi2",
    "dirichlet",
    "expon",
    "gamma",
    "gennorm",
    "geom",
    "gumbel_l",
    "gumbel_r",
    "halfnorm",
    "invgamma",
    "laplace",
    "logistic",
    "lognorm",
    "multivariate_normal",
    "nbinom",
    "norm",
    "pareto",
    "poisson",
    "t",
    "uniform",
    "vonmises",
    "weibull_min",
]
