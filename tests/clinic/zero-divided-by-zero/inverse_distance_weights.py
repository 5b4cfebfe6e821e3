import numpy as np
import tensorflow as tf

stations = tf.constant([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
values = tf.constant([1.0, 2.0, 3.0])
query = tf.Variable([[0.0, 0.0]])


def interpolate(q):
    offset = q - stations
    d = tf.reduce_sum(offset ** 2, axis=1)
    direction = offset / d[:, None]  # cause
    return tf.reduce_sum(direction * values[:, None])


with tf.GradientTape() as tape:
    y = interpolate(query)
print("RESULT:", tape.gradient(y, query).numpy())
