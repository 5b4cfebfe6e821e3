"""`whygrad.autograd.tracer`, `extend` and `core`: nodes, primitives and vector spaces of a program's own."""

import warnings

import numpy
import pytest

import whygrad.autograd.numpy as np
from whygrad.autograd import grad, make_jvp, make_vjp, value_and_grad
from whygrad.autograd.core import make_jvp as jvp_at
from whygrad.autograd.core import make_vjp as vjp_at
from whygrad.autograd.extend import (
    Box,
    SparseObject,
    VJPNode,
    VSpace,
    def_linear,
    defjvp,
    defjvp_argnums,
    defvjp,
    defvjp_argnum,
    notrace_primitive,
    primitive,
    register_notrace,
    vspace,
)
from whygrad.autograd.misc.tracers import const_graph, full_graph
from whygrad.autograd.numpy.numpy_boxes import ArrayBox
from whygrad.autograd.tracer import Node, getval, isbox, toposort, trace
from whygrad.autograd.util import func


class Line(Node):
    """A node that is a line of text."""

    def __init__(self, value, fun, args, kwargs, parent_argnums, parents):
        self.lines, self.name = parents[0].lines, f"v{len(parents[0].lines)}"
        shown = [parents[parent_argnums.index(i)].name if i in parent_argnums else str(a) for i, a in enumerate(args)]
        shown += [f"{key}={each}" for key, each in kwargs.items()]
        self.lines.append(f"{self.name} = {fun.__name__}({', '.join(shown)})")
        self.value, self.parents = value, parents

    def initialize_root(self):
        self.lines, self.name, self.parents = ["v0"], "v0", ()


def lines_of(function, x):
    value, node = trace(Line.new_root(), function, x)
    return value, node.lines[1:]


def test_a_function_of_numpy_is_one_node_and_an_operator_one():
    value, lines = lines_of(lambda x: np.mean(np.sin(x) * x, axis=0) - 2.0, numpy.array([1.0, 2.0]))
    assert lines == ["v1 = sin(v0)", "v2 = multiply(v1, v0)", "v3 = mean(v2, axis=0)", "v4 = subtract(v3, 2.0)"]
    assert value == pytest.approx(numpy.mean(numpy.sin([1.0, 2.0]) * [1.0, 2.0]) - 2.0)


def test_the_sweep_of_an_inner_gradient_is_traced():
    value, lines = lines_of(grad(lambda x: np.sin(x + x)), 1.0)
    assert value == pytest.approx(2 * numpy.cos(2.0))
    assert lines[:2] == ["v1 = add(v0, v0)", "v2 = sin(v1)"]
    assert lines[-1] == "v5 = add(ArrayVSpace_{'shape': (), 'dtype': dtype('float64')}, v4, v4)"


def test_the_derivative_of_a_traced_function():
    found = grad(lambda x: trace(Line.new_root(), lambda y: np.exp(y) * 3.0, x)[0])(0.5)
    assert found == pytest.approx(3 * numpy.exp(0.5))


def test_a_result_that_does_not_depend_on_the_argument_has_no_node():
    with pytest.warns(UserWarning, match="independent of input"):
        assert trace(Line.new_root(), lambda x: 3.0, 1.0) == (3.0, None)


def test_parts_of_containers_and_lists_of_parts():
    value, lines = lines_of(lambda p: np.concatenate([p["a"], p["b"][0]]), {"a": numpy.ones(1), "b": [numpy.zeros(1)]})
    assert lines == [
        "v1 = container_take(v0, a)",
        "v2 = container_take(v0, b)",
        "v3 = container_take(v2, 0)",
        "v4 = make_sequence(<class 'list'>, v1, v3)",
        "v5 = concatenate(v4)",
    ]
    numpy.testing.assert_array_equal(value, [1.0, 0.0])


def test_graphs_are_computed_again_with_other_numbers():
    calls = []

    def f(x, y):
        calls.append(x)
        return np.sum(np.tanh(x) ** 2 * y, axis=0)

    g = const_graph(f)
    for x, y in ((numpy.ones(2), 2.0), (numpy.array([0.5, -1.0]), 3.0)):
        assert g(x, y) == pytest.approx(numpy.sum(numpy.tanh(x) ** 2 * y))
    assert len(calls) == 1
    with pytest.warns(UserWarning, match="independent"), pytest.raises(ValueError, match="does not depend"):
        const_graph(lambda x: 1.0)(2.0)
    node = full_graph(lambda x: np.exp(x) + 1.0, 0.0)
    assert node.value == 2.0
    assert node.recipe[0] is np.add


def test_a_primitive_is_one_node_and_toposort_ends_at_the_root():
    cube = primitive(lambda x, scale: scale * x**3)
    cube.__name__ = "cube"
    _, node = trace(Line.new_root(), lambda x: cube(x, 2.0) + x, 1.0)
    assert node.lines[1:] == ["v1 = cube(v0, 2.0)", "v2 = add(v1, v0)"]
    assert [each.name for each in toposort(node)] == ["v2", "v1", "v0"]


def test_forward_mode_with_rules_of_the_programs_own():
    scaled = primitive(lambda x, a: x * a)
    defjvp(scaled, "same", lambda g, ans, x, a: g * x)
    assert make_jvp(scaled, (0, 1))(2.0, 3.0)((1.0, 10.0)) == (6.0, 23.0)
    doubled = primitive(lambda x: 2.0 * x)
    def_linear(doubled)
    assert make_jvp(lambda x: doubled(x) ** 2)(3.0)(1.0) == (36.0, 24.0)
    joint = primitive(lambda x, y: x * y)
    defjvp_argnums(joint, lambda argnums, gs, ans, args, kwargs: sum(g * args[1 - n] for n, g in zip(argnums, gs)))
    assert jvp_at(lambda x: joint(x, x), 5.0)(1.0) == (25.0, 10.0)
    with pytest.raises(NotImplementedError, match="VJP of <lambda>"):
        grad(doubled)(1.0)
    with pytest.raises(TypeError, match="must be a function or None"):
        defvjp(doubled, "same")


def test_rules_get_arrays_and_second_derivatives_still_follow():
    seen = []
    square = primitive(lambda x: x**2)

    def rule(argnum, ans, args, kwargs):
        seen.append(type(ans))
        return lambda g: 2.0 * g * args[0]

    defvjp_argnum(square, rule)
    assert grad(square)(3.0) == 6.0
    assert seen == [numpy.float64]
    assert grad(grad(square))(3.0) == 2.0
    chosen = primitive(lambda x, i: x[i])
    defvjp(
        chosen, lambda ans, x, i: lambda g: SparseObject(vspace(x), lambda to: numpy.add(to, g * numpy.eye(len(x))[i]))
    )
    numpy.testing.assert_array_equal(grad(lambda x: chosen(x, 1) * 5.0)(numpy.ones(3)), [0.0, 5.0, 0.0])


def test_functions_whose_results_are_constants():
    rounded = notrace_primitive(numpy.round)
    assert grad(lambda x: x * rounded(x))(1.7) == 2.0
    floor = primitive(numpy.floor)
    register_notrace(VJPNode, floor)
    assert grad(lambda x: x * floor(x))(1.7) == 1.0
    seen = []
    grad(lambda x: seen.append((isbox(x), getval(x), isinstance(x, ArrayBox))) or x)(2.0)
    assert seen == [(True, 2.0, True)]


class Polynomial:
    """A type of the program's own: coefficients by power."""

    def __init__(self, coefficients):
        self.coefficients = coefficients

    @primitive
    def __call__(self, x):
        return sum((a * x**n for n, a in self.coefficients.items()), 0.0)

    @primitive
    def derivative(self):
        return Polynomial({n - 1: n * a for n, a in self.coefficients.items() if n})


class PolynomialBox(Box, Polynomial):
    """A polynomial inside of a derivative."""


class Polynomials(VSpace):
    """Polynomials as vectors."""

    def zeros(self):
        return Polynomial({})

    def _add(self, p, q):
        powers = {*p.coefficients, *q.coefficients}
        return Polynomial({n: p.coefficients.get(n, 0.0) + q.coefficients.get(n, 0.0) for n in powers})

    def _scalar_mul(self, p, a):
        return Polynomial({n: a * c for n, c in p.coefficients.items()})


PolynomialBox.register(Polynomial)
Polynomials.register(Polynomial)
defvjp(func(Polynomial.__call__), lambda ans, p, x: lambda g: Polynomial({n: g * x**n for n in (0, 1, 2)}))
defvjp(
    func(Polynomial.derivative),
    lambda ans, p: lambda g: Polynomial({n + 1: (n + 1) * c for n, c in g.coefficients.items()}),
)


def test_objects_of_the_programs_own_types_are_differentiated():
    p = Polynomial({0: 1.0, 2: 3.0})
    assert grad(lambda p: p(2.0) * 5.0 + p(1.0))(p).coefficients == {0: 6.0, 1: 11.0, 2: 21.0}
    value, found = value_and_grad(lambda p, c: p.derivative()(2.0) * c)(p, 2.0)
    assert value == 24.0
    assert found.coefficients == {1: 2.0, 2: 8.0, 3: 24.0}
    pull_back, value = make_vjp(lambda d, x: d["p"](x))({"p": p}, 3.0)
    assert value == 28.0
    for _ in range(2):  # each sweep collects anew
        assert pull_back(1.0)["p"].coefficients == {0: 1.0, 1: 3.0, 2: 9.0}
    both = grad(lambda p, x: p(2.0) * x, (0, 1))(p, 7.0)
    assert both[0].coefficients == {0: 7.0, 1: 14.0, 2: 28.0}
    assert both[1] == 13.0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert grad(lambda p, x: x)(p, 1.0).coefficients == {}
    with pytest.raises(TypeError, match="one number"):
        grad(lambda p: p(np.ones(2)))(p)


def test_complex_derivatives_are_autograds():
    z = numpy.array([1.0 + 2.0j, -0.5 + 1.0j])
    numpy.testing.assert_allclose(grad(lambda z: np.real(np.sum(z**2)))(z), 2 * z)  # not the conjugate
    pull_back, _ = vjp_at(lambda z: z * (1.0 + 1.0j), z)
    numpy.testing.assert_allclose(pull_back(numpy.ones(2) + 0.0j), 1.0 + 1.0j)
    scaled = primitive(lambda z: 2.0j * z)
    defvjp(scaled, lambda ans, z: lambda g: 2.0j * g)
    numpy.testing.assert_allclose(grad(lambda z: np.real(np.sum(scaled(z))))(z), 2.0j)


def test_vector_spaces():
    space = vspace({"a": numpy.ones((2, 3)), "b": (1.0, 2.0j)})
    assert space.size == 6 + 1 + 2
    assert len(list(space.standard_basis())) == 9
    assert space == vspace(space.randn())
    assert space != vspace(1.0)
    zeros = space.zeros()
    assert zeros["b"] == (0.0, 0.0)
    assert space.inner_prod(space.ones(), zeros) == 0.0
    twice = space.scalar_mul(space.add(space.ones(), space.ones()), 2.0)
    assert twice["b"] == (4.0, 4.0 + 4.0j)
    assert space.covector(twice)["b"][1] == 4.0 - 4.0j
    assert vspace(numpy.ones(2)).mut_add(None, numpy.ones(2)).tolist() == [1.0, 1.0]
    with pytest.raises(TypeError, match="has no vector space"):
        vspace("text")
