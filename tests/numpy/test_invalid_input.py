"""Bad input to `whygrad.numpy`: NumPy's exception class and a message that describes the input; and arrays that stay unchanged."""

import numpy as np
import pytest

import whygrad as tf
import whygrad.numpy as wnp

X = tf.constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: wnp.sum(X, axis=2), np.exceptions.AxisError, "axis 2 is out of bounds"),
        (lambda: wnp.sum(X, axis=(0, 0)), ValueError, "given twice"),
        (lambda: wnp.sum(X, axis=0.5), TypeError, "an axis must be an integer"),
        (lambda: wnp.sum(X, out=np.zeros(())), TypeError, "out="),
        (lambda: wnp.sin(X, out=np.zeros((2, 3))), TypeError, "out="),
        (lambda: wnp.sin(X, where=np.zeros((2, 3), bool)), TypeError, "where="),
        (lambda: wnp.sin(X, colour=1), TypeError, "no argument colour="),
        (lambda: wnp.sin(), TypeError, "takes 1 arguments"),
        (lambda: wnp.add(X), TypeError, "takes 2 arguments"),
        (lambda: wnp.negative([True]), TypeError, "not defined for operands of type bool"),
        (lambda: wnp.arctan2(1j, 2.0), TypeError, "not defined for operands of type complex"),
        (lambda: wnp.max(wnp.zeros((0, 3))), ValueError, "no elements"),
        (lambda: wnp.argmax(wnp.zeros(0)), ValueError, "no elements"),
        (lambda: wnp.nanargmax([np.nan]), ValueError, "nothing but nan"),
        (lambda: wnp.squeeze(X, 0), ValueError, "its size is not 1"),
        (lambda: wnp.transpose(X, (0,)), ValueError, "takes 2 axes"),
        (lambda: wnp.split(X, 2, axis=1), ValueError, "equal parts"),
        (lambda: wnp.stack([X, X[0]]), ValueError, "one shape"),
        (lambda: wnp.concatenate([]), ValueError, "at least one"),
        (lambda: wnp.take(X, 6), IndexError, "index 6 is out of bounds"),
        (lambda: wnp.take(X, [0.5]), IndexError, "must be integers"),
        (lambda: wnp.take_along_axis(X, np.array([0]), 0), ValueError, "dimensions"),
        (lambda: wnp.where(X > 1, X), ValueError, "both x and y"),
        (lambda: wnp.matmul(X, 2.0), ValueError, "no scalars"),
        (lambda: wnp.tensordot(X, X, 1), ValueError, "axes of one size"),
        (lambda: wnp.vecdot(X, X[:, :1]), ValueError, "vectors of one length, not of lengths 3 and 1"),
        (lambda: wnp.vecdot(X, 2.0), np.exceptions.AxisError, "axis -1 is out of bounds"),
        (lambda: wnp.add(X, np.ones(2)), tf.errors.InvalidArgumentError, "Incompatible shapes"),
        (lambda: wnp.reshape(X, (4, 2)), tf.errors.InvalidArgumentError, "Input to reshape"),
        (lambda: wnp.pad(X, -1), ValueError, "not negative"),
        (lambda: wnp.pad(X, 1, mode="mean"), TypeError, "no differentiable counterpart"),
        (lambda: wnp.quantile(X, 1.5), ValueError, "from 0 to 1"),
        (lambda: wnp.quantile(X, 0.5, method="odd"), ValueError, "not supported"),
        (lambda: wnp.average(X, weights=[0.0, 0.0, 0.0], axis=1), ZeroDivisionError, "add up to zero"),
        (lambda: wnp.array([[1.0], [1.0, 2.0]]), ValueError, "non-rectangular"),
        (lambda: wnp.array(object()), ValueError, "unsupported type"),
        (lambda: wnp.linspace(0, 1, -1), ValueError, "not negative"),
        (lambda: wnp.geomspace(0, 1), ValueError, "zero"),
        (lambda: wnp.meshgrid(X, indexing="yx"), ValueError, "indexing"),
        (lambda: wnp.broadcast_shapes((2,), (3,)), ValueError, "do not broadcast"),
        (lambda: wnp.linalg.cross(X, X[:, :2]), ValueError, "vectors of 3 components, not of 3 and 2"),
        (lambda: wnp.asarray([2**64, 0], np.uint64), OverflowError, "too large"),
        (lambda: wnp.linalg.inv(X), np.linalg.LinAlgError, "square"),
        (lambda: wnp.linalg.inv(X[0]), np.linalg.LinAlgError, "at least 2 dimensions"),
        (lambda: wnp.linalg.inv(wnp.zeros((2, 2))), np.linalg.LinAlgError, "inv"),
        (lambda: wnp.linalg.solve(wnp.zeros((2, 2)), wnp.ones(2)), np.linalg.LinAlgError, "solve"),
        (lambda: wnp.linalg.cholesky(-np.eye(2)), np.linalg.LinAlgError, "positive definite"),
        (lambda: wnp.linalg.qr(X, mode="raw"), ValueError, "not supported"),
        (lambda: wnp.linalg.norm(wnp.ones((2, 2, 2)), 2), ValueError, "vectors or matrices"),
        (lambda: wnp.linalg.norm(X, np.ones(2)), TypeError, "argument 'ord'"),
        (lambda: wnp.linalg.svd(X, compute_uv=np.ones(2)), ValueError, "argument 'compute_uv'"),
        (lambda: wnp.argmax(X, keepdims=np.ones(2)), ValueError, "argument 'keepdims'"),
        (lambda: wnp.unique(X, np.ones(2)), ValueError, "argument 'return_index'"),
        (lambda: wnp.linspace(0, 1, 3, retstep=np.ones(2)), ValueError, "argument 'retstep'"),
        (lambda: wnp.cumulative_sum(X, axis=0, include_initial=np.ones(2)), ValueError, "argument 'include_initial'"),
        (lambda: wnp.choose("ab", [X, X]), TypeError, "argument 'a'"),
        (lambda: wnp.histogram(X, [1.0]), ValueError, "edges of bins"),
        (lambda: wnp.einsum(X, [0, 99]), ValueError, "numbers of its axes"),
        (lambda: wnp.block([[]]), ValueError, "not empty"),
        (lambda: wnp.triu(X, 2**70), OverflowError, "cannot take these arguments"),
        (lambda: wnp.fft.fftn(X, s=[2, 2, 2]), ValueError, "3 sizes"),
        (lambda: wnp.fft.fftfreq(0), ValueError, "cannot take these arguments"),
        (lambda: wnp.fft.rfft([1j, 2.0]), TypeError, "real numbers"),
        (lambda: wnp.fft.fft(X, 0), ValueError, "at least 1 point"),
        (lambda: wnp.fft.fft(X, norm="odd"), ValueError, "norm must be"),
    ],
)  # fmt: skip
def test_errors_describe_the_bad_input(call, error, words):
    with pytest.raises(error, match=words):
        call()


def test_results_do_not_share_memory_with_arguments():
    array = np.ones(3)
    results = [wnp.asarray(array), wnp.reshape(array, (3, 1)), wnp.broadcast_to(array, (2, 3)), wnp.full(2, array[:2])]
    array[:] = 7.0
    for result in results:
        assert (result.numpy() == 1.0).all()


def test_a_gradient_reaches_the_tensors_in_a_list():
    x, y = tf.Variable(2.0), tf.Variable(3.0)
    with tf.GradientTape() as tape:
        z = wnp.sum(wnp.asarray([[x, 1.0], [y, x * y]]) * np.array([[1.0, 1.0], [10.0, 100.0]], np.float32))
    assert [g.numpy() for g in tape.gradient(z, [x, y])] == [301.0, 210.0]


def test_running_extremes_give_the_gradient_to_the_first_that_reached_them():
    x = tf.constant([1.0, 3.0, 3.0, 2.0, 5.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = wnp.maximum.accumulate(x)
    assert y.numpy().tolist() == [1.0, 3.0, 3.0, 3.0, 5.0]
    assert tape.gradient(y, x).numpy().tolist() == [1.0, 3.0, 0.0, 0.0, 1.0]
    spoilt = wnp.maximum.accumulate(tf.constant([1.0, np.nan, 3.0])).numpy()
    np.testing.assert_array_equal(spoilt, [1.0, np.nan, np.nan])


def test_the_gradient_of_a_lookup_is_dense():
    x = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = wnp.take(x, np.array([2, 0, 2]))
    assert isinstance(tape.gradient(y, x), tf.Tensor)
