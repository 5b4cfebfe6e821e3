"""Sorting beyond the table of ops: agreement with NumPy on random data, names of results, ties."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import whygrad as tf

ARRAYS = hnp.arrays(
    st.sampled_from([np.float32, np.float64, np.int8, np.int64, np.uint64, np.float16]),
    hnp.array_shapes(max_dims=3, max_side=40),
    elements={"allow_nan": False},
)


@given(ARRAYS, st.integers(-3, 2), st.booleans())
def test_sort_and_argsort_agree_with_numpy(x, axis, descending):
    axis = axis % x.ndim
    direction = "DESCENDING" if descending else "ASCENDING"
    expected = np.flip(np.sort(x, axis), axis) if descending else np.sort(x, axis)
    np.testing.assert_array_equal(tf.sort(x, axis, direction).numpy(), expected)
    order = tf.argsort(x, axis, direction, stable=True).numpy()
    np.testing.assert_array_equal(np.take_along_axis(x, order, axis), expected)
    first, last = (np.delete(expected, end, axis) for end in (-1, 0))
    equal = first == last
    assert np.all(np.diff(order, axis=axis)[equal] > 0), "equals keep their order"


@given(ARRAYS, st.integers(0, 40))
def test_top_k_is_the_head_of_a_stable_descending_sort(x, k):
    k = min(k, x.shape[-1])
    values, indices = tf.math.top_k(x, k)
    order = tf.argsort(x, direction="DESCENDING").numpy()[..., :k]
    np.testing.assert_array_equal(indices.numpy(), order)
    np.testing.assert_array_equal(values.numpy(), np.take_along_axis(x, order, -1))


@given(hnp.arrays(np.int32, (3, 7), elements=st.integers(0, 9)), st.sampled_from(["left", "right"]))
def test_searchsorted_goes_row_by_row(x, side):
    rows = np.sort(x, axis=1)
    wanted = np.arange(-1, 11)[None].repeat(3, 0).astype(np.int32)
    expected = [np.searchsorted(row, each, side) for row, each in zip(rows, wanted)]
    np.testing.assert_array_equal(tf.searchsorted(rows, wanted, side=side).numpy(), expected)


@given(hnp.arrays(np.int32, st.integers(0, 30), elements=st.integers(0, 9)))
def test_unique_gives_the_vector_back(x):
    y, idx, count = tf.unique_with_counts(x)
    np.testing.assert_array_equal(y.numpy()[idx.numpy()], x)
    assert y.numpy().tolist() == list(dict.fromkeys(x.tolist()))
    assert count.numpy().tolist() == [x.tolist().count(each) for each in y.numpy()]


def test_results_have_names():
    top = tf.nn.top_k([1.0, 3.0, 2.0], k=2, sorted=False, name="top")
    assert (top.values.numpy().tolist(), top.indices.numpy().tolist()) == ([3.0, 2.0], [1, 2])
    distinct = tf.unique(["b", "a", "b"])
    assert (distinct.y.numpy().tolist(), distinct.idx.numpy().tolist()) == ([b"b", b"a"], [0, 1, 0])


def test_the_largest_of_rows_without_numbers():
    values, indices = tf.math.top_k([[np.nan, np.nan], [1.0, np.nan]], k=1)
    assert np.isnan(values.numpy()).all()
    assert indices.numpy().tolist() == [[0], [1]]


def test_the_gradient_of_equals_goes_to_the_first():
    x = tf.Variable([2.0, 5.0, 5.0, 5.0])
    with tf.GradientTape() as tape:
        y = tf.math.top_k(x, 2).values * [1.0, 10.0]
    assert tape.gradient(y, x).numpy().tolist() == [0.0, 1.0, 10.0, 0.0]


def test_a_negative_flat_index_is_refused():
    with pytest.raises(tf.errors.InvalidArgumentError, match="index is out of bound"):
        tf.unravel_index([-1], [3, 3])
