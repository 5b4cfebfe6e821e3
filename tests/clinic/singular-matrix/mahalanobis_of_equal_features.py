"""A Mahalanobis distance with the covariance of two features that are the same."""

import tensorflow as tf

scale = tf.Variable([1.0, 1.0])
readings = tf.constant([[1.0, 1.0], [2.0, 2.0], [4.0, 4.0]])


def covariance(x):
    centred = x - tf.reduce_mean(x, axis=0)
    return tf.matmul(centred, centred, transpose_a=True) / 3.0


with tf.GradientTape() as tape:
    scaled = readings * scale
    inverse = tf.linalg.inv(covariance(scaled))  # cause
    distance = tf.reduce_sum(tf.matmul(scaled, inverse) * scaled)
print(tape.gradient(distance, scale))
