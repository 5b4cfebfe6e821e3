import numpy as np
import tensorflow as tf

edges = [(0, 1), (1, 2), (2, 3), (3, 0)]
conductance = tf.Variable([1.0, 2.0, 1.0, 2.0])


def laplacian(c):
    n = 4
    matrix = tf.zeros([n, n])
    for k, (i, j) in enumerate(edges):
        e = tf.one_hot(i, n) - tf.one_hot(j, n)
        matrix += c[k] * tf.tensordot(e, e, axes=0)
    return matrix


def potentials(c, injected):
    return tf.linalg.solve(laplacian(c), injected[:, None])  # cause


injected = tf.constant([1.0, 0.0, -1.0, 0.0])
with tf.GradientTape() as tape:
    v = potentials(conductance, injected)
    power = tf.reduce_sum(v[:, 0] * injected)
print("RESULT:", tape.gradient(power, conductance))
