"""Values on a GPU: where they are, what is computed there, and that the numbers are those of the CPU."""

import numpy as np
import pytest

import whygrad as tf

X = np.random.default_rng(0).normal(size=(64, 64)).astype(np.float32)


def test_devices_are_listed():
    gpus = tf.config.list_physical_devices("GPU")
    assert gpus[0].name == "/physical_device:GPU:0"
    assert tf.test.is_gpu_available()


def test_constants_and_variables_are_made_on_the_device():
    with tf.device("/gpu:0"):
        x, v = tf.constant(X), tf.Variable(X)
    y = x @ v
    for each in (x, v, y, tf.sin(y)):
        assert each.device.endswith("device:GPU:0"), each.device
    np.testing.assert_allclose(y.numpy(), X @ X, rtol=2e-2, atol=0.1)
    assert "shape=(64, 64)" in repr(x)


def test_outside_of_the_scope_values_are_numpys():
    assert tf.constant(X).device.endswith("device:CPU:0")
    assert tf.sin(tf.constant(X)).device.endswith("device:CPU:0")


def test_a_tape_works_op_by_op_on_the_device():
    def gradient(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(tf.nn.softmax(tf.sin(x) * 2.0) * tf.cos(x))
        return tape.gradient(y, x)

    with tf.device("gpu:0"):
        placed = tf.constant(X)
    found = gradient(placed)
    assert found.device.endswith("device:GPU:0")
    np.testing.assert_allclose(found.numpy(), gradient(tf.constant(X)).numpy(), rtol=1e-4, atol=1e-6)


def _step(w):
    @tf.function
    def step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(tf.tanh(x @ w) - 0.5))
        w.assign_sub(0.1 * tape.gradient(loss, w))
        return loss

    return step


def test_a_compiled_step_keeps_its_variables_on_the_device():
    w = tf.Variable(X)
    step = _step(w)
    losses = [float(step(tf.constant(X))) for _ in range(5)]
    assert w.device.endswith("device:GPU:0")
    with tf.device("cpu:0"):
        other = tf.Variable(X)
        on_cpu = _step(other)
        expected = [float(on_cpu(tf.constant(X))) for _ in range(5)]
        assert other.device.endswith("device:CPU:0")
    np.testing.assert_allclose(losses, expected, rtol=2e-3)


def test_a_hidden_gpu_is_not_used():
    tf.config.set_visible_devices([], "GPU")
    try:
        w = tf.Variable(X)
        _step(w)(tf.constant(X))
        assert w.device.endswith("device:CPU:0")
    finally:
        tf.config.set_visible_devices(tf.config.list_physical_devices("GPU"), "GPU")


@pytest.mark.parametrize("is_causal", [False, True])
def test_fused_attention_is_plain_attention(is_causal):
    rng = np.random.default_rng(1)
    q, k, v, g = (rng.normal(size=(2, 128, 4, 64)).astype(np.float32) for _ in range(4))

    def both(q, k, v, g):
        with tf.GradientTape() as tape:
            tape.watch([q, k, v])
            y = tf.nn.dot_product_attention(q, k, v, is_causal=is_causal)
        return y, *tape.gradient(y, [q, k, v], g)

    halves = [tf.cast(each, tf.bfloat16) for each in (q, k, v, g)]
    fused = tf.function(both)(*halves)
    plain = both(*[tf.cast(each, tf.float32) for each in halves])
    for a, b in zip(fused, plain):
        a, b = tf.cast(a, tf.float32).numpy(), b.numpy()
        assert np.linalg.norm(a - b) < 1e-2 * np.linalg.norm(b)


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_attention_written_op_by_op_is_fused(dtype, monkeypatch):
    calls = []
    fused = tf.nn.dot_product_attention
    monkeypatch.setattr(
        "whygrad.compile.attention.dot_product_attention",
        lambda *args, **options: calls.append(options["is_causal"]) or fused(*args, **options),
    )
    rng = np.random.default_rng(1)
    q, k, v, g = (rng.normal(size=(2, 128, 4, 64)).astype(np.float32) for _ in range(4))
    later = tf.constant(np.triu(np.full((128, 128), -1e9, np.float32), 1))
    padding = tf.constant(np.arange(128) < np.array([[128], [90]]))[:, None, None, :]

    def both(q, k, v, g):
        with tf.GradientTape() as tape:
            tape.watch([q, k, v])
            scores = tf.cast(tf.einsum("btnh,bsnh->bnts", q, k), tf.float32) / 8.0
            weights = tf.nn.softmax(tf.where(padding, scores + later, -1e9))
            y = tf.einsum("bnts,bsnh->btnh", tf.cast(weights, q.dtype), v)
        return y, *tape.gradient(y, [q, k, v], g)

    halves = [tf.cast(each, dtype) for each in (q, k, v, g)]
    found = tf.function(both)(*halves)
    assert calls == [True]
    plain = both(*[tf.cast(each, tf.float32) for each in halves])
    for a, b in zip(found, plain):
        a, b = tf.cast(a, tf.float32).numpy(), b.numpy()
        assert np.linalg.norm(a - b) < 1e-2 * np.linalg.norm(b)


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_a_loss_of_many_classes_and_its_gradient_are_those_of_the_cpu(dtype):
    logits, labels = tf.cast(X * 20.0, dtype), np.arange(64) % 64

    def loss_and_gradient(logits):
        with tf.GradientTape() as tape:
            tape.watch(logits)
            loss = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)
        return loss, tape.gradient(loss, logits)

    for of_gpu, of_cpu in zip(tf.function(loss_and_gradient)(logits), loss_and_gradient(logits)):
        a, b = tf.cast(of_gpu, tf.float32).numpy(), tf.cast(of_cpu, tf.float32).numpy()
        np.testing.assert_allclose(a, b, rtol=1e-2 if dtype == "bfloat16" else 1e-5, atol=1e-6)


def test_a_variable_that_becomes_nan_is_found_on_the_device(monkeypatch):
    found = []
    monkeypatch.setattr("whygrad.compile.compiled_call.became_nan_listeners", [found.append])
    fine, bad = tf.Variable(X), tf.Variable(X)

    @tf.function
    def step(x):
        fine.assign_sub(x * 0.1)
        bad.assign(tf.sqrt(x))

    step(tf.ones((64, 64)))
    assert found == []
    step(-tf.ones((64, 64)))
    (became,) = found
    assert became.variable is bad
    assert became.calls == 2
