"""Reductions, running sums and counts beyond the table of ops: axes in every form, precision, memory."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import whygrad as tf
from tests.support.gradients import check_gradients

REDUCTIONS = {
    "reduce_sum": np.sum,
    "reduce_mean": np.mean,
    "reduce_prod": np.prod,
    "reduce_max": np.max,
    "reduce_min": np.min,
    "reduce_variance": np.var,
    "reduce_std": np.std,
    "reduce_euclidean_norm": lambda x, **how: np.sqrt(np.sum(x * x, **how)),
    "reduce_logsumexp": lambda x, **how: np.log(np.sum(np.exp(x), **how)),
}


@given(st.data())
def test_any_axes_of_any_shape_are_reduced_as_by_numpy(data):
    shape = data.draw(hnp.array_shapes(min_dims=0, max_dims=4, min_side=1, max_side=3))
    name = data.draw(st.sampled_from(sorted(REDUCTIONS)))
    axes = data.draw(st.none() | st.sets(st.sampled_from(range(len(shape)))) if shape else st.just(()))
    keepdims = data.draw(st.booleans())
    x = np.random.default_rng(0).normal(size=shape)
    expected = REDUCTIONS[name](x, axis=None if axes is None else tuple(axes), keepdims=keepdims)
    signed = None if axes is None else [a - len(shape) if data.draw(st.booleans()) else a for a in axes]
    reduced = getattr(tf.math, name)(x, axis=signed, keepdims=keepdims)
    np.testing.assert_allclose(reduced.numpy(), expected, rtol=1e-12, atol=1e-12)
    if name != "reduce_std":  # whose gradient is nan where a single element has no spread
        check_gradients(lambda t: getattr(tf.math, name)(t, axis=signed, keepdims=keepdims), [x], order=1)


@pytest.mark.parametrize(
    "axis",
    [
        1,
        -1,
        [1],
        (1,),
        np.array(1),
        np.array([1]),
        np.int64(1),
        range(1, 2),
        tf.constant(1),
        tf.constant([1], tf.int64),
        [tf.constant(1)],
        tf.Variable(1),
        [[1]],
        True,
    ],
    ids=str,
)
def test_an_axis_may_be_given_in_any_form(axis):
    assert tf.reduce_sum([[1.0, 2.0], [3.0, 4.0]], axis).numpy().tolist() == [3.0, 7.0]


def test_reductions_of_nothing():
    none = tf.zeros((0, 2))
    assert tf.reduce_sum(none, 0).numpy().tolist() == [0, 0]
    assert tf.reduce_prod(none, 0).numpy().tolist() == [1, 1]
    assert tf.reduce_max(none, 0).numpy().tolist() == [-np.inf, -np.inf]
    assert tf.reduce_min(tf.zeros((0,), tf.uint8)).numpy() == 255
    assert not tf.reduce_any([], [0]).numpy()
    assert tf.reduce_all([], [0]).numpy()
    assert tf.math.bincount([]).numpy().tolist() == []


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_long_sums_of_halves_do_not_get_stuck(dtype):
    ones = tf.ones((5000, 2), dtype)
    assert np.all(np.abs(tf.reduce_sum(ones, 0).numpy().astype(float) - 5000) <= 16)
    assert np.all(tf.reduce_mean(ones, 0).numpy().astype(float) == 1)
    assert tf.reduce_mean(tf.ones((70000,), dtype)).numpy() == 1
    assert np.all(np.abs(tf.cumsum(ones).numpy()[-1].astype(float) - 5000) <= 16)


def test_a_product_with_zeros_has_right_derivatives_of_third_order():
    check_gradients(tf.reduce_prod, [np.array([0.0, 2.0, 0.0, 3.0, -1.0])], order=3)


@pytest.mark.parametrize(("exclusive", "reverse"), list(itertools.product([False, True], repeat=2)))
def test_cumulative_logsumexp_is_the_logarithm_of_a_running_sum(exclusive, reverse):
    how = {"exclusive": exclusive, "reverse": reverse}
    x = np.linspace(-0.5, 0.5, 10)
    with tf.GradientTape(persistent=True) as tape:
        t = tf.constant(x)
        tape.watch(t)
        direct = tf.exp(tf.math.cumulative_logsumexp(t, **how))
        by_sum = tf.cumsum(tf.exp(t), **how)
    np.testing.assert_allclose(direct.numpy(), by_sum.numpy(), rtol=1e-12)
    np.testing.assert_allclose(tape.gradient(direct, t).numpy(), tape.gradient(by_sum, t).numpy(), rtol=1e-12)


def test_a_reduction_reads_memory_in_any_order():
    x = np.arange(24.0).reshape(2, 3, 4)
    x.flags.writeable = False
    backwards = x.transpose(2, 0, 1)[::-1, :, ::2]
    assert tf.reduce_sum(backwards, [0, 2]).numpy().tolist() == backwards.sum(axis=(0, 2)).tolist()
    assert tf.cumsum(backwards, 1, reverse=True).numpy().tolist() == backwards[:, ::-1].cumsum(1)[:, ::-1].tolist()


def test_the_gradient_of_a_large_sum_may_be_changed_by_its_owner():
    x = tf.Variable(np.zeros((100, 100)))
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(x) + tf.reduce_mean(x)
    gradient = tape.gradient(y, x).numpy()
    gradient[0, 0] = 7.0
    assert gradient[0, 1] == pytest.approx(1.0001)


def test_keepdims_that_is_no_truth_is_refused():
    with pytest.raises(ValueError, match="The truth value"):
        tf.reduce_sum(1.0, keepdims=np.array([1, 2]))


def test_counting_goes_to_the_nearest_bin_outside_the_range():
    values = np.array([-np.inf, -1.0, 0.0, 0.999, 1.0, 4.999, 5.0, np.inf], np.float32)
    assert tf.histogram_fixed_width(values, [0.0, 5.0], 5).numpy().tolist() == [4, 1, 0, 0, 3]
    assert tf.histogram_fixed_width_bins(values, [0.0, 5.0], 5).numpy().tolist() == [0, 0, 0, 0, 1, 4, 4, 4]
