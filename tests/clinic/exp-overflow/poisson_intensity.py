import numpy as np
import tensorflow as tf

x = np.array([[1.0, 400.0], [2.0, 1.0], [0.5, 3.0]], dtype="float32")
counts = tf.constant([[3.0], [1.0], [0.0]])
beta = tf.Variable([[0.1], [0.5]])
with tf.GradientTape() as tape:
    eta = tf.matmul(x, beta)
    mu = tf.exp(eta)  # cause
    nll = tf.reduce_mean(mu - counts * eta)
grads = tape.gradient(nll, [beta])
print(grads[0].numpy())
