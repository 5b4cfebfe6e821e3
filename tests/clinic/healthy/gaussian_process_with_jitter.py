import numpy as np
import tensorflow as tf

rng = np.random.default_rng(5)
x = np.sort(rng.uniform(0, 3, size=(8, 1)), axis=0).astype("float64")
y = np.sin(x)
log_length, log_noise = tf.Variable(0.0, dtype=tf.float64), tf.Variable(-2.0, dtype=tf.float64)


def kernel(a, b):
    square = tf.reduce_sum((a[:, None, :] - b[None, :, :]) ** 2, axis=-1)
    return tf.exp(-0.5 * square / tf.exp(2.0 * log_length))


for step in range(5):
    with tf.GradientTape() as tape:
        k = kernel(x, x) + tf.exp(log_noise) * tf.eye(8, dtype=tf.float64)
        root = tf.linalg.cholesky(k)
        alpha = tf.linalg.cholesky_solve(root, y)
        fit = 0.5 * tf.reduce_sum(y * alpha)
        complexity = tf.reduce_sum(tf.math.log(tf.linalg.diag_part(root)))
        loss = fit + complexity
    for v, g in zip([log_length, log_noise], tape.gradient(loss, [log_length, log_noise])):
        v.assign_sub(0.01 * g)
print(loss.numpy())
