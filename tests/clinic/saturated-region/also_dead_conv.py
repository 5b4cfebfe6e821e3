import numpy as np
import tensorflow as tf
img = np.random.default_rng(0).random((2, 6, 6, 1)).astype("float32")
k = tf.Variable(-np.ones((3, 3, 1, 2), dtype="float32"))
d = tf.Variable(np.random.default_rng(1).normal(size=(2, 1)).astype("float32"))
y = tf.constant([[1.0], [0.0]])
with tf.GradientTape() as tape:
    h = tf.nn.relu(tf.nn.conv2d(img, k, 1, "SAME"))  # cause
    pooled = tf.reduce_mean(h, axis=[1, 2])
    loss = tf.reduce_mean((pooled @ d - y) ** 2)
print(tape.gradient(loss, [k, d]))
