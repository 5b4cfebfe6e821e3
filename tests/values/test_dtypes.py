"""DType: equality, attributes, and conversion."""

import copy
import pickle

import ml_dtypes
import numpy as np
import pytest

import whygrad as tf
from whygrad.values.dtypes import ALL


@pytest.mark.parametrize("dtype", ALL, ids=str)
def test_every_dtype_is_found_by_its_names(dtype):
    assert tf.as_dtype(dtype.name) is dtype
    assert tf.as_dtype(dtype) is dtype
    assert tf.as_dtype(dtype.as_numpy_dtype) is dtype
    assert tf.as_dtype(dtype.numpy_dtype) is dtype
    assert tf.as_dtype(dtype.as_datatype_enum) is dtype
    assert getattr(tf, dtype.name) is getattr(tf.dtypes, dtype.name) is dtype
    assert (repr(dtype), str(dtype)) == (f"tf.{dtype.name}", f"<dtype: '{dtype.name}'>")
    assert pickle.loads(pickle.dumps(dtype)) is copy.copy(dtype) is copy.deepcopy(dtype) is dtype
    assert int(dtype) == dtype.as_datatype_enum
    assert dtype.base_dtype is dtype


@pytest.mark.parametrize("dtype", [d for d in ALL if d is not tf.string], ids=str)
def test_every_dtype_makes_tensors(dtype):
    t = tf.constant([1, 0], dtype) if dtype is not tf.bool else tf.constant([True, False])
    assert t.dtype is dtype
    assert t.numpy().dtype == dtype.as_numpy_dtype
    assert dtype.size == t.numpy().itemsize


@pytest.mark.parametrize(
    ("given", "dtype"),
    [
        ("half", tf.float16), ("float", tf.float32), ("double", tf.float64), (float, tf.float32), (bool, tf.bool),
        (object, tf.string), (np.str_, tf.string), (np.dtype("S3"), tf.string), (np.dtype(">f8"), tf.float64),
        (ml_dtypes.bfloat16, tf.bfloat16), (np.dtype(ml_dtypes.bfloat16), tf.bfloat16), (np.ones(2), tf.float64),
    ],
)  # fmt: skip
def test_other_names(given, dtype):
    assert tf.as_dtype(given) is dtype


@pytest.mark.parametrize(
    "given", [int, complex, str, bytes, list, None, "foo", "int", 99, [], np.longdouble, np.dtype("M8[D]"), tf.ones(2)]
)
def test_invalid_dtypes(given):
    with pytest.raises(TypeError, match="Cannot convert the argument `type_value`"):
        tf.as_dtype(given)


def test_equality():
    assert tf.float32 == tf.float32 == "float32" == tf.float32
    assert tf.float32 == np.float32
    assert tf.float32 == np.dtype("float32")
    assert tf.float32 != tf.float64
    assert tf.float32 != "foo"
    assert tf.float32 != None  # noqa: E711
    assert tf.float32 in (tf.int32, tf.float32)
    assert {tf.float32: 1}[tf.as_dtype("float32")] == 1
    assert tf.float32.is_compatible_with("float32")
    assert not tf.float32.is_compatible_with(tf.float64)


def test_attributes_of_integer_floating_and_complex_dtypes():
    def those(attribute):
        return {dtype.name for dtype in ALL if getattr(dtype, attribute)}

    floats = {"float16", "bfloat16", "float32", "float64"}
    ints = {f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)}
    assert those("is_floating") == floats
    assert those("is_complex") == {"complex64", "complex128"}
    assert those("is_integer") == ints
    assert those("is_unsigned") == {name for name in ints if name[0] == "u"}
    assert those("is_bool") == {"bool"}
    assert those("is_numeric") == floats | ints | {"complex64", "complex128"}
    assert those("is_quantized") == set()
    assert tf.complex64.real_dtype is tf.float32
    assert tf.complex128.real_dtype is tf.float64
    assert tf.int32.real_dtype is tf.int32


def test_extremes():
    assert (tf.int8.min, tf.int8.max) == (-128, 127)
    assert tf.uint64.max == 2**64 - 1
    assert tf.float32.max == np.finfo(np.float32).max
    assert tf.float16.min == np.finfo(np.float16).min
    assert float(tf.bfloat16.max) == float(ml_dtypes.finfo(ml_dtypes.bfloat16).max)
    assert (tf.float32.limits, tf.int8.limits, tf.bool.limits) == ((0, 1), (0, 127), (0, 1))
    for dtype in (tf.bool, tf.complex64, tf.string):
        with pytest.raises(TypeError, match="Cannot find maximum value of"):
            dtype.max
    with pytest.raises(ValueError, match="does not have defined limits"):
        tf.complex64.limits


def test_a_class_that_names_its_dtype():
    class Sample:
        dtype = "f4"

    assert tf.as_dtype(Sample) is tf.float32


@pytest.mark.parametrize("name", ["float8_e4m3fn", "float8_e5m2"])
def test_narrow_floats_are_stored_and_cast(name):
    x = tf.cast([1.0, 2.3, 1e-3, np.nan], name)
    assert (x.dtype, x.dtype.size, x.dtype.is_floating) == (tf.as_dtype(name), 1, True)
    # As TensorFlow rounds.
    expected = {"float8_e4m3fn": [1.0, 2.25, 0.001953125, np.nan], "float8_e5m2": [1.0, 2.5, 0.0009765625, np.nan]}
    np.testing.assert_array_equal(tf.cast(x, tf.float32), expected[name])
    assert tf.Variable(x).dtype is x.dtype
    assert x.dtype.max == {"float8_e4m3fn": 448, "float8_e5m2": 57344}[name]
    assert tf.as_dtype(x.numpy().dtype) is getattr(tf.experimental, name)
