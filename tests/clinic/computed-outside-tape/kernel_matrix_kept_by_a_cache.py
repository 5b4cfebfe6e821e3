"""The kernel matrix of a Gaussian process is cached by Python: from the second step on it is the old one, and the gradient is None."""
import functools

import tensorflow as tf

scale = tf.Variable(1.5)
points = tf.constant([[0.0], [0.4], [1.1], [1.9]])
heights = tf.sin(points)


@functools.lru_cache(maxsize=None)
def kernel(noise):
    distances = points - tf.transpose(points)
    return tf.exp(-tf.square(distances / scale)) + noise * tf.eye(4)  # cause


for step in range(4):
    with tf.GradientTape() as tape:
        root = tf.linalg.cholesky(kernel(0.1))
        fit = tf.linalg.triangular_solve(root, heights)
        loss = tf.reduce_sum(fit**2) + 2.0 * tf.reduce_sum(tf.math.log(tf.linalg.diag_part(root)))
    g = tape.gradient(loss, scale)
    if g is not None:
        scale.assign_sub(0.05 * g)
    print(step, loss.numpy(), g)
