"""Gauss-Newton for a decay curve, with the gradient of the residuals in the place of their jacobian."""
import numpy as np
import tensorflow as tf

t = tf.constant(np.linspace(0, 4, 15))
observed = 2.0 * tf.exp(-0.7 * t) + 0.5


def model(p):
    return p[0] * tf.exp(-p[1] * t) + p[2]


def residuals(p):
    return model(p) - observed


p = tf.Variable(np.array([1.5, 1.0, 0.3]))
for iteration in range(5):
    with tf.GradientTape() as tape:
        r = residuals(p)
    jacobian = tape.gradient(r, p)  # cause
    J = tf.reshape(jacobian, [-1, 3])
    lhs = tf.matmul(J, J, transpose_a=True) + 1e-2 * tf.eye(3, dtype=tf.float64)
    rhs = tf.reduce_sum(J * r[:, None], axis=0)[:, None]
    step = tf.linalg.solve(lhs, rhs)
    p.assign_sub(tf.squeeze(step))
    print(iteration, float(tf.reduce_sum(r**2)), p.numpy())
