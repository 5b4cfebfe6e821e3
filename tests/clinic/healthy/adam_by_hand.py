import numpy as np
import tensorflow as tf

rng = np.random.default_rng(4)
x = rng.normal(size=(20, 3)).astype("float32")
y = (x @ np.array([[1.0], [0.0], [-1.0]])).astype("float32")
w = tf.Variable(tf.zeros([3, 1]))
m, v = tf.Variable(tf.zeros([3, 1]), trainable=False), tf.Variable(tf.zeros([3, 1]), trainable=False)
for t in range(1, 20):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.abs(x @ w - y))
    g = tape.gradient(loss, w)
    m.assign(0.9 * m + 0.1 * g)
    v.assign(0.999 * v + 0.001 * g**2)
    step = m / (1 - 0.9**t) / (tf.sqrt(v / (1 - 0.999**t)) + 1e-8)
    w.assign_sub(0.05 * step)
print(w.numpy().ravel())
