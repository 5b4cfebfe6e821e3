"""NumPy's own functions on Tensors: arrays as in TensorFlow, and differentiable results while dispatch is enabled."""

import numpy as np
import pytest

import whygrad as tf
import whygrad.numpy as wnp
from tests.support.gradients import check_gradients


@pytest.fixture
def dispatch():
    with wnp.enable_dispatch():
        yield
    assert not wnp.is_dispatch_enabled()


# -- NumPy code that knows nothing of tensors --


def softmax_loss(weights, data, labels):
    logits = data @ weights
    logits = logits - np.max(logits, axis=1, keepdims=True)
    log_sum = np.log(np.sum(np.exp(logits), axis=1))
    picked = logits[np.arange(len(labels)), labels]
    return (log_sum - picked).mean()


def kalman_step(state, covariance, measurement):
    predicted = np.array([[1.0, 0.5], [0.0, 1.0]]) @ state
    spread = covariance + 0.1 * np.eye(2)
    gain = np.linalg.solve(spread + 0.2 * np.identity(2), spread).T
    return predicted + np.dot(gain, measurement - predicted)


def spectrum_of_gram(x):
    gram = np.einsum("ij,kj->ik", x, x) / x.shape[1]
    values, vectors = np.linalg.eigh(gram + np.diag(np.arange(x.shape[0], dtype=float)))
    return np.sqrt(values.clip(min=1e-9)).sum() + np.linalg.norm(vectors[:, 0] ** 2)


def smoothed(x):
    padded = np.pad(x, 1, mode="edge")
    weights = np.hanning(5)[1:-1]
    return np.convolve(padded, weights / weights.sum(), mode="valid") - np.median(x) + np.cumsum(x[::-1])[-1]


def mixed(x):
    y = np.where(x > 0, np.sqrt(np.abs(x) + 1), x**2 / 3)
    z = np.concatenate([y.ravel(), y.T.reshape(-1)[1:]])
    z = np.stack([z, np.roll(z, 2)], axis=-1)
    return np.tensordot(z, z, axes=([0], [0])).astype(float), np.prod(y, axis=0), x.std(axis=1, ddof=1)


X = np.array([[0.3, -1.2, 0.8], [1.5, 0.4, -0.6]])
RNG = np.random.default_rng(0)
PROGRAMS = {
    "softmax loss": (lambda w: softmax_loss(w, RNG_DATA, np.array([0, 2, 1, 1])), [RNG.normal(size=(2, 3))]),
    "kalman step": (kalman_step, [RNG.normal(size=2), np.eye(2) * 0.7, RNG.normal(size=2)]),
    "spectrum": (spectrum_of_gram, [X]),
    "smoothed": (smoothed, [X[0]]),
    "mixed": (mixed, [X]),
}
RNG_DATA = RNG.normal(size=(4, 2))


@pytest.mark.parametrize("name", PROGRAMS)
def test_numpy_code_is_differentiable_as_it_stands(dispatch, name):
    program, arguments = PROGRAMS[name]
    expected = tf.nest.flatten(program(*arguments))
    found = tf.nest.flatten(program(*[tf.constant(a) for a in arguments]))
    for mine, other in zip(found, expected):
        assert isinstance(mine, tf.Tensor)
        np.testing.assert_allclose(mine.numpy(), other, rtol=1e-12)
    check_gradients(program, arguments)


def test_variables_are_sent_there_too(dispatch):
    v = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = np.sum(np.square(v) * np.array([1.0, 3.0], np.float32)) + (v * v).sum()
    np.testing.assert_allclose(tape.gradient(y, v).numpy(), [4.0, 16.0])


# -- ufuncs and their methods --


def test_operators_with_arrays_are_numpys(dispatch):
    t = tf.constant([1.0, 2.0])
    a = np.array([1.0, 2.0])
    for result in (a * t, t * a, np.float64(2) * t, t * np.float64(2), t + tf.constant([1.0], tf.float64)):
        assert isinstance(result, tf.Tensor)
        assert result.dtype == tf.float64
    assert (tf.constant([1, 2]) * 2.5).dtype == tf.float64
    assert (t * 2.5).dtype == tf.float32
    assert (tf.constant([7, 8]) // 2).numpy().tolist() == [3, 4]
    assert (a > t).numpy().tolist() == [False, False]
    assert (t == a).numpy().tolist() == [True, True]
    assert (np.ones((2, 2)) @ t).numpy().tolist() == [3.0, 3.0]


@pytest.mark.parametrize(
    "call",
    [
        lambda x: np.add.reduce(x, axis=1),
        lambda x: np.add.reduce(x),
        lambda x: np.add.reduce(x, axis=None, keepdims=True),
        lambda x: np.multiply.reduce(x, axis=(0, 1)),
        lambda x: np.maximum.reduce(x, axis=1, initial=0.0),
        lambda x: np.minimum.reduce(x, axis=1),
        lambda x: np.logaddexp.reduce(x, axis=0),
        lambda x: np.add.accumulate(x, axis=1),
        lambda x: np.multiply.accumulate(x),
        lambda x: np.maximum.accumulate(x, axis=1),
        lambda x: np.minimum.accumulate(x, axis=0),
        lambda x: np.subtract.outer(x, x[0]),
        lambda x: np.add(x, x, dtype=np.float32),
        lambda x: np.matmul(x, x.T),
        lambda x: np.modf(x)[0],
        lambda x: np.divmod(x, 0.7)[1],
    ],
)
def test_methods_of_ufuncs(dispatch, call):
    result = call(tf.constant(X))
    assert isinstance(result, tf.Tensor)
    assert result.dtype == call(X).dtype
    np.testing.assert_allclose(result.numpy(), call(X), rtol=1e-6)
    if result.dtype == tf.float64:
        check_gradients(call, [X])


def test_logical_reductions(dispatch):
    t = tf.constant(X)
    assert np.logical_and.reduce(t > -2, axis=1).numpy().tolist() == [True, True]
    assert np.logical_or.reduce(t > 1).numpy().tolist() == [True, False, False]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda t: np.add.at(t, [0], 1.0), "add.at"),
        (lambda t: np.add.reduceat(t, [0, 1]), "add.reduceat"),
        (lambda t: np.hypot.reduce(t), "hypot.reduce"),
        (lambda t: np.add(t, 1.0, out=np.zeros(3)), "out="),
        (lambda t: np.sum(t, out=np.zeros(())), "out="),
        (lambda t: np.sin(t, where=np.array([True, False, True])), "where="),
        (lambda t: np.roots(t), "numpy.roots"),
        (lambda t: np.packbits(t), "numpy.packbits"),
        (lambda t: np.put(t, [0], 1.0), "numpy.put"),
        (lambda t: np.copyto(np.zeros(3), t), "numpy.copyto"),
        (lambda t: np.array2string(t), "array2string"),
        (lambda t: np.isnat(t), "isnat"),
        (lambda t: np.pad(t, 1, mode="mean"), "pad"),
        (lambda t: t.sort(), "ndarray.sort"),
        (lambda t: t.fill(0.0), "ndarray.fill"),
    ],
)
def test_a_function_without_a_counterpart_is_named_in_the_error(dispatch, call, words):
    with pytest.raises(TypeError, match=words):
        call(tf.constant([1.0, 2.0, 3.0]))


def test_adding_to_an_array_in_place_is_refused(dispatch):
    a = np.zeros(3)
    with pytest.raises(TypeError, match="out="):
        a += tf.constant([1.0, 2.0, 3.0])
    assert a.tolist() == [0.0, 0.0, 0.0]


def test_strange_array_types_are_left_to_others(dispatch):
    class Strange:
        def __array_function__(self, func, types, args, kwargs):
            return "mine"

    assert np.concatenate([tf.constant([1.0]), Strange()]) == "mine"


# -- methods and indexing --


def test_methods_of_arrays(dispatch):
    t, a = tf.constant(X), X
    for call in (
        lambda x: x.T, lambda x: x.mT, lambda x: x.sum(axis=0), lambda x: x.mean(), lambda x: x.reshape(3, 2),
        lambda x: x.reshape((3, -1)), lambda x: x.transpose(1, 0), lambda x: x.transpose(), lambda x: x.astype("float32"),
        lambda x: x.max(1), lambda x: x.argmax(axis=1), lambda x: x.flatten(), lambda x: x.ravel(), lambda x: x.dot(x.T),
        lambda x: x.cumsum(0), lambda x: x.round(1), lambda x: x.clip(-1, 1), lambda x: x.real, lambda x: x.imag,
        lambda x: x.swapaxes(0, 1), lambda x: x.take([0, 2], 1), lambda x: x.repeat(2), lambda x: x.var(ddof=1),
        lambda x: x.squeeze(), lambda x: x.copy(), lambda x: x.diagonal(), lambda x: x.trace(), lambda x: x.nonzero()[0],
        lambda x: x.item(0, 1), lambda x: x.any(), lambda x: x.prod(), lambda x: list(x.flat)[1], lambda x: x.size,
        lambda x: divmod(x, 2.0)[0], lambda x: ~(x > 0), lambda x: (x > 0) & (x < 1), lambda x: x.conj(),
    ):  # fmt: skip
        mine, other = call(t), call(a)
        assert np.asarray(mine).dtype == np.asarray(other).dtype
        np.testing.assert_allclose(np.asarray(mine), np.asarray(other), rtol=1e-12)


@pytest.mark.parametrize(
    "key",
    [
        0, (0, 1), (slice(None), 1), ..., None, (..., None, 0), slice(None, None, -1), [1, 0], ([0, 1], [2, 0]),
        np.array([True, False]), X > 0, (0, [0, 2]), (slice(None), [0, 2, 2]), (None, [1], ..., 0), (np.array([[0], [1]]), [0, 1]),
        (slice(None), np.array([True, False, True])), (np.int64(1), -1), [], True,
    ],
    ids=str,
)  # fmt: skip
def test_indexing_is_numpys(dispatch, key):
    result = tf.constant(X)[key]
    np.testing.assert_array_equal(result.numpy(), X[key])
    assert tuple(result.shape) == X[key].shape
    if X[key].size:
        check_gradients(lambda x: x[key] * x[key], [X])


def test_tensors_as_indices(dispatch):
    t = tf.constant(X)
    assert t[tf.constant([1, 0]), tf.constant([2, 0])].numpy().tolist() == [X[1, 2], X[0, 0]]
    np.testing.assert_array_equal(t[t > 0].numpy(), X[X > 0])
    with pytest.raises(IndexError, match="out of bounds"):
        t[[5]]
    with pytest.raises(IndexError, match="cannot be indexed this way"):
        t[[0], [7]]


# -- switching --


def test_without_the_switch_numpy_gives_arrays():
    t = tf.constant([1.0, 2.0])
    assert type(np.sin(t)) is np.ndarray
    assert type(np.sum(t)) is np.float32
    assert isinstance(np.array([1.0, 2.0]) * t, tf.Tensor)
    assert isinstance(t * np.array([1.0, 2.0]), tf.Tensor)
    assert (t * np.array([1.0, 2.0])).dtype == tf.float32
    with pytest.raises(AttributeError):
        t.T


def test_the_switch_leaves_no_trace():
    before = {owner: dict(vars(owner)) for owner in (tf.Tensor, tf.Variable)}
    wnp.enable_dispatch()
    wnp.enable_dispatch()
    assert wnp.is_dispatch_enabled()
    wnp.disable_dispatch()
    wnp.disable_dispatch()
    assert not wnp.is_dispatch_enabled()
    assert {owner: dict(vars(owner)) for owner in (tf.Tensor, tf.Variable)} == before


def test_the_block_restores_the_previous_setting():
    with wnp.enable_dispatch():
        with wnp.enable_dispatch():
            pass
        assert wnp.is_dispatch_enabled()
        with pytest.raises(KeyError), wnp.enable_dispatch():
            raise KeyError
        assert wnp.is_dispatch_enabled()
    assert not wnp.is_dispatch_enabled()


def test_second_order_while_switched_on(dispatch):
    x = tf.Variable(0.5, dtype=tf.float32)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = np.exp(np.sin(x)) * x**3
        first = inner.gradient(y, x)
    second = outer.gradient(first, x)
    assert first.dtype == second.dtype == tf.float32


def test_tensorflows_own_switch_gives_methods_and_promotion_but_no_dispatch():
    from whygrad.numpy import behavior

    wnp.experimental_enable_numpy_behavior()
    try:
        t = tf.constant([[1, 2], [3, 4]])
        assert t.T.numpy().tolist() == [[1, 3], [2, 4]]
        assert (t + 0.5).dtype == tf.float64
        assert t.astype(np.float32).dtype == tf.float32
        assert type(np.sin(t)) is np.ndarray
        with wnp.enable_dispatch():
            assert isinstance(np.sin(t), tf.Tensor)
        assert t.T.shape == (2, 2)
    finally:
        behavior.disable_numpy_behavior()


def test_tensorflows_own_switch_without_promotion():
    from whygrad.numpy import behavior

    whole = tf.constant([[1, 2], [3, 4]])
    wnp.experimental_enable_numpy_behavior(dtype_conversion_mode="off")
    try:
        assert whole.T.numpy().tolist() == [[1, 3], [2, 4]]
        with pytest.raises(tf.errors.InvalidArgumentError):
            whole + 0.5
        with wnp.enable_dispatch():
            assert (whole + 0.5).dtype == tf.float64
        wnp.experimental_enable_numpy_behavior()
        assert (whole + 0.5).dtype == tf.float64
    finally:
        behavior.disable_numpy_behavior()
    assert not hasattr(whole, "T")
    with pytest.raises(tf.errors.InvalidArgumentError):
        whole + 0.5


def test_an_unknown_mode_of_promotion():
    with pytest.raises(ValueError, match="The provided promotion mode wide does not exist"):
        wnp.experimental_enable_numpy_behavior(dtype_conversion_mode="wide")
