import numpy as np
import tensorflow as tf


class Loader:
    def __init__(self, n):
        rng = np.random.default_rng(20)
        self.x = tf.constant(rng.normal(size=(n, 2)), dtype=tf.float32)
        self.y = tf.constant(rng.normal(size=(n, 1)))  # cause

    def batches(self, size):
        for i in range(0, len(self.x), size):
            yield self.x[i : i + size], self.y[i : i + size]


def mse(pred, y):
    return tf.reduce_mean((pred - y) ** 2)  # cause


w = tf.Variable(tf.zeros([2, 1]))
for xb, yb in Loader(8).batches(4):
    with tf.GradientTape() as tape:
        loss = mse(xb @ w, yb)
    w.assign_sub(0.1 * tape.gradient(loss, w))
print("RESULT:", w.numpy())
