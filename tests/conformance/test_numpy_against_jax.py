"""`whygrad.numpy` against jax.numpy in float64: values, and gradients along random weights of the outputs."""

import numpy as np
import pytest

import whygrad as tf
import whygrad.numpy as wnp
from tests.numpy.rows import ROWS


def flat(result):
    """The tensors, arrays and numbers of a result, in order."""
    if isinstance(result, list | tuple):
        return [each for part in result for each in flat(part)]
    return [result]


def is_floating(value):
    return getattr(value, "ndim", None) is not None and np.dtype(getattr(value.dtype, "name", "O")).kind == "f"


def assert_same(ours, theirs):
    for mine, other in zip(ours, theirs, strict=True):
        if isinstance(other, str):
            assert mine == other
        else:
            assert np.shape(mine) == np.shape(other)
            np.testing.assert_allclose(np.asarray(mine), np.asarray(other), rtol=1e-9, atol=1e-9)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("row", [row for row in ROWS if row.jax and not row.order], ids=str)
def test_same_numbers_as_jax(real_jax, row):
    arrays = row.draw()
    theirs = row.function(real_jax.numpy, *map(real_jax.numpy.asarray, arrays))
    assert_same(flat(row.function(wnp, *map(tf.constant, arrays))), flat(theirs))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("row", [row for row in ROWS if row.jax and row.order], ids=str)
def test_same_gradients_as_jax(real_jax, row):
    arrays = row.draw()

    def floating_first(*tensors):
        results = flat(row.function(real_jax.numpy, *tensors))
        return [y for y in results if is_floating(y)], [y for y in results if not is_floating(y)]

    theirs, pull_back, others = real_jax.vjp(floating_first, *map(real_jax.numpy.asarray, arrays), has_aux=True)
    sources = [tf.constant(a) for a in arrays]
    with tf.GradientTape() as tape:
        tape.watch(sources)
        ours = flat(row.function(wnp, *sources))
    floating = [y for y in ours if is_floating(y)]
    assert_same(floating + [y for y in ours if not is_floating(y)], theirs + others)
    rng = np.random.default_rng(0)
    weights = [rng.normal(size=y.shape) for y in theirs]
    expected = pull_back([real_jax.numpy.asarray(w) for w in weights])
    found = tape.gradient(floating, sources, [tf.constant(w) for w in weights], unconnected_gradients="zero")
    for mine, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(tf.convert_to_tensor(mine).numpy(), np.asarray(other), rtol=1e-7, atol=1e-8)
