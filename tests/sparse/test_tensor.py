"""Sparse tensors, compared with tables of TensorFlow's results, and what the tables do not show."""

import pathlib
import pickle

import numpy as np
import pytest

import whygrad as tf
from tests.support.expressions import differences, read

FOLDER = pathlib.Path(__file__).parent
POSITIONS = [[0, 1], [1, 0], [1, 2]]


def sparse(values=(1.0, -2.0, 3.0), shape=(2, 3)):
    return tf.SparseTensor(POSITIONS, list(values) if isinstance(values, tuple) else values, list(shape))


def test_results_are_those_of_the_table():
    rows = read(FOLDER / "sparse.txt")
    assert len(rows) >= 250
    assert differences(tf, rows) == []


def test_tf_print_shows_the_parts(capsys):
    tf.print(tf.sparse.from_dense([[0, 1.0], [2, 0]]))
    assert capsys.readouterr().err == "'SparseTensor(indices=[[0 1]\n [1 0]], values=[1 2], shape=[2 2])'\n"
    tf.print({"s": tf.sparse.from_dense([0, 3]), "n": 1})
    assert capsys.readouterr().err == "{'n': 1, 's': 'SparseTensor(indices=[[1]], values=[3], shape=[2])'}\n"


def test_a_pickled_one_comes_back():
    found = pickle.loads(pickle.dumps(tf.SparseTensor([[0, 1]], ["a"], [2, 2])))
    assert (found.values.numpy().tolist(), found.shape.as_list()) == ([b"a"], [2, 2])


def test_a_dense_op_says_what_to_write():
    with pytest.raises(ValueError, match=r"SparseTensor.*tf\.sparse\.reduce_sum.*tf\.sparse\.to_dense\(value\)"):
        tf.reduce_sum(sparse())
    with pytest.raises(TypeError, match=r"unsupported operand type\(s\) for \+.*tf\.sparse\.to_dense"):
        sparse() + 1.0


def test_a_ragged_function_leaves_sparse_tensors_alone():
    tf.ragged.constant([[1], [2, 3]])  # from here on these functions take ragged tensors
    assert tf.cast(sparse(), tf.int32).values.numpy().tolist() == [1, -2, 3]
    assert tf.size(sparse()).numpy() == 6
    with pytest.raises(ValueError, match="SparseTensor"):
        tf.concat([sparse(), sparse()], 0)


def test_the_products_of_sparse_matrices_are_those_of_dense_ones():
    from whygrad.sparse.products import sparse_sparse_matmul

    rng = np.random.default_rng(0)
    for shape_a, shape_b in (((4, 5), (5, 3)), ((2, 4, 5), (2, 5, 3))):
        a, b = [rng.normal(size=shape) * (rng.random(shape) < 0.4) for shape in (shape_a, shape_b)]
        found = sparse_sparse_matmul(tf.sparse.from_dense(a), tf.sparse.from_dense(b))
        np.testing.assert_allclose(tf.sparse.to_dense(found), a @ b)


class TestInFunctions:
    def test_one_of_sparse_arguments_runs_as_python_for_any_number_of_elements(self):
        @tf.function
        def total(value):
            return tf.sparse.reduce_sum(value, axis=1)

        assert total(sparse()).numpy().tolist() == [1.0, 1.0]
        assert total(tf.SparseTensor([[0, 0]], [5.0], [2, 3])).numpy().tolist() == [5.0, 0.0]
        assert total.experimental_get_tracing_count() == 0

    def test_one_that_returns_a_sparse_tensor_runs_as_python(self):
        @tf.function
        def doubled(values):
            return sparse(values * 2.0)

        with pytest.warns(tf.FunctionWarning, match="returns dense tensors, not a SparseTensor"):
            assert doubled(tf.constant([1.0, 2.0, 3.0])).values.numpy().tolist() == [2.0, 4.0, 6.0]


class TestGradients:
    @pytest.mark.parametrize(
        ("function", "expected"),
        [
            (tf.sparse.to_dense, [1.0, 1.0, 1.0]),
            (lambda s: tf.sparse.to_dense(s) ** 2, [2.0, -4.0, 6.0]),
            (lambda s: tf.sparse.reduce_sum(s, axis=1) ** 2, [2.0, 2.0, 2.0]),
            (lambda s: tf.sparse.sparse_dense_matmul(s, [[1.0], [2.0], [3.0]]), [2.0, 1.0, 3.0]),
            (lambda s: tf.sparse.transpose(s).values * [1.0, 2.0, 3.0], [2.0, 1.0, 3.0]),
            (lambda s: tf.sparse.add(s, s).values, [2.0, 2.0, 2.0]),
            (lambda s: s * [10.0, 20.0, 30.0], [20.0, 10.0, 30.0]),
            (lambda s: tf.sparse.slice(s, [1, 0], [1, 3]), [0.0, 1.0, 1.0]),
        ],
    )
    def test_for_a_sparse_source_have_its_positions(self, function, expected):
        source = sparse()
        with tf.GradientTape() as tape:
            tape.watch(source)
            y = function(source)
        found = tape.gradient(y, {"source": source})["source"]
        assert found.indices.numpy().tolist() == POSITIONS
        assert found.values.numpy().tolist() == expected

    def test_take_sparse_upstream_gradients(self):
        source = sparse()
        with tf.GradientTape() as tape:
            tape.watch(source)
            y = source * 2.0
        assert tape.gradient(y, source, output_gradients=sparse()).values.numpy().tolist() == [2.0, -4.0, 6.0]

    def test_of_gradients(self):
        x = tf.Variable([1.0, -2.0, 3.0])
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                y = tf.sparse.sparse_dense_matmul(sparse(x * x), tf.ones((3, 1)))
            g = inner.gradient(y, x)
        assert outer.gradient(g, x).numpy().tolist() == [2.0, 2.0, 2.0]

    def test_an_inf_through_a_sparse_product_names_the_line_of_its_birth(self):
        x = tf.Variable([1.0, 0.0, 3.0])
        with tf.GradientTape() as tape:
            y = tf.sparse.sparse_dense_matmul(sparse(tf.sqrt(x)), tf.ones((3, 1)))
        with pytest.warns(tf.GradientWarning, match=r"tf\.sqrt\(x\)"):
            tape.gradient(y, x)

    def test_a_none_names_the_line_that_cuts_the_path(self):
        x = tf.Variable([1.0, 2.0, 3.0])
        with tf.GradientTape() as tape:
            y = tf.sparse.to_dense(tf.cast(sparse(x), tf.int32))
        with pytest.warns(tf.GradientWarning, match=r"tf\.cast\(sparse\(x\), tf\.int32\)"):
            assert tape.gradient(tf.cast(y, tf.float32), x) is None

    def test_end_at_a_concat_as_in_tensorflow_with_the_reason(self):
        x = tf.Variable([1.0, 2.0, 3.0])
        with tf.GradientTape() as tape:
            y = tf.sparse.reduce_sum(tf.sparse.concat(0, [sparse(x), sparse(x)]))
        with pytest.warns(tf.GradientWarning, match=r"SparseConcat\s+has\s+no\s+gradient\s+in\s+TensorFlow"):
            assert tape.gradient(y, x) is None


def test_a_size_of_minus_1_is_unknown():
    assert tf.SparseTensor([[0, 2]], [1], [-1, 5]).shape.as_list() == [None, 5]
