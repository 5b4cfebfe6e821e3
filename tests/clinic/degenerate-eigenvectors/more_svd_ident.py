import numpy as np
import tensorflow as tf

w = tf.Variable(np.eye(3).astype("float32") * 0.5)
with tf.GradientTape() as tape:
    s, u, v = tf.linalg.svd(w)  # cause
    low = tf.matmul(u[:, :2] * s[:2], v[:, :2], transpose_b=True)
    loss = tf.reduce_sum((low - 1.0) ** 2)
print(tape.gradient(loss, w))
