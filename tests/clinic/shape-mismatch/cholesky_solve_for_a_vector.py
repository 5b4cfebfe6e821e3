import numpy as np
import tensorflow as tf

times = np.linspace(0.0, 1.0, 6)[:, None]
levels = np.sin(5.0 * times[:, 0])
length = tf.Variable(0.4, dtype=tf.float64)

with tf.GradientTape() as tape:
    kernel = tf.exp(-((times - times.T) ** 2) / length**2) + 1e-3 * tf.eye(6, dtype=tf.float64)
    factor = tf.linalg.cholesky(kernel)
    weights = tf.linalg.cholesky_solve(factor, levels)  # cause
    misfit = tf.reduce_sum(levels * weights) + 2.0 * tf.reduce_sum(tf.math.log(tf.linalg.diag_part(factor)))
print("RESULT:", tape.gradient(misfit, length))
