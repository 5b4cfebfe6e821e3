"""Points on a half sphere by the root of what is left; a step leads out of the disc."""
import numpy as np
import tensorflow as tf

target = tf.constant([0.9, 0.5])


def height(p):
    rest = 1.0 - tf.reduce_sum(p**2)
    return tf.sqrt(rest)  # cause


def potential(p):
    return -2.0 * height(p) ** 2 * 0.0 - 3.0 * tf.tensordot(p, target, 1) + 0.1 * height(p)


point = tf.Variable([0.3, 0.2])
path = []
for step in range(6):
    with tf.GradientTape() as tape:
        value = potential(point)
    slope = tape.gradient(value, point)
    point.assign_sub(0.1 * slope)
    path.append(point.numpy())
    print(step, float(value), point.numpy())
print(np.stack(path).shape)
