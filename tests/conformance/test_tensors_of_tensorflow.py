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


def test_a_value_leaves_at_the_line_that_calls_tensorflow(real_tf):
    w = wg.Variable([1.0, 2.0])
    with wg.GradientTape() as tape:
        y = wg.reduce_sum(real_tf.sin(w))
    with pytest.warns(wg.NoGradientWarning) as caught:
        assert tape.gradient(y, w) is None
    (cause,) = caught[0].message.causes
    assert (cause.kind, cause.site.file, cause.site.text) == ("numpy-conversion", __file__, "real_tf.sin(w)")
