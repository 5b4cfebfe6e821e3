"""Dtypes: NumPy's promotion (NEP 50) for every ufunc and every pair of dtypes, with bfloat16 beside."""

import itertools

import numpy as np
import pytest

import whygrad as tf
import whygrad.numpy as wnp
from whygrad.numpy.ufunc import Ufunc

DTYPES = (
    "bool",
    "int8",
    "int32",
    "int64",
    "uint8",
    "uint64",
    "float16",
    "float32",
    "float64",
    "complex64",
    "complex128",
)
UFUNCS = sorted(
    {name: f for name in dir(wnp) if isinstance(f := getattr(wnp, name), Ufunc)}.items(), key=lambda item: item[0]
)
UNARY = [(name, f) for name, f in UFUNCS if f.nin == 1]
BINARY = [(name, f) for name, f in UFUNCS if f.nin == 2]
VALUES = np.array([1, 0, 3, 2])


def same_as_numpy(name, operands):
    """Compare a call with NumPy's, including that both refuse."""
    tensors = [tf.constant(x) if isinstance(x, np.ndarray) else x for x in operands]
    try:
        theirs = getattr(np, name)(*operands)
    except TypeError:
        with pytest.raises(TypeError):
            getattr(wnp, name)(*tensors)
        return
    except ValueError:  # integers to negative powers
        return
    ours = getattr(wnp, name)(*tensors)
    text = ", ".join(str(getattr(x, "dtype", x)) for x in operands)
    assert ours.dtype == theirs.dtype, text
    tolerance = {"float16": 2e-3, "float32": 1e-5, "complex64": 1e-5}.get(theirs.dtype.name, 1e-12)
    np.testing.assert_allclose(ours.numpy(), theirs, rtol=tolerance, atol=tolerance, err_msg=text)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", [name for name, _ in UNARY])
def test_unary_ufuncs_compute_in_numpys_dtype(name):
    for dtype in DTYPES:
        same_as_numpy(name, [VALUES.astype(dtype)])


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", [name for name, _ in BINARY])
def test_binary_ufuncs_promote_as_numpy(name):
    for first, second in itertools.product(DTYPES, repeat=2):
        same_as_numpy(name, [VALUES.astype(first), VALUES[::-1].astype(second)])
    for dtype, number in itertools.product(DTYPES, (True, 2, 2.0, 2j)):
        same_as_numpy(name, [VALUES.astype(dtype), number])
        same_as_numpy(name, [number, VALUES.astype(dtype)])
        if not isinstance(number, bool | complex):
            same_as_numpy(name, [VALUES.astype(dtype), np.float64(number)])


@pytest.mark.parametrize("values", [[2**64 - 2, 0], [[2**63 + 1], [5]], [2**63 + 1, 1.5]])
def test_integers_that_float64_has_not_keep_their_digits(values):
    for make in (wnp.asarray, wnp.array):
        made = make(values, dtype=np.uint64)
        assert made.dtype == np.uint64
        np.testing.assert_array_equal(made.numpy(), np.asarray(values, np.uint64))


@pytest.mark.parametrize("name", ["equal", "not_equal", "less", "less_equal", "greater", "greater_equal"])
def test_integers_with_and_without_a_sign_are_compared_as_they_are(name):
    signed = np.array([-1, 3, 2**62 + 1])
    unsigned = np.array([2**64 - 1, 3, 2**62], np.uint64)  # in float64 the last pair is equal
    for operands in [(signed, unsigned), (unsigned, signed)]:
        np.testing.assert_array_equal(getattr(wnp, name)(*operands).numpy(), getattr(np, name)(*operands))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", ["sum", "prod", "mean", "var", "std", "max", "min", "cumsum", "cumprod", "median", "ptp", "average"])  # fmt: skip
def test_reductions_give_numpys_dtype(name):
    for dtype in DTYPES:
        same_as_numpy(name, [VALUES.astype(dtype)])


@pytest.mark.parametrize(
    "name", ["matmul", "dot", "inner", "outer", "kron", "where", "cross", "convolve", "vdot", "vecdot"]
)
def test_products_of_any_dtypes(name):
    for first, second in itertools.product(DTYPES, repeat=2):
        operands = [VALUES[:3].astype(first), VALUES[:3].astype(second)]
        if name == "where":
            operands.insert(0, np.array([True, False, True]))
        if name == "cross" and "bool" in (first, second):
            continue  # NumPy refuses to subtract bools
        same_as_numpy(name, operands)


def test_bfloat16_stays_bfloat16():
    x = tf.constant([1.0, 2.0], tf.bfloat16)
    for y in (x, 2, 2.0):
        assert wnp.add(x, y).dtype == tf.bfloat16
        assert wnp.where(x > 1, x, 0.0).dtype == tf.bfloat16
    assert wnp.sin(x).dtype == wnp.mean(x).dtype == wnp.maximum(x, 0.0).dtype == tf.bfloat16
    assert wnp.add(x, np.float32(1)).dtype == tf.float32


def test_creation_gives_numpys_defaults():
    assert wnp.zeros(3).dtype == wnp.asarray([1.0]).dtype == wnp.linspace(0, 1).dtype == tf.float64
    assert wnp.arange(3).dtype == wnp.asarray([1]).dtype == tf.int64
    assert wnp.asarray(tf.constant([1.0])).dtype == tf.float32
    assert wnp.zeros(3, "bfloat16").dtype == wnp.zeros(3, tf.bfloat16).dtype == tf.bfloat16


def test_too_large_a_number_for_the_dtype_is_refused():
    with pytest.raises(OverflowError):
        wnp.add(tf.constant([1], tf.int8), 1000)
