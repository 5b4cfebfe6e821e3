"""Tensors of TensorFlow itself are taken as numbers."""

import numpy as np
import pytest

import whygrad as wg

pytestmark = pytest.mark.tensorflow


def test_they_are_converted(real_tf):
    theirs = real_tf.constant([1.0, 2.0, 3.0])
    for made in (wg.constant(theirs), wg.ones(3) * theirs, wg.Variable(theirs), wg.convert_to_tensor(theirs)):
        np.testing.assert_array_equal(made.numpy(), [1.0, 2.0, 3.0])
    assert wg.constant(real_tf.Variable([1, 2])).dtype == wg.int32
    assert wg.constant(theirs, wg.float64).dtype == wg.float64
