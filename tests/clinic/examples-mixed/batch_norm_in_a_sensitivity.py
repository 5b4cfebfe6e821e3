"""Per-example sensitivities of a small network with batch normalization in training mode."""

import tensorflow as tf


class Network(tf.Module):
    def __init__(self):
        self.w1 = tf.Variable(tf.random.normal((3, 4), seed=1))
        self.w2 = tf.Variable(tf.random.normal((4, 2), seed=2))

    def normalise(self, h):
        mean, variance = tf.nn.moments(h, axes=[0])  # cause
        return (h - mean) / tf.sqrt(variance + 1e-3)

    def __call__(self, x):
        return tf.nn.softplus(self.normalise(x @ self.w1)) @ self.w2


network = Network()
inputs = tf.random.normal((5, 3), seed=3)
with tf.GradientTape() as tape:
    tape.watch(inputs)
    outputs = network(inputs)
sensitivity = tape.batch_jacobian(outputs, inputs)
print(sensitivity.shape)
