import numpy as np
import tensorflow as tf


@tf.custom_gradient
def ballistic(v):
    g = np.float64(9.81)
    reach = v ** 2 / 9.81

    def grad(dy):
        slope = tf.constant(2.0 / g * v.numpy(), dtype=tf.float64)
        return tf.cast(dy, tf.float64) * slope  # cause

    return reach, grad


speed = tf.Variable([10.0, 12.0])
target = tf.constant([11.0, 15.0])
with tf.GradientTape() as tape:
    miss = tf.reduce_sum((ballistic(speed * 1.0) - target) ** 2)
print("RESULT:", tape.gradient(miss, speed))
