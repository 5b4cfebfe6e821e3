"""scipy.optimize drives a TensorFlow objective whose point is a plain tensor."""
import numpy as np
import tensorflow as tf
from scipy.optimize import minimize

rng = np.random.default_rng(15)
design = rng.normal(size=(50, 3))
response = design @ np.array([1.0, -2.0, 0.5]) + 0.1 * rng.normal(size=50)
A, b = tf.constant(design), tf.constant(response)


def huber(residual, delta=1.0):
    size = tf.abs(residual)
    return tf.where(size < delta, 0.5 * residual**2, delta * (size - 0.5 * delta))


def value_and_slope(theta):
    point = tf.convert_to_tensor(theta)
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(huber(tf.linalg.matvec(A, point) - b))  # cause
        loss += 0.01 * tf.reduce_sum(tf.abs(point))
    slope = tape.gradient(loss, point)  # cause
    if slope is None:
        slope = tf.zeros_like(point)
    return loss.numpy(), slope.numpy()


result = minimize(value_and_slope, np.zeros(3), jac=True, method="L-BFGS-B")
print(result.success, result.nit, result.x)
