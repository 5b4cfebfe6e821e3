"""Variables: creation, reading, assigning as a whole or in part, and no change when something fails."""

import copy
import operator
import pickle

import numpy as np
import pytest

import whygrad as tf


def _four():
    return tf.Variable([1.0, 2.0, 3.0, 4.0])


def _slices(values, indices):
    return tf.IndexedSlices(tf.constant(values), tf.constant(indices))


# -- made of --


@pytest.mark.parametrize(
    ("initial", "dtype"),
    [
        (3, tf.int32),
        (3.0, tf.float32),
        (np.ones(2), tf.float64),
        ([True], tf.bool),
        (["a"], tf.string),
        (1j, tf.complex128),
    ],
)
def test_dtype_of_the_initial_value(initial, dtype):
    assert tf.Variable(initial).dtype is dtype


def test_initial_values_of_every_kind():
    assert tf.Variable(tf.Variable(3.0)).numpy() == 3.0
    assert tf.Variable(lambda: tf.ones(2)).numpy().tolist() == [1.0, 1.0]
    assert tf.Variable([1, 2], dtype=tf.float32).dtype is tf.float32
    assert tf.Variable(np.arange(2), dtype="float16").dtype is tf.float16


def test_a_variable_of_a_variable_goes_its_own_way():
    first = tf.Variable([1.0])
    second = tf.Variable(first)
    second.assign([5.0])
    assert first.numpy().tolist() == [1.0]


@pytest.mark.parametrize(
    ("make", "error", "sentence"),
    [
        (lambda: tf.Variable(), ValueError, "`initial_value` arg to `tf.Variable` must be specified"),
        (lambda: tf.Variable(1.5, dtype=tf.int32), TypeError, "Cannot convert 1.5 to EagerTensor of dtype int32"),
        (
            lambda: tf.Variable(tf.constant(1), dtype=tf.float32),
            ValueError,
            "initial_value: Tensor conversion requested",
        ),
        (
            lambda: tf.Variable([1.0, 2.0], shape=[3]),
            ValueError,
            "is not compatible with the explicitly supplied `shape`",
        ),
        (lambda: tf.Variable(1.0, constraint=3), ValueError, "`constraint` must be None or a callable"),
        (lambda: tf.Variable(1.0, synchronization="x"), ValueError, "Invalid variable synchronization mode: x"),
        (lambda: tf.Variable(1.0, aggregation="x"), ValueError, "Invalid variable aggregation mode: x"),
    ],
)
def test_invalid_initial_values(make, error, sentence):
    with pytest.raises(error, match=sentence):
        make()


def test_attributes():
    v = tf.Variable([[1.0, 2.0]], name="w", trainable=False, constraint=abs)
    assert (v.name, v.trainable, v.constraint, v.shape, v.get_shape()) == ("w:0", False, abs, (1, 2), (1, 2))
    assert v.device.endswith("CPU:0")
    assert bool(v.is_initialized())
    assert (v.synchronization, v.aggregation) == (tf.VariableSynchronization.AUTO, tf.VariableAggregation.NONE)
    assert tf.Variable(1.0, aggregation=tf.VariableAggregation.SUM).aggregation is tf.VariableAggregation.SUM


def test_printed_as_tensorflow_prints():
    v = tf.Variable([1.0, 2.0])
    shown = "<tf.Variable 'Variable:0' shape=(2,) dtype=float32, numpy=array([1., 2.], dtype=float32)>"
    assert (repr(v), str(v), f"{v}") == (shown, shown, shown)
    assert f"{tf.Variable(1.0)}" == "<tf.Variable 'Variable:0' shape=() dtype=float32, numpy=1.0>"
    assert f"{tf.Variable(1.25):.1f}" == "1.2"
    assert repr(v.assign_add([1.0, 1.0])) == shown.replace("Variable:0", "UnreadVariable").replace("1., 2.", "2., 3.")
    assert repr(tf.Variable(["a"])) == (
        "<tf.Variable 'Variable:0' shape=(1,) dtype=string, numpy=array([b'a'], dtype=object)>"
    )
    unknown = tf.Variable([1.0], shape=tf.TensorShape(None))
    assert repr(unknown) == (
        "<tf.Variable 'Variable:0' shape=<unknown> dtype=float32, numpy=array([1.], dtype=float32)>"
    )


def test_compared_by_value_and_known_by_identity():
    a, b = tf.Variable(1.0), tf.Variable(1.0)
    assert bool(a == b)
    assert (tf.Variable([1.0, 2.0]) == [1.0, 3.0]).numpy().tolist() == [True, False]
    assert {a: "a", b: "b"}[a] == "a"
    assert a.ref() == a.ref()
    assert a.ref() != b.ref()
    assert a.ref().deref() is a


def test_copied_and_pickled():
    v = tf.Variable([1.0, 2.0], name="q", trainable=False, shape=[None])
    assert copy.copy(v) is v
    for other in (copy.deepcopy(v), pickle.loads(pickle.dumps(v))):
        assert (other.name, other.trainable, other.shape.as_list()) == ("q:0", False, [None])
        other.assign([5.0])
        assert v.numpy().tolist() == [1.0, 2.0]
    assert copy.deepcopy([v, v])[0] is not v
    twice = copy.deepcopy([v, v])
    assert twice[0] is twice[1]
    shared = tf.Variable(
        1.0, synchronization=tf.VariableSynchronization.ON_READ, aggregation=tf.VariableAggregation.SUM
    )
    other = copy.deepcopy(shared)
    assert (other.synchronization, other.aggregation) == (shared.synchronization, shared.aggregation)


# -- reading --


def test_as_a_number_an_array_and_a_sequence():
    v = tf.Variable([1.0, 2.0])
    assert np.asarray(v).tolist() == [1.0, 2.0]
    assert [t.numpy() for t in v] == [1.0, 2.0]
    assert (float(tf.Variable(1.5)), int(tf.Variable(3)), bool(tf.Variable(0.0))) == (1.5, 3, False)
    assert [10, 20, 30][tf.Variable(1)] == 20
    with pytest.raises(TypeError, match="Cannot iterate over a scalar tensor"):
        list(tf.Variable(1.0))


def test_assigning_does_not_change_a_value_read_before():
    v = _four()
    before = [v.read_value(), v.value(), v[1:], v + 0.0, tf.convert_to_tensor(v), tf.gather(v, [0, 1]), np.asarray(v)]
    expected = [np.array(value) for value in before]
    v.scatter_nd_add([[0], [3]], [100.0, 100.0])
    v.scatter_update(_slices([7.0], [1]))
    v[2:].assign([50.0, 60.0])
    v.assign_add([1.0, 1.0, 1.0, 1.0])
    for value, was in zip(before, expected):
        np.testing.assert_array_equal(np.array(value), was)
    assert v.numpy().tolist() == [102.0, 8.0, 51.0, 61.0]


def test_the_tape_keeps_the_value_it_read():
    v = _four()
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(v * v)
        v[0].assign(100.0)
        v.scatter_nd_update([[1]], [100.0])
        z = tf.reduce_sum(v * v)
    assert (y.numpy(), z.numpy()) == (30.0, 20025.0)
    assert tape.gradient(y, v).numpy().tolist() == [2.0, 4.0, 6.0, 8.0]


def test_updates_do_not_change_the_assigned_tensor_or_array():
    value = tf.constant([1.0, 2.0])
    array = np.array([1.0, 2.0], np.float32)
    for given in (value, array):
        v = tf.Variable([0.0, 0.0])
        v.assign(given)
        v[0].assign(9.0)
        v.scatter_nd_add([[1]], [9.0])
        assert np.array(given).tolist() == [1.0, 2.0]
    whole = tf.constant([1.0, 2.0, 3.0])
    v = tf.Variable([0.0, 0.0])
    v.assign(whole[1:])
    v[0].assign(9.0)
    assert whole.numpy().tolist() == [1.0, 2.0, 3.0]


def test_reads_of_rows_have_sparse_gradients():
    for read in (lambda v: v.sparse_read([0, 2, 0]), lambda v: v.gather_nd([[0], [2], [0]])):
        v = _four()
        with tf.GradientTape() as tape:
            y = read(v)
        gradient = tape.gradient(y, v)
        assert y.numpy().tolist() == [1.0, 3.0, 1.0]
        assert isinstance(gradient, tf.IndexedSlices)
        assert tf.convert_to_tensor(gradient).numpy().tolist() == [2.0, 0.0, 1.0, 0.0]


# -- assigning --


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda v: v.assign([5, 6, 7, 8]), [5, 6, 7, 8]),
        (lambda v: v.assign(np.arange(4.0)), [0, 1, 2, 3]),
        (lambda v: v.assign(tf.Variable([5.0, 6.0, 7.0, 8.0])), [5, 6, 7, 8]),
        (lambda v: v.assign_add([1, 1, 1, 1]), [2, 3, 4, 5]),
        (lambda v: v.assign_sub([1.0, 1.0, 1.0, 1.0]), [0, 1, 2, 3]),
        (lambda v: v.assign_add(v).assign_add(v), [4, 8, 12, 16]),
        (lambda v: v.scatter_nd_update([[0], [2]], [10.0, 20.0]), [10, 2, 20, 4]),
        (lambda v: v.scatter_nd_update([[0]], [10]), [10, 2, 3, 4]),
        (lambda v: v.scatter_nd_add([[0], [0]], [10.0, 20.0]), [31, 2, 3, 4]),
        (lambda v: v.scatter_nd_sub([[0], [0]], [10.0, 20.0]), [-29, 2, 3, 4]),
        (lambda v: v.scatter_nd_max([[0], [1]], [10.0, -20.0]), [10, 2, 3, 4]),
        (lambda v: v.scatter_nd_min([[0], [1]], [10.0, -20.0]), [1, -20, 3, 4]),
        (lambda v: v.scatter_update(_slices([10.0, 20.0], [0, 2])), [10, 2, 20, 4]),
        (lambda v: v.scatter_add(_slices([10.0, 20.0], [0, 0])), [31, 2, 3, 4]),
        (lambda v: v.scatter_sub(_slices([10.0, 20.0], [0, 0])), [-29, 2, 3, 4]),
        (lambda v: v.scatter_mul(_slices([10.0, 20.0], [1, 1])), [1, 400, 3, 4]),
        (lambda v: v.scatter_div(_slices([2.0, 2.0], [3, 3])), [1, 2, 3, 1]),
        (lambda v: v.scatter_max(_slices([10.0, 20.0], [0, 2])), [10, 2, 20, 4]),
        (lambda v: v.scatter_min(_slices([-1.0, 20.0], [0, 2])), [-1, 2, 3, 4]),
        (lambda v: v.scatter_add(_slices(1.0, [1, 2])), [1, 3, 4, 4]),
        (lambda v: v.scatter_add(_slices(1.0, 1)), [1, 3, 3, 4]),
        (lambda v: v.batch_scatter_update(_slices([9.0, 8.0], [0, 2])), [9, 2, 8, 4]),
        (lambda v: v[1:].assign([9.0, 8.0, 7.0]), [1, 9, 8, 7]),
        (lambda v: v[1:].assign(9.0), [1, 9, 9, 9]),
        (lambda v: v[1:].assign([9]), [1, 9, 9, 9]),
        (lambda v: v[1].assign(9.0), [1, 9, 3, 4]),
        (lambda v: v[1].assign([9.0]), [1, 9, 3, 4]),
        (lambda v: v[::-2].assign([9.0, 8.0]), [1, 8, 3, 9]),
        (lambda v: v[None, ...].assign([[9.0, 8.0, 7.0, 6.0]]), [9, 8, 7, 6]),
        (lambda v: v[tf.constant(1) : tf.Variable(3)].assign([9.0, 8.0]), [1, 9, 8, 4]),
        (lambda v: v[5:].assign([]), [1, 2, 3, 4]),
    ],
)
def test_assigning(change, expected):
    v = _four()
    returned = change(v)
    assert v.numpy().tolist() == expected
    assert isinstance(returned, tf.Variable)
    assert returned.numpy().tolist() == expected
    assert v.dtype is tf.float32


def test_assign_returns_the_variable():
    v = _four()
    assigned = v.assign_add([1.0, 1.0, 1.0, 1.0])
    v.assign([0.0, 0.0, 0.0, 0.0])
    assert assigned.numpy().tolist() == [0.0, 0.0, 0.0, 0.0]
    with tf.GradientTape() as tape:
        y = v.assign_add([1.0, 1.0, 1.0, 1.0]) * 3.0
    assert tape.gradient(y, v).numpy().tolist() == [3.0, 3.0, 3.0, 3.0]
    assigned.assign([7.0, 7.0, 7.0, 7.0])
    assert v.numpy().tolist() == [7.0, 7.0, 7.0, 7.0]
    assert v.assign([1.0, 1.0, 1.0, 1.0], read_value=False) is None
    assert v.assign_add([1.0, 1.0, 1.0, 1.0], read_value=False) is None


def test_parts_of_a_matrix():
    v = tf.Variable(np.zeros((2, 3), np.float32))
    v[0].assign([1.0, 2.0, 3.0])
    v[:, 1].assign([7.0, 8.0])
    v.scatter_nd_add([[1, 0]], [5.0])
    v.scatter_add(_slices([[1.0, 1.0, 1.0]], [0]))
    assert v.numpy().tolist() == [[2.0, 8.0, 4.0], [5.0, 8.0, 0.0]]
    v.batch_scatter_update(_slices([[1.0, 2.0], [3.0, 4.0]], [[0, 2], [1, 1]]))
    assert v.numpy().tolist() == [[1.0, 8.0, 2.0], [5.0, 4.0, 0.0]]


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float64", "complex64", "int8", "uint8", "int64"])
def test_assigning_keeps_the_dtype(dtype):
    v = tf.Variable([1, 2, 3], dtype=dtype)
    v.assign_add([1, 1, 1])
    v[0].assign(7)
    v.scatter_nd_add([[1]], [4])
    assert v.dtype == dtype
    assert v.numpy().astype(complex).tolist() == [7, 7, 4]


def test_rows_that_are_no_tensors_yet_take_the_variables_dtype():
    v = tf.Variable([1.0, 2.0])
    v.scatter_add(tf.IndexedSlices(indices=[1], values=[2]))
    v.scatter_add(tf.IndexedSlices(indices=[0], values=np.ones(1), dense_shape=(2,)))
    assert (v.dtype, v.numpy().tolist()) == (tf.float32, [2.0, 4.0])


def test_integers_are_divided_towards_zero():
    v = tf.Variable([7, -7, 6])
    v.scatter_div(_slices([2, 2, 2, 3], [0, 1, 2, 2]))
    assert v.numpy().tolist() == [3, -3, 1]


def test_load():
    v = tf.Variable(1.0)
    assert v.load(2.0) is None
    assert v.numpy() == 2.0


def test_a_variable_of_unknown_sizes_takes_values_of_other_sizes():
    v = tf.Variable([1.0, 2.0], shape=[None])
    v.assign([1.0, 2.0, 3.0])
    assert (v.shape.as_list(), v.numpy().tolist()) == ([None], [1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match=r"The variable shape \(None,\), and the assigned value shape \(1, 1\)"):
        v.assign([[1.0]])
    assert tf.Variable([1.0], shape=tf.TensorShape(None)).assign([[2.0]]).numpy().tolist() == [[2.0]]


def test_counting():
    v = tf.Variable(1)
    assert [v.count_up_to(3).numpy(), v.count_up_to(3).numpy()] == [1, 2]
    with pytest.raises(tf.errors.OutOfRangeError, match="Reached limit of 3"):
        v.count_up_to(3)
    assert v.numpy() == 3


INVALID = tf.errors.InvalidArgumentError


@pytest.mark.parametrize(
    ("change", "error", "sentence"),
    [
        (
            lambda v: v.assign([5.0, 6.0]),
            ValueError,
            "Cannot assign value to variable ' Variable:0': Shape mismatch.The variable shape (4,), and the assigned value "
            "shape (2,) are incompatible.",
        ),
        (lambda v: v.assign(3.0), ValueError, "the assigned value shape () are incompatible."),
        (
            lambda v: v.assign(tf.constant([1, 2, 3, 4])),
            ValueError,
            "requested dtype float32 for Tensor with dtype int32",
        ),
        (lambda v: v.assign(["a"] * 4), TypeError, "to EagerTensor of dtype float"),
        (
            lambda v: v.assign_add(1.0),
            INVALID,
            "Cannot update variable with shape [4] using a Tensor with shape [], shapes must be equal.",
        ),
        (lambda v: v.assign_sub([1.0]), INVALID, "using a Tensor with shape [1], shapes must be equal."),
        (lambda v: v.scatter_nd_update([[9]], [10.0]), INVALID, "indices[0] = [9] does not index into shape [4]"),
        (lambda v: v.scatter_nd_add([[0]], [[1.0]]), INVALID, "must match dimensions [1,2) of updates[shape=[1,1]]"),
        (lambda v: v.scatter_nd_add([[0.0]], [1.0]), INVALID, "Value for attr 'Tindices' of float"),
        (lambda v: v.scatter_add(_slices([1.0, 1.0], [0, 9])), INVALID, "indices[1] = 9 is not in [0, 4)"),
        (lambda v: v.scatter_add(_slices([1.0], [-1])), INVALID, "indices[0] = -1 is not in [0, 4)"),
        (lambda v: v.scatter_update([1]), TypeError, "`sparse_delta` must be a `tf.IndexedSlices`. Received arg: [1]"),
        (lambda v: v.scatter_add(_slices([1.0, 2.0], [1])), INVALID, "must be a prefix of the shape of updates ([2])"),
        (
            lambda v: v.scatter_add(_slices([[1.0]], [1])),
            INVALID,
            "Must have updates.shape = indices.shape + params.shape",
        ),
        (lambda v: v.scatter_add(_slices([1], [1])), ValueError, "requested dtype float32 for Tensor with dtype int32"),
        (lambda v: v[1:].assign([9.0, 9.0]), INVALID, "Cannot broadcast input shape [2] into final shape [3]"),
        (lambda v: v[7].assign(9.0), INVALID, "slice index 7 of dimension 0 out of bounds."),
        (
            lambda v: v[1:].assign(tf.constant([9] * 3)),
            ValueError,
            "requested dtype float32 for Tensor with dtype int32",
        ),
        (lambda v: v[v > 2.0].assign([9.0, 8.0]), AttributeError, "no attribute 'assign'"),
        (lambda v: (v + 1.0)[0].assign(9.0), AttributeError, "no attribute 'assign'"),
        (lambda v: v.count_up_to(9), INVALID, "Value for attr 'T' of float"),
        (lambda v: v.set_shape([3]), ValueError, "Shapes (4,) and (3,) are"),
    ],
)
def test_a_failed_assignment_changes_nothing(change, error, sentence):
    v = _four()
    with pytest.raises(error) as caught:
        change(v)
    assert sentence in str(caught.value)
    assert v.numpy().tolist() == [1.0, 2.0, 3.0, 4.0]


@pytest.mark.parametrize("value", [[True], ["a"]])
def test_values_that_cannot_be_added(value):
    v = tf.Variable(value)
    with pytest.raises(INVALID, match="No OpKernel was registered to support Op 'AssignAddVariableOp'"):
        v.assign_add(value)


@pytest.mark.parametrize(
    ("update", "instead"),
    [
        (lambda v: operator.iadd(v, 1.0), "variable.assign_add(value)"),
        (lambda v: operator.isub(v, 1.0), "variable.assign_sub(value)"),
        (lambda v: operator.imul(v, 2.0), "var.assign(var * value)"),
        (lambda v: operator.itruediv(v, 2.0), "var.assign(var / value)"),
        (lambda v: operator.ipow(v, 2.0), "var.assign(var ** value)"),
    ],
)
def test_the_error_of_an_in_place_operator_suggests_assign(update, instead):
    v = _four()
    with pytest.raises(RuntimeError, match=r"with `tf\.Variable`s is not supported") as raised:
        update(v)
    assert f"Use `{instead}` to modify the variable" in str(raised.value)
    assert v.numpy().tolist() == [1.0, 2.0, 3.0, 4.0]


def test_a_variable_is_initialized_from_the_start():
    v = _four()
    assert v.initializer is None
    assert bool(v.is_initialized())
    with pytest.raises(RuntimeError, match="not supported when eager execution is enabled"):
        v.initial_value


def test_nothing_of_an_assignment_is_recorded():
    v = _four()
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        v.assign([1.0] * 4)
        v.assign_add([1.0] * 4)
        v.scatter_nd_add([[0]], [1.0])
        v.scatter_add(_slices([1.0], [0]))
    assert not tape.records


@pytest.mark.parametrize("update", ["assign_add", "assign_sub"])
@pytest.mark.parametrize("side", [3, 300])  # of large ones the memory is used again
def test_an_in_place_update_changes_no_array_that_is_referenced_elsewhere(update, side):
    sign = 1 if update == "assign_add" else -1
    start = np.arange(side * side, dtype="float32").reshape(side, side)
    v = tf.Variable(start)
    read = v.read_value()
    delta = tf.ones((side, side)) * 2.0
    seen = delta.numpy()
    getattr(v, update)(delta)
    np.testing.assert_array_equal(seen, np.full((side, side), 2.0))
    np.testing.assert_array_equal(delta, seen)
    getattr(v, update)(tf.transpose(delta * 3.0))
    getattr(v, update)(delta * 3.0)
    made = [delta * 4.0, delta * 5.0]
    for each in made:
        getattr(v, update)(each)
    getattr(v, update)(made[0] + made[1] * 0.0)
    np.testing.assert_array_equal([each[0, 0] for each in made], [8.0, 10.0])
    np.testing.assert_array_equal(v, start + sign * (2 + 6 + 6 + 8 + 10 + 8))
    np.testing.assert_array_equal(read, start)


def test_an_update_by_a_gradient_that_several_variables_share():
    a, b = tf.Variable(tf.zeros((300, 300))), tf.Variable(tf.zeros((300, 300)))
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(a + b)
    gradients = tape.gradient(loss, [a, b])  # one array
    a.assign_sub(gradients.pop(0))
    b.assign_sub(gradients[0])
    np.testing.assert_array_equal(gradients[0], tf.ones((300, 300)))
    np.testing.assert_array_equal(a, -tf.ones((300, 300)))
    np.testing.assert_array_equal(b, a)
