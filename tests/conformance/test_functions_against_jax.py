"""Drawn functions under drawn compositions of `grad`, `jacobian`, `hessian`, `jvp`, `vjp`, `hvp` and `vmap`, against JAX in float64.

The functions are written with NumPy itself, their parameters are nested, and results must be arrays again.
"""

import random

import numpy as np
import pytest

import whygrad
import whygrad.numpy as wnp

SIZE, BATCH = 3, 2
UNARY = {
    "sin": lambda xp, x: xp.sin(x),
    "tanh": lambda xp, x: xp.tanh(x),
    "exp": lambda xp, x: xp.exp(0.5 * x),
    "arctan": lambda xp, x: xp.arctan(x),
    "log": lambda xp, x: xp.log1p(x * x),
    "sqrt": lambda xp, x: xp.sqrt(1.5 + x * x),
    "sigmoid": lambda xp, x: 1 / (1 + xp.exp(-x)),
    "softplus": lambda xp, x: xp.logaddexp(x, 0.0),
    "square": lambda xp, x: x**2,
}
STEPS = {
    "divide": lambda xp, w, h: h / (2.0 + xp.cos(h)),
    "maximum": lambda xp, w, h: xp.maximum(h, xp.tanh(h) + 0.3),
    "power": lambda xp, w, h: (1.1 + h * h) ** xp.tanh(h),
    "arctan2": lambda xp, w, h: xp.arctan2(h, 1.0 + h * h),
    "matmul": lambda xp, w, h: 0.5 * xp.matmul(w["m"], h),
    "roll": lambda xp, w, h: xp.roll(h, 1) + 0.3 * h,
    "index": lambda xp, w, h: 0.5 * h[::-1] + h[xp.array([0, 2, 1])],
    "where": lambda xp, w, h: xp.where(h > 0.1, 2.0 * h, xp.sin(h)),
    "cumsum": lambda xp, w, h: xp.cumsum(h),
    "sort": lambda xp, w, h: xp.sort(h),
    "max": lambda xp, w, h: h - xp.max(h) + 0.2 * xp.min(h),
    "einsum": lambda xp, w, h: xp.einsum("ij,j->i", w["m"], h) + w["v"],
    "outer": lambda xp, w, h: xp.sum(xp.outer(h, w["v"]), axis=0),
    "softmax": lambda xp, w, h: xp.exp(h - xp.max(h)) / xp.sum(xp.exp(h - xp.max(h))),
    "concatenate": lambda xp, w, h: xp.concatenate([h[1:], xp.reshape(xp.mean(h), (1,))]),
    "solve": lambda xp, w, h: xp.linalg.solve(w["m"] + 4.0 * xp.eye(SIZE) + 0.1 * xp.outer(h, h), h),
    "norm": lambda xp, w, h: h / xp.sqrt(1.0 + xp.sum(h * h)),
    "clip": lambda xp, w, h: xp.clip(h, -0.7, 0.9) + 0.1 * h,
    "prod": lambda xp, w, h: h * xp.prod(1.0 + 0.1 * h),
    **{name: lambda xp, w, h, compute=compute: compute(xp, h) for name, compute in UNARY.items()},
}


class Ours:
    grad, jacobian, hessian, vmap = whygrad.grad, whygrad.jacobian, whygrad.hessian, whygrad.vmap
    vjp, jvp, hvp, value_and_grad = whygrad.vjp, whygrad.jvp, whygrad.hvp, whygrad.value_and_grad


def theirs(jax):
    """JAX's functions under our names."""

    class Theirs:
        grad, jacobian, hessian, vmap = jax.grad, jax.jacrev, jax.hessian, jax.vmap
        vjp, jvp, value_and_grad = jax.vjp, jax.jvp, jax.value_and_grad

        @staticmethod
        def hvp(f, primals, tangents):
            return jax.jvp(jax.grad(f), primals, tangents)[1]

    return Theirs


def mapped(function, structure):
    if isinstance(structure, dict):
        return {key: mapped(function, each) for key, each in structure.items()}
    if isinstance(structure, tuple | list):
        return type(structure)(mapped(function, each) for each in structure)
    return function(structure)


def leaves(structure):
    if isinstance(structure, dict):
        return [leaf for key in sorted(structure) for leaf in leaves(structure[key])]
    return [leaf for each in structure for leaf in leaves(each)] if isinstance(structure, tuple | list) else [structure]


def drawn_composition(draws):
    """Names of derivatives, each of which the function before it allows: `grad` needs one number."""
    names, is_number = [], False
    for _ in range(draws.randint(1, 4)):
        of_number = ["grad", "grad of w", "grad of both", "hessian", "hvp", "value_and_grad", "jvp"]
        allowed = of_number if is_number else ["jacobian", "jvp", "vjp", "sum"]
        names.append(draws.choice(allowed + ["vmap"] * ("vmap" not in names)))
        is_number = names[-1] == "sum"
    if not is_number and draws.random() < 0.3:
        names += ["sum", draws.choice(["grad", "grad of w", "hvp", "hessian"])]
    return names


def derived(library, xp, f, name):
    """The derivative of a function of parameters and an array."""

    def at(w):
        return lambda x: f(w, x)

    def pulled_back(w, x):
        value, pull_back = library.vjp(at(w), x)
        return pull_back(mapped(lambda leaf: 0.7 * xp.ones_like(leaf), value))

    def total(w, x):
        return sum((1.0 + 0.3 * i) * xp.sum(leaf) for i, leaf in enumerate(leaves(f(w, x))))

    return {
        "sum": lambda: total,
        "grad": lambda: library.grad(f, 1),
        "grad of w": lambda: library.grad(f),
        "grad of both": lambda: library.grad(f, (0, 1)),
        "hessian": lambda: library.hessian(f, 1),
        "jacobian": lambda: library.jacobian(f, 1),
        "value_and_grad": lambda: library.value_and_grad(f, argnums=1),
        "hvp": lambda: lambda w, x: library.hvp(at(w), (x,), (0.5 * xp.ones_like(x),)),
        "jvp": lambda: lambda w, x: library.jvp(at(w), (x,), (0.5 * xp.ones_like(x),)),
        "vjp": lambda: pulled_back,
        "vmap": lambda: library.vmap(f, in_axes=(None, 0)),
    }[name]()


def composed(library, xp, steps, names):
    def f(w, x):
        for step in steps:
            x = STEPS[step](xp, w, x)
        return x

    for name in names:
        f = derived(library, xp, f, name)
    return f


def drawn(seed):
    draws, rng = random.Random(seed), np.random.default_rng(seed)
    steps = draws.choices(list(STEPS), k=draws.randint(2, 6))
    names = drawn_composition(draws)
    w = {"m": rng.normal(size=(SIZE, SIZE)), "v": rng.normal(size=SIZE)}
    return steps, names, w, rng.normal(size=(BATCH, SIZE) if "vmap" in names else SIZE)


def assert_same(found, expected):
    for mine, other in zip(leaves(found), leaves(expected), strict=True):
        assert np.shape(mine) == np.shape(other)
        np.testing.assert_allclose(np.asarray(mine), np.asarray(other), rtol=1e-7, atol=1e-9)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", range(12))
def test_compositions_of_derivatives(real_jax, seed):
    steps, names, w, x = drawn(seed)
    found = composed(Ours, np, steps, names)(w, x)
    expected = real_jax.jit(composed(theirs(real_jax), real_jax.numpy, steps, names))(w, x)
    assert_same(found, expected)
    assert all(isinstance(each, np.ndarray | np.generic | float) for each in leaves(found)), (steps, names)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", range(100, 103))
def test_compositions_under_function(real_jax, seed):
    steps, names, w, x = drawn(seed)
    compiled = whygrad.function(composed(Ours, wnp, steps, names))
    expected = real_jax.jit(composed(theirs(real_jax), real_jax.numpy, steps, names))(w, x)
    assert_same(compiled(mapped(whygrad.constant, w), whygrad.constant(x)), expected)
