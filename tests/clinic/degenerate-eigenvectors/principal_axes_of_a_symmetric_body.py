"""The principal axis of an inertia tensor, for a body that starts as a cube."""
import numpy as np
import tensorflow as tf

corners = np.array([[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)], "float64")
masses = tf.Variable(np.ones(8))
wanted = tf.constant(np.array([1.0, 2.0, 2.0]) / 3.0)


def inertia(m):
    positions = tf.constant(corners)
    centre = tf.reduce_sum(m[:, None] * positions, axis=0) / tf.reduce_sum(m)
    r = positions - centre
    squared = tf.reduce_sum(r * r, axis=1)
    outer = r[:, :, None] * r[:, None, :]
    eye = tf.eye(3, dtype=tf.float64)
    return tf.reduce_sum(m[:, None, None] * (squared[:, None, None] * eye - outer), axis=0)


def alignment(m):
    moments, axes = tf.linalg.eigh(inertia(m))  # cause
    axis = axes[:, -1]
    return 1.0 - tf.tensordot(axis, wanted, 1) ** 2 + 0.01 * tf.reduce_sum(moments)


for step in range(3):
    with tf.GradientTape() as tape:
        loss = alignment(masses)
    slope = tape.gradient(loss, masses)
    print(step, float(loss), slope.numpy())
    masses.assign(tf.maximum(masses - 0.01 * slope, 0.1))
