"""Lookups, slices and scatters beyond the table of ops: sparse gradients, dtypes, aliasing and cost."""

import tracemalloc

import numpy as np
import pytest

import whygrad as tf
from whygrad.values import variable

DTYPES = [
    "float16", "float32", "float64", "bfloat16", "complex64", "complex128",
    "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "bool",
]  # fmt: skip


def _table(dtype):
    return tf.constant(np.arange(12).reshape(3, 4).astype(tf.as_dtype(dtype).as_numpy_dtype))


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_dtype_can_be_looked_up_and_sliced(dtype):
    x = _table(dtype)
    plain = x.numpy()
    for ours, numpys in [
        (x[1:, ::-2], plain[1:, ::-2]),
        (x[0, 1], plain[0, 1]),
        (tf.gather(x, [2, 0, 2]), plain[[2, 0, 2]]),
        (tf.gather(x, [3, 1], axis=1), plain[:, [3, 1]]),
        (tf.gather(x, [[3], [0], [1]], batch_dims=1), np.take_along_axis(plain, np.array([[3], [0], [1]]), 1)),
        (tf.gather_nd(x, [[0, 1], [2, 3]]), plain[[0, 2], [1, 3]]),
        (tf.boolean_mask(x, [True, False, True]), plain[[0, 2]]),
        (tf.scatter_nd([[2], [0], [1]], x, (3, 4)), plain[[1, 2, 0]]),
        (tf.tensor_scatter_nd_update(x, [[1]], x[:1]), plain[[0, 0, 2]]),
        (tf.dynamic_stitch([[2, 0, 1]], [x]), plain[[1, 2, 0]]),
        (tf.dynamic_partition(x, [0, 1, 0], 2)[0], plain[[0, 2]]),
    ]:
        assert ours.dtype == dtype
        np.testing.assert_array_equal(ours.numpy(), numpys)


def test_strings_can_be_looked_up():
    words = tf.constant([["a", "b"], ["c", "d"]])
    assert words[1, 0].numpy() == b"c"
    assert words[:, 1].numpy().tolist() == [b"b", b"d"]
    assert tf.gather(words, [1]).numpy().tolist() == [[b"c", b"d"]]
    assert tf.scatter_nd([[0], [0]], ["a", "b"], [2]).numpy().tolist() == [b"ab", b""]


def test_the_result_of_indexing_is_not_a_writable_view():
    x = tf.constant([1.0, 2.0, 3.0])
    for part in (x[:2], tf.gather(x, [0, 1]), x[...]):
        part.numpy()[:] = 9.0
        with pytest.raises(ValueError, match="read-only"):
            np.asarray(part)[0] = 9.0
    assert x.numpy().tolist() == [1.0, 2.0, 3.0]


def test_gradient_of_a_lookup_holds_the_rows_touched():
    table = tf.Variable(np.ones((5, 2), np.float32))
    with tf.GradientTape() as tape:
        y = tf.gather(table, [[1, 3], [1, 0]]) * 2.0
    gradient = tape.gradient(y, table)
    assert isinstance(gradient, tf.IndexedSlices)
    assert gradient.indices.numpy().tolist() == [1, 3, 1, 0]
    assert gradient.values.shape == (4, 2)
    assert gradient.dense_shape.numpy().tolist() == [5, 2]
    assert (gradient.shape, gradient.dtype) == ((5, 2), tf.float32)
    assert tf.convert_to_tensor(gradient).numpy()[:, 0].tolist() == [2.0, 4.0, 0.0, 2.0, 0.0]


def test_several_lookups_stay_sparse_and_a_dense_use_makes_them_dense():
    table = tf.Variable(np.ones((4, 2)))
    with tf.GradientTape(persistent=True) as tape:
        first, second = tf.gather(table, [0, 1]), tf.nn.embedding_lookup(table, [1, 2])
        total = tf.reduce_sum(first * second)
        mixed = total + tf.reduce_sum(table)
    sparse, dense = tape.gradient(total, table), tape.gradient(mixed, table)
    assert isinstance(sparse, tf.IndexedSlices)
    assert isinstance(dense, tf.Tensor)
    np.testing.assert_array_equal(tf.convert_to_tensor(sparse).numpy() + 1.0, dense.numpy())


def test_a_lookup_in_a_table_of_a_million_rows_costs_the_rows_touched(monkeypatch):
    # The runner of the tests may have threads; beside them, variables are not updated in place.
    monkeypatch.setattr(variable, "other_threads", lambda: False)

    table = tf.Variable(np.zeros((1_000_000, 32), np.float32))
    ids = tf.constant(np.arange(0, 1000, 3))
    place = table._value._array.ctypes.data
    tracemalloc.start()
    try:
        for _ in range(3):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(tf.gather(table, ids))
            table.scatter_sub(tape.gradient(loss, table))
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert table._value._array.ctypes.data == place
    assert most < 2e6  # the rows that are looked up have 43 kB, the table 128 MB


def test_iteration_and_unpacking_are_recorded():
    x = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        a, b, c = x
        y = a * b * c + sum(x)
    assert tape.gradient(y, x).numpy().tolist() == [7.0, 4.0, 3.0]


def test_a_variable_as_index_and_bound():
    x = tf.constant([1.0, 2.0, 3.0, 4.0])
    one = tf.Variable(1)
    assert x[one].numpy() == 2.0
    assert x[one : tf.Variable(4) : tf.Variable(2, dtype=tf.int64)].numpy().tolist() == [2.0, 4.0]


def test_positions_outside_are_left_out_if_asked():
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    assert tf.gather_nd(x, [[0, 5], [1, 1]], bad_indices_policy="IGNORE").numpy().tolist() == [0.0, 4.0]
    assert tf.scatter_nd([[7], [1]], [5.0, 6.0], [3], bad_indices_policy="IGNORE").numpy().tolist() == [0.0, 6.0, 0.0]
    added = tf.tensor_scatter_nd_add(x, [[9], [0]], x, bad_indices_policy="IGNORE")
    assert added.numpy().tolist() == [[4.0, 6.0], [3.0, 4.0]]


def test_integers_are_not_on_the_path():
    order = tf.constant([2, 0, 1])
    x = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.gather(x, tf.math.invert_permutation(order))
    assert tf.convert_to_tensor(tape.gradient(y, x)).numpy().tolist() == [1.0, 1.0, 1.0]


@pytest.mark.parametrize(
    "one",
    [
        lambda words: tf.gather(words, 1),
        lambda words: tf.gather_nd(words, [1]),
        lambda words: tf.nn.embedding_lookup(words, 1),
        lambda words: words[1],
        lambda words: tf.constant("") + words[1],
    ],
)
def test_one_string_of_several_is_a_tensor(one):
    word = one(tf.constant(["a", "b"]))
    assert repr(word) == "<tf.Tensor: shape=(), dtype=string, numpy=b'b'>"
    assert word.numpy() == b"b"


def test_a_traced_lookup_checks_the_indices_of_each_call():
    @tf.function
    def look_up(indices):
        return tf.gather([1.0, 2.0, 3.0], indices)

    with tf.tracing():  # which runs functions op by op
        assert look_up(tf.constant([2, 0])).numpy().tolist() == [3.0, 1.0]
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"indices\[1\] = -1 is not in \[0, 3\)"):
            look_up(tf.constant([0, -1]))


def test_a_traced_position_may_count_from_the_end():
    @tf.function
    def elements(x, i):
        return x[i], x[0, i]

    table = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    with tf.tracing():
        row, element = elements(table, tf.constant(-1))
        with pytest.raises(tf.errors.InvalidArgumentError, match="slice index 2 of dimension 1 out of bounds"):
            tf.function(lambda x, i: x[0, i])(table, tf.constant(2))
    assert row.numpy().tolist() == [3.0, 4.0]
    assert element.numpy() == 2.0
