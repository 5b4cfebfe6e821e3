"""Gradients in one expression, and gradients checked against finite differences in float64, to any order."""

from __future__ import annotations

import numpy as np

import whygrad as tf


def gradients_of(tf, function, *values, **options):
    """The gradients of `function` at `values` (tensors, arrays or numbers), one for each, with whygrad or TensorFlow as `tf`."""
    _, gradients = result_and_gradients(tf, function, *values, **options)
    return gradients


def result_and_gradients(tf, function, *values, **options):
    """What `function` gives for `values`, and its gradients."""
    sources = [tf.convert_to_tensor(value) for value in values]
    with tf.GradientTape() as tape:
        tape.watch(sources)
        result = function(*sources)
    return result, tape.gradient(result, sources, **options)


def gradient_in_float32(tf, function, x):
    """The gradient of a function of one argument, as rows of tables write it."""
    (gradient,) = gradients_of(tf, function, tf.constant(x, tf.float32))
    return gradient


def check_gradients(function, arguments, order=2, seed=0, step=1e-5, rtol=2e-5, atol=2e-6):
    """Assert that the gradients of `function` at `arguments` (float64 or complex128 arrays) are those of finite differences.

    The outputs are projected on random weights and the arguments moved along random directions, so that one number checks
    all elements. Order 2 checks the gradient function in the same way.
    """
    rng = np.random.default_rng(seed)
    arguments = [np.asarray(a) for a in arguments]
    weights = _weights(function, arguments, rng)
    gradients = _gradients(function, weights, arguments)
    for _ in range(2):
        directions = [_random(rng, a) for a in arguments]
        predicted = sum(np.sum(np.conj(g) * u).real for g, u in zip(gradients, directions))
        ahead, behind = (
            _projected(function, weights, [a + sign * step * u for a, u in zip(arguments, directions)])
            for sign in (1, -1)
        )
        measured = (ahead - behind) / (2 * step)
        scale = max(abs(measured), abs(predicted), 1.0)
        np.testing.assert_allclose(
            predicted, measured, rtol=0, atol=rtol * scale + atol, err_msg="gradient against finite differences"
        )
    if order > 1:

        def gradient_function(*tensors):
            return _gradient_tensors(function, weights, tensors)

        check_gradients(gradient_function, arguments, order - 1, seed + 1, step, rtol * 5, atol * 5)


def _outputs(function, tensors):
    return [t for t in tf.nest.flatten(function(*tensors)) if t.dtype.is_floating or t.dtype.is_complex]


def _weights(function, arguments, rng):
    outputs = _outputs(function, [tf.constant(a) for a in arguments])
    assert outputs, "no floating point output: nothing to differentiate"
    return [_random(rng, y.numpy()) for y in outputs]


def _random(rng, like):
    like = np.asarray(like)
    drawn = rng.normal(size=like.shape)
    if like.dtype.kind == "c":
        drawn = drawn + 1j * rng.normal(size=like.shape)
    return drawn.astype(like.dtype)


def _projected(function, weights, arguments):
    outputs = _outputs(function, [tf.constant(a) for a in arguments])
    return sum(np.sum(np.conj(w) * y.numpy()).real for w, y in zip(weights, outputs))


def _gradient_tensors(function, weights, tensors):
    with tf.GradientTape() as tape:
        tape.watch(list(tensors))
        outputs = _outputs(function, tensors)
    gradients = tape.gradient(outputs, list(tensors), output_gradients=[tf.constant(w) for w in weights])
    return [
        tf.constant(np.zeros(t.shape, t.dtype.as_numpy_dtype)) if g is None else tf.convert_to_tensor(g)
        for g, t in zip(gradients, tensors)
    ]


def _gradients(function, weights, arguments):
    return [g.numpy() for g in _gradient_tensors(function, weights, [tf.constant(a) for a in arguments])]
