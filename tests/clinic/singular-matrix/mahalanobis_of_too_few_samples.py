"""A contrastive score uses the inverse covariance of four features measured on three samples."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(50)
support = tf.constant(rng.integers(-3, 4, size=(3, 6)).astype("float32"))
queries = tf.constant(rng.normal(size=(5, 6)).astype("float32"))
project = tf.Variable(np.round(rng.normal(0, 1.0, (6, 4)), 0).astype("float32"))


def covariance(z):
    centred = z - tf.reduce_mean(z, axis=0, keepdims=True)
    return tf.matmul(centred, centred, transpose_a=True) / 2.0


def mahalanobis(queries, support):
    z, s = queries @ project, support @ project
    precision = tf.linalg.inv(covariance(s))  # cause
    d = z - tf.reduce_mean(s, axis=0)
    return tf.einsum("bi,ij,bj->b", d, precision, d)


for _ in range(2):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(mahalanobis(queries, support))
    g = tape.gradient(loss, project)
    project.assign_sub(0.01 * g)
    print(loss.numpy())
