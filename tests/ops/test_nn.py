"""Activations, losses, normalization and dropout beyond the table of ops."""

import ml_dtypes  # noqa: F401  (NumPy knows "bfloat16" once it is loaded)
import numpy as np
import pytest

import whygrad as tf
from tests.support.gradients import result_and_gradients
from whygrad.engines.numpy import engine
from whygrad.ops.recorded import every_primitive


@pytest.mark.parametrize(
    "name",
    [
        "softmax_cross_entropy_with_logits",
        "sparse_softmax_cross_entropy_with_logits",
        "sigmoid_cross_entropy_with_logits",
    ],
)
def test_a_cross_entropy_is_one_record_with_labels_and_logits(name):
    assert every_primitive()[name].inputs == ("labels", "logits")
    labels = tf.constant([1, 0]) if name.startswith("sparse") else tf.constant([[0.0, 1.0], [1.0, 0.0]])
    logits = tf.Variable([[0.3, -0.2], [0.1, 0.4]])
    with tf.GradientTape() as tape:
        getattr(tf.nn, name)(labels=labels, logits=logits)
    records = [record.plan.primitive.name for record in tape.records]
    assert records.count(name) == 1
    assert set(records) <= {name, "read_value"}


def test_the_three_cross_entropies_agree_with_each_other():
    rng = np.random.default_rng(0)
    logits = rng.normal(size=(5, 2))
    labels = rng.integers(0, 2, 5)
    one_hot = np.eye(2)[labels]
    sparse, (by_sparse,) = result_and_gradients(
        tf, lambda x: tf.nn.sparse_softmax_cross_entropy_with_logits(labels, x), logits
    )
    dense, (by_dense,) = result_and_gradients(tf, lambda x: tf.nn.softmax_cross_entropy_with_logits(one_hot, x), logits)
    binary = tf.nn.sigmoid_cross_entropy_with_logits(labels.astype(float), logits[:, 1] - logits[:, 0])
    np.testing.assert_allclose(sparse, dense, rtol=1e-12)
    np.testing.assert_allclose(sparse, binary, rtol=1e-12)
    np.testing.assert_allclose(by_sparse, by_dense, rtol=1e-12)


def test_broadcast_labels_get_the_sum_of_the_gradients_of_their_copies():
    rng = np.random.default_rng(0)
    labels, logits = np.array([0.2, 0.3, 0.5]), rng.normal(size=(4, 3))
    _, (by_labels, by_logits) = result_and_gradients(tf, tf.nn.softmax_cross_entropy_with_logits, labels, logits)
    repeated = np.tile(labels, (4, 1))
    _, (by_each, by_same) = result_and_gradients(tf, tf.nn.softmax_cross_entropy_with_logits, repeated, logits)
    np.testing.assert_allclose(by_labels, by_each.numpy().sum(0), rtol=1e-12)
    np.testing.assert_allclose(by_logits, by_same, rtol=1e-12)


def test_dropout_keeps_the_mean_and_drops_the_same_in_the_backward_pass():
    tf.random.set_seed(3)
    x = np.ones(20000, np.float32)
    y, (gradient,) = result_and_gradients(tf, lambda t: tf.nn.dropout(t, 0.3), x)
    np.testing.assert_array_equal(gradient, y)
    assert set(np.unique(y.numpy())) == {np.float32(0), np.float32(1 / 0.7)}
    assert abs(float(tf.reduce_mean(y)) - 1) < 0.02


def test_a_rate_of_zero_moves_the_random_numbers_on_as_any_other():
    draws = []
    for rate in (0.0, 0.5):
        tf.random.set_seed(1)
        tf.nn.dropout(tf.ones(()), rate)
        draws.append(tf.random.normal([3]).numpy())
    np.testing.assert_array_equal(*draws)


def test_batch_normalization_takes_lists():
    y = tf.nn.batch_normalization([[1.0, 2.0], [3.0, 6.0]], [2.0, 4.0], [1.0, 4.0], [0.5, 0.0], [2.0, 1.0], 0.0)
    np.testing.assert_allclose(y, [[-1.5, -1.0], [2.5, 1.0]])


def test_isotonic_regression_is_the_nearest_in_order():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(20, 30))
    values, segments = tf.nn.isotonic_regression(x)
    from scipy.optimize import isotonic_regression

    for row, fitted in zip(x, values.numpy()):
        np.testing.assert_allclose(fitted, isotonic_regression(row, increasing=False).x, atol=1e-12)
    assert (np.diff(values.numpy()) <= 1e-12).all()
    assert set(np.unique(np.diff(segments.numpy()))) <= {0, 1}


def _spelled(path, blank=0):
    return [c for i, c in enumerate(path) if c != blank and (i == 0 or path[i - 1] != c)]


@pytest.mark.parametrize("labels", [[1], [1, 2], [2, 2], [1, 2, 1], [1, 1, 1], []])
def test_ctc_loss_is_the_sum_over_all_paths(labels):
    rng = np.random.default_rng(0)
    times, classes = 4, 3
    logits = rng.normal(size=(times, 1, classes))
    shares = np.exp(logits[:, 0]) / np.exp(logits[:, 0]).sum(1, keepdims=True)
    probability = sum(
        np.prod([shares[t, c] for t, c in enumerate(path)])
        for path in np.ndindex(*(classes,) * times)
        if _spelled(path) == labels
    )
    loss = tf.nn.ctc_loss(np.array([[*labels, 0]]), logits, [len(labels)], [times]).numpy()
    np.testing.assert_allclose(loss, [-np.log(probability)] if probability else [np.inf], rtol=1e-12)


def test_a_sequence_too_short_for_its_labels_has_no_gradient_and_leaves_others_alone():
    rng = np.random.default_rng(0)
    logits = rng.normal(size=(3, 2, 4))
    labels = np.array([[1, 1, 1], [2, 3, 0]])
    loss, (gradient,) = result_and_gradients(tf, lambda x: tf.nn.ctc_loss(labels, x, [3, 2], [3, 3]), logits)
    alone, (its,) = result_and_gradients(tf, lambda x: tf.nn.ctc_loss(labels[1:], x, [2], [3]), logits[:, 1:])
    assert loss[0] == np.inf
    assert not gradient.numpy()[:, 0].any()
    np.testing.assert_allclose(loss[1:], alone, rtol=1e-12)
    np.testing.assert_allclose(gradient[:, 1:], its, rtol=1e-12)


def test_a_sample_of_all_classes_is_the_full_softmax():
    rng = np.random.default_rng(0)
    weights, biases, inputs = rng.normal(size=(6, 3)), rng.normal(size=6), rng.normal(size=(2, 3))
    labels = np.array([[1], [4]])
    everything = tf.random.all_candidate_sampler(labels, 1, 6, True)
    sampled = tf.nn.sampled_softmax_loss(weights, biases, labels, inputs, 6, 6, sampled_values=everything)
    full = tf.nn.sparse_softmax_cross_entropy_with_logits(labels[:, 0], inputs @ weights.T + biases)
    np.testing.assert_allclose(sampled, full, rtol=1e-6)


def test_sampled_candidates_are_different_if_asked_and_follow_their_expected_counts():
    drawn = np.zeros(20)
    for seed in range(300):
        sampled, _, _ = tf.random.log_uniform_candidate_sampler([[0]], 1, 8, True, 20, seed=seed)
        assert len(set(sampled.numpy().tolist())) == 8
        drawn[sampled.numpy()] += 1
    assert drawn[0] > 280 > 60 > drawn[19] > 20


@pytest.mark.parametrize(
    "dtype", ["float16", "bfloat16", "float32", "float64", "int8", "uint16", "complex64", "complex128"]
)
@pytest.mark.parametrize("shapes", [((60, 50), (60, 50)), ((60, 50), ()), ((50,), (60, 1)), ((3, 60, 50), ())])
def test_where_by_bits_is_numpys(dtype, shapes):
    rng = np.random.default_rng(0)
    condition = rng.normal(size=(60, 50)) > 0
    x, y = (np.asarray((100 * rng.random(shape)).astype(dtype)) for shape in shapes)
    for given in (x, x[..., ::-1] if x.ndim else x):
        ours, theirs = engine.where(condition, given, y), np.where(condition, given, y)
        assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape)
        assert ours.tobytes() == theirs.tobytes()


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_gradients_of_halves_summed_over_a_batch_do_not_get_stuck(dtype):
    bias = tf.ones(2, dtype)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(bias)
        added = tf.nn.bias_add(tf.ones((4096, 2), dtype) / 10, bias)
        broadcast = tf.ones((4096, 2), dtype) * bias
    for target in (added, broadcast):
        np.testing.assert_array_equal(tf.cast(tape.gradient(target, bias), tf.float32), [4096.0, 4096.0])


@pytest.mark.parametrize("shape", [(8, 20, 20, 16), (3, 11, 13, 32), (6000, 4), (40, 7, 7, 128), (2, 40, 300)])
@pytest.mark.parametrize("dtype", ["float32", "float64", "bfloat16", "int32", "complex64"])
def test_biases_of_many_short_rows_are_added_as_numpy_adds_them(shape, dtype):
    rng = np.random.default_rng(0)
    value = tf.cast(rng.normal(size=shape) * 9, dtype).numpy()
    bias = tf.cast(rng.normal(size=shape[-1:]) * 9, dtype).numpy()
    for given in (value, value[::-1], value[..., ::-1]):
        np.testing.assert_array_equal(tf.nn.bias_add(given, bias).numpy(), given + bias, strict=True)


@pytest.mark.parametrize("shape", [(8, 20, 20, 16), (3, 11, 13, 32), (2, 3, 400), (600, 3, 1)])
@pytest.mark.parametrize("axis", [(0,), (0, 1), (0, 1, 2), (1,), (0, 2), (1, 0), (-1, 0), (), None])
def test_sums_of_large_arrays_over_any_axes_are_numpys(shape, axis):
    x = np.random.default_rng(0).normal(size=shape).astype(np.float32)
    axes = tuple(each for each in axis if each < len(shape)) if axis is not None else None
    for given in (x, x[::-1], x[..., ::-1]):
        expected = np.sum(given.astype(np.float64), axis=axes)
        found = tf.reduce_sum(given, axis=axes).numpy()
        assert found.dtype == np.float32
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-4, strict=False)
        assert found.shape == expected.shape
