"""`tf.experimental.numpy.random`: shapes, dtypes, ranges and what is refused; its numbers are compared with TensorFlow's elsewhere."""

import numpy as np
import pytest

import whygrad as tf
import whygrad.numpy as wnp


@pytest.mark.parametrize(
    ("draw", "shape", "dtype"),
    [
        (lambda r: r.randn(), (), tf.float64),
        (lambda r: r.randn(2, 3), (2, 3), tf.float64),
        (lambda r: r.standard_normal(4), (4,), tf.float64),
        (lambda r: r.rand(2), (2,), tf.float64),
        (lambda r: r.random((1, 2)), (1, 2), tf.float64),
        (lambda r: r.uniform(0, [1, 2]), (2,), tf.float64),
        (lambda r: r.poisson(3.0), (), tf.int64),
        (lambda r: r.poisson([1.0, 2.0], 3), (3, 2), tf.int64),
        (lambda r: r.randint(5, size=3), (3,), tf.int64),
        (lambda r: r.randint(2, 5, (2, 2), np.int32), (2, 2), tf.int32),
    ],
)
def test_shapes_and_dtypes(draw, shape, dtype):
    drawn = draw(wnp.random)
    assert drawn.shape == shape
    assert drawn.dtype == dtype


def test_the_seed_repeats_the_numbers():
    drawn = []
    for _ in range(2):
        wnp.random.seed(3)
        drawn.append(wnp.random.randn(5).numpy())
    np.testing.assert_array_equal(*drawn)


def test_ranges():
    assert set(wnp.random.randint(2, 5, 200).numpy().tolist()) == {2, 3, 4}
    assert wnp.random.uniform(2.0, 3.0, 100).numpy().min() >= 2.0


def test_what_is_refused():
    with pytest.raises(ValueError, match="Only integers are supported"):
        wnp.random.seed([1])
    with pytest.raises(ValueError, match="int32 and int64"):
        wnp.random.randint(3, dtype=np.int8)
