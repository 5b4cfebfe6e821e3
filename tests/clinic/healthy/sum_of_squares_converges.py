import numpy as np
import tensorflow as tf

x = np.random.default_rng(17).normal(size=(10, 2)).astype("float32")
w = tf.Variable([0.0, 0.0])
for step in range(50):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - 1.0) ** 2)
    w.assign_sub(0.01 * tape.gradient(loss, w))
print(w.numpy())
