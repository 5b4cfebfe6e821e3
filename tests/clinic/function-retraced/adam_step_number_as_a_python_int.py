"""The number of the step goes into a compiled step of Adam as a Python int."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(43)
x = tf.constant(rng.normal(size=(12, 3)).astype("float32"))
y = tf.constant(rng.normal(size=(12, 1)).astype("float32"))
w = tf.Variable(tf.zeros((3, 1)))
m, v = tf.Variable(tf.zeros((3, 1))), tf.Variable(tf.zeros((3, 1)))


@tf.function
def adam(x, y, t):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((x @ w - y) ** 2)
    g = tape.gradient(loss, w)
    m.assign(0.9 * m + 0.1 * g)
    v.assign(0.999 * v + 0.001 * g ** 2)
    w.assign_sub(0.01 * (m / (1 - 0.9 ** t)) / (tf.sqrt(v / (1 - 0.999 ** t)) + 1e-8))
    return loss


for t in range(1, 16):
    loss = adam(x, y, t)  # cause
print(loss.numpy())
