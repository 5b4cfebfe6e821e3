"""`whygrad.autograd`: programs that are written for autograd, with only the import changed."""

import numpy
import pytest

import whygrad.autograd.numpy as np
import whygrad.autograd.scipy.stats.norm as norm
from whygrad.autograd import (
    elementwise_grad,
    grad,
    grad_and_aux,
    hessian,
    hessian_vector_product,
    jacobian,
    make_hvp,
    make_jvp,
    make_vjp,
    tensor_jacobian_product,
    value_and_grad,
)
from whygrad.autograd.builtins import tuple as atuple
from whygrad.autograd.extend import defvjp, primitive
from whygrad.autograd.misc import flatten
from whygrad.autograd.misc.fixed_points import fixed_point
from whygrad.autograd.misc.flatten import flatten_func
from whygrad.autograd.misc.optimizers import adam, rmsprop, sgd
from whygrad.autograd.scipy.integrate import odeint
from whygrad.autograd.scipy.signal import convolve
from whygrad.autograd.scipy.special import logsumexp
from whygrad.autograd.test_util import check_grads
from whygrad.autograd.util import func

X = numpy.array([0.3, -1.2, 2.0])


def test_functions_are_numpys_outside_and_whygrads_inside_of_derivatives():
    assert type(np.sin(X)) is numpy.ndarray
    assert type(norm.logpdf(X)) is numpy.ndarray
    assert type(np.linalg.norm(X)) is numpy.float64
    buffer = np.zeros(3)
    buffer[1] = 2.0  # an array of NumPy's
    found = grad(lambda x: np.sum(np.array([x[0] * x[1], np.linalg.norm(x), logsumexp(x)])) + norm.logpdf(x[2]))(X)
    expected = [(-1.2, 0.3, 0.0), X / numpy.linalg.norm(X), numpy.exp(X) / numpy.exp(X).sum(), (0.0, 0.0, -2.0)]
    numpy.testing.assert_allclose(found, numpy.sum(expected, axis=0))
    assert np.random.RandomState(0).randn() == numpy.random.RandomState(0).randn()


def test_operators():
    def f(x, y):
        return np.sum(x**3) * y

    numpy.testing.assert_allclose(grad(f, argnum=(0, 1))(X, 2.0)[0], 6 * X**2)
    assert value_and_grad(f, 1)(X, 2.0)[1] == pytest.approx(numpy.sum(X**3))
    numpy.testing.assert_allclose(
        elementwise_grad(elementwise_grad(np.tanh))(X), -2 * numpy.tanh(X) / numpy.cosh(X) ** 2
    )
    numpy.testing.assert_allclose(jacobian(lambda x: x**2)(X), numpy.diag(2 * X))
    numpy.testing.assert_allclose(hessian(lambda x: np.sum(x**3))(X), numpy.diag(6 * X))
    numpy.testing.assert_allclose(hessian_vector_product(f)(X, 2.0, X), 12 * X**2)
    numpy.testing.assert_allclose(tensor_jacobian_product(lambda x: x**2)(X, X), 2 * X**2)
    product, slope = make_hvp(lambda x: np.sum(x**3))(X)
    numpy.testing.assert_allclose(product(X), 6 * X**2)
    numpy.testing.assert_allclose(slope, 3 * X**2)
    pull_back, value = make_vjp(lambda x: x**2)(X)
    numpy.testing.assert_allclose(pull_back(value), 2 * X**3)
    numpy.testing.assert_allclose(make_jvp(lambda x, k: x**k)(X, 2)(X)[1], 2 * X**2)
    gradient, aux = grad_and_aux(lambda x: (np.sum(x**2), "seen"))(X)
    numpy.testing.assert_allclose(gradient, 2 * X)
    assert aux == "seen"
    assert func(f) is f


@pytest.mark.parametrize("method", [sgd, rmsprop, adam])
def test_optimizers(method):
    target = {"w": X, "b": [2.0]}
    seen = []
    found = method(
        grad(lambda p, i: np.sum((p["w"] - target["w"]) ** 2) + (p["b"][0] - 2.0) ** 2),
        {"w": numpy.zeros(3), "b": [0.0]},
        callback=lambda p, i, g: seen.append(i),
        num_iters=60,
        step_size=0.1,
    )
    assert seen == list(range(60))
    numpy.testing.assert_allclose(found["w"], X, atol=0.2)


def test_primitives_with_rules_of_the_programs_own():
    @primitive
    def total_of_exponentials(x, scale=1.0):
        assert type(x) is numpy.ndarray
        x[:] = numpy.exp(x)  # in place: it is its own copy
        return x.sum() * scale

    defvjp(total_of_exponentials, lambda ans, x, scale=1.0: lambda g: g * scale * np.exp(x))
    numpy.testing.assert_allclose(
        grad(lambda x: total_of_exponentials(x) ** 2)(X), 2 * numpy.exp(X).sum() * numpy.exp(X)
    )
    check_grads(lambda x: total_of_exponentials(x, scale=2.0), modes=["rev"])(X)
    undefined = primitive(numpy.sum)
    with pytest.raises(NotImplementedError, match="wrt argument number 0 is not defined"):
        grad(lambda x: undefined(x))(X)
    wrong = primitive(numpy.sum)
    defvjp(wrong, lambda ans, x: lambda g: g * 2.0 * np.ones(3))
    with pytest.raises(AssertionError, match="finite differences give"):
        check_grads(wrong, modes=["rev"], order=1)(X)


def test_fixed_points_have_derivatives_of_any_order():
    def root(a):
        return fixed_point(lambda a: lambda x: 0.5 * (x + a / x), a, 10.0, lambda x, y: np.abs(x - y), 1e-12)

    assert root(2.0) == pytest.approx(2.0**0.5)
    assert grad(root)(2.0) == pytest.approx(0.5 * 2.0**-0.5)
    assert grad(grad(root))(2.0) == pytest.approx(-0.25 * 2.0**-1.5)


def test_differential_equations():
    times = numpy.array([0.0, 0.5, 1.5])

    def decayed(rate, start, t):
        return np.sum(odeint(lambda y, t, k: -k * y, start, t, atuple((rate,)), rtol=1e-6, atol=1e-6) ** 2)

    found = grad(decayed, (0, 1, 2))(0.7, numpy.array([1.0, 2.0]), times)
    squares = 5.0 * numpy.exp(-1.4 * times)
    assert found[0] == pytest.approx(numpy.sum(-2 * times * squares), rel=1e-4)
    numpy.testing.assert_allclose(found[1], 2 * numpy.array([1.0, 2.0]) * numpy.sum(squares) / 5.0, rtol=1e-4)
    later = -1.4 * squares[1:]
    numpy.testing.assert_allclose(found[2], [-numpy.sum(later), *later], rtol=1e-4)


def test_convolutions():
    large, small = numpy.arange(20.0).reshape(4, 5), numpy.array([[1.0, -2.0], [0.5, 3.0]])
    full = numpy.zeros((5, 6))
    for i in range(2):
        for j in range(2):
            full[i : i + 4, j : j + 5] += small[i, j] * large
    numpy.testing.assert_allclose(convolve(large, small), full)
    numpy.testing.assert_allclose(convolve(small, large, mode="valid"), full[1:4, 1:5])
    images, filters = numpy.arange(96.0).reshape(2, 3, 4, 4), numpy.arange(24.0).reshape(3, 2, 2, 2)
    found = convolve(images, filters, axes=([2, 3], [2, 3]), dot_axes=([1], [0]), mode="valid")
    expected = sum(convolve(images[1, k], filters[k, 0], mode="valid") for k in range(3))
    assert found.shape == (2, 2, 3, 3)
    numpy.testing.assert_allclose(found[1, 0], expected)
    check_grads(convolve, (0, 1), modes=["rev"], order=1)(large, small)
    with pytest.raises(ValueError, match="'full' or 'valid'"):
        convolve(large, small, mode="same")


def test_flatten():
    vector, restore = flatten({"b": 1.0, "a": [X]})
    numpy.testing.assert_array_equal(vector, [*X, 1.0])
    of_vectors, again, start = flatten_func(lambda p, k: {"w": p["w"] * k}, {"w": X})
    numpy.testing.assert_allclose(of_vectors(start, 2.0), 2 * X)
    assert set(again(start)) == {"w"}
    assert restore(vector)["b"] == 1.0
