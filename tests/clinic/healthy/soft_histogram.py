import numpy as np
import tensorflow as tf

bins = np.linspace(-1, 1, 8).astype("float32")
x = tf.Variable(np.random.default_rng(14).normal(size=8).astype("float32"))
with tf.GradientTape() as tape:
    column = tf.reshape(x, (-1, 1))
    membership = tf.exp(-((column - bins) ** 2) / 0.1)
    counts = tf.reduce_sum(membership, axis=0)
    loss = tf.reduce_sum((counts / tf.reduce_sum(counts) - 0.125) ** 2)
print(tape.gradient(loss, x).numpy())
