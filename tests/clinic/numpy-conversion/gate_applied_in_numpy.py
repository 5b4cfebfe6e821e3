import numpy as np
import tensorflow as tf

rng = np.random.default_rng(5)
w = tf.Variable(rng.normal(size=(3, 3)).astype("float32"))
x = rng.normal(size=(6, 3)).astype("float32")
y = rng.normal(size=(6, 3)).astype("float32")


def sigmoid(z):
    return 1.0 / (1.0 + np.exp(-z))


def swish(h):
    return h * sigmoid(h.numpy())  # cause


with tf.GradientTape() as tape:
    out = swish(tf.matmul(x, w))
    loss = tf.reduce_mean(tf.square(tf.matmul(out, w) - y))
print(tape.gradient(loss, w))
