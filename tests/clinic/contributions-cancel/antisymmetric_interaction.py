"""The total of pairwise forces, which cancel pair by pair."""

import tensorflow as tf

positions = tf.Variable([[0.0, 0.1], [1.0, 0.3], [0.4, 2.0]], dtype=tf.float64)
with tf.GradientTape() as tape:
    difference = positions[:, None, :] - positions[None, :, :]
    force = difference * tf.exp(-tf.reduce_sum(difference**2, axis=-1, keepdims=True))
    total = tf.reduce_sum(force)  # cause
print(tape.gradient(total, positions))
