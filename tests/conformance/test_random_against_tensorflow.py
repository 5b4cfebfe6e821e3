"""The same seed draws the same numbers as in TensorFlow: bit for bit for integers, to rounding for floating point."""

import numpy as np
import pytest

import whygrad

pytestmark = pytest.mark.tensorflow

FLOATS = ("float16", "bfloat16", "float32", "float64")


def _draw_twice(draw):
    """A program that draws two times after setting the global seed."""

    def program(tf):
        tf.random.set_seed(42)
        return [draw(tf), draw(tf)]

    return program


PROGRAMS = {
    "normal": _draw_twice(lambda tf: tf.random.normal([5, 3], mean=2.0, stddev=[1.0, 2.0, 3.0])),
    "normal of a seed": _draw_twice(lambda tf: tf.random.normal([7], seed=3)),
    "normal of a large seed": _draw_twice(lambda tf: tf.random.normal([7], seed=2**40 + 1)),
    "truncated_normal": _draw_twice(lambda tf: tf.random.truncated_normal([50], seed=3)),
    "uniform": _draw_twice(lambda tf: tf.random.uniform([50], -1.0, 3.0)),
    "uniform from zero": _draw_twice(lambda tf: tf.random.uniform([50], maxval=3.0, seed=1)),
    "uniform int32": _draw_twice(lambda tf: tf.random.uniform([50], -4, 9, dtype=tf.int32, seed=1)),
    "uniform int64": _draw_twice(lambda tf: tf.random.uniform([50], -(2**40), 2**50, dtype=tf.int64)),
    "shuffle": _draw_twice(lambda tf: tf.random.shuffle(tf.reshape(tf.range(60), (20, 3)))),
    "shuffle of a seed": _draw_twice(lambda tf: tf.random.shuffle(tf.range(20), seed=5)),
    "shuffle a scalar": _draw_twice(lambda tf: tf.random.shuffle(tf.constant(3.0))),
    "categorical": _draw_twice(lambda tf: tf.random.categorical([[0.1, 2.0, -1.0], [0.0, 0.0, 9.0]], 7, seed=1)),
    "categorical of many rows": _draw_twice(lambda tf: tf.random.categorical(tf.zeros((9, 4)), 2, dtype=tf.int32)),
    "categorical of nan and -inf": _draw_twice(
        lambda tf: tf.random.categorical([[0.0, float("nan"), 0.0], [float("-inf"), 0.0, 0.0]], 9)
    ),
    "gamma": _draw_twice(lambda tf: tf.random.gamma([40], [0.2, 1.0, 3.0], [[1.0], [2.0]], seed=1)),
    "gamma float64": _draw_twice(lambda tf: tf.random.gamma([40], [0.2, 1.0, 3.0], dtype=tf.float64)),
    "poisson": _draw_twice(lambda tf: tf.random.poisson([40], [0.2, 9.0, 30.0], seed=1)),
    "poisson int": _draw_twice(lambda tf: tf.random.poisson([40], [0.2, 9.0, 30.0], dtype=tf.int64)),
    "seed zero and zero": lambda tf: [tf.random.set_seed(0), tf.random.normal([3], seed=0)][1],
    "a seed without a global one": lambda tf: [tf.random.set_seed(None), tf.random.normal([3], seed=1)][1],
    "stateless_gamma": lambda tf: tf.random.stateless_gamma([40, 2], [1, 2], [0.5, 2.0], [1.0, 3.0]),
    "stateless_poisson": lambda tf: tf.random.stateless_poisson([40, 2], [1, 2], [0.5, 20.0]),
    "stateless_categorical": lambda tf: tf.random.stateless_categorical([[0.1, 2.0, -1.0]], 50, [1, 2]),
    "stateless_binomial": lambda tf: tf.random.stateless_binomial([40, 3], [1, 2], [5.0, 50.0, 500.0], 0.3),
    "stateless_binomial likely": lambda tf: tf.random.stateless_binomial([40, 3], [1, 2], [5.0, 50.0, 500.0], 0.8),
    "stateless_binomial of edges": lambda tf: tf.random.stateless_binomial([3], [1, 2], 4.0, [0.0, 1.0, 1.5]),
    "stateless_shuffle": lambda tf: tf.random.experimental.stateless_shuffle(tf.range(30), [1, 2]),
    "split": lambda tf: [tf.random.split([1, 2], 3), tf.random.experimental.stateless_split(tf.constant([1, 2], tf.int64))],
    "fold_in": lambda tf: [tf.random.fold_in([1, 2], 3), tf.random.fold_in([1, 2], tf.constant(3, tf.int64))],
    "create_rng_state": lambda tf: [
        tf.random.create_rng_state(seed, "philox") for seed in (1234, 2**70 + 5, 2**63, [1, 2], [-1, 2, 3, 4])
    ],
    "stateless_uniform full range": lambda tf: [
        tf.random.stateless_uniform([9], [1, -2], None, None, dtype) for dtype in (tf.int32, tf.int64, tf.uint32, tf.uint64)
    ],
    "empty": lambda tf: [
        tf.random.normal([0, 3]),
        tf.random.categorical(tf.zeros((0, 2)), 3),
        tf.random.categorical([[0.0, 1.0]], 0),
        tf.random.gamma([0], [1.0, 2.0]),
        tf.random.gamma([2], tf.zeros((0,))),
        tf.random.poisson([2], tf.zeros((0,))),
        tf.random.stateless_gamma([2, 0], [1, 2], tf.zeros((0,))),
    ],
}  # fmt: skip
for _name in FLOATS:
    for _op in ("stateless_normal", "stateless_uniform", "stateless_truncated_normal"):
        PROGRAMS[f"{_op} {_name}"] = lambda tf, op=_op, dtype=_name: getattr(tf.random, op)(
            [101], [2**40, -5], dtype=dtype
        )


def _generator(tf):
    g = tf.random.Generator.from_seed(1234)
    drawn = [
        g.normal([5], 1.0, 2.0),
        g.truncated_normal([5]),
        g.uniform([5], dtype=tf.float64),
        g.uniform([5], 1, 9, dtype=tf.int32),
        g.uniform([5], None, None, dtype=tf.int64),
        g.uniform_full_int([5]),
        g.binomial([5, 2], [10.0, 100.0], 0.5),
        g.make_seeds(3),
        g.skip(7),
        g.key,
        g.state.read_value(),
    ]
    drawn += [child.normal([2]) for child in g.split(2)]
    g.reset_from_seed(5)
    drawn.append(g.normal([2]))
    g.reset([2**62, -1, 3])
    drawn.append(g.normal([2]))
    g.reset_from_key_counter(7, [8, 9])
    drawn.append(g.normal([2]))
    drawn.append(tf.random.Generator.from_key_counter(1, [-1, 2], "philox").normal([3]))
    drawn.append(tf.random.Generator(copy_from=g).normal([2]))
    drawn.append(tf.random.Generator.from_state([-1, -1, 3], "philox").normal([9]))
    return drawn


PROGRAMS["Generator"] = _generator


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_same_numbers_as_tensorflow(real_tf, name):
    program = PROGRAMS[name]
    ours, theirs = ([t.numpy() for t in tf.nest.flatten(program(tf))] for tf in (whygrad, real_tf))
    assert len(ours) == len(theirs)
    for mine, other in zip(ours, theirs):
        mine, other = np.asarray(mine), np.asarray(other)
        assert (mine.shape, mine.dtype) == (other.shape, other.dtype)
        if mine.dtype.kind in "iu":
            np.testing.assert_array_equal(mine, other)
        else:
            epsilon = float(np.finfo(mine.dtype).eps) if mine.dtype.kind == "f" else 2.0**-8
            scale = float(np.max(np.abs(np.asarray(other, np.float64)), initial=0.0))
            np.testing.assert_allclose(
                mine.astype(np.float64), other.astype(np.float64), rtol=4 * epsilon, atol=epsilon * scale
            )


def test_gamma_gradients_are_tensorflows(real_tf):
    results = []
    for tf in (whygrad, real_tf):
        alpha = tf.constant([0.1, 0.5, 1.0, 2.0, 10.0, 100.0], tf.float64)
        beta = tf.constant([[2.0], [0.5]], tf.float64)
        with tf.GradientTape() as tape:
            tape.watch([alpha, beta])
            sample = tf.random.stateless_gamma([50, 2, 6], [3, 4], alpha, beta, dtype=tf.float64)
        results.append(tape.gradient(sample, [alpha, beta]))
    for mine, other in zip(*results):
        np.testing.assert_allclose(mine.numpy(), other.numpy(), rtol=1e-10)


@pytest.mark.parametrize(
    "draw",
    [
        lambda tf, x: tf.random.shuffle(x),
        lambda tf, x: tf.random.categorical(tf.reshape(x, (1, -1)), 3),
        lambda tf, x: tf.cast(tf.random.stateless_binomial([3], [1, 2], x, x / 10.0), tf.float32),
        lambda tf, x: tf.random.stateless_poisson([3], [1, 2], x, dtype=tf.float32),
    ],
)
@pytest.mark.filterwarnings("ignore")
def test_draws_without_a_gradient_have_none_in_tensorflow(real_tf, draw):
    for tf in (whygrad, real_tf):
        x = tf.constant([1.0, 2.0, 3.0])
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = draw(tf, x)
        assert tape.gradient(y, x) is None


@pytest.mark.parametrize(
    "draw",
    [
        lambda r: r.randn(2, 3),
        lambda r: r.standard_normal(4),
        lambda r: r.rand(5),
        lambda r: r.random((2, 2)),
        lambda r: r.uniform(1.0, [2.0, 5.0]),
        lambda r: r.poisson(3.0, 6),
        lambda r: r.randint(2, 9, (4,)),
        lambda r: r.randint(7, size=3, dtype="int32"),
    ],
)
def test_numpys_functions(real_tf, draw):
    drawn = []
    for library in (whygrad, real_tf):
        library.experimental.numpy.random.seed(11)
        drawn.append(draw(library.experimental.numpy.random))
    ours, theirs = drawn
    assert ours.dtype.name == theirs.dtype.name
    np.testing.assert_allclose(ours.numpy(), theirs.numpy(), rtol=1e-12)
