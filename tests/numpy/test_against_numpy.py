"""Each function of `whygrad.numpy` against NumPy itself: values, dtypes, shapes; and its gradients by finite differences."""

import numpy as np
import pytest

import whygrad as tf
import whygrad.numpy as wnp
from tests.numpy.rows import ROWS
from tests.support.gradients import check_gradients


def flat(result):
    """The tensors, arrays and numbers of a result, in order."""
    if isinstance(result, list | tuple) and not isinstance(result, tf.TensorShape):
        return [each for part in result for each in flat(part)]
    return [result]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # NumPy's own: nan-slices, overflow
@pytest.mark.filterwarnings("ignore:numpy.fix is deprecated:DeprecationWarning")  # since NumPy 2.5
@pytest.mark.parametrize("row", ROWS, ids=str)
def test_values_dtypes_and_shapes_are_numpys(row):
    for kind in ("float64", "float32", *(["complex128"] if row.complex else [])):
        arrays = row.draw(kind)
        theirs = flat(row.function(np, *arrays))
        ours = flat(row.function(wnp, *[tf.constant(a) for a in arrays]))
        assert len(ours) == len(theirs)
        for mine, other in zip(ours, theirs):
            if isinstance(other, np.ndarray | np.generic):
                assert isinstance(mine, tf.Tensor | np.generic), f"{kind}: {type(mine)}"
                assert np.shape(mine) == other.shape, kind
                assert mine.dtype == other.dtype, kind
            if isinstance(other, str):
                assert mine == other
                continue
            scale = 1e-12 if np.asarray(other).dtype not in (np.float32, np.complex64) and kind != "float32" else 2e-5
            np.testing.assert_allclose(np.asarray(mine), np.asarray(other), rtol=scale, atol=scale, err_msg=kind)


@pytest.mark.parametrize("row", [row for row in ROWS if row.order], ids=str)
def test_gradients_agree_with_finite_differences(row):
    check_gradients(lambda *x: flat(row.function(wnp, *x)), row.draw(), order=row.order)


@pytest.mark.parametrize("row", [row for row in ROWS if row.order and row.complex], ids=str)
def test_complex_gradients_agree_with_finite_differences(row):
    check_gradients(lambda *x: flat(row.function(wnp, *x)), row.draw("complex128"), order=row.order)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_a_remainder_of_zero_has_the_divisors_sign(dtype):
    dividends = np.array([-0.0, 0.0, 6.0, -6.0, 6.0, -0.0], dtype)
    divisors = np.array([3.0, -3.0, -3.0, 3.0, 3.0, -3.0], dtype)
    expected = np.signbit(np.remainder(dividends, divisors))
    assert expected.tolist() == [False, True, True, False, False, True]
    for compute in (wnp.remainder, lambda x, y: wnp.divmod(x, y)[1]):
        zeros = compute(dividends, divisors).numpy()
        np.testing.assert_array_equal(zeros, np.zeros(6))
        np.testing.assert_array_equal(np.signbit(zeros), expected)
    assert np.signbit(tf.math.floormod(dividends[:1], divisors[:1]).numpy()).tolist() == [True]  # as in TensorFlow


def test_a_remainder_of_zero_has_a_gradient():
    x, y = tf.constant([6.0, -0.0]), tf.constant([3.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch([x, y])
        z = wnp.remainder(x, y)
    for gradient, expected in zip(tape.gradient(z, [x, y]), ([1.0, 1.0], [-2.0, 0.0])):
        np.testing.assert_array_equal(gradient, expected)
