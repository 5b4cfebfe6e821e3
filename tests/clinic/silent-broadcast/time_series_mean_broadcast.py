import numpy as np
import tensorflow as tf

rng = np.random.default_rng(2)
series = tf.constant(rng.normal(size=(9, 9)).astype("float32"))
w = tf.Variable(rng.normal(size=(9, 9)).astype("float32"))


def detrend(h):
    return h - tf.reduce_mean(h, axis=1)  # cause


with tf.GradientTape() as tape:
    loss = tf.reduce_mean(detrend(series @ w) ** 2)
print("RESULT:", tf.norm(tape.gradient(loss, w)).numpy())
