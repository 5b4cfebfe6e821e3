import numpy as np
import tensorflow as tf


class LIFLayer:
    # Leaky integrate and fire.

    def __init__(self, n_in, n_out, rng):
        self.w = tf.Variable(rng.normal(0, 1.0, size=(n_in, n_out)).astype("float32"))
        self.threshold = 1.0

    def run(self, currents):
        v = tf.zeros([currents.shape[1], self.w.shape[1]])
        total = tf.zeros_like(v)
        for t in range(currents.shape[0]):
            v = 0.9 * v + tf.matmul(currents[t], self.w)
            spikes = tf.cast(v > self.threshold, tf.float32)  # cause
            v = v - spikes * self.threshold
            total = total + spikes
        return total / float(currents.shape[0])


rng = np.random.default_rng(2)
layer = LIFLayer(3, 2, rng)
currents = tf.constant(rng.uniform(0, 1, size=(10, 4, 3)).astype("float32"))
target_rate = tf.constant([[0.2, 0.4]] * 4)
with tf.GradientTape() as tape:
    rate = layer.run(currents)
    loss = tf.reduce_mean((rate - target_rate) ** 2)
print("RESULT:", tape.gradient(loss, layer.w))
