import numpy as np
import tensorflow as tf

x = np.array([[120.0, 3.0], [2.0, 1.0]], dtype="float32")
y = np.array([[0.0], [1.0]], dtype="float32")
w = tf.Variable([[-1.0], [0.2]])
with tf.GradientTape() as tape:
    z = tf.matmul(x, w)
    p = 1 / (1 + tf.exp(-z))  # cause
    loss = tf.reduce_mean((y - p) ** 2)
print(tape.gradient(loss, w).numpy())
