"""TensorArray in compiled functions: symbolic indices, loops, branches; values and derivatives equal those of eager execution."""

import numpy as np
import pytest

import whygrad as tf
from tests.support.compiled import assert_same, derivatives

X = np.array([[1.0, 0.2], [0.3, -0.4], [0.5, 0.6]], np.float32)


def _recurrent(x, w):
    inputs = tf.TensorArray(tf.float32, 3).unstack(x)

    def turn(i, h, outputs):
        h = tf.tanh(inputs.read(i) + tf.linalg.matvec(w, h))
        return i + 1, h, outputs.write(i, h)

    outputs = tf.TensorArray(tf.float32, 3)  # its elements' shape is known from what the body writes
    return tf.while_loop(lambda i, h, outputs: i < 3, turn, (0, tf.zeros(2), outputs))[2].stack()


def _recurrent_for_a_while(x, w):
    steps = tf.reduce_sum(tf.cast(x > -9.0, tf.int32)) // 3

    def turn(i, h, outputs):
        h = tf.tanh(x[i] + tf.linalg.matvec(w, h))
        return i + 1, h, outputs.write(i, h)

    begin = (0, tf.zeros(2), tf.TensorArray(tf.float32, 3, element_shape=[2]))
    return tf.while_loop(lambda i, *_: i < steps, turn, begin, maximum_iterations=5)[2].concat()


def _loop_within_a_loop(x, w):
    def inner(i, array):
        return tf.while_loop(
            lambda j, array: j < 3,
            lambda j, array: (j + 1, array.write(j, x[j] * array.read(j) + tf.linalg.matvec(w, x[i]))),
            (0, array),
        )[1]

    array = tf.TensorArray(tf.float32, 3, clear_after_read=False).unstack(x)
    return tf.while_loop(lambda i, array: i < 2, lambda i, array: (i + 1, inner(i, array)), (0, array))[1].stack()


def _branches(x, w):
    array = tf.TensorArray(tf.float32, 3, clear_after_read=False).write(0, x[1])
    array = tf.cond(x[0, 0] > 0.0, lambda: array.write(1, x[0] * w[0, 0]), lambda: array.write(1, x[0]))
    array = tf.cond(x[0, 0] > 5.0, lambda: array.write(2, x[0]), lambda: array)
    return array.stack() * array.read(0)


def _several_at_once(x, w):
    at = tf.cast(x[:2, 0] * 2.0, tf.int32)
    array = tf.TensorArray(tf.float32, 3, clear_after_read=False).scatter(at, x[:2] * x[1:]).write(1, x[0] * w[0, 1])
    return array.gather(at[::-1]) * array.read(at[0]) + array.read(1)


def _known_indices(x, w):
    array = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
    for i in range(3):
        array = array.write(i, x[i] * w[0, 0])
    return array.concat() * tf.cast(array.size(), tf.float32)


def _pieces(x, w):
    array = tf.TensorArray(tf.float32, 2, infer_shape=False).split(tf.reshape(x, [-1]), [2, 4])
    return array.read(0) * w[0, 0] + array.read(1)[2:]


PROGRAMS = [
    _recurrent,
    _recurrent_for_a_while,
    _loop_within_a_loop,
    _branches,
    _several_at_once,
    _known_indices,
    _pieces,
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_values_and_derivatives_equal_those_of_eager_execution(program):
    x, w = tf.constant(X), tf.Variable([[0.3, 0.2], [0.1, 0.5]])
    expected = derivatives(program, x, w)
    assert_same(tf.function(lambda x: derivatives(program, x, w))(x), expected)
    compiled = tf.function(program)
    assert_same(derivatives(compiled, x, w), expected)


def test_an_array_goes_in_and_comes_out():
    @tf.function
    def double(array, x):
        assert isinstance(array, tf.TensorArray)
        return tf.TensorArray(tf.float32, 2).unstack(array.stack() * x)

    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        array = double(tf.TensorArray(tf.float32, 2).unstack([1.0, 2.0]), x)
        y = array.read(1) * x
    assert isinstance(array, tf.TensorArray)
    assert y.numpy() == 18.0
    assert tape.gradient(y, x).numpy() == 12.0
    assert double(tf.TensorArray(tf.float32, 2).unstack([5.0, 6.0]), x).stack().numpy().tolist() == [15.0, 18.0]


def test_elements_can_be_read_again_as_in_tensorflows_functions():
    f = tf.function(lambda x: (array := tf.TensorArray(tf.float32, 2).unstack(x)).read(0) + array.read(0))
    assert f(tf.constant([1.0, 2.0])).numpy() == 2.0


def test_a_write_in_a_branch_is_lost_unless_the_array_is_returned():
    @tf.function
    def f(x):
        array = tf.TensorArray(tf.float32, 1).write(0, x)
        tf.cond(x > 0.0, lambda: array.write(0, x * 2.0).stack(), lambda: array.stack())
        return array.stack()

    assert f(tf.constant(1.0)).numpy().tolist() == [1.0]


@pytest.mark.parametrize(
    ("program", "message"),
    [
        (lambda n: tf.TensorArray(tf.float32, n).stack(), "its size is not known while the function is compiled"),
        (
            lambda n: tf.TensorArray(tf.float32, 0, dynamic_size=True).write(n, 1.0).stack(),
            "give size= the largest number of elements",
        ),
        (lambda n: tf.TensorArray(tf.float32, 2).read(n), "give element_shape= where it is made"),
        (lambda n: tf.TensorArray(tf.float32, 2, element_shape=[2]).write(n, 1.0).stack(), "Incompatible shape"),
    ],
)
def test_the_errors_suggest_a_repair(program, message):
    with pytest.raises(ValueError, match=message):
        tf.function(program, jit_compile=True)(tf.constant(1))


def test_an_array_that_grows_with_a_loop_runs_as_python():
    @tf.function
    def squares(limit):
        array = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
        for i in tf.range(limit):
            array = array.write(i, tf.cast(i * i, tf.float32))
            if i == 3:
                break
        return array.stack()

    with pytest.warns(UserWarning, match="dynamic_size=True it would grow"):
        assert squares(tf.constant(9)).numpy().tolist() == [0.0, 1.0, 4.0, 9.0]


def test_known_indices_are_checked():
    f = tf.function(lambda x: tf.TensorArray(tf.float32, 2).unstack(x).read(2))
    with pytest.raises(tf.errors.OutOfRangeError, match="Tried to read from index 2 but array size is: 2"):
        f(tf.constant([1.0, 2.0]))
    f = tf.function(lambda x: tf.TensorArray(tf.float32, 2).unstack(x).write(2, 1.0).stack())
    with pytest.raises(tf.errors.OutOfRangeError, match="Tried to write to index 2 but array is not resizeable"):
        f(tf.constant([1.0, 2.0]))
