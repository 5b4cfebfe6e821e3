"""Properties that hold for every shape, axis, index and broadcast."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import whygrad as tf
from tests.properties.strategies import (
    arrays,
    arrays_with_axes,
    arrays_with_basic_index,
    arrays_with_rows,
    broadcastable_pairs,
    full_shapes,
    shapes,
)

settings.register_profile("whygrad", deadline=None, max_examples=60, derandomize=True)
settings.load_profile("whygrad")


def gradient(function, *arrays):
    """Value and gradients of a function of arrays, the gradients dense and checked for shape and dtype."""
    sources = [tf.constant(a) for a in arrays]
    with tf.GradientTape() as tape:
        tape.watch(sources)
        y = function(*sources)
    gradients = [tf.convert_to_tensor(g) for g in tape.gradient(y, sources, unconnected_gradients="zero")]
    for source, g in zip(sources, gradients):
        assert (g.shape, g.dtype) == (source.shape, source.dtype)
    return y.numpy(), *[g.numpy() for g in gradients]


def summed_to(g, shape):
    """The gradient of an operand of `shape` that was broadcast: written out, apart from the library's own way."""
    while g.ndim > len(shape):
        g = g.sum(axis=0)
    for axis, size in enumerate(shape):
        if size == 1:
            g = g.sum(axis=axis, keepdims=True)
    return g


@given(broadcastable_pairs())
def test_sums_of_broadcast_operands(pair):
    a, b = pair
    y, ga, gb = gradient(lambda a, b: a + b, a, b)
    ones = np.ones((a + b).shape)
    np.testing.assert_array_equal(y, a + b)
    np.testing.assert_array_equal(ga, summed_to(ones, a.shape))
    np.testing.assert_array_equal(gb, summed_to(ones, b.shape))


@given(broadcastable_pairs())
def test_products_of_broadcast_operands(pair):
    a, b = pair
    y, ga, gb = gradient(lambda a, b: a * b, a, b)
    ones = np.ones((a * b).shape)
    np.testing.assert_array_equal(y, a * b)
    np.testing.assert_array_equal(ga, summed_to(ones * b, a.shape))
    np.testing.assert_array_equal(gb, summed_to(ones * a, b.shape))


@given(broadcastable_pairs())
def test_extremes_send_their_gradient_to_one_operand(pair):
    a, b = pair
    y, ga, gb = gradient(tf.maximum, a, b)
    np.testing.assert_array_equal(y, np.maximum(a, b))
    np.testing.assert_array_equal(ga, summed_to((a >= b) * 1.0, a.shape))
    np.testing.assert_array_equal(gb, summed_to((a < b) * 1.0, b.shape))


@given(arrays_with_axes(), st.booleans())
def test_sums_over_axes(case, keepdims):
    x, axes = case
    y, g = gradient(lambda x: tf.reduce_sum(x * x, axis=axes, keepdims=keepdims), x)
    np.testing.assert_array_equal(y, np.sum(x * x, axis=None if axes is None else tuple(axes), keepdims=keepdims))
    np.testing.assert_array_equal(g, 2 * x)


@given(arrays_with_axes(), st.booleans())
def test_maxima_over_axes_share_their_gradient_among_ties(case, keepdims):
    x, axes = case
    along = None if axes is None else tuple(axes)
    y, g = gradient(lambda x: tf.reduce_max(x, axis=axes, keepdims=keepdims), x)
    np.testing.assert_array_equal(y, np.max(x, axis=along, keepdims=keepdims))
    ties = x == np.max(x, axis=along, keepdims=True)
    np.testing.assert_allclose(g, ties / np.sum(ties, axis=along, keepdims=True), rtol=1e-12)


@given(arrays_with_basic_index())
def test_basic_indexing(case):
    x, index = case
    y, g = gradient(lambda x: x[index], x)
    expected = np.zeros_like(x)
    expected[index] += 1.0
    np.testing.assert_array_equal(y, x[index])
    np.testing.assert_array_equal(g, expected)


@given(arrays_with_rows())
def test_lookups_add_up_where_indices_repeat(case):
    x, axis, indices = case
    y, g = gradient(lambda x: tf.gather(x, indices, axis=axis) * 2.0, x)
    np.testing.assert_array_equal(y, 2.0 * np.take(x, indices, axis=axis))
    counts = np.bincount(indices.ravel(), minlength=x.shape[axis]).astype(float)
    shape = [1] * x.ndim
    shape[axis] = -1
    np.testing.assert_array_equal(g, np.broadcast_to(2.0 * counts.reshape(shape), x.shape))


@given(st.data(), full_shapes)
def test_transposing_forth_and_back(data, shape):
    x = data.draw(arrays(shape))
    perm = data.draw(st.permutations(range(len(shape))))
    weights = data.draw(arrays(tuple(shape[p] for p in perm)))
    y, g = gradient(lambda x: tf.transpose(x, perm) * weights, x)
    np.testing.assert_array_equal(y, np.transpose(x, perm) * weights)
    np.testing.assert_array_equal(g, np.transpose(weights, np.argsort(perm)))


@given(st.data(), full_shapes)
def test_splitting_and_joining_is_the_identity(data, shape):
    x = data.draw(arrays(shape))
    axis = data.draw(st.integers(-len(shape), len(shape) - 1))
    y, g = gradient(lambda x: tf.concat(tf.split(x, x.shape[axis], axis=axis), axis=axis) * 3.0, x)
    np.testing.assert_array_equal(y, 3.0 * x)
    np.testing.assert_array_equal(g, np.full(shape, 3.0))


@given(st.data(), full_shapes)
def test_padding_ignores_the_border(data, shape):
    x = data.draw(arrays(shape))
    paddings = [(data.draw(st.integers(0, 2)), data.draw(st.integers(0, 2))) for _ in shape]
    y, g = gradient(lambda x: tf.pad(x, paddings) * 2.0, x)
    np.testing.assert_array_equal(y, 2.0 * np.pad(x, paddings))
    np.testing.assert_array_equal(g, np.full(shape, 2.0))


@given(st.data(), shapes)
def test_a_loop_over_elements_is_the_vectorised_gradient(data, shape):
    n = data.draw(st.integers(1, 6))
    x = data.draw(arrays((n, *shape)))
    _, looped = gradient(lambda x: sum(row * row for row in x), x)
    np.testing.assert_array_equal(looped, 2 * x)


@given(st.data(), st.integers(0, 4), st.integers(0, 4), st.integers(0, 4))
def test_matrix_products(data, n, k, m):
    a, b, w = data.draw(arrays((n, k))), data.draw(arrays((k, m))), data.draw(arrays((n, m)))
    y, ga, gb = gradient(lambda a, b: tf.matmul(a, b) * w, a, b)
    np.testing.assert_array_equal(y, (a @ b) * w)
    np.testing.assert_array_equal(ga, w @ b.T)
    np.testing.assert_array_equal(gb, a.T @ w)


@given(st.data(), full_shapes)
def test_linearity_of_the_gradient_in_the_upstream_gradient(data, shape):
    x, u, v = (data.draw(arrays(shape)) for _ in range(3))

    def pulled(upstream):
        source = tf.constant(x)
        with tf.GradientTape() as tape:
            tape.watch(source)
            y = source * source * source
        return tape.gradient(y, source, output_gradients=tf.constant(upstream)).numpy()

    np.testing.assert_array_equal(pulled(2.0 * u - 3.0 * v), 2.0 * pulled(u) - 3.0 * pulled(v))
