"""Comparing the results of a compiled function with those of eager execution."""

import numpy as np

import whygrad as tf


def assert_same(found, expected):
    """Two structures hold the same numbers, up to rounding in float32."""
    for a, b in zip(tf.nest.flatten(found), tf.nest.flatten(expected), strict=True):
        np.testing.assert_allclose(tf.convert_to_tensor(a), tf.convert_to_tensor(b), rtol=2e-5, atol=1e-6)


def derivatives(program, x, w, unconnected_gradients="none"):
    """The results of `program(x, w)`, the gradients of their sum, and the gradients of the sum of these gradients' squares."""
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            results = program(x, w)
            floats = [each for each in tf.nest.flatten(results) if each.dtype.is_floating]
            total = tf.add_n([tf.reduce_sum(each) for each in floats])
        first = tape.gradient(total, [x, w])
        squares = tf.add_n([tf.reduce_sum(tf.convert_to_tensor(each) ** 2) for each in first])
    return results, first, outer.gradient(squares, [x, w], unconnected_gradients=unconnected_gradients)
