import numpy as np
import tensorflow as tf

rng = np.random.default_rng(1)
d, heads, length, batch = 8, 2, 5, 3


def weight(*shape):
    return tf.Variable(rng.normal(0, 0.2, size=shape).astype("float32"))


wq, wk, wv, wo, w1, w2 = weight(d, d), weight(d, d), weight(d, d), weight(d, d), weight(d, 16), weight(16, d)
gamma, beta = tf.Variable(tf.ones(d)), tf.Variable(tf.zeros(d))
table = weight(11, d)
tokens = rng.integers(0, 11, size=(batch, length))
mask = np.triu(np.ones((length, length), dtype="float32"), k=1) * -1e9


def split_heads(t):
    return tf.transpose(tf.reshape(t, (batch, length, heads, d // heads)), (0, 2, 1, 3))


def layer_norm(t):
    mean = tf.reduce_mean(t, axis=-1, keepdims=True)
    variance = tf.reduce_mean((t - mean) ** 2, axis=-1, keepdims=True)
    return gamma * (t - mean) / tf.sqrt(variance + 1e-6) + beta


variables = [wq, wk, wv, wo, w1, w2, gamma, beta, table]
with tf.GradientTape() as tape:
    x = tf.gather(table, tokens)
    q, k, v = split_heads(x @ wq), split_heads(x @ wk), split_heads(x @ wv)
    scores = tf.matmul(q, k, transpose_b=True) / np.sqrt(d // heads).astype("float32") + mask
    context = tf.matmul(tf.nn.softmax(scores, axis=-1), v)
    x = layer_norm(x + tf.reshape(tf.transpose(context, (0, 2, 1, 3)), (batch, length, d)) @ wo)
    x = layer_norm(x + tf.nn.relu(x @ w1) @ w2)
    logits = tf.einsum("bld,vd->blv", x, table)
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=np.roll(tokens, -1, axis=1), logits=logits)
    loss = tf.reduce_mean(losses)
grads = tape.gradient(loss, variables)
print(loss.numpy(), [type(g).__name__ for g in grads])
