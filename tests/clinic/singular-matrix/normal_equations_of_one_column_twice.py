"""Least squares with a feature that was appended twice."""

import tensorflow as tf


def design(t, knots):
    columns = [tf.ones_like(t), t, tf.nn.softplus(t - knots[0]), tf.nn.softplus(t - knots[0])]
    return tf.stack(columns, axis=1)


t = tf.linspace(0.0, 1.0, 8)
y = tf.sin(3.0 * t)[:, None]
knots = tf.Variable([0.4, 0.4])
with tf.GradientTape(persistent=True) as tape:
    features = design(t, knots)
    gram = tf.matmul(features, features, transpose_a=True)
    coefficients = tf.linalg.solve(gram, tf.matmul(features, y, transpose_a=True))  # cause
    loss = tf.reduce_mean((features @ coefficients - y) ** 2)
print(loss, tape.gradient(loss, knots))
