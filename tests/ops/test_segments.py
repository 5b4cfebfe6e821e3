"""Segments beyond the table of ops: dtypes, and IndexedSlices, which become dense through them."""

import numpy as np
import pytest

import whygrad as tf

NUMBERS = ["float16", "float32", "float64", "bfloat16", "int8", "int16", "int32", "int64", "uint8", "uint32", "uint64"]


@pytest.mark.parametrize("dtype", NUMBERS)
def test_segments_of_every_dtype(dtype):
    data = tf.constant(np.array([1, 2, 4, 3]), dtype)
    ids = [0, 0, 2, 2]
    expected = {"sum": [3, 0, 7], "prod": [2, 1, 12], "max": [2, 0, 4], "min": [1, 0, 3]}
    for name, values in expected.items():
        found = getattr(tf.math, f"segment_{name}")(data, ids)
        assert found.dtype == dtype
        assert found.numpy().astype(float).tolist() == values
    assert tf.math.unsorted_segment_sum(data, [1, -1, 0, 1], 2).numpy().astype(float).tolist() == [4, 4]
    lowest, highest = (float(extreme) for extreme in (tf.as_dtype(dtype).min, tf.as_dtype(dtype).max))
    assert tf.math.unsorted_segment_max(data, ids, 3).numpy().astype(float).tolist() == [2, lowest, 4]
    assert tf.math.unsorted_segment_min(data, ids, 3).numpy().astype(float).tolist() == [1, highest, 3]


def test_indexed_slices_become_dense_and_their_values_get_a_gradient():
    values = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    with tf.GradientTape() as tape:
        tape.watch(values)
        slices = tf.IndexedSlices(values, tf.constant([2, 0, 2]), tf.constant([4, 2]))
        dense = tf.convert_to_tensor(slices)
        y = tf.reduce_sum(dense * dense)
    assert dense.numpy().tolist() == [[3.0, 4.0], [0.0, 0.0], [6.0, 8.0], [0.0, 0.0]]
    assert tape.gradient(y, values).numpy().tolist() == [[12.0, 16.0], [6.0, 8.0], [12.0, 16.0]]


def test_indexed_slices_with_tensors():
    slices = tf.IndexedSlices(tf.constant([[1.0], [2.0]]), tf.constant([0, 2]), tf.constant([3, 1]))
    ones = tf.ones((3, 1))
    assert (slices + ones).numpy().ravel().tolist() == [2.0, 1.0, 3.0]
    assert (ones * slices).numpy().ravel().tolist() == [1.0, 0.0, 2.0]
    assert tf.reduce_sum(slices).numpy() == 3.0
    assert (-slices).values.numpy().ravel().tolist() == [-1.0, -2.0]
    with pytest.raises(TypeError, match="unsupported operand"):
        slices * 2  # type: ignore[operator]


def test_indexed_slices_as_tensorflow_prints_them():
    slices = tf.IndexedSlices(tf.constant([1.0]), tf.constant([2]), tf.constant([3]))
    assert str(slices) == (
        "IndexedSlices(indices=tf.Tensor([2], shape=(1,), dtype=int32), values=tf.Tensor([1.], shape=(1,), "
        "dtype=float32), dense_shape=tf.Tensor([3], shape=(1,), dtype=int32))"
    )
    assert str(tf.IndexedSlices(tf.constant([1.0]), tf.constant([2]))) == (
        "IndexedSlices(indices=tf.Tensor([2], shape=(1,), dtype=int32), values=tf.Tensor([1.], shape=(1,), dtype=float32))"
    )


def test_indexed_slices_that_cannot_become_dense():
    values, indices = tf.constant([[1.0], [2.0]]), tf.constant([0, 7])
    with pytest.raises(ValueError, match="requested for IndexedSlices for argument `value` without dense_shape"):
        tf.convert_to_tensor(tf.IndexedSlices(values, indices))
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"segment_ids\[1\] = 7 is out of range \[0, 3\)"):
        tf.convert_to_tensor(tf.IndexedSlices(values, indices, tf.constant([3, 1])))
    with pytest.raises(ValueError, match="Incompatible tensor conversion requested to `dtype` float64"):
        tf.convert_to_tensor(tf.IndexedSlices(values, tf.constant([0, 1]), tf.constant([3, 1])), tf.float64)
