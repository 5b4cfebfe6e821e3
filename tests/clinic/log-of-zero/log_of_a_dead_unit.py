import numpy as np
import tensorflow as tf

counts = tf.constant([[2.0], [0.0], [1.0]])
x = np.array([[1.0], [-1.0], [2.0]], dtype="float32")
w = tf.Variable([[0.5]])
with tf.GradientTape() as tape:
    rate = tf.nn.relu(x @ w)
    log_rate = tf.math.log(rate)  # cause
    nll = tf.reduce_mean(rate - counts * log_rate)
print(tape.gradient(nll, w))
