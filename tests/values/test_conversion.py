"""Conversion to tensors: values, dtypes, and errors."""

import collections

import ml_dtypes
import numpy as np
import pytest

import whygrad as tf

Point = collections.namedtuple("Point", "x y")


@pytest.mark.parametrize(
    ("value", "dtype"),
    [
        (1, tf.int32), (2**31 - 1, tf.int32), (2**31, tf.int64), (-(2**31) - 1, tf.int64), (1.5, tf.float32), (True, tf.bool),
        (1j, tf.complex128), ("a", tf.string), (b"a", tf.string), ([], tf.float32), ([[]], tf.float32), ((1, 2), tf.int32),
        ([1, 2.5], tf.float32), ([2.5, 1], tf.float32), ([1, 2**40], tf.int64), (range(3), tf.int32), (Point(1, 2), tf.int32),
        (np.float64(1), tf.float64), (np.int8(1), tf.int8), (np.ones(2), tf.float64), (np.ones(2, np.uint16), tf.uint16),
        (np.array([1.0], ">f8"), tf.float64), (ml_dtypes.bfloat16(1), tf.bfloat16), (np.array(["a"]), tf.string),
        ([1.5, np.float64(2)], tf.float32), ([np.float64(1), 2], tf.float64), ([np.array([1.0]), np.array([2.0])], tf.float64),
        (tf.TensorShape([1, 2]), tf.int32), (tf.TensorShape([2**40]), tf.int64), (np.array(["a", b"b"], object), tf.string),
    ],
)  # fmt: skip
def test_dtypes(value, dtype):
    for make in (tf.constant, tf.convert_to_tensor):
        assert make(value).dtype is dtype


@pytest.mark.parametrize(
    ("value", "dtype", "result"),
    [
        (300, tf.uint8, 44), (-1, tf.uint8, 255), (1, tf.float64, 1.0), (True, tf.int32, 1), (1.5, tf.complex64, 1.5),
        (np.array([1.7]), tf.int32, [1]), (np.array([2]), tf.bool, [True]), (np.array([2 + 1j]), tf.float32, [2.0]),
        (1, "float32", 1.0), (1, np.float64, 1.0), (1e40, tf.float32, np.inf),
    ],
)  # fmt: skip
def test_requested_dtypes(value, dtype, result):
    t = tf.constant(value, dtype)
    assert t.dtype == dtype
    np.testing.assert_array_equal(t.numpy(), result)


REFUSED = [
    (lambda: tf.constant(1.5, tf.int32), TypeError, "Cannot convert 1.5 to EagerTensor of dtype int32"),
    (lambda: tf.constant([1, 1.5], tf.int32), TypeError, "Cannot convert [1, 1.5] to EagerTensor of dtype int32"),
    (lambda: tf.constant("a", tf.int32), TypeError, "Cannot convert 'a' to EagerTensor of dtype int32"),
    (lambda: tf.constant(1, tf.string), TypeError, "Cannot convert 1 to EagerTensor of dtype string"),
    (lambda: tf.constant(np.array(["a"]), tf.int32), ValueError, "Cannot convert ['a'] to EagerTensor of dtype int32"),
    (lambda: tf.constant(np.array([1]), tf.string), ValueError, "Unsupported object type int"),
    (lambda: tf.constant(None), ValueError, "Attempt to convert a value (None) with an unsupported type (<class 'NoneType'>)"),
    (lambda: tf.constant({1}), ValueError, "Attempt to convert a value ({1}) with an unsupported type (<class 'set'>)"),
    (lambda: tf.constant({"a": 1}), ValueError, "with an unsupported type (<class 'dict'>)"),
    (lambda: tf.constant([1, None]), ValueError, "Can't convert Python sequence with mixed types to Tensor."),
    (lambda: tf.constant([1, "a"]), ValueError, "Can't convert Python sequence with mixed types to Tensor."),
    (lambda: tf.constant([True, 1]), ValueError, "Can't convert Python sequence with mixed types to Tensor."),
    (lambda: tf.constant([[1, 2], [3]]), ValueError, "Can't convert non-rectangular Python sequence to Tensor."),
    (lambda: tf.constant(2**63), ValueError, "Can't convert Python sequence with out-of-range integer to Tensor."),
    (lambda: tf.constant(1e300), ValueError, "value out of range for a double-precision float"),
    (lambda: tf.constant(np.array([None], object)), ValueError, "Failed to convert a NumPy array to a Tensor"),
    (lambda: tf.constant(np.array(["2020"], "M8[Y]")), ValueError, "Failed to convert a NumPy array to a Tensor"),
    (lambda: tf.constant([1, 2, 3], shape=(2, 2)), TypeError, "Eager execution of tf.constant with unsupported shape."),
    (lambda: tf.constant(1, "foo"), TypeError, "Cannot convert the argument `type_value`: 'foo' to a TensorFlow DType."),
    (
        lambda: tf.convert_to_tensor(tf.constant(1), tf.float32),
        ValueError,
        "Tensor conversion requested dtype float32 for Tensor with dtype int32",
    ),
    (
        lambda: tf.convert_to_tensor(tf.TensorShape([1, None])),
        ValueError,
        "Cannot convert a partially known TensorShape (1, None) to a Tensor.",
    ),
    (lambda: tf.convert_to_tensor(tf.TensorShape(None)), ValueError, "Cannot convert a partially known TensorShape <unknown>"),
    (lambda: tf.convert_to_tensor(iter([1])), ValueError, "with an unsupported type (<class 'list_iterator'>)"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "error", "sentence"), REFUSED)
def test_values_that_cannot_be_converted(call, error, sentence):
    with pytest.raises(error) as caught:
        call()
    assert sentence in str(caught.value)


def test_hints_are_met_if_the_value_allows():
    assert tf.convert_to_tensor(1, dtype_hint=tf.float32).dtype is tf.float32
    assert tf.convert_to_tensor(1.5, dtype_hint=tf.int32).dtype is tf.float32
    assert tf.convert_to_tensor("a", dtype_hint=tf.int32).dtype is tf.string
    assert tf.convert_to_tensor(tf.constant(1), dtype_hint=tf.float32).dtype is tf.int32


def test_a_tensor_is_passed_through_and_an_array_is_copied():
    t = tf.constant([1.0, 2.0])
    assert tf.convert_to_tensor(t) is t
    array = np.ones(3)
    copied = tf.constant(array)
    array[0] = 7
    assert copied.numpy()[0] == 1


@pytest.mark.parametrize(
    "array",
    [np.arange(6).reshape(2, 3).T, np.arange(6)[::-2], np.broadcast_to(1.0, (2, 2)), np.asfortranarray(np.eye(3))],
)
def test_arrays_of_any_layout(array):
    array.flags.writeable = False
    np.testing.assert_array_equal(tf.constant(array).numpy(), array)


def test_lists_that_hold_tensors_stay_on_the_path():
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = tf.convert_to_tensor([[x * x, 1.0], [2.0, x]])
    assert y.shape == (2, 2)
    assert tape.gradient(y, x).numpy() == 7.0


def test_classes_that_users_register():
    class Metres:
        def __init__(self, value):
            self.value = value

    def convert(value, dtype=None, name=None, as_ref=False):
        return tf.constant(value.value, dtype) if dtype is not tf.string else NotImplemented

    tf.register_tensor_conversion_function(Metres, convert)
    assert tf.add(Metres(1.5), 1.0).numpy() == 2.5
    with pytest.raises(TypeError, match="must be callable"):
        tf.register_tensor_conversion_function(Metres, 3)


def test_a_class_that_defines_its_own_conversion():
    class Measured:
        def __tf_tensor__(self, dtype=None, name=None):
            return tf.cast([1.0, 2.0], dtype or tf.float32)

    assert tf.convert_to_tensor(Measured(), tf.float64).dtype is tf.float64
    assert (tf.constant([1.0, 1.0]) + Measured()).numpy().tolist() == [2.0, 3.0]
    assert tf.reduce_sum(Measured()).numpy() == 3.0


def test_an_object_with_an_array_interface():
    class Wrapped:
        def __init__(self, array):
            self.array = array

        @property
        def __array_interface__(self):
            return self.array.__array_interface__

    made = tf.constant(Wrapped(np.array([[1.0, 2.0]], np.float32)))
    assert (made.dtype, made.numpy().tolist()) == (tf.float32, [[1.0, 2.0]])
