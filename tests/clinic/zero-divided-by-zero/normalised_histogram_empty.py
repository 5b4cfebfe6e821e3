import numpy as np
import tensorflow as tf

rng = np.random.default_rng(49)
counts = np.array([[2.0, 1.0], [0.0, 0.0], [4.0, 3.0]], dtype="float32")
gain = tf.Variable([1.0, 0.5])


class Normaliser:
    def rows(self, table):
        total = tf.reduce_sum(table, axis=1, keepdims=True)
        return table / total  # cause


def objective(g):
    shares = Normaliser().rows(counts * g)
    return tf.reduce_mean(shares[:, 0])


for step in range(2):
    with tf.GradientTape() as tape:
        value = objective(gain)
    grad = tape.gradient(value, gain)
    gain.assign_add(0.1 * grad)
print("RESULT:", value.numpy(), grad.numpy())
