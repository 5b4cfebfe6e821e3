"""Python called from compiled functions: tf.print, py_function and numpy_function."""

import sys

import numpy as np
import pytest

import whygrad as tf

# Each test compiles a function of its own, once.
pytestmark = pytest.mark.filterwarnings("ignore::whygrad.view.notice.RetracingWarning")


def test_prints_come_in_order_and_before_the_call_returns(capsys):
    @tf.function
    def squares(x):
        tf.print("x:", x, {"a": tf.constant([1, 2]), "b": x * 2.0}, output_stream=sys.stdout)
        y = x * x
        tf.print("y:", tf.cast(y, tf.float64) / 3.0, output_stream=sys.stdout)
        return y

    squares(tf.constant([1.0, 2.0]))
    print("after")
    squares(tf.constant([3.0, 4.0]))
    assert capsys.readouterr().out.splitlines() == [
        "x: [1 2] {'a': [1 2], 'b': [2 4]}",
        "y: [0.33333333333333331 1.3333333333333333]",
        "after",
        "x: [3 4] {'a': [1 2], 'b': [6 8]}",
        "y: [3 5.333333333333333]",
    ]


def test_a_loop_prints_each_iteration(capsys):
    @tf.function
    def count(n):
        def body(i):
            tf.print(i, output_stream=sys.stdout)
            return [i + 1]

        return tf.while_loop(lambda i: i < n, body, [tf.constant(0)])[0]

    assert int(count(tf.constant(3))) == 3
    assert capsys.readouterr().out.split() == ["0", "1", "2"]


@pytest.mark.parametrize("limit", [None, 2])
def test_a_condition_prints_though_the_number_of_iterations_is_known(capsys, limit):
    @tf.function
    def squared(x):
        def condition(i, y):
            tf.print("asked", i, output_stream=sys.stdout)
            return i < 2

        return tf.while_loop(condition, lambda i, y: (i + 1, y * y), (0, x), maximum_iterations=limit)[1]

    assert squared(tf.constant(2.0)).numpy() == 16.0
    assert capsys.readouterr().out.splitlines() == ["asked 0", "asked 1", "asked 2"]


def test_py_function_is_called_once_a_run_and_differentiated_by_its_records():
    called = []

    def scaled_square(x, n):
        called.append(x.numpy().tolist())
        return x * x * tf.cast(n, x.dtype)

    @tf.function
    def step(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.py_function(scaled_square, [x, tf.constant(3)], tf.TensorSpec([2], tf.float64))
            loss = tf.reduce_sum(y * y)
        return y, tape.gradient(loss, x)

    for value in ([1.0, 2.0], [2.0, 3.0]):
        y, gradient = step(tf.constant(value, tf.float64))
        assert y.dtype is tf.float64
        np.testing.assert_allclose(y, 3.0 * np.square(value))
        np.testing.assert_allclose(gradient, 36.0 * np.power(value, 3))
    assert called == [[1.0, 2.0], [2.0, 3.0]]


def test_a_tape_around_the_call_differentiates_py_function():
    cubes = tf.function(lambda x: tf.py_function(lambda x: x**3, [x], tf.TensorSpec([2], tf.float32)))
    v = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        total = tf.reduce_sum(cubes(v * 2.0))
    np.testing.assert_allclose(tape.gradient(total, v), [24.0, 96.0])


def test_an_exception_in_python_is_raised_and_nothing_is_assigned():
    v = tf.Variable(1.0)

    def fails(x):
        raise ValueError("no such file")

    @tf.function
    def step(x):
        v.assign_add(1.0)
        return tf.py_function(fails, [x], tf.TensorSpec([], tf.float32))

    with pytest.raises(tf.errors.InvalidArgumentError, match="ValueError: no such file"):
        step(tf.constant(1.0))
    assert v.numpy() == 1.0


def test_shapes_of_python_results_must_be_known():
    with pytest.raises(ValueError, match=r"give Tout=tf.TensorSpec\(shape, tf.float32\) with all sizes"):
        tf.function(lambda x: tf.py_function(lambda x: x, [x], tf.float32), jit_compile=True)(tf.constant(1.0))
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"returns a tensor of shape \(3,\), but .* was promised"):
        tf.function(lambda x: tf.py_function(lambda x: x, [x], tf.TensorSpec([2], tf.float32)))(tf.ones(3))


def test_numpy_function_takes_and_gives_arrays():
    ordered = tf.function(lambda x: tf.numpy_function(np.sort, [x], tf.TensorSpec([3], tf.int64)))
    found = ordered(tf.constant([2**40, 1, -(2**40)], tf.int64))
    assert found.dtype is tf.int64
    assert found.numpy().tolist() == [-(2**40), 1, 2**40]


@pytest.mark.parametrize(
    "dtype", ["float64", "complex128", "int64", "uint64", "float32", "bfloat16", "bool", "complex64"]
)
def test_every_dtype_comes_to_python_and_back_whole(dtype):
    values = tf.cast(tf.constant([[1.0, 0.0, 3.0]]), dtype)
    seen = []

    def look(array):
        seen.append(array.dtype.name)
        return array

    found = tf.function(lambda x: tf.numpy_function(look, [x], tf.TensorSpec([1, 3], dtype)))(values)
    assert (found.dtype.name, seen) == (dtype, [dtype])
    np.testing.assert_array_equal(found.numpy(), values.numpy())
