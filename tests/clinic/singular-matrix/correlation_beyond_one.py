"""A correlation matrix built from parameters that are not kept between -1 and 1."""

import tensorflow as tf

rho = tf.Variable(1.4)
noise = tf.constant([[0.3], [-0.8]])


def correlated(rho):
    matrix = tf.stack([tf.stack([1.0, rho]), tf.stack([rho, 1.0])])
    return tf.linalg.cholesky(matrix) @ noise  # cause


with tf.GradientTape() as tape:
    payoff = tf.reduce_sum(tf.nn.relu(correlated(rho)))
print(tape.gradient(payoff, rho))
