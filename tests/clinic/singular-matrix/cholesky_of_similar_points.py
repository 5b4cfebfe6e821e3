import numpy as np
import tensorflow as tf

x = np.array([0.0, 0.5, 0.5, 1.0], "float32")
y = tf.constant([[0.1], [0.4], [0.41], [0.9]])
length = tf.Variable(0.7)


def marginal_likelihood(length):
    d = (x[:, None] - x[None, :]) ** 2
    k = tf.exp(-0.5 * d / length ** 2)
    chol = tf.linalg.cholesky(k)  # cause
    alpha = tf.linalg.cholesky_solve(chol, y)
    return 0.5 * tf.reduce_sum(y * alpha) + tf.reduce_sum(tf.math.log(tf.linalg.diag_part(chol)))


try:
    with tf.GradientTape() as tape:
        nll = marginal_likelihood(length)
    print("RESULT:", tape.gradient(nll, length).numpy())
except tf.errors.InvalidArgumentError:
    print("RESULT: nan")
