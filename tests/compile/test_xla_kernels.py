"""Kernels of the XLA engine beyond the table of ops: special functions against SciPy, dtypes, shapes that depend on values."""

import numpy as np
import pytest

import whygrad as tf

POSITIVE = 10 ** np.random.default_rng(0).uniform(-6, 3, 2000)
SIGNED = np.concatenate([POSITIVE, -POSITIVE, [0.0, np.inf, -np.inf, np.nan]])

# How far a value may be from SciPy's: relative, and beside zeros of the function absolute.
SPECIAL = {
    "bessel_j0": (SIGNED, 1e-13), "bessel_j1": (SIGNED, 1e-13), "bessel_y0": (SIGNED, 1e-13), "bessel_y1": (SIGNED, 1e-13),
    "bessel_k0": (SIGNED, 1e-13), "bessel_k0e": (SIGNED, 1e-13), "bessel_k1": (SIGNED, 1e-13), "bessel_k1e": (SIGNED, 1e-13),
    "dawsn": (SIGNED, 1e-13), "fresnel_sin": (SIGNED, 1e-13), "fresnel_cos": (SIGNED, 1e-13),
    "expint": (SIGNED[np.abs(SIGNED) < 700], 1e-13),
}  # fmt: skip


@pytest.mark.parametrize("name", SPECIAL)
def test_fitted_functions_are_as_exact_as_scipys(name):
    points, tolerance = SPECIAL[name]
    function = getattr(tf.math.special, name)
    x = tf.constant(points)
    np.testing.assert_allclose(
        tf.function(lambda x: function(x))(x).numpy(), function(x).numpy(), rtol=tolerance, atol=tolerance
    )


@pytest.mark.parametrize("name", ["bessel_j1", "dawsn", "fresnel_sin", "fresnel_cos", "bessel_y1", "bessel_k1"])
def test_fitted_functions_keep_their_digits_near_zero(name):
    x = tf.constant(10.0 ** np.arange(-100.0, -3.0))
    function = getattr(tf.math.special, name)
    np.testing.assert_allclose(tf.function(lambda x: function(x))(x).numpy(), function(x).numpy(), rtol=1e-13)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float64", "int64", "uint8", "complex64", "complex128"])
def test_dtypes_are_kept(dtype):
    kind = tf.as_dtype(dtype)

    def step(x):
        results = [x + x, x * x, tf.reduce_sum(x), tf.cumsum(x), tf.math.unsorted_segment_sum(x, [0, 1, 0], 2)]
        if not kind.is_complex:
            results += [tf.sort(x), tf.math.top_k(x, 2)[0], tf.reduce_max(x), x // 2, x % 3, tf.reduce_mean(x)]
        if kind.is_floating:
            results += [tf.exp(x), tf.math.lgamma(x), tf.nn.softmax(x)]
        return results

    x = tf.cast([3.0, 1.0, 2.0], kind)
    for mine, other in zip(tf.function(step)(x), step(x)):
        assert mine.dtype == other.dtype
        wide = complex if kind.is_complex else np.float64
        tolerance = {"float16": 2e-3, "bfloat16": 2e-2, "complex64": 1e-6}.get(dtype, 1e-12)
        np.testing.assert_allclose(np.asarray(mine.numpy(), wide), np.asarray(other.numpy(), wide), rtol=tolerance)


def test_64_bits_stay_64_bits():
    large = tf.constant(2**40 + 1, tf.int64)
    assert tf.function(lambda x: x * 3 - 1)(large).numpy() == 3 * (2**40 + 1) - 1
    fine = tf.constant(1 + 1e-12, tf.float64)
    assert tf.function(lambda x: x - 1.0)(fine).numpy() == fine.numpy() - 1.0


def test_segments_whose_number_is_unknown():
    def step(data, ids):
        with tf.GradientTape() as tape:
            tape.watch(data)
            results = [
                tf.math.unsorted_segment_sum(data, ids, 3),
                tf.math.unsorted_segment_mean(data, ids, 3),
                tf.math.unsorted_segment_sqrt_n(data, ids, 3),
                tf.math.unsorted_segment_prod(data, ids, 3),
                tf.math.unsorted_segment_max(data, ids, 3),
            ]
            total = tf.add_n([tf.reduce_sum(each[:2]) for each in results])
        return [*results, tape.gradient(total, data)]

    arguments = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), tf.constant([1, -1, 1])
    for mine, other in zip(tf.function(step)(*arguments), step(*arguments)):
        np.testing.assert_allclose(mine, other, rtol=1e-6)


NUMBERS = tf.constant([1, 1, 2])

DEPENDS_ON_VALUES = {
    "unique": (lambda x: tf.unique(x)[0], "Find them outside"),
    "bincount": (lambda x: tf.math.bincount(x), "minlength"),
    "confusion_matrix": (lambda x: tf.math.confusion_matrix(x, x), "num_classes"),
    "segment_sum": (lambda x: tf.math.segment_sum(x, x), "unsorted_segment_sum"),
}


@pytest.mark.parametrize("name", DEPENDS_ON_VALUES)
def test_the_error_of_a_shape_that_depends_on_values_suggests_a_repair(name):
    function, instead = DEPENDS_ON_VALUES[name]
    with pytest.raises(tf.errors.InvalidArgumentError, match=f"depends on values.*{instead}"):
        tf.function(lambda x: function(x), jit_compile=True)(NUMBERS)


def test_a_value_that_is_asked_for_is_an_error_at_the_users_line():
    @tf.function(jit_compile=True)
    def step(x, k):
        return tf.math.top_k(x, k)

    with pytest.raises(TypeError, match=r"`step`.* being compiled") as caught:
        step(tf.constant([1.0, 2.0]), tf.constant(1))
    (cause,) = caught.value.causes
    assert "tf.math.top_k(x, k)" in str(cause)


def test_strings_pass_through_compiled_functions():
    assert tf.function(lambda x: (x * 2, tf.constant(["a", "b"])))(tf.constant(1.0))[1].numpy().tolist() == [b"a", b"b"]
