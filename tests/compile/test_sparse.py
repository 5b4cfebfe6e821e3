"""Sparse tensors inside of compiled functions."""

import numpy as np
import pytest

import whygrad as tf

POSITIONS = tf.constant([[0, 1], [1, 0], [1, 2]], tf.int64)


def of_constant_positions(v, x):
    s = tf.SparseTensor([[0, 1], [1, 0], [1, 2]], v, [2, 3])
    both = tf.sparse.add(s, tf.sparse.transpose(tf.sparse.reshape(s, [3, 2])))
    return tf.sparse.sparse_dense_matmul(s, x), tf.sparse.reduce_sum(both, 1), tf.sparse.softmax(s).values


def of_any_positions(v, x, positions=POSITIONS):
    s = tf.SparseTensor(positions, v, [2, 3])
    return (
        tf.sparse.sparse_dense_matmul(s, x),
        tf.sparse.reduce_sum(s, 1),
        tf.sparse.to_dense(s),
        (s * tf.ones((2, 3))).values,
    )


@pytest.mark.parametrize("function", [of_constant_positions, of_any_positions])
def test_values_and_gradients_are_those_of_python(function):
    v, x = tf.Variable([1.0, 2.0, 3.0]), tf.ones((3, 2))
    found = []
    for called in (function, tf.function(function, jit_compile=True)):
        with tf.GradientTape() as tape:
            y = called(v, x)
        found.append([each.numpy() for each in (*y, tape.gradient(y, v))])
    for eager, compiled in zip(*found):
        np.testing.assert_allclose(compiled, eager, rtol=1e-6)


def test_positions_may_be_arguments():
    compiled = tf.function(of_any_positions, jit_compile=True)
    v, x = tf.constant([1.0, 2.0, 3.0]), tf.ones((3, 2))
    assert compiled(v, x, POSITIONS)[1].numpy().tolist() == [1.0, 5.0]
    assert compiled(v, x, tf.constant([[0, 0], [0, 1], [0, 2]], tf.int64))[1].numpy().tolist() == [6.0, 0.0]
    assert compiled.experimental_get_tracing_count() == 1
