"""Writing to parts of variables inside compiled functions."""

import numpy as np
import pytest

import whygrad as tf

# Each test compiles a function of its own, once.
pytestmark = pytest.mark.filterwarnings("ignore::whygrad.view.notice.RetracingWarning")


def _both(write, value, *arguments):
    """What `write(variable, *arguments)` leaves: compiled, and op by op."""
    left = []
    for run in (tf.function, lambda function: function):
        variable = tf.Variable(value)
        run(lambda *given: write(variable, *given))(*arguments)  # noqa: B023
        left.append(variable.numpy())
    return left


@pytest.mark.parametrize("way", ["update", "add", "sub", "mul", "div", "max", "min"])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32"])
def test_scatters_equal_those_of_eager_execution(way, dtype):
    def write(variable, rows, updates):
        getattr(variable, f"scatter_{way}")(tf.IndexedSlices(updates, rows))

    values = np.array([[7, -8], [9, 10], [-11, 12]], dtype)
    updates = tf.constant([[2, 3], [-4, 5]], dtype)
    compiled, eager = _both(write, values, tf.constant([2, 0]), updates)
    assert compiled.dtype == eager.dtype
    np.testing.assert_allclose(compiled, eager, rtol=1e-6)


@pytest.mark.parametrize("way", ["update", "add", "sub", "max", "min"])
def test_scatters_by_position_equal_those_of_eager_execution(way):
    def write(variable, positions, updates):
        getattr(variable, f"scatter_nd_{way}")(positions, updates)

    positions, updates = tf.constant([[2, 0], [0, 1]], tf.int64), tf.constant([5.0, -6.0])
    compiled, eager = _both(write, np.arange(6, dtype="float32").reshape(3, 2), positions, updates)
    np.testing.assert_array_equal(compiled, eager)


def test_rows_of_a_batch():
    def write(variable, rows, updates):
        variable.batch_scatter_update(tf.IndexedSlices(updates, rows))

    rows, updates = tf.constant([[0, 2], [1, 0]]), tf.constant([[1.0, 2.0], [3.0, 4.0]])
    compiled, eager = _both(write, np.zeros((2, 3), "float32"), rows, updates)
    np.testing.assert_array_equal(compiled, eager)


def test_slices_are_assigned_in_order_at_known_and_at_computed_places():
    def write(variable, i, x):
        variable[:, :1].assign([[7.0], [8.0], [9.0]])
        variable[i].assign(x)
        variable[i + 1, 1].assign(x[0] * 10.0)
        variable[-i, ..., 0].assign(x[1])

    compiled, eager = _both(write, np.zeros((3, 2), "float32"), tf.constant(1), tf.constant([1.0, -1.0]))
    np.testing.assert_array_equal(compiled, [[7.0, 0.0], [1.0, -1.0], [-1.0, 10.0]])
    np.testing.assert_array_equal(compiled, eager)


def test_counting():
    step = tf.Variable(0)
    count = tf.function(lambda: step.count_up_to(5))
    assert [int(count()), int(count()), int(step)] == [0, 1, 2]


def test_a_slice_whose_size_is_not_known_is_refused():
    rows = tf.function(lambda x, n: x[:n], jit_compile=True)
    with pytest.raises(TypeError, match="sizes and axes must be known"):
        rows(tf.ones(3), tf.constant(2))
