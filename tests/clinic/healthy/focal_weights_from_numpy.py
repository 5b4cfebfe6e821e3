import numpy as np
import tensorflow as tf

rng = np.random.default_rng(12)
x, y = rng.normal(size=(12, 3)).astype("float32"), rng.normal(size=12).astype("float32")
w = tf.Variable(tf.zeros(3))
for step in range(4):
    with tf.GradientTape() as tape:
        error = tf.square(tf.linalg.matvec(x, w) - y)
        weight = 1.0 / (1.0 + error.numpy())
        loss = tf.reduce_mean(weight * error)
    w.assign_sub(0.1 * tape.gradient(loss, w))
print(w.numpy())
