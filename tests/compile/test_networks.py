"""Ops of neural networks in compiled functions: dtypes, layouts, symbolic labels and lengths, and errors."""

import numpy as np
import pytest

import whygrad as tf

# Each test compiles a function of its own, once.
pytestmark = pytest.mark.filterwarnings("ignore::whygrad.view.notice.RetracingWarning")

RTOL = {"float16": 1e-2, "bfloat16": 6e-2, "float32": 2e-5, "float64": 1e-12}


def _agrees(function, *arguments, dtype="float32"):
    """Values and gradients for all arguments of floats: compiled as op by op."""

    def both(*given):
        floats = [each for each in given if each.dtype.is_floating]
        with tf.GradientTape() as tape:
            tape.watch(floats)
            y = function(*given)
        return (y, *[tf.convert_to_tensor(g) for g in tape.gradient(y, floats)])

    compiled = tf.function(both)(*arguments)
    for mine, other in zip(compiled, both(*arguments)):
        assert (mine.dtype, mine.shape) == (other.dtype, other.shape)
        a, b = mine.numpy().astype("float64"), other.numpy().astype("float64")
        np.testing.assert_allclose(a, b, rtol=RTOL[dtype], atol=RTOL[dtype] * np.abs(b).max(initial=0.0))
    return compiled


def _draw(dtype, *shapes):
    rng = np.random.default_rng(0)
    return [tf.cast(tf.constant(rng.normal(size=shape)), dtype) for shape in shapes]


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_products_and_convolutions_in_every_float(dtype):
    a, b = _draw(dtype, (4, 5), (5, 6))
    _agrees(tf.matmul, a, b, dtype=dtype)
    _agrees(lambda a, b: tf.einsum("ij,jk->ki", a, b), a, b, dtype=dtype)
    x, w = _draw(dtype, (2, 7, 6, 3), (3, 2, 3, 4))
    _agrees(lambda x, w: tf.nn.conv2d(x, w, 2, "SAME"), x, w, dtype=dtype)
    _agrees(lambda x: tf.nn.avg_pool2d(x, 3, 2, "SAME"), x, dtype=dtype)


@pytest.mark.parametrize("options", [
    {"strides": [1, 2, 3, 1], "padding": "VALID"},
    {"strides": 1, "padding": "SAME", "dilations": [1, 2, 3, 1]},
    {"strides": 2, "padding": [[0, 0], [3, 0], [1, 2], [0, 0]]},
], ids=["strides", "dilations", "explicit padding"])  # fmt: skip
def test_convolutions_with_channels_last_and_first(options):
    x, w = _draw("float32", (2, 9, 10, 4), (3, 2, 2, 6))  # two groups
    y = _agrees(lambda x, w: tf.nn.conv2d(x, w, **options), x, w)[0]
    first = {
        name: [each[0], each[3], each[1], each[2]] if isinstance(each, list) else each for name, each in options.items()
    }
    turned = tf.function(lambda x, w: tf.nn.conv2d(x, w, data_format="NCHW", **first))(tf.transpose(x, (0, 3, 1, 2)), w)
    np.testing.assert_allclose(tf.transpose(turned, (0, 2, 3, 1)), y, rtol=1e-5, atol=1e-5)


def test_pooling_chooses_the_first_of_equals_as_eager_does():
    x = tf.constant(np.array([[1, 2, 2], [2, 0, 2], [1, 1, 1]], "float32").reshape(1, 3, 3, 1))
    _agrees(lambda x: tf.nn.max_pool2d(x, 2, 1, "VALID") * tf.reshape(tf.range(1.0, 5.0), (1, 2, 2, 1)), x)


def test_labels_that_are_arguments():
    logits = _draw("float32", (4, 3))[0]
    for dtype in (tf.int32, tf.int64):
        labels = tf.constant([2, 0, 1, 1], dtype)
        _agrees(lambda labels, x: tf.nn.sparse_softmax_cross_entropy_with_logits(labels, x), labels, logits)


def test_an_invalid_label_gives_nan_for_its_row_only():
    loss = tf.function(lambda y, x: tf.nn.sparse_softmax_cross_entropy_with_logits(y, x))(
        tf.constant([0, 3, -1]), tf.zeros((3, 3))
    )
    assert np.isnan(loss.numpy()).tolist() == [False, True, True]


def test_sequences_whose_labels_and_lengths_are_arguments():
    logits = _draw("float64", (6, 2, 4))[0]
    labels, sizes, ends = tf.constant([[1, 2, 2], [3, 1, 0]]), tf.constant([3, 2]), tf.constant([6, 4])
    _agrees(
        lambda labels, sizes, ends, x: tf.nn.ctc_loss(labels, x, sizes, ends),
        labels,
        sizes,
        ends,
        logits,
        dtype="float64",
    )


def test_class_samples_are_drawn_from_the_seed_at_each_call():
    def sampled():
        draw = tf.function(lambda classes: tf.random.log_uniform_candidate_sampler(classes, 1, 4, True, 50, seed=3))
        tf.random.set_seed(7)
        return [[each.numpy() for each in draw(tf.constant([[1], [9]], tf.int64))] for _ in range(2)]

    first, second = sampled(), sampled()
    assert first[0][0].tolist() != first[1][0].tolist()
    for one, other in zip(first, second):
        for a, b in zip(one, other):
            np.testing.assert_array_equal(a, b)
    sample, of_true, _ = first[0]
    assert len(set(sample.tolist())) == 4
    assert of_true.shape == (2, 1)


def test_accidental_hits_are_removed():
    weights, biases, x = _draw("float32", (20, 3), (20,), (2, 3))
    sample = tf.constant([1, 5, 9], tf.int64), tf.constant([[0.5], [0.25]]), tf.constant([0.3, 0.2, 0.1])

    def loss(labels, weights, biases, x):
        return tf.nn.sampled_softmax_loss(weights, biases, labels, x, 3, 20, sampled_values=sample)

    _agrees(loss, tf.constant([[1], [2]], tf.int64), weights, biases, x)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_attention_is_that_of_jax(dtype):
    jax = pytest.importorskip("jax")
    q, k, v, bias = _draw(dtype, (2, 5, 4, 8), (2, 6, 2, 8), (2, 6, 2, 8), (1, 4, 5, 6))
    mask = tf.constant(np.random.default_rng(1).uniform(size=(2, 1, 5, 6)) > 0.3)
    y = _agrees(
        lambda q, k, v, b: tf.nn.dot_product_attention(q, k, v, b, mask, is_causal=True), q, k, v, bias, dtype=dtype
    )[0]
    with jax.enable_x64(True):
        arrays = [jax.numpy.asarray(each.numpy()) for each in (q, k, v, bias, mask)]
        expected = np.asarray(jax.nn.dot_product_attention(*arrays, is_causal=True)).astype("float64")
    rtol = max(RTOL[dtype], 1e-6)  # the softmax of JAX is taken in float32
    np.testing.assert_allclose(y.numpy().astype("float64"), expected, rtol=rtol, atol=rtol)


def test_lookups_that_miss_take_the_nearest():
    looked_up = tf.function(lambda table, i: tf.gather(table, i))
    assert looked_up(tf.constant([1.0, 2.0, 3.0]), tf.constant([-5, 1, 7])).numpy().tolist() == [1.0, 2.0, 3.0]


@pytest.mark.parametrize(
    ("function", "sentence"),
    [
        (lambda x, n: tf.reshape(x, n), "sizes and axes must be known"),
        (lambda x, n: tf.transpose(x, n), "sizes and axes must be known"),
        (lambda x, n: tf.zeros(n), "sizes and axes must be known"),
        (lambda x, n: tf.reduce_sum(x, axis=n), "sizes and axes must be known"),
        (lambda x, n: tf.range(n[0]), "sizes and axes must be known"),
        (lambda x, n: tf.one_hot(n, n[0]), "sizes and axes must be known"),
        (lambda x, n: tf.boolean_mask(x, n > 0), r"tf\.where\(mask, x, 0\.0\)"),
        (lambda x, n: tf.dynamic_partition(x, n, 2), "unsorted_segment_sum"),
        (lambda x, n: tf.slice(x, n, [-1, 1]), "Give the size as a number"),
    ],
    ids=["reshape", "transpose", "zeros", "axis", "range", "depth", "mask", "partition", "slice"],
)  # fmt: skip
def test_the_error_of_a_shape_that_depends_on_values_suggests_a_repair(function, sentence):
    with pytest.raises((TypeError, ValueError, NotImplementedError), match=sentence):
        tf.function(function, jit_compile=True)(tf.ones((2, 2)), tf.constant([0, 1]))
