"""`whygrad.ops.creation` beyond the table of ops, and the conversion of Python values to tensors."""

import copy
import pickle

import numpy as np
import pytest

import whygrad as tf

NUMBERS = [
    tf.float16, tf.bfloat16, tf.float32, tf.float64, tf.complex64, tf.complex128, tf.int8, tf.int16, tf.int32, tf.int64,
    tf.uint8, tf.uint16, tf.uint32, tf.uint64,
]  # fmt: skip


@pytest.mark.parametrize("dtype", [*NUMBERS, tf.bool], ids=lambda dtype: dtype.name)
def test_every_dtype_can_be_made(dtype):
    for made, expected in [
        (tf.zeros((2, 3), dtype), np.zeros((2, 3))),
        (tf.ones([2], dtype), np.ones(2)),
        (tf.eye(2, 3, dtype=dtype), np.eye(2, 3)),
        (tf.zeros_like(tf.ones(2, dtype)), np.zeros(2)),
        (tf.ones_like(tf.zeros(2, dtype)), np.ones(2)),
        (tf.fill([2], tf.ones([], dtype)), np.ones(2)),
    ]:
        assert made.dtype == dtype
        np.testing.assert_array_equal(made.numpy().astype(complex), expected)


def test_strings_are_empty_where_numbers_are_zero():
    assert tf.zeros([2], tf.string).numpy().tolist() == [b"", b""]
    assert tf.zeros_like(["a"]).numpy().tolist() == [b""]
    assert tf.fill([2], "a").numpy().tolist() == [b"a", b"a"]


@pytest.mark.parametrize(
    ("value", "dtype"),
    [
        (1, tf.int32),
        (1.0, tf.float32),
        (1j, tf.complex128),
        (True, tf.bool),
        ("a", tf.string),
        (2**31, tf.int64),
        (-(2**31), tf.int32),
        ([1, 2**40], tf.int64),
        ([], tf.float32),
        ([[], []], tf.float32),
        ([1, 2.5], tf.float32),
        ([1, True], tf.int32),
        ([1j, 1.5], tf.complex128),
        (range(3), tf.int32),
        (np.float64(1), tf.float64),
        (np.int8(1), tf.int8),
        (np.ones(2), tf.float64),
        ([np.float64(1), 2.0], tf.float64),  # the first float of a sequence decides
        ([2.0, np.float64(1)], tf.float32),
        ([2, np.float64(1)], tf.float32),
        ([np.float16(1)], tf.float16),
        ([np.int64(1)], tf.int32),
        ([np.int64(2**40)], tf.int64),
        ([np.array([1, 2]), np.array([3, 4])], tf.int32),
        ([np.ones(2), [1, 2]], tf.float64),
        ([np.complex64(1)], tf.complex128),
        (tf.TensorShape([2, 3]), tf.int32),
        (tf.TensorShape([]), tf.int32),
        (tf.TensorShape([2**40]), tf.int64),
    ],
    ids=str,
)
def test_a_value_becomes_a_tensor_of_tensorflows_dtype(value, dtype):
    assert tf.constant(value).dtype == dtype
    assert tf.convert_to_tensor(value).dtype == dtype


@pytest.mark.parametrize(
    ("value", "error", "sentence"),
    [
        ([1, 1j], ValueError, "Can't convert Python sequence with mixed types to Tensor."),
        ([True, 1], ValueError, "Can't convert Python sequence with mixed types to Tensor."),
        ([1, "a"], ValueError, "Can't convert Python sequence with mixed types to Tensor."),
        ([[1, 2], [3]], ValueError, "Can't convert non-rectangular Python sequence to Tensor."),
        (2**63, ValueError, "Can't convert Python sequence with out-of-range integer to Tensor."),
        (1e39, ValueError, "Can't convert Python sequence with a value out of range for a double-precision float."),
        (None, ValueError, "Attempt to convert a value (None) with an unsupported type (<class 'NoneType'>)"),
        ({1: 2}, ValueError, "Attempt to convert a value ({1: 2}) with an unsupported type (<class 'dict'>)"),
        (np.ones(2, np.longdouble), ValueError, "Failed to convert a NumPy array to a Tensor (Unsupported numpy type"),
        (tf.TensorShape(None), ValueError, "Cannot convert a partially known TensorShape <unknown> to a Tensor."),
        (tf.TensorShape([2, None]), ValueError, "Cannot convert a partially known TensorShape (2, None) to a Tensor."),
    ],
    ids=str,
)
def test_values_that_cannot_be_converted_are_refused(value, error, sentence):
    with pytest.raises(error) as caught:
        tf.convert_to_tensor(value)
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    ("value", "dtype", "sentence"),
    [
        (1.5, tf.int32, "Cannot convert 1.5 to EagerTensor of dtype int32"),
        ([1.5, 2], tf.int32, "Cannot convert [1.5, 2] to EagerTensor of dtype int32"),
        ("a", tf.float32, "Cannot convert 'a' to EagerTensor of dtype float"),
        (1, tf.bool, "Cannot convert 1 to EagerTensor of dtype bool"),
        (1, tf.string, "Cannot convert 1 to EagerTensor of dtype string"),
        (1j, tf.float64, "Cannot convert 1j to EagerTensor of dtype double"),
        (tf.TensorShape([2]), tf.float32, "Cannot convert TensorShape (2,) to dtype <dtype: 'float32'>."),
    ],
    ids=str,
)
def test_a_value_that_does_not_fit_the_dtype_is_refused(value, dtype, sentence):
    with pytest.raises(TypeError) as caught:
        tf.convert_to_tensor(value, dtype)
    assert sentence in str(caught.value)


def test_a_shape_too_large_for_int32_is_refused():
    with pytest.raises(ValueError, match="to dtype int32; a dimension is too large"):
        tf.convert_to_tensor(tf.TensorShape([2**31]), tf.int32)


def test_integers_wrap_round_in_the_dtype_that_was_asked_for():
    assert tf.constant(300, tf.int8).numpy() == 44
    assert tf.constant(-1, tf.uint8).numpy() == 255
    assert tf.constant(2**64 - 1, tf.uint64).numpy() == 2**64 - 1
    assert np.isinf(tf.constant(1e39, tf.float32).numpy())


def test_a_sequence_of_a_class_of_its_own_is_read_by_iterating():
    class Odd:
        def __len__(self):
            return 2

        def __getitem__(self, key):
            raise KeyError(key)

        def __iter__(self):
            return iter([1, 3])

    np.testing.assert_array_equal(tf.constant(Odd()), [1, 3])


def test_a_list_that_lies_about_its_length_is_refused():
    class Short(list):
        def __len__(self):
            return -1

    with pytest.raises(ValueError, match="should return >= 0"):
        tf.constant([Short([1, 2, 3])])


def test_a_hint_is_taken_only_if_the_value_allows_it():
    assert tf.convert_to_tensor([1, 2], dtype_hint=tf.float64).dtype == tf.float64
    assert tf.convert_to_tensor([1.5, 2], dtype_hint=tf.int32).dtype == tf.float32
    assert tf.convert_to_tensor(tf.constant(1.0), dtype_hint=tf.int32).dtype == tf.float32


def test_constant_takes_a_shape():
    np.testing.assert_array_equal(tf.constant([1, 2, 3, 4], shape=(2, 2)), [[1, 2], [3, 4]])
    np.testing.assert_array_equal(tf.constant(7, shape=[2, 2]), [[7, 7], [7, 7]])
    assert tf.constant([], shape=(2, 0)).shape == (2, 0)
    assert tf.constant([1, 2], shape=tf.constant([2, 1])).shape == (2, 1)
    with pytest.raises(
        TypeError, match=r"Tensor \[1 2 3\] .* has 3 elements, but got `shape` \(2, 2\) with 4 elements"
    ):
        tf.constant([1, 2, 3], shape=(2, 2))
    with pytest.raises(ValueError, match="Dimension -1 must be >= 0"):
        tf.constant([1, 2], shape=(-1,))
    with pytest.raises(ValueError, match="partially known"):
        tf.constant(1.0, shape=[2, None])
    with pytest.raises(TypeError, match=r"Expected tensor 1.0 with dtype tf.int32, but got dtype tf.float32"):
        tf.constant(tf.constant(1.0), tf.int32)


@pytest.mark.parametrize(
    ("made", "dtype", "values"),
    [
        (lambda: tf.range(3), tf.int32, [0, 1, 2]),
        (lambda: tf.range(2, 8, 3), tf.int32, [2, 5]),
        (lambda: tf.range(5, 2, -1), tf.int32, [5, 4, 3]),
        (lambda: tf.range(3, 3), tf.int32, []),
        (lambda: tf.range(3, dtype=tf.float64), tf.float64, [0, 1, 2]),
        (lambda: tf.range(0, 1, 0.25), tf.float32, [0, 0.25, 0.5, 0.75]),
        (lambda: tf.range(10.0, 0.0, -2.5), tf.float32, [10, 7.5, 5, 2.5]),
        (lambda: 10 * tf.range(0.0, 0.3, 0.1), tf.float32, [0, 1, 2]),
        (lambda: tf.round(10 * tf.range(0, 1, 0.1, tf.float16)), tf.float16, [*range(10)]),
        (lambda: tf.range(tf.constant(2), tf.constant(4, tf.int64)), tf.int64, [2, 3]),
        (lambda: tf.range(tf.constant(2.0), tf.constant(4, tf.int64)), tf.float32, [2, 3]),
        (lambda: tf.range(np.float64(2)), tf.float64, [0, 1]),
        (lambda: tf.range(2**31, 2**31 + 2), tf.int64, [2**31, 2**31 + 1]),
        (lambda: tf.range(2, dtype=tf.float16), tf.float16, [0, 1]),
        (lambda: tf.range(2, dtype=tf.bfloat16), tf.bfloat16, [0, 1]),
        (lambda: tf.range(tf.constant(2.7), dtype=tf.int32), tf.int32, [0, 1]),
        (lambda: tf.range([2]), tf.int32, [0, 1]),
        (lambda: tf.range(start=1, limit=3), tf.int32, [1, 2]),
    ],
)
def test_ranges(made, dtype, values):
    counted = made()
    assert counted.dtype == dtype
    assert counted.numpy().astype(float).tolist() == values


def test_a_range_of_floats_is_multiplied_not_summed():
    """0.1 added nine times is off by several roundings in float32; nine times 0.1 is off by one."""
    np.testing.assert_array_equal(tf.range(0.0, 1.0, 0.1), np.float32(0.1) * np.arange(10, dtype=np.float32))


def test_a_range_that_fits_no_memory_is_refused():
    with pytest.raises(tf.errors.ResourceExhaustedError, match="OOM when allocating tensor with shape"):
        tf.range(2**50)
    with pytest.raises(tf.errors.ResourceExhaustedError, match="OOM when allocating tensor with shape"):
        tf.eye(2**25)
    with pytest.raises(tf.errors.ResourceExhaustedError, match="OOM when allocating tensor with shape"):
        tf.one_hot(tf.zeros([2**10], tf.int32), 2**31 - 1, dtype=tf.complex128)


def test_linspace_ends_exactly_at_its_stop():
    stop = np.float32(0.7)
    assert tf.linspace(np.float32(0.1), stop, 8).numpy()[-1] == stop


@pytest.mark.parametrize(
    ("start", "dtype"),
    [
        (0, tf.float64),
        (tf.constant(0, tf.int8), tf.float32),
        (0.0, tf.float32),
        (tf.constant(0, tf.float16), tf.float16),
    ],
)
def test_linspace_of_integers_is_of_floats(start, dtype):
    assert tf.linspace(start, tf.cast(4, tf.convert_to_tensor(start).dtype), 5).dtype == dtype


@pytest.mark.parametrize(
    ("arguments", "dtype"),
    [
        ({}, tf.float32),
        ({"on_value": 5}, tf.int32),
        ({"off_value": 5.0}, tf.float32),
        ({"on_value": 5, "dtype": tf.float64}, tf.float64),
        ({"on_value": True, "off_value": False}, tf.bool),
        ({"on_value": "on", "off_value": "off"}, tf.string),
        ({"dtype": tf.bfloat16}, tf.bfloat16),
    ],
    ids=str,
)
def test_the_values_of_one_hot_give_its_dtype(arguments, dtype):
    assert tf.one_hot([0, 1], 3, **arguments).dtype == dtype


def test_one_hot_has_its_axis_anywhere():
    indices = np.array([[0, 2], [1, 0]])
    rows = tf.one_hot(indices, 3).numpy()
    for axis in range(3):
        np.testing.assert_array_equal(tf.one_hot(indices, 3, axis=axis), np.moveaxis(rows, -1, axis))
    assert tf.one_hot([], 3).shape == (0, 3)
    assert tf.one_hot(1, 0).shape == (0,)


def test_is_tensor():
    assert all(tf.is_tensor(x) for x in (tf.ones(2), tf.Variable(1.0), tf.IndexedSlices(tf.ones((1, 2)), [0])))
    assert not any(tf.is_tensor(x) for x in (np.ones(2), [1.0], 1.0, None, tf.float32))


def test_specs():
    spec = tf.TensorSpec([2, None], tf.float32, "a")
    assert repr(spec) == "TensorSpec(shape=(2, None), dtype=tf.float32, name='a')"
    assert repr(tf.TensorSpec(None)) == "TensorSpec(shape=<unknown>, dtype=tf.float32, name=None)"
    assert (spec.shape.as_list(), spec.dtype, spec.name, spec.value_type) == ([2, None], tf.float32, "a", tf.Tensor)
    assert spec == tf.TensorSpec((2, None), "float32", "a")
    assert spec != tf.TensorSpec((2, None), "float32")
    assert len({spec, tf.TensorSpec((2, None), tf.float32, "a")}) == 1
    assert pickle.loads(pickle.dumps(spec)) == copy.deepcopy(spec) == spec


def test_specs_and_tensors_are_compared():
    spec = tf.TensorSpec([2, None])
    assert spec.is_compatible_with(tf.ones((2, 5)))
    assert not spec.is_compatible_with(tf.Variable(tf.ones((2, 5))))
    assert spec.is_compatible_with(tf.TensorSpec([None, 3]))
    assert not spec.is_compatible_with(tf.ones((3, 5)))
    assert not spec.is_compatible_with(tf.ones((2, 5), tf.float64))
    assert not spec.is_compatible_with("a")
    assert tf.TensorSpec([2, 3]).is_subtype_of(spec)
    assert not spec.is_subtype_of(tf.TensorSpec([2, 3]))
    assert tf.TensorSpec.from_tensor(tf.ones((2, 3)), "b") == tf.TensorSpec((2, 3), name="b")
    assert tf.TensorSpec.from_spec(tf.TensorSpec([1], tf.int32, "q")).name == "q"
    with pytest.raises(ValueError, match=r"`tensor` should be a tf.Tensor, but got type <class 'float'>"):
        tf.TensorSpec.from_tensor(1.0)


def test_specs_are_widened_to_hold_both():
    first, second = tf.TensorSpec([2, 3]), tf.TensorSpec([2, 4])
    assert first.most_specific_compatible_type(second) == tf.TensorSpec([2, None])
    assert first.most_specific_compatible_type(tf.TensorSpec([2])) == tf.TensorSpec(None)
    assert first.most_specific_common_supertype([tf.TensorSpec([2, 3], tf.int32)]) is None
    with pytest.raises(ValueError, match="No TypeSpec is compatible with both"):
        first.most_specific_compatible_type(tf.TensorSpec([2, 3], tf.int32))
