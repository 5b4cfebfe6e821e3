import numpy as np
import tensorflow as tf

x = np.random.default_rng(13).normal(size=(10, 2)).astype("float32")
w = tf.Variable([[0.5], [0.5]])
for step in range(10):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((x @ w - 1.0) ** 2) + 0.1 * tf.reduce_sum(w ** 2)
    w.assign_sub(0.1 * tape.gradient(loss, w))
print(w.numpy())
