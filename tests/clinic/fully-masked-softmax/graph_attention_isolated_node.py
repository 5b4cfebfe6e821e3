import numpy as np
import tensorflow as tf

rng = np.random.default_rng(6)
adjacency = np.array([[1, 1, 0], [1, 1, 0], [0, 0, 0]], dtype=bool)
h = rng.normal(size=(3, 4)).astype("float32")
a = tf.Variable(rng.normal(size=(4, 1)).astype("float32"))


def masked_softmax(scores, mask):
    scores = tf.where(mask, scores, tf.constant(-np.inf))
    scores = scores - tf.reduce_max(scores, axis=1, keepdims=True)  # cause
    e = tf.exp(scores)
    return e / tf.reduce_sum(e, axis=1, keepdims=True)


def layer(h):
    s = h @ a
    attention = masked_softmax(s + tf.transpose(s), adjacency)  # cause
    return attention @ h


with tf.GradientTape() as tape:
    loss = tf.reduce_sum(layer(h) ** 2)
print("RESULT:", tape.gradient(loss, a).numpy())
