"""A rule that runs once on a batch of cotangents gives the same as one run for each."""

import numpy as np
import pytest

import whygrad as tf
from tests.ops.table import CASES
from whygrad.tape.batched import Batched, NotBatched, batched


@pytest.mark.parametrize("case", [c for c in CASES if c.order], ids=str)
def test_batched_jacobians_equal_those_computed_one_by_one(case):
    for dtype in ("float64", "complex128") if case.complex else ("float64",):
        sources = [tf.constant(a) for a in case.draw(dtype)]
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(sources)
            outputs = tf.nest.flatten(case.function(tf, *sources))
        for output in outputs:
            if not output.dtype.is_floating and not output.dtype.is_complex:
                continue
            together = tape.jacobian(output, sources)
            one_by_one = tape.jacobian(output, sources, experimental_use_pfor=False)
            for mine, other in zip(together, one_by_one):
                assert (mine is None) == (other is None)
                if other is not None:
                    assert mine.dtype is other.dtype
                    scale = max(1.0, np.abs(other.numpy()).max(initial=0.0))
                    np.testing.assert_allclose(mine.numpy(), other.numpy(), rtol=1e-9, atol=1e-9 * scale)


def _three(*shape):
    return np.random.default_rng(0).normal(size=(3, *shape))


def _agrees(function, data, *others):
    """Whether a function of `xp` gives for a Batched what it gives for each of them."""
    found = function(batched, Batched(data), *others)
    expected = np.stack([function(np, each, *others) for each in data])
    np.testing.assert_allclose(found.data, expected)


def test_operators_broadcast_without_the_batch_axis():
    matrix = np.arange(8.0).reshape(4, 2)
    for function in (
        lambda xp, g, x: g * x,
        lambda xp, g, x: x - g,
        lambda xp, g, x: x / g,
        lambda xp, g, x: xp.where(x > 3.0, g, 0.0),
        lambda xp, g, x: xp.maximum(x, g),
        lambda xp, g, x: -g + 2.0 - x * np.float64(3.0),
    ):
        _agrees(function, _three(2), matrix)
        _agrees(function, _three(), matrix)
        _agrees(function, _three(5, 4, 2), matrix)


def test_an_array_multiplied_in_place_by_a_batch_becomes_a_batch():
    def rule(xp, g, x):
        slope = x + 1
        slope *= g
        return slope

    x = np.arange(4.0)
    _agrees(rule, _three(4), x)
    assert x.tolist() == [0, 1, 2, 3]
    with pytest.raises(NotBatched):
        np.multiply(x, Batched(_three(4)), out=np.empty(4))


def test_axes_do_not_count_the_batch_axis():
    data = _three(2, 1, 4)
    for function in (
        lambda xp, g: xp.sum(g),
        lambda xp, g: xp.sum(g, axis=-1, keepdims=True),
        lambda xp, g: xp.sum(g, axis=(0, 2)),
        lambda xp, g: xp.add.reduce(g, axis=1),
        lambda xp, g: xp.maximum.reduce(g),
        lambda xp, g: xp.reshape(g, (-1,)),
        lambda xp, g: xp.reshape(g, 8),
        lambda xp, g: xp.transpose(g),
        lambda xp, g: xp.transpose(g, (2, 0, -2)),
        lambda xp, g: xp.swapaxes(g, 0, -1),
        lambda xp, g: xp.moveaxis(g, 0, -1),
        lambda xp, g: xp.expand_dims(g, 0),
        lambda xp, g: xp.expand_dims(g, (1, -1)),
        lambda xp, g: xp.squeeze(g),
        lambda xp, g: xp.squeeze(g, 1),
        lambda xp, g: xp.broadcast_to(g, (5, 2, 3, 4)),
        lambda xp, g: xp.concatenate([g, g, np.ones((1, 1, 4))], axis=0),
        lambda xp, g: xp.stack([g, np.ones((2, 1, 4))], axis=-1),
        lambda xp, g: xp.flip(g),
        lambda xp, g: xp.flip(g, 0),
        lambda xp, g: xp.roll(g, (1, 2), (0, 2)),
        lambda xp, g: xp.tile(g, (2, 1, 1, 3)),
        lambda xp, g: xp.take(g, np.array([1, 0, 1]), axis=2),
        lambda xp, g: xp.take(g, np.array([1, 0, 7])),
        lambda xp, g: xp.astype(g, np.float32),
    ):
        _agrees(function, data)


def test_indices_do_not_count_the_batch_axis():
    data = _three(2, 3, 4)
    for index in (
        0,
        -1,
        (slice(None), 1),
        (Ellipsis, None, slice(None, None, -1)),
        np.array([1, 0, 1]),
        (slice(None), np.array([2, 0])),
        (np.array([0, 1]), np.array([2, 0])),
        (),
    ):
        _agrees(lambda xp, g, index=index: g[index], data)
    with pytest.raises(NotBatched):
        Batched(data)[np.array([0, 1]), :, np.array([2, 0])]


def test_products():
    for a, b in (((4, 2), (2, 5)), ((7, 4, 2), (2, 5)), ((4, 2), (7, 2, 5))):
        right = np.random.default_rng(1).normal(size=b)
        _agrees(lambda xp, g, x: xp.matmul(g, x), _three(*a), right)
        _agrees(lambda xp, g, x: xp.matmul(x, g), _three(*b), np.random.default_rng(1).normal(size=a))


def test_a_batch_is_never_taken_for_an_array():
    g = Batched(_three(2))
    for use in (np.asarray, bool, np.sum, lambda g: np.add.reduce(g), lambda g: batched.linalg.inv(g), batched.cumsum):
        with pytest.raises(NotBatched):
            use(g)
