import numpy as np
import tensorflow as tf

z = tf.constant(np.random.default_rng(12).normal(size=(200, 10)).astype("float32"))
s0, sigma = tf.Variable(100.0), tf.Variable(0.3)
with tf.GradientTape() as tape:
    steps = (0.01 - 0.5 * sigma**2) * 0.1 + sigma * np.sqrt(0.1).astype("float32") * z
    path = s0 * tf.exp(tf.cumsum(steps, axis=1))
    payoff = tf.maximum(tf.reduce_mean(path, axis=1) - 100.0, 0.0)
    price = tf.reduce_mean(payoff)
print([g.numpy() for g in tape.gradient(price, [s0, sigma])])
