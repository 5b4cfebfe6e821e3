"""Clipped by the global norm, of which only the norm is printed."""
import tensorflow as tf

theta = [tf.Variable([[1.5, -2.0], [0.5, 3.0]]), tf.Variable([0.1, 0.2])]
inputs = tf.constant([[1.0, 2.0], [3.0, 4.0], [-1.0, 0.5]])


def energy():
    return tf.reduce_sum((inputs @ theta[0] + theta[1]) ** 4)


for step in range(3):
    with tf.GradientTape() as tape:
        value = energy()
    slopes = tape.gradient(value, theta)
    limited, norm = tf.clip_by_global_norm(slopes, 0.5)  # cause
    for variable, slope in zip(theta, slopes):
        variable.assign(variable - 1e-6 * slope)
    print(step, norm.numpy())
