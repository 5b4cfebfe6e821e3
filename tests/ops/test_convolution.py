"""Convolution and pooling beyond the table of ops: against plain loops, empty, not finite, integers, orders."""

import itertools

import numpy as np
import pytest

import whygrad as tf
from tests.support.gradients import check_gradients
from whygrad.engines.numpy import engine


def _plain_convolution(x, w, strides, offsets, dilations, sizes):
    """The definition: a loop over places and taps."""
    out = np.zeros((x.shape[0], *sizes, w.shape[-1]))
    ins, groups = w.shape[-2], x.shape[-1] // w.shape[-2]
    outs = w.shape[-1] // groups
    for place in itertools.product(*map(range, sizes)):
        for tap in itertools.product(*map(range, w.shape[:-2])):
            at = [p * s + t * d - o for p, s, t, d, o in zip(place, strides, tap, dilations, offsets)]
            if all(0 <= a < size for a, size in zip(at, x.shape[1:-1])):
                for i in range(groups):
                    seen = x[:, *at, i * ins : (i + 1) * ins]
                    out[:, *place, i * outs : (i + 1) * outs] += seen @ w[*tap, :, i * outs : (i + 1) * outs]
    return out


def _drawn(seed):
    """Sizes, strides and the rest, at random, for one to three axes of space."""
    rng = np.random.default_rng(seed)
    space = rng.integers(1, 4)

    def some(low, high):
        return tuple(rng.integers(low, high, space).tolist())

    placement = {"strides": some(1, 4), "offsets": some(0, 4), "dilations": some(1, 3)}
    groups, ins, outs = rng.integers(1, 4, 3).tolist()
    x = rng.normal(size=(rng.integers(1, 4), *some(1, 8), groups * ins))
    w = rng.normal(size=(*some(1, 4), ins, groups * outs))
    return rng, x, w, placement, some(1, 6)


@pytest.mark.parametrize("seed", range(60))
def test_convolution_is_its_definition_and_has_its_transposes(seed):
    rng, x, w, placement, sizes = _drawn(seed)
    y = engine.conv(x, w, sizes=sizes, **placement)
    np.testing.assert_allclose(y, _plain_convolution(x, w, sizes=sizes, **placement), atol=1e-12)
    g, dx, dw = rng.normal(size=y.shape), rng.normal(size=x.shape), rng.normal(size=w.shape)
    gx = engine.conv_input(g, w, shape=x.shape, **placement)
    gw = engine.conv_filters(x, g, shape=w.shape, **placement)
    np.testing.assert_allclose(np.sum(gx * dx), np.sum(g * engine.conv(dx, w, sizes=sizes, **placement)), atol=1e-9)
    np.testing.assert_allclose(np.sum(gw * dw), np.sum(g * engine.conv(x, dw, sizes=sizes, **placement)), atol=1e-9)


def test_large_batches_are_taken_in_parts():
    rng = np.random.default_rng(0)
    x, w = rng.normal(size=(40, 28, 28, 8)), rng.normal(size=(3, 3, 8, 4))
    whole = tf.nn.conv2d(x, w, 1, "SAME").numpy()
    np.testing.assert_allclose(whole[37:], tf.nn.conv2d(x[37:], w, 1, "SAME").numpy(), rtol=1e-12)
    np.testing.assert_allclose(
        whole[5:7, 1:-1, 1:-1], tf.nn.conv2d(x[5:7], w, 1, "VALID").numpy(), rtol=1e-10, atol=1e-12
    )


# Empty batches, channels and images: TensorFlow's default kernels return the input's channels for these, so there is nothing
# to compare with.
EMPTY = [
    ((0, 6, 6, 4), (3, 3, 4, 5), (0, 6, 6, 5)),
    ((2, 0, 6, 4), (3, 3, 4, 5), (2, 0, 6, 5)),
    ((2, 6, 6, 4), (3, 3, 4, 0), (2, 6, 6, 0)),
    ((0, 6, 6, 4), (3, 3, 2, 6), (0, 6, 6, 6)),
    ((0, 6, 6, 4), (3, 3, 1, 4), (0, 6, 6, 4)),
]


@pytest.mark.parametrize("strides", [1, 2])
@pytest.mark.parametrize(("x_shape", "w_shape", "y_shape"), EMPTY)
def test_convolution_of_nothing(x_shape, w_shape, y_shape, strides):
    x, w = tf.ones(x_shape), tf.ones(w_shape)
    with tf.GradientTape() as tape:
        tape.watch([x, w])
        y = tf.nn.conv2d(x, w, strides, "SAME")
    assert y.shape == (y_shape[0], -(-y_shape[1] // strides), -(-y_shape[2] // strides), y_shape[3])
    for source, gradient in zip((x, w), tape.gradient(y, [x, w])):
        assert gradient.shape == source.shape
        assert not gradient.numpy().any()


@pytest.mark.parametrize("name", ["max_pool2d", "avg_pool2d"])
@pytest.mark.parametrize("shape", [(0, 4, 4, 2), (2, 4, 4, 0), (2, 0, 4, 2)])
def test_pooling_of_nothing(name, shape):
    x = tf.ones(shape)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = getattr(tf.nn, name)(x, 2, 2, "SAME")
    assert y.shape == (shape[0], shape[1] // 2, 2, shape[3])
    assert tape.gradient(y, x).shape == shape


def test_windows_larger_than_the_input_leave_nothing():
    assert tf.nn.conv2d(tf.ones((1, 2, 2, 4)), tf.ones((3, 3, 4, 5)), 1, "VALID").shape == (1, 0, 0, 5)
    assert tf.nn.max_pool2d(tf.ones((2, 6, 6, 4)), 7, 1, "VALID").shape == (2, 0, 0, 4)


def test_inf_reaches_only_the_windows_that_contain_it():
    # Windows of the last columns share memory with the next row's first: an inf there must not reach the wrong tap.
    x = np.ones((1, 4, 4, 1))
    x[0, 1, 3, 0] = np.inf
    x, w = tf.constant(x), tf.ones((1, 3, 1, 1), tf.float64)
    with tf.GradientTape() as tape:
        tape.watch(w)
        y = tf.nn.conv2d(x, w, 1, "VALID")
    assert np.isinf(y.numpy()).ravel().tolist() == [False, False, False, True] + [False] * 4
    np.testing.assert_array_equal(tape.gradient(y, w).numpy().ravel(), [8.0, 8.0, np.inf])


def test_integers():
    x = np.arange(32, dtype=np.int32).reshape(1, 4, 4, 2)
    w = np.arange(-9, 9, dtype=np.int32).reshape(3, 3, 2, 1)
    exact = tf.nn.conv2d(x.astype(np.float64), w.astype(np.float64), 1, "SAME").numpy()
    y = tf.nn.conv2d(x, w, 1, "SAME")
    assert y.dtype == tf.int32
    np.testing.assert_array_equal(y.numpy(), exact)
    for dtype in (np.int8, np.uint8, np.int16, np.uint16, np.int32, np.int64):
        pooled = tf.nn.max_pool2d(x.astype(dtype), 2, 2, "SAME").numpy()
        assert pooled.dtype == dtype
        np.testing.assert_array_equal(pooled[0, :, :, 1], [[11, 15], [27, 31]])


def test_channels_first_is_channels_last_transposed():
    rng = np.random.default_rng(0)
    x, w = rng.normal(size=(2, 5, 6, 3)), rng.normal(size=(3, 2, 3, 4))
    first = np.moveaxis(x, -1, 1)
    padding = [[0, 0], [1, 0], [2, 1], [0, 0]]
    last = tf.nn.conv2d(x, w, [1, 2, 1, 1], padding).numpy()
    other = [padding[0], padding[3], padding[1], padding[2]]
    np.testing.assert_allclose(
        tf.nn.conv2d(first, w, [1, 1, 2, 1], other, "NCHW").numpy(), np.moveaxis(last, -1, 1), rtol=1e-12
    )
    for name in ("max_pool2d", "avg_pool2d"):
        op = getattr(tf.nn, name)
        np.testing.assert_array_equal(
            op(first, 2, 2, "SAME", "NCHW").numpy(), np.moveaxis(op(x, 2, 2, "SAME").numpy(), -1, 1)
        )


def test_third_derivatives():
    rng = np.random.default_rng(0)
    x, w = rng.normal(size=(1, 4, 4, 2)), rng.normal(size=(2, 3, 2, 2))
    check_gradients(lambda x, w: tf.nn.conv2d(x, w, 2, "SAME") ** 2, [x, w], order=3)
    check_gradients(lambda x: tf.nn.max_pool2d(x**3, 2, 1, "SAME"), [x], order=3)
    check_gradients(lambda x: tf.nn.avg_pool2d(x**3, 2, 1, "SAME"), [x], order=3)


def test_argmax_counts_through_the_image_or_the_batch():
    x = np.zeros((2, 2, 2, 3), np.float32)
    x[0, 1, 0, 2] = x[1, 0, 1, 0] = 5.0
    _, places = tf.nn.max_pool_with_argmax(x, 2, 2, "VALID", output_dtype=tf.int32)
    assert places.dtype == tf.int32
    assert places.numpy()[:, 0, 0].tolist() == [[0, 1, 8], [3, 1, 2]]
    _, through = tf.nn.max_pool_with_argmax(x, 2, 2, "VALID", include_batch_in_index=True)
    assert through.dtype == tf.int64
    assert through.numpy()[:, 0, 0].tolist() == [[0, 1, 8], [15, 13, 14]]


def test_variables_lists_and_arrays_that_are_not_contiguous():
    kernel = tf.Variable(tf.ones((1, 1, 1, 2)))
    y = tf.nn.conv2d([[[[1.0], [2.0]]]], kernel, strides=[1, 1, 1, 1], padding="VALID")
    assert y.numpy().tolist() == [[[[1.0, 1.0], [2.0, 2.0]]]]
    x = np.asfortranarray(np.arange(32.0).reshape(1, 4, 4, 2))[:, ::-1]
    np.testing.assert_array_equal(
        tf.nn.max_pool2d(x, 2, 2, "VALID").numpy(), tf.nn.max_pool2d(np.ascontiguousarray(x), 2, 2, "VALID").numpy()
    )


def test_pooling_across_channels_keeps_strides_and_checks():
    x = np.arange(24.0).reshape(1, 3, 2, 4)
    pooled = tf.nn.max_pool2d(x, [1, 1, 1, 2], [1, 2, 1, 2], "VALID").numpy()
    np.testing.assert_array_equal(pooled, x[:, ::2, :, 1::2])
    with pytest.raises(tf.errors.InvalidArgumentError, match="attr 'padding'"):
        tf.nn.max_pool2d(x, [1, 1, 1, 2], [1, 1, 1, 2], "FOO")
