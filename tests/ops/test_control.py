"""Control flow, TensorArray, py_function and numpy_function, beyond the table of ops."""

import numpy as np
import pytest

import whygrad as tf
from tests.support.gradients import gradients_of


def test_only_the_branch_taken_runs():
    called = []
    tf.cond(tf.constant(True), lambda: called.append("true"), lambda: called.append("false"))
    tf.switch_case(tf.constant(1), [lambda: called.append(0), lambda: called.append(1)])
    assert called == ["true", 1]


def test_branches_may_return_any_structure():
    assert tf.cond(True, lambda: {"a": [1, None]}, lambda: None) == {"a": [1, None]}
    assert tf.cond(False, lambda: 1, lambda: None) is None


def test_a_variable_in_a_branch_not_taken_has_no_gradient():
    v, w = tf.Variable(2.0), tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = tf.cond(tf.constant(True), lambda: v * v, lambda: w * w)
    assert [None if g is None else g.numpy() for g in tape.gradient(y, [v, w])] == [4.0, None]


def test_switch_case_out_of_range():
    functions = [lambda: 0, lambda: 1]
    assert tf.switch_case(tf.constant(7), functions) == 1
    assert tf.switch_case(tf.constant(-1), functions) == 1
    assert tf.switch_case(tf.constant(7), functions, default=lambda: 9) == 9


def test_switch_case_takes_pairs_and_dicts():
    assert tf.switch_case(tf.constant(0), {1: lambda: "one", 0: lambda: "zero"}) == "zero"
    assert tf.switch_case(tf.constant(1), [(1, lambda: "one"), (0, lambda: "zero")]) == "one"


def test_while_loop_in_a_tape():
    (gradient,) = gradients_of(
        tf, lambda x: tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * x), (0, tf.constant(1.0)))[1], 2.0
    )
    assert gradient.numpy() == 12.0


def test_while_loop_keeps_structures_and_converts():
    result = tf.while_loop(lambda i, d: False, lambda i, d: (i, d), (0, {"a": np.ones(2)}))
    assert isinstance(result, tuple)
    assert result[0].dtype is tf.int32
    assert result[1]["a"].dtype is tf.float64


def test_while_loop_whose_shape_grows():
    _, x = tf.while_loop(
        lambda i, x: i < 3,
        lambda i, x: (i + 1, tf.concat([x, x], 0)),
        (0, tf.constant([1.0])),
        shape_invariants=(tf.TensorShape([]), tf.TensorShape([None])),
    )
    assert x.shape == (8,)


def test_python_loops_in_a_tape():
    def collatz_like(x):
        y = x
        while y < 100.0:
            y = y * x if y > 10.0 else y + x
        return y

    (gradient,) = gradients_of(tf, collatz_like, 3.0)  # 3 + 3 + 3 + 3 = 12, then * 3 * 3: 4 x^3
    assert gradient.numpy() == 108.0


def test_map_fn_takes_variables_and_arrays():
    np.testing.assert_array_equal(tf.map_fn(lambda x: x + 1, tf.Variable([1, 2])).numpy(), [2, 3])
    np.testing.assert_array_equal(tf.map_fn(lambda x: x + 1, np.array([1, 2])).numpy(), [2, 3])


def test_map_fn_signatures():
    numbers = np.array([1, 2, 3])
    a, b = tf.map_fn(lambda x: (x, tf.cast(x, tf.float32)), numbers, fn_output_signature=(tf.int64, tf.float32))
    assert (a.dtype, b.dtype) == (tf.int64, tf.float32)
    spec = tf.TensorSpec([2], tf.float32)
    assert tf.map_fn(lambda x: tf.ones(2), numbers, fn_output_signature=spec).shape == (3, 2)
    assert tf.map_fn(lambda x: x, tf.zeros(0), fn_output_signature=spec).shape == (0, 2)
    assert tf.map_fn(lambda x: "", tf.zeros(0), dtype=tf.string).dtype is tf.string


def test_vectorized_map_of_constants_and_nothing():
    np.testing.assert_array_equal(tf.vectorized_map(lambda x: 5.0, tf.constant([1.0, 2.0])).numpy(), [5.0, 5.0])
    assert tf.vectorized_map(lambda x: None, tf.constant([1.0, 2.0])) is None


def test_folds_and_scans_of_structures():
    elems = (tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0]))
    assert [t.numpy() for t in tf.foldl(lambda a, x: (a[0] + x[0], a[1] * x[1]), elems)] == [3.0, 12.0]
    sums, products = tf.scan(lambda a, x: (a[0] + x[0], a[1] * x[1]), elems)
    assert (sums.numpy().tolist(), products.numpy().tolist()) == ([1.0, 3.0], [3.0, 12.0])


def test_scan_of_a_fold():
    inner = tf.constant([0.5, 0.5])
    result = tf.scan(
        lambda a, x: tf.foldl(lambda b, y: b * y * x, inner, initializer=a), tf.constant([1.0, 2.0, 3.0, 4.0])
    )
    np.testing.assert_allclose(result.numpy(), [1.0, 1.0, 2.25, 9.0])


# -- TensorArray --


def test_tensor_array_properties():
    array = tf.TensorArray(tf.float32, size=tf.constant(4), element_shape=[2])
    assert array.dtype is tf.float32
    assert array.element_shape == (2,)
    assert not array.dynamic_size
    assert array.size().numpy() == 4
    assert not tf.nest.is_nested(array)


def test_tensor_array_grows_where_asked():
    array = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
    assert array.write(2, 1.0).stack().numpy().tolist() == [0.0, 0.0, 1.0]
    assert array.scatter([4, 1], [5.0, 6.0]).stack().numpy().tolist() == [0.0, 6.0, 1.0, 0.0, 5.0]
    assert array.unstack([1.0]).size().numpy() == 1


def test_tensor_array_elements_never_written_are_zeros():
    assert tf.TensorArray(tf.float32, 2).write(1, [1.0, 2.0]).stack().numpy().tolist() == [[0.0, 0.0], [1.0, 2.0]]
    assert tf.TensorArray(tf.string, 2).write(0, "a").stack().numpy().tolist() == [b"a", b""]
    assert tf.TensorArray(tf.float32, 0).stack().shape == (0,)


def test_tensor_array_casts_the_elements_it_unstacks():
    assert tf.TensorArray(tf.float32, 2).unstack(tf.constant([1, 2])).stack().dtype is tf.float32


def test_tensor_array_reads_clear():
    array = tf.TensorArray(tf.float32, 2).unstack([1.0, 2.0])
    assert array.read(0).numpy() == 1.0
    assert array.write(0, 7.0).stack().numpy().tolist() == [7.0, 2.0]
    array.close()
    assert array.size().numpy() == 0


# -- py_function and numpy_function --


def test_py_function_converts_arguments_and_results():
    seen = []
    y = tf.py_function(lambda x, n: seen.append(x) or [1, 2.5], [tf.Variable(1.0), 3], [tf.float32, tf.float32])
    assert isinstance(seen[0], tf.Tensor)
    assert [t.numpy() for t in y] == [1.0, 2.5]
    assert tf.py_function(lambda x: None, [1.0], []) == []


def test_py_function_as_decorator():
    @tf.py_function(Tout=tf.float32)
    def double(x):
        return x * 2.0

    assert double(tf.constant(2.0)).numpy() == 4.0


@pytest.mark.parametrize("op", [tf.py_function, tf.numpy_function])
def test_functions_of_python_refuse_missing_arguments(op):
    with pytest.raises(TypeError, match=r"Missing.*Tout"):  # as a bare decorator
        op(lambda x: x)
    with pytest.raises(TypeError, match=r"Don't.*inp.*decorator"):
        op(inp=[], Tout=tf.int32)
    with pytest.raises(TypeError, match=r"Missing.*inp"):
        op(lambda: 1, Tout=tf.int32)


def test_tensors_captured_by_py_function_get_no_gradient():
    w = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = tf.py_function(lambda x: x * w, [tf.constant(3.0)], tf.float32)
    assert tape.gradient(y, w) is None


def test_py_function_that_leaves_for_numpy_has_zeros_of_the_sources_shape():
    (gradient,) = gradients_of(tf, lambda x: tf.py_function(lambda x: x.numpy() ** 2, [x], tf.float32), [3.0, 2.0])
    assert gradient.numpy().tolist() == [0.0, 0.0]


def test_py_function_with_an_integer_input():
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.py_function(lambda x, n: x * tf.cast(n, tf.float32), [x, tf.constant(3)], tf.float32)
    assert tape.gradient(y, x).numpy().tolist() == [3.0, 3.0]


def test_py_function_second_derivative():
    x = tf.constant(3.0)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.py_function(lambda x: x * x * x, [x], tf.float32)
        first = tape.gradient(y, x)
    assert (first.numpy(), outer.gradient(first, x).numpy()) == (27.0, 18.0)


def test_an_error_inside_py_function_keeps_its_cause():
    with pytest.raises(tf.errors.UnknownError, match="Input to reshape") as caught:
        tf.py_function(lambda x: tf.reshape(x, (3,)), [tf.ones((2,))], tf.float32)
    assert isinstance(caught.value.__cause__, tf.errors.InvalidArgumentError)


def test_numpy_function_sees_numbers_as_numpy_does():
    seen = []
    tf.numpy_function(
        lambda *given: seen.extend(x.dtype.name for x in given), [1.5, 2, tf.constant(1.5), tf.Variable(2)], []
    )
    assert seen == ["float64", "int64", "float32", "int32"]


def test_numpy_function_hands_out_copies():
    x = tf.constant([1.0, 2.0])

    def write(array):
        array[0] = 9.0
        return array

    assert tf.numpy_function(write, [x], tf.float32).numpy().tolist() == [9.0, 2.0]
    assert x.numpy().tolist() == [1.0, 2.0]


def test_numpy_function_records_that_it_has_no_gradient():
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.numpy_function(lambda x: x * x, [x], tf.float32)
    (record,) = tape.records
    assert record.plan.primitive.name == "numpy_function"
    assert "NumPy" in record.plan.primitive.no_gradient
    assert tape.gradient(y, x) is None


def test_a_loop_hands_indexed_slices_on():
    slices = tf.IndexedSlices(tf.ones([2, 3]), tf.constant([0, 2]), tf.constant([4, 3]))

    def double(i, rows):
        return i + 1, tf.IndexedSlices(rows.values * 2.0, rows.indices, rows.dense_shape)

    _, found = tf.while_loop(lambda i, rows: i < 3, double, (tf.constant(0), slices))
    assert isinstance(found, tf.IndexedSlices)
    assert found.values.numpy().tolist() == [[8.0] * 3] * 2
    assert found.dense_shape.numpy().tolist() == [4, 3]
