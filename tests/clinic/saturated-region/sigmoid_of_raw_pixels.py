import numpy as np
import tensorflow as tf

rng = np.random.default_rng(2)
pixels = rng.integers(100, 255, size=(6, 10)).astype("float32")
labels = np.array([[0.0], [1.0], [0.0], [1.0], [0.0], [0.0]], dtype="float32")
w = tf.Variable(np.abs(rng.normal(size=(10, 1))).astype("float32"))
with tf.GradientTape() as tape:
    p = tf.sigmoid(tf.matmul(pixels, w))  # cause
    loss = tf.reduce_mean((p - labels) ** 2)
print(tape.gradient(loss, w).numpy())
