import numpy as np
import tensorflow as tf

rng = np.random.default_rng(21)
table = tf.Variable(np.vstack([np.zeros((1, 3)), rng.normal(size=(4, 3))]).astype("float32"))
pairs = [(1, 2), (3, 0), (4, 1)]


def norm(v):
    return tf.reduce_sum(tf.abs(v), axis=-1, keepdims=True)


def unit(v):
    return v / norm(v)  # cause


def similarity(pairs):
    left = tf.gather(table, [a for a, _ in pairs])
    right = tf.gather(table, [b for _, b in pairs])
    return tf.reduce_sum(unit(left) * unit(right), axis=1)


with tf.GradientTape() as tape:
    loss = -tf.reduce_mean(similarity(pairs))
grad = tf.convert_to_tensor(tape.gradient(loss, table))
print("RESULT:", loss.numpy(), grad.numpy())
