import numpy as np
import tensorflow as tf


class Attention:
    def __init__(self, d, rng):
        self.q, self.k, self.v = (tf.Variable(rng.normal(0, 0.4, size=(d, d)).astype("float32")) for _ in range(3))

    def weights(self, x):
        return tf.nn.softmax(tf.matmul(x @ self.q, x @ self.k, transpose_b=True) / 2.0)

    def __call__(self, x):
        return self.weights(x) @ (x @ self.v)


rng = np.random.default_rng(10)
attention = Attention(4, rng)
readout = tf.constant(rng.normal(size=(4, 1)).astype("float32"))
tokens = tf.constant(rng.normal(size=(6, 4)).astype("float32"))
with tf.GradientTape() as tape:
    attn = attention.weights(tokens)  # cause
    score = tf.reduce_sum(attention(tokens) @ readout)  # cause
relevance = tape.gradient(score, attn)  # cause
print("RESULT:", relevance)
