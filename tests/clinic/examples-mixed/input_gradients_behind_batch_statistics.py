"""Each example's sensitivity is wanted from batch_jacobian, but a norm over the batch mixes them."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(85)
x = tf.constant(rng.normal(size=(6, 4)).astype("float32"))
w1 = tf.Variable(rng.normal(0, 0.5, (4, 5)).astype("float32"))
w2 = tf.Variable(rng.normal(0, 0.5, (5, 2)).astype("float32"))


def standardise(h):
    mean, variance = tf.nn.moments(h, axes=[0])  # cause
    return (h - mean) / tf.sqrt(variance + 1e-3)


def network(x):
    return tf.tanh(standardise(x @ w1)) @ w2


with tf.GradientTape() as tape:
    tape.watch(x)
    y = network(x)
sensitivity = tape.batch_jacobian(y, x)
print(tf.norm(sensitivity, axis=[1, 2]).numpy())
