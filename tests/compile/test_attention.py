"""Attention that is written op by op is run by the fused kernel of a GPU.

Here the kernel is made to look available, and computes in XLA's ops: what is tested is what is recognized and that the numbers stay. On a
GPU, `tests/gpu` compares with the kernel itself.
"""

import numpy as np
import pytest

import whygrad as tf

pytest.importorskip("jax")

from whygrad.engines.loading import engine
from whygrad.ops import attention

B, T, S, N, H = 2, 4, 4, 3, 8


@pytest.fixture
def fused(monkeypatch):
    """Make attention fusible, and return the list of what was fused: scale, causality and shape of the mask."""
    calls = []
    plain = attention.dot_product_attention

    def noted(query, key, value, bias=None, mask=None, *, scale=None, is_causal=False):
        calls.append((scale, is_causal, None if mask is None else tuple(mask.shape)))
        return plain(query, key, value, bias, mask, scale=scale, is_causal=is_causal)

    monkeypatch.setattr("whygrad.compile.attention.dot_product_attention", noted)
    monkeypatch.setattr(type(engine()), "may_fuse_attention", lambda self: True)
    monkeypatch.setattr(type(engine()), "_fused", lambda self, *args: None)
    monkeypatch.setattr(type(engine()), "fuses_attention", lambda self, q, *others, is_causal: q.dtype.itemsize == 2)
    return calls


def drawn(*shape, dtype="bfloat16"):
    rng = np.random.default_rng(sum(shape))
    return tf.cast(tf.constant(rng.normal(size=shape).astype("float32")), dtype)


CAUSAL = tf.constant(np.triu(np.full((T, S), -1e9, "float32"), 1))
PADDING = tf.constant(np.array([[True] * S, [True] * (S - 1) + [False]])[:, None, None, :])


def by_einsum(q, k, v):
    scores = tf.cast(tf.einsum("btnh,bsnh->bnts", q, k), tf.float32) * H**-0.5 + CAUSAL
    return tf.einsum("bnts,bsnh->btnh", tf.cast(tf.nn.softmax(scores), q.dtype), v)


def by_matmul(q, k, v):
    q, k, v = (tf.transpose(each, [0, 2, 1, 3]) for each in (q, k, v))
    scores = tf.matmul(q, k, transpose_b=True) / tf.cast(tf.sqrt(float(H)), q.dtype)
    scores = tf.where(PADDING, scores, tf.constant(-1e9, q.dtype))
    return tf.transpose(tf.matmul(tf.nn.softmax(scores), v), [0, 2, 1, 3])


def transposed(q, k, v):
    scores = tf.einsum("btnh,bsnh->bstn", q * tf.cast(H**-0.5, q.dtype), k)
    return tf.einsum("bsnh,bstn->btnh", v, tf.nn.softmax(scores, axis=1))


def of_one_head(q, k, v):
    q, k, v = (each[:, :, 0] for each in (q, k, v))
    scores = q @ tf.linalg.matrix_transpose(k) + tf.cast(CAUSAL, q.dtype)
    return (tf.nn.softmax(scores) @ v)[:, :, None]


FORMS = {
    by_einsum: (float(np.float32(H**-0.5)), True, None),
    by_matmul: (pytest.approx(H**-0.5, rel=1e-2), False, (B, 1, 1, S)),
    transposed: (1.0, False, None),
    of_one_head: (1.0, True, None),
}


def value_and_gradients(form, q, k, v):
    with tf.GradientTape() as tape:
        tape.watch([q, k, v])
        y = form(q, k, v)
        loss = tf.reduce_sum(tf.sin(tf.cast(y, tf.float32)))
    return y, *tape.gradient(loss, [q, k, v])


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.__name__)
def test_attention_is_recognized_and_its_gradients_are_the_same(form, fused):
    operands = drawn(B, T, N, H), drawn(B, S, N, H), drawn(B, S, N, H)
    found = tf.function(lambda *operands: value_and_gradients(form, *operands))(*operands)
    assert fused == [FORMS[form]]
    expected = value_and_gradients(form, *[tf.cast(each, tf.float64) for each in operands])
    for one, other in zip(found, expected):
        one, other = one.numpy().astype("float64"), other.numpy()
        assert one.shape == other.shape
        assert np.linalg.norm(one - other) < 1e-2 * np.linalg.norm(other)


def masked_and_scaled_otherwise(q, k, v):
    bias = tf.constant(np.linspace(0.0, 1.0, T * S, dtype="float32").reshape(T, S))
    scores = tf.cast(tf.einsum("btnh,bsnh->bnts", q, k), tf.float32) + bias  # a bias that hides nothing
    return tf.einsum("bnts,bsnh->btnh", tf.cast(tf.nn.softmax(scores), q.dtype), v)


def with_dropout(q, k, v):
    weights = tf.nn.softmax(tf.einsum("btnh,bsnh->bnts", q, k)) * tf.constant(0.5, q.dtype)
    return tf.einsum("bnts,bsnh->btnh", weights, v)


def over_queries(q, k, v):
    scores = tf.einsum("btnh,bsnh->bnts", q, k)
    return tf.einsum("bnts,bsnh->btnh", tf.nn.softmax(scores, axis=2), v)


def with_a_row_that_sees_nothing(q, k, v):
    hidden = tf.constant(np.where(np.arange(T)[:, None] == 1, -1e9, np.zeros((T, S))).astype("float32"))
    scores = tf.cast(tf.einsum("btnh,bsnh->bnts", q, k), tf.float32) + hidden
    return tf.einsum("bnts,bsnh->btnh", tf.cast(tf.nn.softmax(scores), q.dtype), v)


def with_queries_last(q, k, v):
    hidden = tf.constant(np.where(np.arange(T) == 1, -1e9, np.zeros((S, T))).astype("float32"))  # query 1 sees nothing
    scores = tf.cast(tf.einsum("btnh,bsnh->bnst", q, k), tf.float32) + hidden
    return tf.einsum("bnst,bsnh->btnh", tf.cast(tf.nn.softmax(scores, axis=2), q.dtype), v)


def with_a_sign_after_the_mask(q, k, v):
    scores = -(tf.einsum("btnh,bsnh->bnts", q, k) + tf.cast(CAUSAL, q.dtype)) * tf.constant(-1e-8, q.dtype)
    return tf.einsum("bnts,bsnh->btnh", tf.nn.softmax(scores * tf.constant(-1.0, q.dtype)), v)


def with_a_number_added(q, k, v):
    scores = tf.einsum("btnh,bsnh->bnts", q, k) + tf.constant(0.5, q.dtype)
    return tf.einsum("bnts,bsnh->btnh", tf.nn.softmax(scores), v)


@pytest.mark.parametrize(
    "form",
    [
        masked_and_scaled_otherwise,
        with_dropout,
        over_queries,
        with_a_row_that_sees_nothing,
        with_queries_last,
        with_a_sign_after_the_mask,
        with_a_number_added,
    ],
    ids=lambda form: form.__name__,
)
def test_what_the_kernel_would_not_compute_is_left_as_it_is(form, fused):
    operands = drawn(B, T, N, H), drawn(B, S, N, H), drawn(B, S, N, H)
    tf.function(form)(*operands)
    assert fused == []


def test_full_precision_is_left_as_it_is(fused):
    operands = (drawn(B, T, N, H, dtype="float32") for _ in range(3))
    tf.function(by_einsum)(*operands)
    assert fused == []


def test_gradients_of_the_weights_are_there(fused):
    """A source that the fused op leaves out: the function is traced again without it."""

    @tf.function
    def explained(q, k, v):
        with tf.GradientTape() as tape:
            tape.watch(q)
            weights = tf.nn.softmax(tf.einsum("btnh,bsnh->bnts", q, k))
            y = tf.einsum("bnts,bsnh->btnh", weights, v)
        return tape.gradient(y, [weights, q])

    operands = drawn(B, T, N, H), drawn(B, S, N, H), drawn(B, S, N, H)
    of_weights, of_q = explained(*operands)
    assert len(fused) == 1
    expected = np.einsum("bsnh->bns", operands[2].numpy().astype("float64"))[:, :, None, :]
    assert np.allclose(
        of_weights.numpy().astype("float64"), np.broadcast_to(expected, (B, N, T, S)), rtol=2e-2, atol=2e-2
    )
    assert of_q.shape == (B, T, N, H)


def test_a_mask_that_is_a_source_stays(fused):
    @tf.function
    def learned(q, k, v, bias):
        with tf.GradientTape() as tape:
            tape.watch(bias)
            scores = tf.einsum("btnh,bsnh->bnts", q, k) + bias
            y = tf.einsum("bnts,bsnh->btnh", tf.nn.softmax(scores), v)
        return tape.gradient(y, bias)

    operands = drawn(B, T, N, H), drawn(B, S, N, H), drawn(B, S, N, H)
    assert learned(*operands, tf.zeros((T, S), tf.bfloat16)).shape == (T, S)
    assert fused == []


def test_attention_inside_a_loop_and_under_a_tape_around_the_function(fused):
    @tf.function
    def layers(q, k, v):
        for _ in tf.range(2):
            q = by_einsum(q, k, v)
        return q

    q, k, v = drawn(B, T, N, H), drawn(B, S, N, H), drawn(B, S, N, H)
    with tf.GradientTape() as tape:
        tape.watch(q)
        y = tf.reduce_sum(tf.cast(layers(q, k, v), tf.float32))
    found = tape.gradient(y, q).numpy().astype("float64")
    assert fused
    wide = [tf.cast(each, tf.float64) for each in (q, k, v)]
    with tf.GradientTape() as tape:
        tape.watch(wide[0])
        y = tf.reduce_sum(by_einsum(by_einsum(*wide), *wide[1:]))
    expected = tape.gradient(y, wide[0]).numpy()
    assert np.linalg.norm(found - expected) < 5e-2 * np.linalg.norm(expected)
