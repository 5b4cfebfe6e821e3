"""Random numbers beyond the table of ops: seeds, sequences, statistics, gradients, generators."""

import threading

import numpy as np
import pytest

import whygrad as tf
from whygrad.engines.philox import Stream


@pytest.fixture(autouse=True)
def _seeded():
    tf.random.set_seed(2024)
    yield
    tf.random.set_seed(None)


DRAWS = {
    "normal": lambda **k: tf.random.normal([4], **k),
    "truncated_normal": lambda **k: tf.random.truncated_normal([4], **k),
    "uniform": lambda **k: tf.random.uniform([4], **k),
    "uniform_int": lambda **k: tf.random.uniform([4], maxval=10**6, dtype=tf.int32, **k),
    "gamma": lambda **k: tf.random.gamma([4], 2.0, **k),
    "poisson": lambda **k: tf.random.poisson([4], 1000.0, **k),
    "categorical": lambda **k: tf.random.categorical(tf.zeros((1, 1000)), 4, **k),
    "shuffle": lambda **k: tf.random.shuffle(tf.range(100), **k),
}


@pytest.mark.parametrize("name", DRAWS)
def test_set_seed_restarts_every_sequence(name):
    draw = DRAWS[name]
    first = [draw().numpy(), draw().numpy(), draw(seed=1).numpy(), draw(seed=1).numpy()]
    assert not np.array_equal(first[0], first[1])
    assert not np.array_equal(first[2], first[3])
    tf.random.set_seed(2024)
    again = [draw().numpy(), draw().numpy(), draw(seed=1).numpy(), draw(seed=1).numpy()]
    np.testing.assert_array_equal(first, again)
    tf.random.set_seed(2025)
    assert not np.array_equal(first[0], draw().numpy())
    assert not np.array_equal(first[2], draw(seed=1).numpy())


@pytest.mark.parametrize("name", DRAWS)
def test_without_a_seed_runs_differ(name):
    tf.random.set_seed(None)
    first = DRAWS[name]().numpy()
    tf.random.set_seed(None)
    assert not np.array_equal(first, DRAWS[name]().numpy())


def test_an_op_seed_alone_gives_a_sequence_of_its_own():
    tf.random.set_seed(None)
    first = tf.random.normal([3], seed=5).numpy()
    tf.random.set_seed(None)
    np.testing.assert_array_equal(first, tf.random.normal([3], seed=5).numpy())


@pytest.mark.parametrize("seed", [np.int64(7), np.array(7), tf.constant(7), 7.0])
def test_seeds_that_are_no_python_integers(seed):
    tf.random.set_seed(seed)
    drawn = tf.random.normal([3]).numpy()
    tf.random.set_seed(seed)
    np.testing.assert_array_equal(drawn, tf.random.normal([3]).numpy())


def test_threads_draw_different_numbers():
    drawn = []

    def work():
        drawn.extend(float(tf.random.uniform([])) for _ in range(200))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(drawn)) > 795  # of 2**23 possible values, some may be drawn twice


def test_a_refused_call_draws_nothing():
    tf.random.set_seed(1)
    expected = tf.random.normal([2]).numpy()
    tf.random.set_seed(1)
    for wrong in (
        lambda: tf.random.normal([-1]),
        lambda: tf.random.uniform([2], dtype=tf.int32),
        lambda: tf.random.uniform([2], 3, 3, dtype=tf.int32),
        lambda: tf.random.categorical([1.0], 2),
        lambda: tf.random.gamma([2], "a"),
        lambda: tf.random.poisson([2], 1.0, dtype=tf.int8),
    ):
        with pytest.raises((ValueError, TypeError, tf.errors.InvalidArgumentError)):
            wrong()
    np.testing.assert_array_equal(expected, tf.random.normal([2]).numpy())


# -- statistics: with the seed fixed, these either always pass or never do --

N = 20000


def _agrees_with(sample, mean, std):
    sample = np.asarray(sample, np.float64)
    assert abs(sample.mean() - mean) < 4 * std / np.sqrt(sample.size)
    assert abs(sample.std() / std - 1) < 0.05


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_moments_of_floats(dtype):
    _agrees_with(tf.random.normal([N], dtype=dtype).numpy(), 0.0, 1.0)
    _agrees_with(tf.random.uniform([N], dtype=dtype).numpy(), 0.5, np.sqrt(1 / 12))
    _agrees_with(tf.random.truncated_normal([N], dtype=dtype).numpy(), 0.0, 0.8796)


def test_moments_of_bfloat16():
    assert tf.random.normal([3], dtype=tf.bfloat16).dtype == tf.bfloat16
    _agrees_with(tf.random.normal([N], dtype=tf.bfloat16).numpy(), 0.0, 1.0)


def test_moments_of_whole_numbers():
    _agrees_with(tf.random.uniform([N], -3, 7, dtype=tf.int32).numpy(), 1.5, np.sqrt(99 / 12))
    _agrees_with(tf.random.poisson([N], 3.5).numpy(), 3.5, np.sqrt(3.5))
    _agrees_with(tf.random.poisson([N], 80.0).numpy(), 80.0, np.sqrt(80.0))
    for count, prob in ((8.0, 0.3), (200.0, 0.4), (200.0, 0.9)):
        drawn = tf.random.stateless_binomial([N], [1, 2], count, prob).numpy()
        _agrees_with(drawn, count * prob, np.sqrt(count * prob * (1 - prob)))


def test_distributions_by_kolmogorov_and_smirnov():
    stats = pytest.importorskip("scipy.stats")
    samples = {
        "norm": (tf.random.normal([N]), ()),
        "uniform": (tf.random.uniform([N]), ()),
        "truncnorm": (tf.random.truncated_normal([N]), (-2, 2)),
        "gamma": (tf.random.gamma([N], 2.5), (2.5,)),
        "expon": (tf.random.gamma([N], 1.0), ()),
    }
    samples["gamma of small alpha"] = (tf.random.gamma([N], 0.3), (0.3,))
    for name, (sample, parameters) in samples.items():
        assert stats.kstest(sample.numpy(), name.split()[0], parameters).pvalue > 1e-3, name
    cut = tf.random.stateless_parameterized_truncated_normal([N], [1, 2], 1.0, 2.0, 3.0, 9.0).numpy()
    assert stats.kstest((cut - 1.0) / 2.0, "truncnorm", (1.0, 4.0)).pvalue > 1e-3


def test_categorical_frequencies():
    probabilities = np.array([0.1, 0.2, 0.7])
    drawn = tf.random.categorical(np.log(probabilities)[None], N).numpy()[0]
    np.testing.assert_allclose(np.bincount(drawn, minlength=3) / N, probabilities, atol=0.015)


def test_shuffle_keeps_the_rows():
    rows = tf.reshape(tf.range(300), (100, 3))
    shuffled = tf.random.shuffle(rows).numpy()
    assert not np.array_equal(shuffled, rows.numpy())
    np.testing.assert_array_equal(np.sort(shuffled[:, 0]), rows.numpy()[:, 0])
    np.testing.assert_array_equal(shuffled[:, 1] - shuffled[:, 0], 1)


def test_an_empty_range_is_fine_where_nothing_is_drawn_from_it():
    assert tf.random.uniform([0], 0, 0, tf.int32).shape == (0,)
    assert tf.random.stateless_uniform([0, 3], [1, 2], 5, 5, tf.int64).shape == (0, 3)


# -- gradients --


def test_normal_is_differentiable_for_mean_and_stddev():
    mean, stddev = tf.Variable([1.0, 2.0]), tf.Variable(3.0)
    with tf.GradientTape() as tape:
        sample = tf.random.normal([4, 2], mean, stddev)
        y = tf.reduce_sum(sample)
    by_mean, by_stddev = tape.gradient(y, [mean, stddev])
    np.testing.assert_allclose(by_mean.numpy(), [4.0, 4.0])
    standard = (sample.numpy() - mean.numpy()) / stddev.numpy()
    np.testing.assert_allclose(by_stddev.numpy(), standard.sum(), rtol=1e-5)


@pytest.mark.parametrize("alpha", [0.3, 1.0, 4.0, 50.0, 5000.0])
def test_gamma_samples_keep_their_quantile(alpha):
    special = pytest.importorskip("scipy.special")
    a = tf.constant(np.full(20, alpha))
    with tf.GradientTape() as tape:
        tape.watch(a)
        sample = tf.random.stateless_gamma([20], [5, 6], a, dtype=tf.float64)
    slope = tape.gradient(sample, a).numpy()
    quantile = special.gammainc(alpha, sample.numpy())
    step = 1e-4 * alpha
    moved = [special.gammaincinv(alpha + sign * step, quantile) for sign in (1, -1)]
    np.testing.assert_allclose(slope, (moved[0] - moved[1]) / (2 * step), rtol=1e-5)


def test_gamma_has_no_second_derivative_as_in_tensorflow():
    alpha = tf.constant([2.0])
    with tf.GradientTape() as outer:
        outer.watch(alpha)
        with tf.GradientTape() as tape:
            tape.watch(alpha)
            y = tf.random.gamma([3], alpha)
        gradient = tape.gradient(y, alpha)
    with pytest.raises(LookupError, match="RandomGammaGrad"):
        outer.gradient(gradient, alpha)


def test_gamma_of_a_negative_alpha_is_nan_and_of_an_infinite_one_infinite():
    drawn = tf.random.gamma([2], [-1.0, float("nan"), float("inf"), 2.0]).numpy()
    assert np.isnan(drawn[:, :2]).all()
    assert (drawn[:, 2] == np.inf).all()
    assert np.isfinite(drawn[:, 3]).all()


def test_poisson_of_a_negative_rate_is_nan_and_of_an_infinite_one_infinite():
    drawn = tf.random.poisson([2], [-1.0, float("nan"), float("inf"), 2.0]).numpy()
    assert np.isnan(drawn[:, :2]).all()
    assert (drawn[:, 2] == np.inf).all()


# -- generators --


def test_a_generator_continues_from_its_state():
    g = tf.random.Generator.from_seed(3)
    g.normal([10])
    state = g.state.numpy()
    after = g.uniform([5]).numpy()
    np.testing.assert_array_equal(tf.random.Generator.from_state(state, "philox").uniform([5]).numpy(), after)
    g.reset(state)
    np.testing.assert_array_equal(g.uniform([5]).numpy(), after)


def test_skip_is_as_a_draw():
    a, b = tf.random.Generator.from_seed(3), tf.random.Generator.from_seed(3)
    a.normal([17])
    before = b.skip(17)
    np.testing.assert_array_equal(before.numpy(), [3, 0, 0])
    np.testing.assert_array_equal(a.state.numpy(), b.state.numpy())


def test_two_generators_that_share_a_variable_share_their_state():
    state = tf.Variable([1, 2, 3], dtype=tf.int64, trainable=False)
    a, b = (tf.random.Generator.from_state(state, "philox") for _ in range(2))
    a.normal([2])
    assert b.state is state
    assert state.numpy()[0] != 1


def test_generators_made_without_a_seed_differ():
    a, b = (tf.random.Generator.from_non_deterministic_state() for _ in range(2))
    assert not np.array_equal(a.normal([3]).numpy(), b.normal([3]).numpy())


def test_generator_arguments():
    with pytest.raises(AssertionError):
        tf.random.Generator()
    with pytest.raises(AssertionError):
        tf.random.Generator(alg="philox")
    with pytest.raises(ValueError, match=r"Shapes \(2,\) and \[3\] are incompatible"):
        tf.random.Generator.from_state([1, 2], "philox")
    with pytest.raises(ValueError, match=r"Shapes \(1,\) and \[\] are incompatible"):
        tf.random.Generator.from_key_counter([1], [2, 3], "philox")
    with pytest.raises(tf.errors.InvalidArgumentError, match="Value for attr 'dtype' of float is not in the list"):
        tf.random.Generator.from_seed(1).uniform_full_int([2], tf.float32)
    with pytest.raises(tf.errors.UnimplementedError, match="Cast string to int64 is not supported"):
        tf.random.Generator.from_seed("a")
    with pytest.raises(ValueError, match="must be both `None` or both non-`None`"):
        tf.random.Generator.from_seed(1).uniform([2], dtype=tf.int32)
    g = tf.random.Generator.from_seed(1, alg="threefry")
    assert g.state.shape == (2,)
    with pytest.raises(tf.errors.UnimplementedError, match="ThreeFry"):
        g.normal([2])
    g = tf.random.Generator.from_seed(1)
    state = g.state.numpy()
    for wrong in (
        lambda: g.normal([-1]),
        lambda: g.normal([1], dtype=tf.int32),
        lambda: g.uniform([1], 2, 2, tf.int32),
    ):
        with pytest.raises((TypeError, tf.errors.InvalidArgumentError)):
            wrong()
    np.testing.assert_array_equal(g.state.numpy(), state)


def test_the_global_generator_can_be_replaced():
    mine = tf.random.Generator.from_seed(1)
    before = tf.random.get_global_generator()
    tf.random.set_global_generator(mine)
    try:
        assert tf.random.experimental.get_global_generator() is mine
    finally:
        tf.random.set_global_generator(before)


def test_positions_carry_over():
    """The 128-bit position carries from its low to its high half, and wraps."""
    end = Stream(9, 2**128 - 2)
    words = end.words(16).reshape(4, 4)
    np.testing.assert_array_equal(words[2:], Stream(9, 0).words(8).reshape(2, 4))
    middle = Stream(9, 2**64 - 1)
    np.testing.assert_array_equal(middle.words(8)[4:], Stream(9, 2**64).words(4))


@pytest.mark.parametrize("draw", [tf.random.gamma, tf.random.poisson])
def test_samples_of_each_parameter_that_are_too_many(draw):
    with pytest.raises(tf.errors.InvalidArgumentError, match="more than 2\\*\\*63 - 1 elements"):
        draw([2**20, 2**20, 2**20], tf.ones((4, 4)))
