"""Ragged tensors, compared with tables of TensorFlow's results, and what the tables do not show."""

import pathlib
import pickle

import numpy as np
import pytest

import whygrad as tf
from tests.support.expressions import differences, read

FOLDER = pathlib.Path(__file__).parent


@pytest.mark.parametrize(("name", "at_least"), [("ragged.txt", 180), ("ragged_ops.txt", 180)])
def test_results_are_those_of_the_table(name, at_least):
    rows = read(FOLDER / name)
    assert len(rows) >= at_least
    assert differences(tf, rows) == []


def test_tf_print_shows_the_rows(capsys):
    tf.print("rows:", tf.ragged.constant([[1, 2], [3]]))
    tf.print({"rows": tf.ragged.constant([[1, 2], [3]])})
    assert capsys.readouterr().err == "rows: [[1, 2], [3]]\n{'rows': [[1, 2], [3]]}\n"


def test_pickled_rows_come_back():
    value = tf.ragged.constant([[["a"], []], [["b", "c"]]])
    assert pickle.loads(pickle.dumps(value)).to_list() == value.to_list()


def test_a_dense_op_says_how_to_make_the_rows_dense():
    with pytest.raises(ValueError, match=r"RaggedTensor.*value\.to_tensor\(\)"):
        tf.sort(tf.ragged.constant([[1, 2], [3]]))


def test_a_function_of_ragged_tensors_runs_as_python_for_any_rows():
    @tf.function
    def total(rows):
        return tf.reduce_sum(rows, axis=1)

    assert total(tf.ragged.constant([[1, 2], [3]])).numpy().tolist() == [3, 3]
    assert total(tf.ragged.constant([[1], [2], [3]])).numpy().tolist() == [1, 2, 3]
    assert total.experimental_get_tracing_count() == 0


def test_a_function_that_returns_rows_runs_as_python():
    @tf.function
    def rows(x):
        return tf.RaggedTensor.from_row_lengths(x * 2, [2, 1])

    with pytest.warns(tf.FunctionWarning, match="returns dense tensors, not a RaggedTensor"):
        assert rows(tf.constant([1, 2, 3])).to_list() == [[2, 4], [6]]


def test_a_function_may_compute_with_constant_rows_inside():
    @tf.function
    def sums(x):
        return tf.reduce_sum(tf.RaggedTensor.from_row_lengths(x, [2, 1]), axis=1)

    assert sums(tf.constant([1.0, 2.0, 3.0])).numpy().tolist() == [3.0, 3.0]


class TestGradients:
    def test_go_through_the_flat_values(self):
        x = tf.Variable([1.0, 2.0, 3.0])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.RaggedTensor.from_row_lengths(x, [2, 1]) ** 2, axis=1)
        assert tape.gradient(y, x).numpy().tolist() == [2.0, 4.0, 6.0]

    @pytest.mark.parametrize(
        ("function", "expected"),
        [
            (lambda r: tf.reduce_sum(r * r), [[2.0, 4.0], [6.0]]),
            (lambda r: r * 2.0, [[2.0, 2.0], [2.0]]),
            (lambda r: tf.reduce_max(r, axis=1), [[0.0, 1.0], [1.0]]),
            (lambda r: r[:, :1], [[1.0, 0.0], [1.0]]),
            (lambda r: tf.gather(r, [1, 1]), [[0.0, 0.0], [2.0]]),
            (lambda r: r.to_tensor(), [[1.0, 1.0], [1.0]]),
            (lambda r: tf.reshape(r, [3]) * [1.0, 2.0, 3.0], [[1.0, 2.0], [3.0]]),
            (lambda r: tf.broadcast_to(r[0, :1], tf.shape(r)), [[3.0, 0.0], [0.0]]),
            (lambda r: tf.reduce_mean(r, axis=1), [[0.5, 0.5], [1.0]]),
            (lambda r: tf.concat([r, r], 1), [[2.0, 2.0], [2.0]]),
            (lambda r: tf.math.cumsum(r, axis=1), [[2.0, 1.0], [1.0]]),
            (lambda r: r + tf.constant([[1.0], [2.0]]), [[1.0, 1.0], [1.0]]),
        ],
    )
    def test_for_a_ragged_source_have_its_rows(self, function, expected):
        rows = tf.ragged.constant([[1.0, 2.0], [3.0]])
        with tf.GradientTape() as tape:
            tape.watch(rows)
            y = function(rows)
        assert tape.gradient(y, {"rows": rows})["rows"].to_list() == expected

    def test_take_ragged_upstream_gradients(self):
        rows = tf.ragged.constant([[1.0, 2.0], [3.0]])
        with tf.GradientTape() as tape:
            tape.watch(rows)
            y = rows * 2.0
        found = tape.gradient(y, rows, output_gradients=tf.ragged.constant([[1.0, 5.0], [3.0]]))
        assert found.to_list() == [[2.0, 10.0], [6.0]]

    def test_of_a_softmax_are_those_of_each_row(self):
        rows = tf.ragged.constant([[1.0, 2.0, 0.5], [3.0, 1.0]])
        with tf.GradientTape() as tape:
            tape.watch(rows)
            y = tf.nn.softmax(rows)[:, :1]
        found = tape.gradient(y, rows)
        for i in range(2):
            row = tf.constant(rows[i])
            with tf.GradientTape() as tape:
                tape.watch(row)
                y = tf.nn.softmax(row)[0]
            np.testing.assert_allclose(found[i].numpy(), tape.gradient(y, row).numpy(), atol=1e-6)


def test_py_function_takes_and_gives_ragged_and_sparse_tensors():
    x = tf.ragged.constant([[1.0, 2.0, 3.0], [4.0]])
    spec = tf.RaggedTensorSpec([None, None], tf.float32)
    doubled, count = tf.py_function(lambda v: (v * 2.0, 4), [x], [spec, tf.int32])
    assert doubled.to_list() == [[2.0, 4.0, 6.0], [8.0]]
    assert count.numpy() == 4
    assert tf.py_function(lambda v: None, [x], []) == []
    with tf.GradientTape() as tape:
        tape.watch(x.flat_values)
        y = tf.py_function(lambda v: tf.reduce_sum(v * v), [x], tf.float32)
    np.testing.assert_array_equal(tape.gradient(y, x.flat_values).numpy(), [2.0, 4.0, 6.0, 8.0])
    sparse = tf.sparse.from_dense([[1.0, 0.0], [0.0, 2.0]])
    same = tf.py_function(lambda v: v, [sparse], tf.SparseTensorSpec([2, 2], tf.float32))
    np.testing.assert_array_equal(tf.sparse.to_dense(same).numpy(), [[1.0, 0.0], [0.0, 2.0]])
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"returned .* which did not match Tout="):
        tf.py_function(lambda v: v + 3.0, [x], tf.float32)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"returned .* which did not match Tout="):
        tf.py_function(lambda v: v, [tf.constant([[1.0]])], spec)


def test_rows_that_do_not_match_are_those_of_the_axis_that_differs():
    x, y = tf.ragged.constant([[[1, 2], [3]], [[4]]]), tf.ragged.constant([[[1, 2], [3, 3]], [[4]]])
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"lengths \[2, 1, 1\] and \[2, 2, 1\]"):
        x + y
