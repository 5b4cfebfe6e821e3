import numpy as np
import tensorflow as tf

w = tf.Variable(tf.zeros([3, 1]))
x = tf.constant(np.random.default_rng(16).normal(size=(10, 3)).astype("float32"))
y = tf.constant(np.linspace(-1, 1, 10, dtype="float32")[:, None])


def centre(v):
    return v - tf.reduce_mean(v)


def correlation(a, b):
    a, b = centre(a), centre(b)
    top = tf.reduce_sum(a * b)
    bottom = tf.sqrt(tf.reduce_sum(a * a)) * tf.sqrt(tf.reduce_sum(b * b))
    return top / bottom  # cause


with tf.GradientTape() as tape:
    loss = 1.0 - correlation(x @ w, y)
print("RESULT:", loss.numpy(), tape.gradient(loss, w).numpy().ravel())
