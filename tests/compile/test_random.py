"""Random numbers in compiled functions: the same as in functions that run op by op, and new ones at every call.

`tests/conformance/test_function_against_tensorflow.py` compares both with TensorFlow.
"""

import numpy as np
import pytest

import whygrad as tf

LOGITS = np.log([[0.1, 0.2, 0.7], [0.5, 0.25, 0.25]])

DRAWS = {
    "uniform": lambda: tf.random.uniform([5]),
    "uniform float16": lambda: tf.random.uniform([5], dtype=tf.float16),
    "uniform bfloat16": lambda: tf.random.uniform([5], dtype=tf.bfloat16),
    "uniform float64": lambda: tf.random.uniform([5], -2, 3, dtype=tf.float64),
    "uniform int32": lambda: tf.random.uniform([7], -5, 9, dtype=tf.int32),
    "uniform int64 with a seed": lambda: tf.random.uniform([7], -5, 2**40, dtype=tf.int64, seed=4),
    "normal": lambda: tf.random.normal([2, 3], 1.0, 2.0),
    "normal float64": lambda: tf.random.normal([3], dtype=tf.float64),
    "normal bfloat16": lambda: tf.random.normal([3], dtype=tf.bfloat16),
    "truncated_normal": lambda: tf.random.truncated_normal([1000]),
    "truncated_normal float64 with a seed": lambda: tf.random.truncated_normal([101], dtype=tf.float64, seed=3),
    "shuffle": lambda: tf.random.shuffle(tf.range(100)),
    "shuffle of rows": lambda: tf.random.shuffle(tf.reshape(tf.range(20.0), [10, 2]), seed=9),
    "shuffle of one": lambda: tf.random.shuffle([7]),
    "categorical": lambda: tf.random.categorical(LOGITS, 20),
    "gamma": lambda: tf.random.gamma([50], [0.3, 1.0, 2.5], [[1.0], [2.0]]),
    "poisson": lambda: tf.random.poisson([50], [0.3, 5.0, 20.0, 200.0]),
    "dropout": lambda: tf.nn.dropout(tf.ones([20]), 0.4),
    "stateless_binomial": lambda: tf.random.stateless_binomial([40, 3], [1, 2], [10.0, 100.0, 1e3], [0.3, 0.7, 0.5]),
    "split": lambda: tf.random.split([1, 2]),
}


def _same(mine, other):
    assert mine.dtype == other.dtype
    assert mine.shape == other.shape
    exact = mine.dtype == tf.float64
    np.testing.assert_allclose(
        np.asarray(mine.numpy(), np.float64), np.asarray(other.numpy(), np.float64), rtol=1e-13 if exact else 1e-6
    )


def _sequence(function, *arguments, calls=3):
    tf.random.set_seed(5)
    return [tf.nest.flatten(function(*arguments)) for _ in range(calls)]


def _op_by_op(function, *arguments):
    """The same sequence of a function that is traced and runs op by op, as under `whygrad run`."""
    with tf.tracing():
        return _sequence(tf.function(function), *arguments)


def _compare(function, *arguments):
    compiled = tf.function(function)
    for mine, other in zip(_sequence(compiled, *arguments), _op_by_op(function, *arguments)):
        for a, b in zip(mine, other):
            _same(a, b)
    return compiled


@pytest.mark.parametrize("draw", DRAWS.values(), ids=DRAWS)
def test_draws_equal_those_of_a_function_that_runs_op_by_op(draw):
    _compare(lambda: draw())


def test_every_call_draws_new_numbers_and_a_seed_restarts_the_sequence():
    draw = tf.function(lambda: tf.random.uniform([4]))
    first, second = draw().numpy(), draw().numpy()
    assert not np.array_equal(first, second)
    assert draw.experimental_get_tracing_count() == 1
    once, again = (_sequence(draw) for _ in range(2))
    for a, b in zip(once, again):
        np.testing.assert_array_equal(a[0], b[0])


def test_several_ops_draw_in_their_order():
    _compare(lambda: (tf.random.normal([2]), tf.random.uniform([3]), tf.random.normal([2])))


def test_symbolic_seeds_and_bounds():
    def step(seed, bound, rates):
        return (
            tf.random.stateless_uniform([4], seed),
            tf.random.stateless_normal([4], seed, dtype=tf.float64),
            tf.random.stateless_truncated_normal([4], seed),
            tf.random.stateless_uniform([4], seed, 0, bound, dtype=tf.int32),
            tf.random.stateless_uniform([4], [3, 4], -bound, bound, dtype=tf.int32),
            tf.random.uniform([3], 0, bound, dtype=tf.int32, seed=3),
            tf.random.experimental.stateless_shuffle(tf.range(9), seed),
            tf.random.stateless_categorical([[1.0, 2.0]], 5, seed),
            tf.random.stateless_gamma([4, 2], seed, rates),
            tf.random.stateless_poisson([4, 2], seed, rates),
            tf.random.fold_in(seed, bound),
        )

    _compare(step, tf.constant([1, -2]), tf.constant(10), tf.constant([0.5, 20.0]))


def test_a_generator_goes_on_from_call_to_call():
    def draw(generator):
        return (
            generator.normal([3]),
            generator.uniform([2], dtype=tf.float64),
            generator.uniform([3], 0, 9, dtype=tf.int32),
            generator.uniform_full_int([2]),
            generator.truncated_normal([5]),
            generator.make_seeds(2),
            generator.binomial([5], 10.0, 0.5),
            generator.skip(3),
            generator.key,
        )

    inside, outside = (tf.random.Generator.from_seed(3) for _ in range(2))
    compiled = tf.function(lambda: draw(inside))
    for _ in range(3):
        for mine, other in zip(compiled(), draw(outside)):
            _same(mine, other)
    np.testing.assert_array_equal(inside.state.numpy(), outside.state.numpy())


X = np.array([1.0, 2.0, 3.0], np.float32)

LOOPS = {
    "while_loop": lambda x: tf.while_loop(
        lambda i, a: i < 3, lambda i, a: (i + 1, a * 2 + tf.random.normal([3]) * tf.random.uniform([3])), (0, x)
    ),
    "while_loop within another": lambda x: tf.while_loop(
        lambda i, a: i < 2,
        lambda i, a: (
            i + 1,
            tf.while_loop(lambda j, b: j < 2, lambda j, b: (j + 1, b + tf.random.normal([3])), (0, a))[1]
            + tf.random.uniform([]),
        ),
        (tf.constant(0), x),
    ),
    "map_fn": lambda x: tf.map_fn(lambda e: e + tf.random.uniform([]), x),
    "scan, reversed": lambda x: tf.scan(lambda a, e: a + e * tf.random.uniform([]), x, reverse=True),
    "foldr": lambda x: tf.foldr(lambda a, e: a + e * tf.random.uniform([]), x),
    "cond": lambda x: tf.cond(x[0] > 0.0, lambda: x * tf.random.uniform([3], seed=1), lambda: x),
}


@pytest.mark.parametrize("loop", LOOPS.values(), ids=LOOPS)
def test_loops_draw_new_numbers_in_each_iteration(loop):
    _compare(loop, tf.constant(X))


def test_an_unbounded_loop_draws_new_numbers_in_each_iteration():
    @tf.function
    def drawn(x):
        return tf.while_loop(
            lambda a, last, before: tf.reduce_sum(a) < 20.0,
            lambda a, last, before: (a * 2, tf.random.uniform([3], seed=1), last),
            (x, x, x),
        )[1:]

    last, before = drawn(tf.constant(X))
    assert not np.array_equal(last, before)
    assert not np.array_equal(last, drawn(tf.constant(X))[0])


def test_gradients_are_taken_at_the_numbers_that_were_drawn():
    def inside(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            turned = tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a * tf.random.normal([3])), (0, x))[1]
            y = turned + x * tf.random.uniform([3]) + tf.random.gamma([], x)
        return y, tape.gradient(y, x)

    _compare(inside, tf.constant(X))


def test_gradients_around_a_call_are_taken_at_the_numbers_that_were_drawn():
    weights = tf.Variable([1.0, 2.0, 3.0])
    loss = tf.function(lambda: tf.reduce_sum(weights * tf.random.normal([3])))
    tf.random.set_seed(2)
    with tf.GradientTape() as tape:
        value = loss()
    gradient = tape.gradient(value, weights)
    tf.random.set_seed(2)
    np.testing.assert_allclose(gradient, tf.function(lambda: tf.random.normal([3]))(), rtol=1e-6)


def test_a_constant_parameter_that_is_watched_has_its_gradient():
    @tf.function
    def slope():
        alpha = tf.constant([0.5, 3.0])
        with tf.GradientTape() as tape:
            tape.watch(alpha)
            y = tf.random.gamma([4], alpha)
        return tape.gradient(y, alpha)

    for mine, other in zip(_sequence(slope), _op_by_op(slope.python_function)):
        np.testing.assert_allclose(mine[0], other[0], rtol=1e-5)


def test_a_number_of_samples_must_be_known():
    @tf.function(jit_compile=True)
    def step(logits, count):
        return tf.random.categorical(logits, count)

    with pytest.raises(TypeError, match=r"`step`.* being compiled"):
        step(tf.constant(LOGITS), tf.constant(3))
