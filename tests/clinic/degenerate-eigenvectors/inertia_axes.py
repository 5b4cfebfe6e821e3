import numpy as np
import tensorflow as tf

corners = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
masses = tf.Variable(np.ones(8), dtype=tf.float64)


def inertia(m):
    r = tf.constant(corners)
    outer = tf.einsum("n,ni,nj->ij", m, r, r)
    return tf.linalg.trace(outer) * tf.eye(3, dtype=tf.float64) - outer


def first_axis(tensor):
    moments, axes = tf.linalg.eigh(tensor)  # cause
    return axes[:, 0]


direction = tf.constant([1.0, 2.0, 3.0], dtype=tf.float64)
with tf.GradientTape() as tape:
    alignment = tf.tensordot(first_axis(inertia(masses)), direction, 1) ** 2
grad = tape.gradient(alignment, masses)
print("RESULT:", grad.numpy())
