import numpy as np
import tensorflow as tf

rng = np.random.default_rng(1)
x = rng.normal(size=(10, 3)).astype("float32")
y = rng.normal(size=(10, 1)).astype("float32")
w1 = tf.Variable(rng.normal(size=(3, 4)).astype("float32"))
w2 = tf.Variable(rng.normal(size=(4, 1)).astype("float32"))

hidden = tf.tanh(tf.matmul(x, w1))  # cause
with tf.GradientTape() as tape:
    loss = tf.reduce_mean((tf.matmul(hidden, w2) - y) ** 2)
g1, g2 = tape.gradient(loss, [w1, w2])
print(g1, g2)
