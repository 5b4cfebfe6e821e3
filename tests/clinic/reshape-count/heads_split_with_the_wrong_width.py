"""Multi-head attention: the width of a head is computed from the number of tokens."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(82)
B, T, D, HEADS = 2, 6, 8, 4
x = tf.constant(rng.normal(size=(B, T, D)).astype("float32"))
W = {name: tf.Variable(rng.normal(0, 0.3, (D, D)).astype("float32")) for name in ("q", "k", "v", "o")}


def split(y):
    width = T // HEADS
    return tf.transpose(tf.reshape(y, (B, T, HEADS, width)), (0, 2, 1, 3))  # cause


def attention(x):
    q, k, v = (split(x @ W[name]) for name in "qkv")
    a = tf.nn.softmax(tf.matmul(q, k, transpose_b=True) / np.sqrt(D // HEADS))
    merged = tf.reshape(tf.transpose(a @ v, (0, 2, 1, 3)), (B, T, D))
    return merged @ W["o"]


with tf.GradientTape() as tape:
    loss = tf.reduce_mean(attention(x) ** 2)
print({name: g.shape for name, g in tape.gradient(loss, W).items()})
