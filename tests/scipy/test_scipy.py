"""`whygrad.scipy` against SciPy, and its derivatives against finite differences."""

import importlib
import subprocess
import sys

import numpy as np
import pytest
import scipy.linalg
import scipy.optimize
import scipy.special
import scipy.stats

import whygrad
import whygrad.numpy as wnp
from whygrad.scipy import linalg, optimize, special, stats

P = np.array([0.2, 0.7, 1.5, 4.0])  # positive
R = np.array([-3.3, -0.4, 0.3, 2.6])  # real
U = np.array([0.05, 0.3, 0.6, 0.95])  # inside (0, 1)

_OF_REAL = "erf erfc expit log_expit log_ndtr ndtr i0 i0e i1 i1e j0 j1 dawsn expm1 gamma softmax"
_OF_POSITIVE = "factorial loggamma digamma psi gammaln rgamma k0 k0e k1 k1e y0 y1 expi spence entr log1p"
_OF_SHARE = "erfinv erfcinv logit ndtri"
SPECIAL = {
    **dict.fromkeys(_OF_REAL.split(), (R,)), **dict.fromkeys(_OF_POSITIVE.split(), (P,)), **dict.fromkeys(_OF_SHARE.split(), (U,)),
    "fresnel": (R,), "log_softmax": (R,), "logsumexp": (R,),
    "beta": (P, U), "betaln": (P, U), "betainc": (P, P[::-1], U), "gammainc": (P, P[::-1]), "gammaincc": (P, P[::-1]),
    "zeta": (P + 1.2, P), "polygamma": (2, P), "multigammaln": (P + 2, 3), "xlogy": (R, P), "xlog1py": (R, P), "rel_entr": (P, U), "kl_div": (P, U),
    "boxcox": (P, R), "boxcox1p": (P, R), "poch": (P, U),
}  # fmt: skip
CONSTANT = {
    ("betainc", 0),
    ("betainc", 1),
    ("zeta", 0),
    ("polygamma", 0),
    ("multigammaln", 1),
}  # integers, or without a derivative in TensorFlow


def check(mine, other, args, constant=(), rtol=1e-6):
    """The values are SciPy's, and the derivatives those of finite differences."""
    expected = other(*args)
    found = mine(*args)
    pairs = zip(found, expected) if isinstance(expected, tuple) else [(found, expected)]
    for one, two in pairs:
        np.testing.assert_allclose(wnp.asarray(one).numpy(), two, rtol=1e-11, atol=1e-13)
    weights = np.arange(1.0, 1 + np.size(expected)).reshape(np.shape(expected))

    def total(*args):
        value = mine(*args)
        parts = wnp.stack(value) if isinstance(value, tuple) else value
        return wnp.sum(parts * weights)

    def plainly(*args):
        return np.sum(np.stack(other(*args)) * weights if isinstance(expected, tuple) else other(*args) * weights)

    for position, given in enumerate(args):
        if position in constant:
            continue
        given = np.asarray(given, float)
        step = 1e-6
        slope = []
        for index in np.ndindex(given.shape):
            move = np.zeros_like(given)
            move[index] = step
            ends = [plainly(*args[:position], given + sign * move, *args[position + 1 :]) for sign in (1, -1)]
            slope.append((ends[0] - ends[1]) / (2 * step))
        mine_slope = whygrad.grad(total, position)(*args[:position], given, *args[position + 1 :])
        np.testing.assert_allclose(np.ravel(mine_slope), slope, rtol=rtol, atol=1e-7)


@pytest.mark.parametrize("name", sorted(SPECIAL))
def test_special(name):
    constant = [position for each, position in CONSTANT if each == name]
    check(getattr(special, name), getattr(scipy.special, name), SPECIAL[name], constant)


def test_beta_has_its_sign_left_of_zero():
    check(special.beta, scipy.special.beta, (np.array([-0.5, -1.5, 0.7, -2.3]), np.array([0.8, -0.3, -1.2, 1.1])))


def test_every_special_function_is_tested():
    assert set(special.__all__) == set(SPECIAL)


def test_the_logarithm_of_the_normal_distribution_far_out():
    far = np.array([-1e4, -200.0, -38.0, -20.0, -19.99, 4.99, 5.0, 5.01, 9.0])
    np.testing.assert_allclose(special.log_ndtr(far).numpy(), scipy.special.log_ndtr(far), rtol=1e-11)
    slope = whygrad.grad(lambda x: wnp.sum(special.log_ndtr(x)))(far)
    expected = np.exp(-0.5 * far**2 - 0.5 * np.log(2 * np.pi) - scipy.special.log_ndtr(far))
    np.testing.assert_allclose(slope[1:], expected[1:], rtol=1e-9)
    assert slope[0] == pytest.approx(1e4 + 1e-4, rel=1e-14)  # of the asymptotic series: -x - 1 / x
    assert special.log_ndtr(np.float32(-50.0)).dtype == "float32"


def test_logsumexp():
    x = np.array([[1000.0, 1001.0, -np.inf], [-3.0, 0.0, 2.0]])
    for keywords in ({}, {"axis": 1}, {"axis": 0, "keepdims": True}, {"axis": 1, "b": np.array([1.0, 2.0, 0.5])}):
        found = special.logsumexp(x, **keywords).numpy()
        np.testing.assert_allclose(found, scipy.special.logsumexp(x, **keywords), rtol=1e-12)
    gradient = whygrad.grad(lambda x: wnp.sum(special.logsumexp(x, axis=1)))(x)
    np.testing.assert_allclose(gradient, scipy.special.softmax(x, axis=1), rtol=1e-12)
    np.testing.assert_array_equal(special.logsumexp(np.array([-np.inf, -np.inf])).numpy(), -np.inf)


CONTINUOUS = {
    "norm": (R, 0.3, 1.7), "expon": (P, 0.1, 1.7), "laplace": (R, 0.2, 1.5), "logistic": (R, 0.2, 1.5), "cauchy": (R, 0.2, 1.5),
    "uniform": (U, -0.5, 2.0), "gamma": (P, 2.3, 0.1, 1.7), "chi2": (P, 3.1, 0.1, 1.7), "beta": (U, 2.3, 1.4, -0.1, 1.3),
    "lognorm": (P, 0.8, 0.1, 1.4), "weibull_min": (P, 1.6, 0.1, 1.4), "pareto": (P + 2, 2.4, 0.1, 1.4), "t": (R, 3.3, 0.2, 1.5),
    "gumbel_r": (R, 0.2, 1.5), "gumbel_l": (R, 0.2, 1.5), "gennorm": (R, 1.7, 0.2, 1.5), "halfnorm": (P, 0.02, 1.5), "invgamma": (P, 2.4, 0.02, 1.4),
    "vonmises": (R, 2.4, 0.2, 1.0),
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(CONTINUOUS))
def test_continuous_distributions(name):
    family, theirs, args = getattr(stats, name), getattr(scipy.stats, name), CONTINUOUS[name]
    for method in family.__all__:
        without = {1, 2} if name == "beta" and "pdf" not in method else ()
        # SciPy's own differences of the incomplete gamma functions by their shape are only so good.
        check(getattr(family, method), getattr(theirs, method), args, without, rtol=1e-5)


def test_outside_of_the_support_and_wrong_parameters():
    points = np.array([-1.0, 0.0, 0.5, 1.0, 2.0, np.nan])
    for name, shapes in (("beta", (1.0, 1.0)), ("gamma", (1.0,)), ("expon", ()), ("uniform", ())):
        family, theirs = getattr(stats, name), getattr(scipy.stats, name)
        for method in ("pdf", "logpdf", "cdf", "sf"):
            found = getattr(family, method)(points, *shapes).numpy()
            np.testing.assert_allclose(found, getattr(theirs, method)(points, *shapes), rtol=1e-12)
        gradient = whygrad.grad(lambda x, f=family, s=shapes: wnp.sum(f.pdf(x, *s)))(np.array([-1.0, 0.5]))
        assert np.isfinite(gradient).all()
    assert np.isnan(stats.norm.logpdf(0.0, 0.0, -1.0).numpy())
    assert np.isnan(stats.gamma.pdf(1.0, -2.0).numpy())
    for wrong, text in (
        (lambda: stats.gamma.pdf(1.0), "needs the parameter 'a'"),
        (lambda: stats.norm.pdf(1.0, 0, 1, 2), "at most the parameters loc, scale"),
        (lambda: stats.norm.pdf(1.0, 0, loc=1), "two values"),
        (lambda: stats.norm.pdf(1.0, size=1), "unexpected parameter 'size'"),
    ):
        with pytest.raises(TypeError, match=text):
            wrong()


DISCRETE = {
    "poisson": (np.array([0, 1, 5]), 2.3), "bernoulli": (np.array([0, 1, 1]), 0.3), "geom": (np.array([1, 2, 5]), 0.3),
    "binom": (np.array([0, 3, 7]), 7, 0.4), "nbinom": (np.array([0, 3, 7]), 2.5, 0.4),
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(DISCRETE))
def test_discrete_distributions(name):
    args = DISCRETE[name]
    for method in ("pmf", "logpmf"):
        check(
            getattr(getattr(stats, name), method),
            getattr(getattr(scipy.stats, name), method),
            args,
            {0, *range(1, len(args) - 1)},
        )
    outside = np.array([-1.0, 0.5, 100.0])
    expected = getattr(scipy.stats, name).pmf(outside, *args[1:])
    np.testing.assert_allclose(getattr(stats, name).pmf(outside, *args[1:]).numpy(), expected, rtol=1e-9)


def test_multivariate_distributions():
    rng = np.random.default_rng(0)
    points, mean = rng.normal(size=(4, 3)), rng.normal(size=3)
    root = rng.normal(size=(3, 3))
    cov = root @ root.T + np.eye(3)
    theirs = scipy.stats.multivariate_normal
    for method in ("logpdf", "pdf"):
        check(getattr(stats.multivariate_normal, method), getattr(theirs, method), (points, mean), rtol=1e-5)
        found = getattr(stats.multivariate_normal, method)(points, mean, cov).numpy()
        np.testing.assert_allclose(found, getattr(theirs, method)(points, mean, cov), rtol=1e-12)
        for one in ((0.3,), (R,), (points[0], None, np.diag([1.0, 2.0, 3.0])), (points[0], mean, 2.0)):
            mine = getattr(stats.multivariate_normal, method)(*one).numpy()
            np.testing.assert_allclose(mine, getattr(theirs, method)(*one), rtol=1e-12)
    np.testing.assert_allclose(stats.multivariate_normal.entropy(mean, cov).numpy(), theirs.entropy(mean, cov))
    whole = whygrad.grad(lambda r: wnp.sum(stats.multivariate_normal.logpdf(points, mean, r @ r.T + np.eye(3))))(root)
    move = np.zeros((3, 3))
    move[1, 2] = 1e-6
    ends = [theirs.logpdf(points, mean, (root + s * move) @ (root + s * move).T + np.eye(3)).sum() for s in (1, -1)]
    np.testing.assert_allclose(whole[1, 2], (ends[0] - ends[1]) / 2e-6, rtol=1e-6)
    shares, alpha = np.array([0.2, 0.3, 0.5]), np.array([1.5, 2.0, 3.0])
    np.testing.assert_allclose(
        stats.dirichlet.logpdf(shares, alpha).numpy(), scipy.stats.dirichlet.logpdf(shares, alpha)
    )
    check(lambda a: stats.dirichlet.pdf(shares, a), lambda a: scipy.stats.dirichlet.pdf(shares, a), (alpha,))
    with pytest.raises(ValueError, match="3 numbers"):
        stats.multivariate_normal.logpdf(points[:, :2], mean, cov)


def test_linalg():
    rng = np.random.default_rng(1)
    root, b = rng.normal(size=(2, 2)), rng.normal(size=(2, 1))
    a = root @ root.T + 2 * np.eye(2)
    symmetric = lambda x: (x + x.T) / 2
    check(lambda x: linalg.cholesky(symmetric(x)), lambda x: scipy.linalg.cholesky(symmetric(x)), (a,))
    check(
        lambda x: linalg.cholesky(symmetric(x), lower=True),
        lambda x: scipy.linalg.cholesky(symmetric(x), lower=True),
        (a,),
    )
    for lower in (True, False):
        mine = lambda x, y, lower=lower: linalg.cho_solve(linalg.cho_factor(symmetric(x), lower), y)
        check(
            mine, lambda x, y, low=lower: scipy.linalg.cho_solve(scipy.linalg.cho_factor(symmetric(x), low), y), (a, b)
        )
        for keywords in ({}, {"trans": 1}, {"trans": "N", "unit_diagonal": True}):
            check(
                lambda x, y, k=keywords, lower=lower: linalg.solve_triangular(x, y, lower=lower, **k),
                lambda x, y, k=keywords, lower=lower: scipy.linalg.solve_triangular(x, y, lower=lower, **k),
                (a, b),
            )
    check(linalg.solve_triangular, scipy.linalg.solve_triangular, (a, b[:, 0]))
    check(linalg.solve, scipy.linalg.solve, (root, b))
    check(linalg.expm, scipy.linalg.expm, (root / 3,))
    check(linalg.sqrtm, lambda x: np.real(scipy.linalg.sqrtm(x)), (a,))
    check(linalg.inv, scipy.linalg.inv, (root,))
    check(linalg.det, scipy.linalg.det, (root,))
    check(linalg.norm, scipy.linalg.norm, (root,))
    check(linalg.pinv, scipy.linalg.pinv, (root,))
    check(lambda x: linalg.eigvalsh(symmetric(x)), lambda x: scipy.linalg.eigvalsh(symmetric(x)), (a,))
    check(linalg.svdvals, scipy.linalg.svdvals, (root,))
    check(linalg.block_diag, scipy.linalg.block_diag, (root, b))
    check(linalg.toeplitz, scipy.linalg.toeplitz, (R, np.array([R[0], 1.0, 2.0])), {1})
    check(linalg.hankel, scipy.linalg.hankel, (R, np.array([R[-1], 1.0, 2.0])), {1})
    check(linalg.hankel, scipy.linalg.hankel, (R,))
    check(linalg.circulant, scipy.linalg.circulant, (R,))
    check(linalg.polar, scipy.linalg.polar, (root,))
    check(lambda x: linalg.polar(x, "left"), lambda x: scipy.linalg.polar(x, "left"), (root,))
    check(lambda x: linalg.qr(x, mode="economic"), lambda x: scipy.linalg.qr(x, mode="economic"), (root,))
    with pytest.raises(ValueError, match="without pivoting"):
        linalg.qr(root, pivoting=True)
    with pytest.raises(ValueError, match="side must be"):
        linalg.polar(root, "top")
    np.testing.assert_allclose(linalg.svd(root)[1].numpy(), scipy.linalg.svd(root)[1])
    np.testing.assert_allclose(linalg.eigh(a)[0].numpy(), scipy.linalg.eigh(a)[0])
    with pytest.raises(ValueError, match="trans must be"):
        linalg.solve_triangular(a, b, trans="X")


def rosenbrock(x):
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


def test_value_and_grad_is_what_scipy_takes():
    found = scipy.optimize.minimize(whygrad.value_and_grad(rosenbrock), np.zeros(4), jac=True)
    assert found.success
    np.testing.assert_allclose(found.x, np.ones(4), rtol=1e-4)
    newton = scipy.optimize.minimize(
        rosenbrock,
        np.zeros(4),
        jac=whygrad.grad(rosenbrock),
        hess=whygrad.hessian(rosenbrock),
        method="trust-exact",
        tol=1e-9,
    )
    np.testing.assert_allclose(newton.x, np.ones(4), rtol=1e-6)


@pytest.mark.parametrize("method", [None, "L-BFGS-B", "Newton-CG", "trust-exact"])
def test_minimize_takes_nested_parameters(method):
    seen = []

    def bowl(params, target):
        return np.sum((params["w"] - target) ** 2) + (params["b"][0] - 3.0) ** 4

    found = optimize.minimize(
        bowl,
        {"w": np.zeros((2, 2)), "b": [0.0]},
        (np.eye(2),),
        method,
        callback=lambda params: seen.append(params["w"].shape),
    )
    np.testing.assert_allclose(found.x["w"], np.eye(2), atol=1e-4)
    assert abs(found.x["b"][0] - 3.0) < 0.1
    assert found.jac["w"].shape == (2, 2)
    assert set(seen) == {(2, 2)}
    with pytest.raises(TypeError, match="leave out jac"):
        optimize.minimize(bowl, {}, jac=True)


def test_distributions_are_modules():
    for name in stats.__all__:
        assert importlib.import_module(f"whygrad.scipy.stats.{name}") is getattr(stats, name)


def test_ufuncs_of_scipy_are_ours_inside_of_a_derivative():
    found = whygrad.grad(lambda x: np.sum(scipy.special.erf(x) * scipy.special.xlogy(x, x)))(P)
    expected = whygrad.grad(lambda x: wnp.sum(special.erf(x) * special.xlogy(x, x)))(P)
    np.testing.assert_array_equal(found, expected)
    with pytest.raises(
        TypeError, match=r"scipy.special.wofz has no differentiable counterpart in whygrad.scipy.special"
    ):
        whygrad.grad(lambda x: np.sum(scipy.special.wofz(x)))(P)


def test_functions_of_scipy_that_take_plain_arrays_are_named_in_the_help():
    for function, help in (
        (
            lambda x: np.sum(scipy.stats.norm.logpdf(x)),
            "write whygrad.scipy.stats.norm.logpdf for scipy.stats.norm.logpdf",
        ),
        (lambda x: scipy.special.logsumexp(x), "write whygrad.scipy.special.logsumexp for scipy.special.logsumexp"),
        (lambda x: scipy.stats.skew(x), "scipy.stats.skew cannot be differentiated"),
    ):
        with pytest.warns(whygrad.NoGradientWarning) as caught:
            whygrad.grad(function)(P)
        (cause,) = [each.message.causes[0] for each in caught if each.category is whygrad.NoGradientWarning]
        assert cause.kind == "numpy-conversion"
        assert help in cause.help


def test_modules_are_loaded_when_they_are_used():
    program = """
import whygrad.scipy
print(sorted(dir(whygrad.scipy)))
print(whygrad.scipy.special.__name__, hasattr(whygrad.scipy, "signal"))
import whygrad
del whygrad.scipy
try:
    whygrad.scipy
except AttributeError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        "['linalg', 'optimize', 'special', 'stats']",
        "whygrad.scipy.special False",
        "whygrad.scipy is loaded by `import whygrad.scipy`, not by `import whygrad`",
    ]
