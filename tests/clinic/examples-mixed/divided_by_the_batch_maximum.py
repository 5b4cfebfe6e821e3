"""Pixels scaled by the brightest one of the whole batch."""

import tensorflow as tf


def scaled(images):
    brightest = tf.reduce_max(images)  # cause
    return images / brightest


images = tf.constant([[0.9, 0.2, 0.4], [0.1, 0.5, 0.3]])
with tf.GradientTape(persistent=True) as tape:
    tape.watch(images)
    edges = tf.tanh(scaled(images)[:, 1:] - scaled(images)[:, :-1])
print(tape.batch_jacobian(edges, images, experimental_use_pfor=False))
