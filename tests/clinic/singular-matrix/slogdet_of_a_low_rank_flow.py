"""The log determinant of a layer whose weights have rank one."""

import tensorflow as tf

layer = {"u": tf.Variable([[1.0], [2.0]]), "v": tf.Variable([[0.5, -1.0]])}


@tf.function
def log_jacobian(u, v):
    weights = tf.matmul(u, v)
    return tf.linalg.slogdet(weights)[1]  # cause


with tf.GradientTape() as tape:
    loss = -log_jacobian(layer["u"], layer["v"])
print(tape.gradient(loss, layer))
