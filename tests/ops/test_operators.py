"""The operators of tensors: numbers beside them, and the methods of the right operand."""

import operator

import numpy as np
import pytest

import whygrad as tf
from tests.support.outcomes import fast_forms


@pytest.fixture(params=[True, False], ids=["fast", "reference"])
def _form(request):
    with fast_forms(request.param):
        yield


@pytest.mark.usefixtures("_form")
@pytest.mark.parametrize("name", ["add", "sub", "mul", "truediv"])
def test_the_method_of_the_right_operand_takes_tensors_too(name):
    x, y = tf.constant([1.0, 2.0]), tf.constant([4.0, 8.0])
    with tf.GradientTape() as tape:
        tape.watch([x, y])
        reflected = getattr(x, f"__r{name}__")(y)
    gradients = tape.gradient(reflected, [x, y])
    with tf.GradientTape() as tape:
        tape.watch([x, y])
        plain = getattr(operator, name)(y, x)
    np.testing.assert_array_equal(reflected, plain)
    for found, expected in zip(gradients, tape.gradient(plain, [x, y])):
        np.testing.assert_array_equal(found, expected)


@pytest.mark.usefixtures("_form")
@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "complex64", "int32"])
def test_a_number_takes_the_dtype_of_the_tensor_each_time(dtype):
    x = tf.constant([3, 5], dtype)
    for _ in range(2):
        assert (x * 2).dtype.name == (2 * x).dtype.name == (7 - x).dtype.name == dtype
        np.testing.assert_array_equal(7 - x, np.array([4, 2], dtype))


@pytest.mark.usefixtures("_form")
def test_zeros_of_either_sign_and_numbers_of_equal_value_stay_apart():
    x = tf.constant([1.0])
    for _ in range(2):
        assert np.signbit((x * 0.0).numpy()) == [False]
        assert np.signbit((x * -0.0).numpy()) == [True]
    n = tf.constant([1])
    assert (n + 1).numpy() == [2]
    for _ in range(2):
        with pytest.raises(TypeError):
            n * 1.5  # 1.5 beside floats is known by now, and no integer
        assert (x * 1.5).numpy() == [1.5]


def test_numbers_are_forgotten_when_there_are_many():
    from whygrad.ops import primitive

    x = tf.constant([1.0])
    for i in range(3 * primitive._MOST_NUMBERS):
        assert (x * (i + 0.5)).numpy() == [np.float32(i + 0.5)]
    assert len(primitive._numbers[float, np.dtype(np.float32)]) <= primitive._MOST_NUMBERS
