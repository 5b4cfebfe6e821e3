import numpy as np
import tensorflow as tf

x = np.array([[1.0], [2.0], [3.0]], dtype="float32")
y = np.array([[2.0], [np.nan], [6.0]], dtype="float32")
w = tf.Variable([[0.5]])
with tf.GradientTape() as tape:
    prediction = tf.matmul(x, w)
    loss = tf.reduce_mean(tf.square(prediction - y))  # cause
print(tape.gradient(loss, w).numpy())
