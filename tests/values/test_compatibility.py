"""`tf.compat`: kinds of numbers and text, sizes of shapes, and dates of TensorFlow's changes."""

import pathlib

import numpy as np

import whygrad as tf


def test_kinds():
    assert isinstance(np.int8(1), tf.compat.integral_types)
    assert isinstance(1.5, tf.compat.real_types)
    assert not isinstance(1j, tf.compat.real_types)
    assert isinstance(1j, tf.compat.complex_types)
    assert isinstance("text", tf.compat.bytes_or_text_types)
    assert tf.compat.path_to_str(pathlib.Path("a")) == tf.compat.path_to_str("a") == "a"


def test_sizes():
    shape = tf.TensorShape([2, None])
    assert tf.compat.dimension_value(shape[0]) == tf.compat.dimension_at_index(shape, 0) == 2
    assert tf.compat.dimension_at_index(shape, 1) is None
    assert tf.compat.dimension_at_index(tf.TensorShape(None), 0) is None


def test_dates():
    assert tf.compat.forward_compatible(2026, 1, 1)
    with tf.compat.forward_compatibility_horizon(2018, 8, 2):
        assert not tf.compat.forward_compatible(2018, 8, 2)
        assert tf.compat.forward_compatible(2018, 8, 1)
    assert tf.compat.forward_compatible(2018, 8, 2)
