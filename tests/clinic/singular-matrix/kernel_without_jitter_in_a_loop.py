"""The likelihood of a Gaussian process whose inputs hold one point twice, in float64."""

import numpy as np
import tensorflow as tf

x = tf.constant(np.array([[0.0], [1.0], [1.0], [2.5]]))
y = tf.constant(np.array([[0.1], [0.9], [0.9], [0.3]]))
log_scale = tf.Variable(np.float64(0.0))
for _ in range(2):
    with tf.GradientTape() as tape:
        gap = (x - tf.transpose(x)) / tf.exp(log_scale)
        kernel = tf.exp(-0.5 * gap**2)
        factor = tf.linalg.cholesky(kernel)  # cause
        solved = tf.linalg.cholesky_solve(factor, y)
        loss = 0.5 * tf.reduce_sum(y * solved) + tf.reduce_sum(tf.math.log(tf.linalg.diag_part(factor)))
    log_scale.assign_sub(0.1 * tape.gradient(loss, log_scale))
print(log_scale.numpy())
