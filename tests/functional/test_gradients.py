"""`grad` and its kin: numbers, structures, types of results, nesting, functions that are compiled, and what is refused."""

import collections
import linecache
import math
import subprocess
import sys
import threading
import warnings
import weakref

import numpy as np
import pytest

import whygrad as tf
import whygrad.numpy as wnp

X = np.array([0.5, -1.2, 2.0])
PARAMS = {"w": np.array([[1.0, -2.0, 0.5], [0.3, 0.1, -0.7]]), "b": (0.25, np.array([1.0, 2.0]))}
Point = collections.namedtuple("Point", "x y")


def network(params, x):
    """Written for NumPy: real NumPy functions, methods and attributes of arrays, advanced indexing."""
    scale, shift = params["b"]
    hidden = np.tanh(params["w"] @ x * scale + shift)
    return np.sum(hidden.T[[1, 0]] ** 2) + hidden.mean() * x.max()


def differences(function, flat, step=1e-6):
    """Central differences of a function of a vector."""
    moves = np.eye(len(flat)) * step
    return np.array([(function(flat + move) - function(flat - move)) / (2 * step) for move in moves])


def test_gradients_of_nested_arguments_are_those_of_finite_differences():
    flat, restore = tf.ravel_nested(PARAMS)
    found = tf.grad(network)(PARAMS, X)
    assert found["w"].shape == (2, 3)
    assert type(found["b"]) is tuple
    assert type(found["b"][0]) is np.float64
    np.testing.assert_allclose(
        tf.ravel_nested(found)[0], differences(lambda p: network(restore(p), X), flat), rtol=1e-7
    )
    of_x = tf.grad(network, 1)(PARAMS, X)
    np.testing.assert_allclose(of_x, differences(lambda x: network(PARAMS, x), X), rtol=1e-7)
    value, (of_params, again) = tf.value_and_grad(network, (0, -1))(PARAMS, X)
    assert type(value) is np.float64
    assert value == network(PARAMS, X)
    np.testing.assert_array_equal(again, of_x)
    np.testing.assert_array_equal(of_params["w"], found["w"])


def test_hessians_and_products_with_them_agree_with_finite_differences():
    flat, restore = tf.ravel_nested(PARAMS)
    slope = tf.grad(lambda p: network(restore(p), X))
    hessian = tf.hessian(lambda p: network(restore(p), X))(flat)
    np.testing.assert_allclose(hessian, differences(slope, flat), rtol=1e-6, atol=1e-8)
    nested = tf.hessian(network)(PARAMS, X)
    assert nested["w"]["b"][1].shape == (2, 3, 2)
    assert np.shape(nested["b"][0]["b"][0]) == ()
    np.testing.assert_allclose(nested["b"][1]["w"].reshape(2, 6), hessian[1:3, 3:], rtol=1e-9)
    direction = np.arange(1.0, len(flat) + 1)
    (product,) = tf.hvp(lambda p: network(restore(p), X), (flat,), (direction,))
    np.testing.assert_allclose(product, hessian @ direction, rtol=1e-9)
    moved = tf.jvp(tf.grad(network), (PARAMS, X), (restore(direction), np.zeros(3)))[1]
    np.testing.assert_allclose(tf.ravel_nested(moved)[0], hessian @ direction, rtol=1e-9)


def test_jacobians_of_nested_results():
    found = tf.jacobian(lambda x, y: {"outer": np.outer(x, y), "sum": x.sum()}, (0, 1))(X, np.array([1.0, 2.0]))
    assert found["outer"][0].shape == (3, 2, 3)
    assert found["outer"][1].shape == (3, 2, 2)
    np.testing.assert_array_equal(found["outer"][0][:, 1], 2 * np.eye(3))
    np.testing.assert_array_equal(found["sum"][0], np.ones(3))
    np.testing.assert_array_equal(found["sum"][1], np.zeros(2))


def test_vjp_is_the_transpose_of_jvp():
    def function(x, p):
        return p.x * np.sin(x), np.sum(p.y * x)

    primals = (X, Point(2.0, np.array([1.0, 0.0, -1.0])))
    tangents = (np.array([1.0, 2.0, 3.0]), Point(0.5, np.ones(3)))
    value, pull_back = tf.vjp(function, *primals)
    again, tangent = tf.jvp(function, primals, tangents)
    np.testing.assert_array_equal(value[0], again[0])
    cotangent = (np.array([-1.0, 0.3, 2.0]), 0.7)
    pulled = pull_back(cotangent)
    assert type(pulled[1]) is Point
    forward = np.sum(cotangent[0] * tangent[0]) + cotangent[1] * tangent[1]
    backward = np.sum(pulled[0] * tangents[0]) + pulled[1].x * 0.5 + np.sum(pulled[1].y)
    np.testing.assert_allclose(forward, backward, rtol=1e-12)
    twice = pull_back((2 * cotangent[0], 2 * cotangent[1]))
    np.testing.assert_allclose(twice[0], 2 * pulled[0])


def test_aux_is_handed_through():
    def function(x):
        y = np.sum(x**2)
        return y, {"double": y * 2, "note": "seen"}

    gradient, aux = tf.grad(function, has_aux=True)(X)
    np.testing.assert_allclose(gradient, 2 * X)
    assert type(aux["double"]) is np.float64
    assert aux["note"] == "seen"
    (value, aux), _ = tf.value_and_grad(function, has_aux=True)(X)
    assert aux["double"] == 2 * value
    jacobian, _ = tf.jacobian(function, has_aux=True)(X)
    np.testing.assert_allclose(jacobian, gradient)
    np.testing.assert_allclose(tf.hessian(function, has_aux=True)(X)[0], 2 * np.eye(3))
    assert len(tf.vjp(function, X, has_aux=True)) == 3
    assert len(tf.jvp(function, (X,), (X,), has_aux=True)) == 3
    with pytest.raises(TypeError, match="must return a pair"):
        tf.grad(np.sum, has_aux=True)(X)


# -- results are what arguments are --


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_arrays_give_arrays_of_their_dtype(dtype):
    value, found = tf.value_and_grad(lambda x: np.sum(x * x))(X.astype(dtype))
    assert type(found) is np.ndarray
    assert found.dtype == dtype
    assert value.dtype == dtype
    found[0] = 7.0  # a result is the caller's own


def test_tensors_and_variables_give_tensors_and_keep_their_own_operators():
    v = tf.Variable([1.0, 2.0], trainable=False)

    def function(x):
        assert not wnp.is_dispatch_enabled()
        return tf.reduce_sum(x**2)

    assert isinstance(tf.grad(function)(v), tf.Tensor)
    value, found = tf.value_and_grad(function)(tf.constant([1.0, 2.0]))
    assert isinstance(value, tf.Tensor)
    assert found.dtype == tf.float32
    mixed = tf.grad(lambda p: np.sum(p[0] * p[1]))([tf.constant(X), X])
    assert isinstance(mixed[0], tf.Tensor)
    assert type(mixed[1]) is np.ndarray


def test_only_the_argument_is_differentiated_and_not_the_same_tensor_elsewhere():
    x = tf.constant(3.0)
    assert tf.grad(lambda y: y * x)(x).numpy() == 3.0
    with tf.GradientTape() as tape:
        tape.watch(x)
        slope = tf.grad(lambda y: y * x)(x)
    assert tape.gradient(slope, x).numpy() == 1.0


def test_none_stands_for_nothing():
    assert tf.grad(lambda p: p["w"] ** 2)({"w": 3.0, "b": None}) == {"w": 6.0, "b": None}


def test_the_argument_is_copied():
    x = np.ones(3)
    _, pull_back = tf.vjp(lambda x: x * x, x)
    x[:] = 5.0
    np.testing.assert_array_equal(pull_back(np.ones(3))[0], 2 * np.ones(3))


def test_dispatch_is_off_again_also_after_an_error_and_in_other_threads():
    def fails(x):
        assert wnp.is_dispatch_enabled()
        raise KeyError("mine")

    with pytest.raises(KeyError):
        tf.grad(fails)(1.0)
    assert not wnp.is_dispatch_enabled()
    found = []

    def work():
        found.extend([tf.grad(lambda x: np.sin(x).sum())(X) for _ in range(20)])

    threads = [threading.Thread(target=work) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(found) == 80
    assert not wnp.is_dispatch_enabled()
    np.testing.assert_allclose(found, np.broadcast_to(np.cos(X), (80, 3)))
    with wnp.enable_dispatch():
        tf.grad(np.sum)(X)
        assert wnp.is_dispatch_enabled()


# -- nesting --


def test_derivatives_nest():
    assert tf.grad(tf.grad(tf.grad(lambda x: x**4)))(2.0) == 48.0
    assert tf.grad(lambda x: tf.grad(lambda y: x * y**2)(2.0) * x)(3.0) == 24.0
    assert type(tf.grad(lambda x: x * tf.grad(lambda y: y**2)(3.0))(2.0)) is np.float64
    found = tf.vmap(tf.grad(tf.grad(np.sin)))(X)
    np.testing.assert_allclose(found, -np.sin(X))
    summed = tf.grad(lambda x: np.sum(tf.vmap(lambda row: row[0] * row[1])(x)))(np.arange(6.0).reshape(3, 2))
    np.testing.assert_array_equal(summed, [[1, 0], [3, 2], [5, 4]])
    jacobian = tf.jacobian(lambda x: tf.jvp(np.sin, (x,), (np.ones(3),))[1])(X)
    np.testing.assert_allclose(jacobian, np.diag(-np.sin(X)))
    np.testing.assert_allclose(tf.grad(lambda x: tf.vjp(np.sin, x)[1](np.ones(3))[0].sum())(X), -np.sin(X))
    tape_inside = tf.grad(lambda x: tf.hvp(lambda y: np.sum(y**3), (x,), (np.ones(3),))[0].sum())(X)
    np.testing.assert_allclose(tape_inside, 6 * np.ones(3))


def test_under_function():
    @tf.function
    def step(x):
        return tf.grad(lambda v: tf.reduce_sum(v**3))(x), tf.hessian(lambda v: tf.reduce_sum(v**3))(x)

    gradient, hessian = step(tf.constant([1.0, 2.0]))
    np.testing.assert_allclose(gradient, [3, 12])
    np.testing.assert_allclose(hessian, [[6, 0], [0, 12]])
    inner = tf.function(lambda x: tf.reduce_sum(wnp.exp(x)))
    np.testing.assert_allclose(tf.grad(inner)(X), np.exp(X))
    outer = tf.function(tf.value_and_grad(lambda p: wnp.sum(p["a"] * p["b"])))
    _, found = outer({"a": tf.constant(X), "b": tf.constant(2.0, tf.float64)})
    np.testing.assert_allclose(found["b"], X.sum())


def test_vmap_axes_and_structures():
    a, b = np.arange(6.0).reshape(3, 2), np.arange(12.0).reshape(2, 2, 3)
    found = tf.vmap(lambda x, y, *, z: {"p": y @ x, "z": z}, in_axes=(0, 2))(a, b, z=np.arange(3))
    np.testing.assert_array_equal(found["p"], np.stack([b[:, :, i] @ a[i] for i in range(3)]))
    np.testing.assert_array_equal(found["z"], np.arange(3))
    last = tf.vmap(lambda p, k: p["u"] * k + p["v"], in_axes=({"u": 0, "v": None}, None), out_axes=-1)
    assert last({"u": a, "v": np.ones(2)}, 2.0).shape == (2, 3)
    assert isinstance(tf.vmap(lambda x: x * 2)(tf.constant(a)), tf.Tensor)
    for wrong, text in (
        (lambda: tf.vmap(np.sum, in_axes=None)(a), "nothing to map over"),
        (lambda: tf.vmap(np.add)(a, b), "different lengths"),
        (lambda: tf.vmap(np.add, in_axes=(0,))(a, a), "1 axes for 2 arguments"),
        (lambda: tf.vmap(np.sum, in_axes=3)(a), "axis 3 of an argument of shape"),
        (lambda: tf.vmap(np.sum, out_axes=None)(a), "out_axes cannot be None"),
    ):
        with pytest.raises(ValueError, match=text):
            wrong()
    with pytest.raises(TypeError, match="integers and None"):
        tf.vmap(np.sum, in_axes="x")(a)


def test_ravel_nested():
    flat, restore = tf.ravel_nested(PARAMS)
    np.testing.assert_array_equal(flat[:3], [0.25, 1.0, 2.0])
    np.testing.assert_array_equal(restore(flat)["w"], PARAMS["w"])
    assert tf.ravel_nested([])[0].shape == (0,)
    gradient = tf.grad(lambda p: np.sum(tf.ravel_nested(p)[0] ** 2))(PARAMS)
    np.testing.assert_allclose(gradient["w"], 2 * PARAMS["w"])
    with pytest.raises(ValueError, match="9 numbers"):
        restore(flat[1:])
    with pytest.raises(TypeError, match="holds None"):
        tf.ravel_nested([None])


# -- what is refused, and why --


def sums(x, n):
    return np.sum(x) * n


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        (lambda: tf.grad(sums, 5)(X, 2.0), "argument 5, but it is called with 2 positional arguments"),
        (lambda: tf.grad(sums, "x"), "argnums must be an integer"),
        (lambda: tf.grad(3.0), "takes a function"),
        (lambda: tf.jvp(sums, X, X), "as tuples"),
        (lambda: tf.jvp(sums, (X,), (X, X)), "a tangent for each primal"),
        (lambda: tf.hvp(sums, (X, 1.0), ((X, X), 1.0)), "a tangent must have the structure of its primal"),
        (lambda: tf.vjp(np.sin, X)[1]([X, X]), "the cotangent must have the structure of the value"),
    ],
)
def test_wrong_calls(wrong, text):
    with pytest.raises(TypeError, match=text):
        wrong()


def test_wrong_shapes_and_numbers():
    with pytest.raises(ValueError, match=r"a tangent has shape \(2,\), but its primal has shape \(3,\)"):
        tf.jvp(np.sin, (X,), (X[:2],))
    with pytest.raises(ValueError, match="names an argument twice"):
        tf.grad(sums, (0, -2))(X, 1.0)


def test_a_zero_for_none_has_its_reason():
    with pytest.warns(tf.NoGradientWarning) as caught:
        found = tf.grad(lambda p: np.sum(np.round(p["w"])) + p["c"])({"w": X, "b": 1.0, "c": 1.0})
    np.testing.assert_array_equal(found["w"], np.zeros(3))
    assert found["b"] == 0.0
    assert found["c"] == 1.0
    kinds = {cause.kind: cause for warning in caught for cause in warning.message.causes}
    assert set(kinds) == {"non-differentiable-op", "source-unused"}
    assert kinds["non-differentiable-op"].sites[0].text == 'np.round(p["w"])'
    assert "the gradient of the lambda with respect to `p['w']` is zero" in kinds["non-differentiable-op"].sentence
    assert "`p['b']`" in kinds["source-unused"].sentence
    assert "unconnected_gradients" not in "".join(cause.help for cause in kinds.values())


def test_second_derivatives_that_are_zero_are_no_mistake():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_array_equal(tf.hessian(lambda x: np.sum(x) * 2)(X), np.zeros((3, 3)))
        np.testing.assert_array_equal(tf.hvp(np.sum, (X,), (X,))[0], np.zeros(3))


def test_why_explains_the_last_gradient_of_a_function():
    tf.grad(lambda x: np.sum(np.exp(x)))(X)
    assert "the gradient of the lambda with respect to `x` has norm" in str(tf.why().sentence)


def test_a_loop_of_training_has_no_findings():
    with tf.tracing() as trace:
        params = {"w": np.zeros(3), "b": 0.0}
        for _ in range(5):
            gradient = tf.grad(lambda p: np.sum((p["w"] * X + p["b"] - 1.0) ** 2))(params)
            params = {name: params[name] - 0.05 * gradient[name] for name in params}
    assert list(trace.findings) == []


def test_tensors_have_an_array_namespace_where_they_behave_as_arrays():
    def function(x):
        xp = x.__array_namespace__()
        assert xp is wnp
        return xp.sum(xp.sin(x))

    np.testing.assert_allclose(tf.grad(function)(X), np.cos(X))
    assert not hasattr(tf.constant(X), "__array_namespace__")


def write_first(x):
    x[0] = 1.0
    return np.sum(x)


def write_where_negative(x):
    x[x < 0] = 0.0
    return np.sum(x)


def write_repeated(x):
    x[1:] = 0.0
    return np.sum(x)


def write_each(x):
    out = np.zeros_like(x)
    for i in range(len(x)):
        out[i] = x[i] ** 2
    return np.sum(out)


@pytest.mark.parametrize(
    ("function", "help"),
    [
        (write_first, "x = np.concatenate([[1.0], x[1:]])"),
        (write_where_negative, "x = np.where(x < 0, 0.0, x)"),
        (write_repeated, "np.where(mask, new, x) chooses by element"),
        (write_each, "collect the values in a list in place of `out`, and join them with np.stack"),
    ],
)
def test_item_assignment_says_what_to_write(function, help):
    with pytest.raises(TypeError, match="does not support item assignment") as caught:
        tf.grad(function)(X)
    (cause,) = caught.value.causes
    assert "holds what is differentiated, and its elements never change" in cause.sentence
    assert help in cause.help


def _warned(function, *args):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        tf.grad(function)(*args)
    return [each.message.causes[0] for each in caught if issubclass(each.category, tf.NoGradientWarning)]


def test_a_value_that_leaves_for_numpy_and_is_returned():
    def of_array(x):
        y = np.asarray(x)
        return np.sum(y**2)

    def of_parts(x):
        return np.sum(np.r_[x, 1.0])

    for function, point, left, help in (
        (of_array, np.ones(2), "np.asarray(x)", "leave out np.asarray"),
        (of_parts, np.ones(2), "np.r_[x, 1.0]", "write np.concatenate for np.r_"),
        (lambda x: math.atan(x) * 2.0, 1.0, "math.atan(x)", "write np.arctan for math.atan"),
        (lambda x: float(x) * 2.0, 1.0, "float(x)", "leave out float()"),
    ):
        (cause,) = _warned(function, point)
        assert cause.kind == "numpy-conversion"
        assert [each.text for each in cause.sites if each.role == "left here"] == [left]
        assert help in cause.help


def test_a_function_that_returns_a_constant_does_not_depend_on_its_argument():
    (cause,) = _warned(lambda x: 3.0, 1.0)
    assert "the lambda does not depend on it" in cause.sentence


PROGRAM = """
import numpy as np
from whygrad import grad

def f(x):
    e = np.exp(x)
    return np.sum(e / np.sum(e))

def g(x):
    return np.log(np.linalg.det(x))

def h(x):
    return np.sum(np.linalg.norm(x))

grad(f)(np.array([1000.0, 1.0]))
grad(h)(np.zeros(2))
grad(g)(np.zeros((2, 2)))
"""


def test_helps_speak_of_numpy(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    found = subprocess.run([sys.executable, program], capture_output=True, text=True, check=False, timeout=120).stderr
    assert "tf." not in found, found
    assert "np.eye(2, dtype=np.float64)" in found
    assert "whygrad.nn.softmax" in found  # which NumPy has not


def test_a_part_of_a_result_may_be_independent_of_an_argument_that_another_part_depends_on():
    p = {"x": np.array([1.0, 2.0]), "y": 1.0, "z": 2.0, "unused": 3.0}

    def parts(p):
        return {"a": p["x"] * 2.0 * np.round(p["z"]), "b": np.sin(p["y"])}

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = tf.jacobian(parts)(p)
    assert found["a"]["y"].tolist() == [0.0, 0.0]
    assert found["b"]["x"].tolist() == [0.0, 0.0]
    told = " ".join(str(each.message) for each in caught)
    assert "`p['x']`" not in told
    assert "`p['y']`" not in told
    assert "`p['z']` is zero: np.round cuts the path" in told
    assert "`p['unused']`" in told


def test_a_function_of_numpy_is_named_and_not_the_line_that_differentiates_it():
    for function, point, said in (
        (np.sqrt, 0.0, "sqrt is evaluated at exactly 0"),
        (np.log, 0.0, "the logarithm is taken of `x`, which is exactly 0"),
        (np.round, 0.5, "round cuts the path"),
        (np.linalg.norm, np.zeros(2), "norm is exactly 0"),
    ):
        with pytest.warns(tf.GradientWarning) as caught:
            tf.grad(function)(point)
        (cause,) = caught[0].message.causes
        assert said in cause.sentence
        assert "grad(" not in cause.sentence + cause.help


def _told(call):
    """The result, and the warnings as pairs of the kinds of their causes and the line."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = call()
    of_gradients = [each for each in caught if issubclass(each.category, tf.GradientWarning)]
    return found, [([cause.kind for cause in each.message.causes], each.lineno) for each in of_gradients]


ONES, ZEROS = np.ones(3), np.zeros(3)


@pytest.mark.parametrize(
    ("function", "primals", "tangents", "kind"),
    [
        (lambda x: np.log(x), (ZEROS,), (ONES,), "log-of-zero"),
        (lambda x: {"a": x * 2.0, "b": np.sum(np.sqrt(x))}, (ZEROS,), (ONES,), "infinite-slope"),
        (lambda x, y: np.sum(x**2 + np.sqrt(y)), (X, ZEROS), (ONES, ZEROS), "infinite-slope"),  # 0 times inf
        (lambda x: x / np.linalg.norm(x), (ZEROS,), (ONES,), "zero-divided-by-zero"),
        (np.sqrt, (0.0,), (1.0,), "infinite-slope"),
        (lambda x: np.round(x * 2.0), (X,), (ONES,), "non-differentiable-op"),
        (lambda x: np.argmax(x) * 1.0, (X,), (ONES,), "non-differentiable-op"),
        (lambda x, y: np.sum(x**2), (X, X), (ZEROS, ONES), "source-unused"),
        (lambda x: 3.0, (1.0,), (1.0,), "source-unused"),
    ],
)
def test_a_tangent_that_goes_wrong_has_the_cause_of_the_gradient(function, primals, tangents, kind):
    _, told = _told(lambda: tf.jvp(function, primals, tangents))
    ((kinds, lineno),) = told
    assert kinds == [kind]
    assert linecache.getline(__file__, lineno).strip().startswith("_, told = _told(lambda: tf.jvp(")


@pytest.mark.parametrize(
    ("function", "primals", "tangents"),
    [
        (np.sin, (X,), (ONES,)),
        (np.sin, (X,), (ZEROS,)),
        (lambda x, y: np.sum(x**2), (X, X), (ONES, ONES)),
        (lambda x: {"a": x, "b": np.round(x)}, (X,), (ONES,)),
        (lambda x: x - np.mean(x), (X,), (ONES,)),  # it moves in other directions
        (lambda x: np.exp(x) / np.sum(np.exp(x)), (ONES,), (ONES,)),
        (lambda x: np.sum(x**2), (ONES[:2],), (np.array([1.0, -1.0]),)),
        (lambda x: np.where(x > 0.0, np.log(x), 0.0), (ZEROS,), (ZEROS + np.inf,)),
        (lambda x: np.log(x), (ZEROS + np.inf,), (ONES,)),
        (tf.grad(lambda x: np.sum(x) * 2.0), (X,), (ONES,)),
        (lambda x: tf.jvp(lambda y: np.sum(y) * 2.0, (x,), (ONES,))[1], (X,), (ONES,)),
    ],
)
def test_a_tangent_that_is_right_is_not_explained(function, primals, tangents):
    assert _told(lambda: tf.jvp(function, primals, tangents))[1] == []


def test_explanations_of_tangents_call_the_function_once_and_leave_outer_derivatives_alone():
    calls = []

    def root(x):
        calls.append(x)
        return tf.sqrt(x)

    x = tf.constant([0.0, 4.0], tf.float64)
    with tf.GradientTape() as tape:
        tape.watch(x)
        (value, tangent), told = _told(lambda: tf.jvp(root, (x,), (tf.ones_like(x),)))
        length = tape.length
    assert len(calls) == 1
    assert [kinds for kinds, _ in told] == [["infinite-slope"]]
    np.testing.assert_array_equal(value, [0.0, 2.0])
    np.testing.assert_array_equal(tangent, [np.inf, 0.25])
    assert tape.gradient(tangent, x).numpy()[1] == -1 / 32
    with tf.GradientTape() as healthy:
        healthy.watch(x)
        tf.jvp(root, (x + 0.0,), (tf.ones_like(x) * 0.0 + np.inf,))  # an infinite direction is not explained
    assert healthy.length == length + 3
    moved, told = _told(lambda: tf.jvp(tf.grad(lambda x: np.sum(np.sqrt(x))), (ZEROS,), (ONES,)))
    np.testing.assert_array_equal(moved[1], -np.inf)  # no `isfinite`: a program that looks itself is not warned
    assert {kind for kinds, _ in told for kind in kinds} == {"infinite-slope"}


def test_tangents_in_a_compiled_function_are_not_explained():
    @tf.function
    def moved(x):
        return tf.jvp(tf.sqrt, (x,), (tf.ones_like(x),))[1]

    found, told = _told(lambda: moved(tf.zeros(2)))
    np.testing.assert_array_equal(found, np.inf)
    assert told == []


def test_a_long_forward_pass_frees_its_values():
    size = 1 << 17  # 1 MiB
    references = []

    def long(x):
        for _ in range(200):
            x = np.sin(x)
            references.append(weakref.ref(x))
        assert sum(each() is not None for each in references) < 3
        return np.sqrt(x * 0.0)

    (_, tangent), told = _told(lambda: tf.jvp(long, (np.ones(size),), (np.ones(size),)))
    np.testing.assert_array_equal(tangent, np.nan)  # 0 times inf
    assert told == []


@pytest.mark.parametrize(
    ("function", "sentence", "help"),
    [
        (
            lambda x: np.add(x, np.ones(2)),
            "`x` (3,) and `np.ones(2)` (2,) do not broadcast",
            "sizes must be equal or 1",
        ),
        (
            lambda x: np.ones((2, 4)) * x,
            "`np.ones((2, 4))` (2, 4) and `x` (3,) do not broadcast",
            "sizes must be equal",
        ),
        (
            lambda x: np.outer(x, x) @ np.ones((1, 3)),
            "`np.ones((1, 3))` (1, 3) has 1",
            "np.outer(x, x) @ np.ones((1, 3)).T",
        ),
    ],
)
def test_an_error_of_a_function_of_numpys_names_what_the_program_wrote(function, sentence, help):
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        tf.grad(lambda x: np.sum(function(x)))(np.ones(3))
    (cause,) = caught.value.causes
    assert sentence in cause.sentence
    assert help in cause.help
