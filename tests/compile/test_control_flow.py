"""Branches and loops in compiled functions: values, gradients, second derivatives and updates equal those of eager execution."""

import numpy as np
import pytest

import whygrad as tf
from tests.support.compiled import assert_same, derivatives

X = np.array([0.5, -0.3, 0.8], np.float32)


def _grown(a, w):
    return a * 1.5 + w * 0.1


PROGRAMS = {
    "cond, taken": lambda x, w: tf.cond(tf.reduce_sum(x) > 0, lambda: x * w, lambda: tf.sin(x) * w),
    "cond, not taken": lambda x, w: tf.cond(tf.reduce_sum(x) > 10, lambda: x * w, lambda: tf.sin(x) * w),
    "cond within cond": lambda x, w: tf.cond(
        tf.reduce_sum(x) > 0, lambda: tf.cond(x[0] > 0.0, lambda: x * x * w, lambda: x), lambda: tf.sin(x) + w
    ),
    "while with a counter": lambda x, w: tf.while_loop(
        lambda i, a: i < 4, lambda i, a: (i + 1, a * a * w + x), (tf.constant(0), x)
    ),
    "while with a counter within another": lambda x, w: tf.while_loop(
        lambda i, a: i < 3,
        lambda i, a: (i + 1, tf.while_loop(lambda j, b: j < 2, lambda j, b: (j + 1, tf.sin(b) * w), (0, a))[1]),
        (tf.constant(0), x),
    ),
    "bounded while": lambda x, w: tf.while_loop(
        lambda a: tf.reduce_sum(a * a) < 5.0, lambda a: (a * a + _grown(a, w),), (x,), maximum_iterations=10
    ),
    "scan": lambda x, w: tf.scan(lambda a, e: a * e * w + tf.sin(e), x),
    "scan from an initial value, reversed": lambda x, w: tf.scan(
        lambda a, e: a * e * w + tf.sin(e), x, initializer=tf.constant(1.0), reverse=True
    ),
    "foldl": lambda x, w: tf.foldl(lambda a, e: a * e + w, x),
    "foldr": lambda x, w: tf.foldr(lambda a, e: a * e + w, x, initializer=2.0),
    "map_fn": lambda x, w: tf.map_fn(lambda e: tf.exp(e) * w, x),
    "map_fn of a structure": lambda x, w: tf.map_fn(
        lambda pair: {"s": pair[0] * pair[1] * w}, (x, x * x), fn_output_signature={"s": tf.float32}
    ),
    "vectorized_map": lambda x, w: tf.vectorized_map(lambda e: tf.exp(e) * w, x),
    "switch_case": lambda x, w: tf.switch_case(
        tf.cast(tf.reduce_sum(x), tf.int32), [lambda: x * w, lambda: x * x * w, lambda: x + w]
    ),
    "switch_case out of range": lambda x, w: tf.switch_case(
        tf.cast(tf.reduce_sum(x), tf.int32) - 7, [lambda: x * w, lambda: x * x * w], default=lambda: tf.sin(x * w)
    ),
    "case": lambda x, w: tf.case([(x[0] > 1.0, lambda: x * x), (x[1] < 0.0, lambda: x * x * w)], default=lambda: x + w),
}


def _names_that_change(x, w):
    factor = 1.5
    x = tf.cond(tf.reduce_sum(x) < 1.2, lambda: x * x * factor, lambda: tf.sin(x) * w)
    factor = 2.0
    x = tf.cond(tf.reduce_sum(x) < 1.2, lambda: x * x * factor, lambda: tf.sin(x) * w)
    return x


def _own_gradient(x, w):
    @tf.custom_gradient
    def exponential(x):
        y = tf.exp(x)
        return y, lambda dy: dy * y * 0.5

    turned = tf.scan(lambda a, e: exponential(a * e) * w, x)
    return turned, tf.cond(x[0] > 0.0, lambda: exponential(x * w), lambda: x)


def _recomputed(x, w):
    step = tf.recompute_grad(lambda a: tf.sin(a) * a)
    return tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, step(a) * w), (0, x))[1]


def _tape_within(x, w):
    def turn(a, e):
        with tf.GradientTape() as tape:
            tape.watch(a)
            y = a * a * a * e
        return tape.gradient(y, a) * w

    return tf.scan(turn, x)


PROGRAMS |= {
    "branches whose names mean something else later": _names_that_change,
    "custom_gradient in a loop and in a branch": _own_gradient,
    "recompute_grad in a loop": _recomputed,
    "a tape in a loop": _tape_within,
    "bounded while with a counter": lambda x, w: tf.while_loop(
        lambda i, a: i < tf.cast(tf.reduce_sum(x), tf.int32) + 2,
        lambda i, a: (i + 1, a * a * w),
        (0, x),
        maximum_iterations=5,
    ),
    "elements by a symbolic position": lambda x, w: tf.while_loop(
        lambda i, a: i < 2, lambda i, a: (i + 1, a * tf.stack([x, x * w], 1)[i]), (0, x[:2])
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_values_and_derivatives_equal_those_of_eager_execution(name):
    x, w = tf.constant(X), tf.Variable(1.5)
    expected = derivatives(PROGRAMS[name], x, w, "zero")
    found = tf.function(lambda x: derivatives(PROGRAMS[name], x, w, "zero"))(x)
    assert_same(found, expected)


def test_a_tape_around_the_function_goes_through_its_loops():
    x, w = tf.constant(X), tf.Variable(1.5)
    program = PROGRAMS["scan"]
    compiled = tf.function(lambda x: program(x, w))
    assert_same(derivatives(lambda x, w: compiled(x), x, w, "zero"), derivatives(program, x, w, "zero"))


def test_variables_are_assigned_in_the_branch_that_is_taken():
    w = tf.Variable(1.0)

    @tf.function
    def update(x):
        tf.cond(x > 0.0, lambda: w.assign_add(1.0), lambda: w.assign(-5.0))
        return w * 1.0

    assert update(tf.constant(1.0)).numpy() == 2.0 == w.numpy()
    assert update(tf.constant(-1.0)).numpy() == -5.0 == w.numpy()
    assert update.experimental_get_tracing_count() == 1


def test_variables_are_assigned_in_every_iteration_of_a_loop():
    w = tf.Variable(1.0)

    @tf.function
    def double(x):
        def turn(i, total):
            w.assign(w * 2.0)
            return i + 1, total + w

        return tf.while_loop(lambda i, total: i < 3, turn, (0, x))[1]

    assert double(tf.constant(0.0)).numpy() == 2.0 + 4.0 + 8.0
    assert w.numpy() == 8.0


def test_a_loop_without_a_bound_runs_forward():
    @tf.function
    def collatz(n):
        def turn(n, steps):
            return tf.where(n % 2 == 0, n // 2, 3 * n + 1), steps + 1

        return tf.while_loop(lambda n, steps: n > 1, turn, (n, tf.constant(0)))[1]

    assert collatz(tf.constant(27)).numpy() == 111


def test_the_error_of_a_gradient_through_an_unbounded_loop():
    @tf.function
    def grow(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.while_loop(lambda a: a < 50.0, lambda a: (a * 1.5,), (x,))[0]
        return tape.gradient(y, x)

    with pytest.warns(tf.GradientWarning, match="give it maximum_iterations"):
        assert grow(tf.constant(1.0)) is None


def test_the_error_of_branches_with_different_results_names_the_difference():
    @tf.function(jit_compile=True)
    def mixed(x):
        return tf.cond(x > 0.0, lambda: x, lambda: tf.stack([x, x]))

    with pytest.raises(TypeError, match=r"one branch returns float32 \(\), another float32 \(2,\)"):
        mixed(tf.constant(1.0))


def test_a_loop_variable_keeps_its_shape():
    @tf.function
    def growing(x):
        return tf.while_loop(lambda a: tf.reduce_sum(a) < 9.0, lambda a: (tf.concat([a, a], 0),), (x,))

    with pytest.raises(ValueError, match=r"has shape \(3,\) before an iteration but \(6,\) after"):
        growing(tf.constant(X))


def test_a_branch_is_traced_once():
    traced = []

    @tf.function
    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.cond(x > 0.0, lambda: traced.append(1) or x * x, lambda: traced.append(2) or x)
        return tape.gradient(y, x)

    assert f(tf.constant(3.0)).numpy() == 6.0
    assert traced == [1, 2]


def test_a_constant_of_the_function_that_a_tape_follows_into_a_branch_and_a_loop():
    def gradients(x):
        c = tf.constant(3.0)
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(c)
            branch = tf.cond(x[0] > 0.0, lambda: c * c * x, lambda: x)
            turned = tf.while_loop(lambda i, a: i < 2, lambda i, a: (i + 1, a * c), (0, x))[1]
        return tape.gradient(branch, c), tape.gradient(turned, c)

    x = tf.constant(X)
    assert_same(tf.function(gradients)(x), gradients(x))


def _forward(program, x, w):
    with tf.autodiff.ForwardAccumulator(x, tf.constant([1.0, 2.0, 3.0])) as accumulator:
        y = program(x, w)
    return [accumulator.jvp(each, unconnected_gradients="zero") for each in tf.nest.flatten(y)]


def _jacobian(program, x, w):
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = tf.nest.flatten(program(x, w))[-1]
    return tape.jacobian(y, x), tape.jacobian(y, w, experimental_use_pfor=False)


@pytest.mark.parametrize("how", [_forward, _jacobian])
@pytest.mark.parametrize(
    "name", ["cond, taken", "while with a counter", "bounded while", "scan", "map_fn", "switch_case"]
)
def test_forward_mode_and_jacobians(name, how):
    x, w = tf.constant(X), tf.Variable(1.5)
    program = PROGRAMS[name]
    expected = how(program, x, w)
    assert_same(tf.function(lambda x: how(program, x, w))(x), expected)
    compiled = tf.function(lambda x: program(x, w))
    assert_same(how(lambda x, w: compiled(x), x, w), expected)


def _cond(x):
    return tf.cond(tf.reduce_sum(x) > 0.0, lambda: x * tf.sin(x), lambda: x)


def _while(x):
    return tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * tf.sin(y)), (0, x), maximum_iterations=5)[1]


def _foldl(x):
    return tf.foldl(lambda y, e: y * tf.sin(y) * e, tf.constant([1.0, 2.0]), initializer=x)


def _scan(x):
    return tf.scan(lambda y, e: y * tf.sin(y) * e, tf.constant([1.0, 2.0]), initializer=x)[-1]


def _map_fn(x):
    return tf.map_fn(lambda e: e * tf.sin(e), x)


def _vectorized_map(x):
    return tf.vectorized_map(lambda e: e * tf.sin(e), x)


@pytest.mark.parametrize("control", [_cond, _while, _foldl, _scan, _map_fn, _vectorized_map])
@pytest.mark.parametrize("kind", ["jacobian", "batch_jacobian", "a map of gradients"])
def test_the_jacobian_of_control_flow_is_differentiated_again(control, kind):
    def penalty_gradient(x):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape(persistent=True) as inner:
                inner.watch(x)
                y = control(x)
            if kind == "jacobian":
                slopes = inner.jacobian(y, x)
            elif kind == "batch_jacobian":
                with tf.GradientTape() as of_rows:
                    of_rows.watch(x)
                    column = tf.reshape(x, [2, 1])
                    of_rows.watch(column)
                    rows = tf.reshape(control(tf.reshape(column, [2])), [2, 1])
                slopes = of_rows.batch_jacobian(rows, column)
            else:
                slopes = tf.map_fn(lambda seed: inner.gradient(y, x, output_gradients=seed), tf.eye(2))
            penalty = tf.reduce_sum(slopes**2)
        return outer.gradient(penalty, x)

    x = tf.constant([0.7, 1.2])
    eager, compiled = penalty_gradient(x), tf.function(penalty_gradient)(x)
    assert np.abs(eager.numpy()).max() > 0.1
    np.testing.assert_allclose(compiled, eager, rtol=1e-5)


# -- gradients of lookups inside branches --


@pytest.mark.parametrize("inside", [True, False], ids=["a tape inside", "a tape outside"])
@pytest.mark.parametrize(
    ("otherwise", "expected"),
    [
        (lambda v: 2.0 * tf.gather(v, [2, 1]), [[0.0, 2.0, 2.0, 0.0]] * 2),
        (lambda v: tf.cond(v[0, 0] > 0.0, lambda: tf.gather(v, [3, 0]), lambda: tf.gather(v, [3, 3])), [[0.0, 0.0, 0.0, 2.0]] * 2),
        (lambda v: tf.gather(v, [1, 2, 3])[:2], [[0.0, 1.0, 1.0, 0.0]] * 2),
        (lambda v: v[1:3], [[0.0, 1.0, 1.0, 0.0]] * 2),
        (lambda v: tf.ones([2, 2]), [[0.0, 0.0, 0.0, 0.0]] * 2),
    ],
    ids=["as many rows", "branches inside", "more rows", "dense", "none"],
)  # fmt: skip
def test_lookups_in_branches_have_a_sparse_gradient(otherwise, expected, inside):
    v = tf.Variable(tf.zeros([4, 2]))

    def lookup(first):
        return tf.cond(first, lambda: tf.gather(v, [0, 1]), lambda: otherwise(v))

    @tf.function
    def differentiated(first):
        with tf.GradientTape() as tape:
            y = lookup(first)
        return tape.gradient(y, v)

    def gradient(first):
        if inside:
            return differentiated(first)
        with tf.GradientTape() as tape:
            y = compiled(first)
        return tape.gradient(y, v)

    compiled = tf.function(lookup)
    for first, wanted in ((True, [[1.0, 1.0, 0.0, 0.0]] * 2), (False, expected)):
        found = gradient(tf.constant(first))
        assert isinstance(found, tf.IndexedSlices)  # as in TensorFlow
        assert tf.transpose(tf.convert_to_tensor(found)).numpy().tolist() == wanted
