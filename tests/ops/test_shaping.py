"""`whygrad.ops.shaping` beyond the table of ops: identities, dtypes, arguments of all kinds, structures."""

import numpy as np
import pytest

import whygrad as tf

DTYPES = [
    tf.float16, tf.bfloat16, tf.float32, tf.float64, tf.complex64, tf.complex128, tf.int8, tf.int16, tf.int32, tf.int64,
    tf.uint8, tf.uint16, tf.uint32, tf.uint64, tf.bool, tf.string,
]  # fmt: skip

MOVES = {
    "reshape": lambda x: tf.reshape(x, (4, -1)),
    "transpose": tf.transpose,
    "expand_dims": lambda x: tf.expand_dims(x, 1),
    "squeeze": lambda x: tf.squeeze(x[:1]),
    "broadcast_to": lambda x: tf.broadcast_to(x, (3, 2, 4)),
    "tile": lambda x: tf.tile(x, (2, 1)),
    "concat": lambda x: tf.concat([x, x], 1),
    "stack": lambda x: tf.stack([x, x], -1),
    "unstack": lambda x: tf.unstack(x)[1],
    "split": lambda x: tf.split(x, 2, 1)[0],
    "pad": lambda x: tf.pad(x, [[1, 0], [0, 1]]),
    "pad reflect": lambda x: tf.pad(x, [[1, 0], [0, 1]], "REFLECT"),
    "reverse": lambda x: tf.reverse(x, [1]),
    "reverse_sequence": lambda x: tf.reverse_sequence(x, [1, 3], 1),
    "roll": lambda x: tf.roll(x, 1, 0),
    "repeat": lambda x: tf.repeat(x, [1, 2], 0),
    "space_to_batch": lambda x: tf.space_to_batch(x, [2], [[0, 0]]),
    "batch_to_space": lambda x: tf.batch_to_space(x, [2], [[0, 0]]),
    "identity": tf.identity,
    "stop_gradient": tf.stop_gradient,
    "ensure_shape": lambda x: tf.ensure_shape(x, (2, None)),
}


def _values(dtype):
    numbers = np.arange(8).reshape(2, 4) % 5
    if dtype == tf.string:
        return tf.constant([[str(n) for n in row] for row in numbers])
    return tf.cast(tf.constant(numbers), dtype)


@pytest.mark.parametrize("move", MOVES.values(), ids=MOVES)
@pytest.mark.parametrize("dtype", DTYPES, ids=lambda dtype: dtype.name)
def test_every_dtype_is_moved_as_float64_is(dtype, move):
    moved = move(_values(dtype))
    assert moved.dtype == dtype
    assert moved.shape == move(_values(tf.float64)).shape
    if dtype == tf.string:
        assert all(type(item) is bytes for item in moved.numpy().ravel())
    else:
        expected = tf.cast(move(_values(tf.float64)), dtype)
        np.testing.assert_array_equal(moved.numpy(), expected.numpy())


@pytest.mark.parametrize(
    "shape",
    [
        [2, 3],
        (2, 3),
        np.array([2, 3]),
        np.array([2, 3], np.int8),
        tf.constant([2, 3]),
        tf.constant([2, 3], tf.int64),
        tf.Variable([2, 3]),
        tf.TensorShape([2, 3]),
        [tf.constant(2), 3],
        (2, tf.constant(3)),
        [np.int64(2), 3],
        tf.shape(np.zeros((2, 3))),
    ],
    ids=lambda shape: type(shape).__name__,
)
def test_a_shape_can_be_given_in_many_ways(shape):
    x = tf.range(6)
    assert tf.reshape(x, shape).shape == (2, 3)
    assert tf.broadcast_to(1.0, shape).shape == (2, 3)
    assert tf.zeros(shape).shape == (2, 3)
    assert tf.fill(shape, 1).shape == (2, 3)


def test_identity_of_slices_is_slices():
    same = tf.identity(tf.IndexedSlices([[1.0]], [2], [3, 1]))
    assert isinstance(same, tf.IndexedSlices)
    assert [part.numpy().tolist() for part in (same.values, same.indices, same.dense_shape)] == [[[1.0]], [2], [3, 1]]
    assert tf.identity(tf.IndexedSlices([[1.0]], [2])).dense_shape is None


def test_identity_is_a_tensor_of_its_own():
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = tf.identity(x)
        z = y * y
    assert y is not x
    np.testing.assert_array_equal(tape.gradient(z, y), [2, 4])
    np.testing.assert_array_equal(tape.gradient(z, x), [2, 4])


def test_results_do_not_alias_the_users_memory():
    array = np.arange(4.0)
    moved = [tf.reshape(array, (2, 2)), tf.reverse(array, [0]), tf.identity(array), tf.expand_dims(array, 0)]
    before = [t.numpy() for t in moved]
    array[:] = -1
    for t, was in zip(moved, before):
        np.testing.assert_array_equal(t, was)


def test_unstack_of_nothing_is_an_empty_list():
    assert tf.unstack(tf.zeros((0, 2))) == []


def test_only_some_parts_of_a_split_are_used():
    x = tf.Variable([1.0, 2.0, 3.0, 4.0])
    with tf.GradientTape() as tape:
        _, second = tf.split(x, 2)
        y = tf.reduce_sum(second * second)
    np.testing.assert_array_equal(tape.gradient(y, x), [0, 0, 6, 8])


def test_one_tensor_at_several_places_gets_all_its_gradients():
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.concat([x, x, 3 * x], 0)) + tf.reduce_sum(tf.stack([x, 2 * x]))
    np.testing.assert_array_equal(tape.gradient(y, x), [8, 8])


def test_integers_in_identity_n_leave_the_floats_connected():
    x = tf.constant(1.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y, n = tf.identity_n([x, tf.constant(3)])
    assert n.dtype == tf.int32
    assert tape.gradient(y, x).numpy() == 1


def test_packing_keeps_the_path_through_nested_lists_and_variables():
    x, v = tf.constant(2.0), tf.Variable([3.0, 4.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        packed = tf.convert_to_tensor([[x, 1], v, (5.0, x * x)])
        y = tf.reduce_sum(packed * packed)
    assert packed.shape == (3, 2)
    gx, gv = tape.gradient(y, [x, v])
    assert gx.numpy() == 2 * 2 + 2 * 4 * 4
    np.testing.assert_array_equal(gv, [6, 8])


def test_a_packed_list_takes_the_dtype_that_is_asked_for():
    packed = tf.convert_to_tensor([tf.constant(1.5), 2], tf.int32)
    assert packed.dtype == tf.int32
    np.testing.assert_array_equal(packed, [1, 2])


def test_space_to_depth_and_batch_are_undone_by_their_inverses():
    x = tf.reshape(tf.range(2 * 4 * 6 * 3), (2, 4, 6, 3))
    np.testing.assert_array_equal(tf.nn.depth_to_space(tf.nn.space_to_depth(x, 2), 2), x)
    paddings, crops = tf.required_space_to_batch_paddings([4, 6], [3, 4])
    batches = tf.space_to_batch(x, [3, 4], paddings)
    assert batches.shape == (24, 2, 2, 3)
    np.testing.assert_array_equal(tf.batch_to_space(batches, [3, 4], crops), x)


def test_channels_may_come_first():
    x = tf.reshape(tf.range(2 * 3 * 4 * 6), (2, 3, 4, 6))
    last = tf.nn.space_to_depth(tf.transpose(x, (0, 2, 3, 1)), 2)
    first = tf.nn.space_to_depth(x, 2, data_format="NCHW")
    np.testing.assert_array_equal(first, tf.transpose(last, (0, 3, 1, 2)))
    np.testing.assert_array_equal(tf.nn.depth_to_space(first, 2, "NCHW"), x)


def test_base_paddings_are_extended():
    paddings, crops = tf.required_space_to_batch_paddings([5, 7], [2, 3], [[1, 1], [0, 1]])
    np.testing.assert_array_equal(paddings, [[1, 2], [0, 2]])
    np.testing.assert_array_equal(crops, [[0, 1], [0, 1]])


def test_shapes_broadcast_with_unknown_sizes():
    shape = tf.TensorShape
    assert tf.broadcast_static_shape(shape([2, None]), shape([3])) == shape([2, 3])
    assert tf.broadcast_static_shape(shape([2, None]), shape([1])).as_list() == [2, None]
    assert tf.broadcast_static_shape(shape(None), shape([1])).rank is None
    assert tf.broadcast_dynamic_shape(tf.constant([2, 1], tf.int64), tf.constant([3], tf.int64)).dtype == tf.int64
    assert tf.broadcast_dynamic_shape([], [3]).numpy().tolist() == [3]


def test_bits_are_read_as_they_lie():
    t = tf.transpose(tf.constant([[1.0, 2.0], [3.0, 4.0]]))  # not contiguous
    np.testing.assert_array_equal(tf.bitcast(tf.bitcast(t, tf.uint8), tf.float32), t)
    assert tf.bitcast(tf.constant(1.0), tf.uint16).shape == (2,)
    assert tf.bitcast(tf.constant([[1.0, 2.0]]), tf.complex64).numpy() == [1 + 2j]


def test_lengths_are_cast_to_the_type_of_maxlen():
    np.testing.assert_array_equal(tf.sequence_mask([1.5, 2.5], 3), [[True, False, False], [True, True, False]])
    assert tf.sequence_mask([[1], [2]]).shape == (2, 1, 2)
    assert tf.sequence_mask(tf.zeros([0], tf.int32)).shape == (0, 0)


@pytest.mark.parametrize(
    ("given", "wanted", "result"),
    [
        ([0, 6], [0, -1, 3], (0, 2, 3)),
        ([0, 6], [-1, 0], (6, 0)),
        ([0, 6], [-1, 4], (0, 4)),
        ([0, 6], [-1, 0, 4], (1, 0, 4)),
        ([0], [-1, 0], (1, 0)),
        ([0, 0], [0, -1], (0, 1)),
    ],
)
def test_the_open_size_of_an_empty_tensor_comes_from_its_other_sizes(given, wanted, result):
    assert tf.reshape(tf.zeros(given), wanted).shape == result


def test_more_axes_than_numpy_has_are_refused():
    with pytest.raises(tf.errors.InvalidArgumentError, match="too many dimensions: must be < 254, but received 254"):
        tf.reshape([[1]], [1] * 254)
    with pytest.raises(tf.errors.InvalidArgumentError, match="too many dimensions"):
        tf.reshape([[1]], [1] * 70)


def test_a_refused_op_leaves_the_tape_as_it_was():
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = x * x
        with pytest.raises(tf.errors.InvalidArgumentError):
            tf.concat([y, tf.ones((2, 2))], 0)
        z = tf.reduce_sum(y)
    np.testing.assert_array_equal(tape.gradient(z, x), [2, 4])


def test_scalar_tensors_in_a_shape_may_be_floats():
    x = tf.range(6)
    two, three = tf.constant(2.7), tf.constant(3.0)
    for shape in ((two, 3), (2, three), [two, three]):
        assert tf.reshape(x, shape).shape == (2, 3)  # in TensorFlow too
    assert tf.zeros((two, 3)).shape == (2, 3)
    with pytest.raises(tf.errors.InvalidArgumentError, match="Tshape"):
        tf.reshape(x, tf.constant([2.0, 3.0]))
