"""Attention scores are divided by a temperature of 1e-3: every row of the softmax is one-hot exactly."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(101)
keys = tf.constant(rng.normal(0, 3, size=(4, 6, 5)).astype("float32"))
values = tf.constant(rng.normal(size=(4, 6, 2)).astype("float32"))
goal = tf.constant(rng.normal(size=(4, 2)).astype("float32"))


class Reader:
    def __init__(self, temperature):
        self.query = tf.Variable(rng.normal(0, 2, (4, 5)).astype("float32"))
        self.temperature = temperature

    def weights(self):
        scores = tf.einsum("bd,btd->bt", self.query, keys)
        return tf.nn.softmax(scores / self.temperature, axis=1)  # cause

    def __call__(self):
        return tf.einsum("bt,btv->bv", self.weights(), values)


reader = Reader(1e-3)
for step in range(5):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((reader() - goal) ** 2)
    reader.query.assign_sub(0.1 * tape.gradient(loss, reader.query))
    print(step, loss.numpy())
