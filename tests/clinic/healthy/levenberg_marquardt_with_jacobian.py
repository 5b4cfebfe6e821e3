"""Levenberg-Marquardt with the jacobian, a damping that adapts in Python and rejected steps."""
import numpy as np
import tensorflow as tf

t = tf.constant(np.linspace(0, 3, 25))
data = 1.5 * tf.sin(2.2 * t + 0.3)
p = tf.Variable(np.array([1.0, 2.0, 0.0]))


def residuals(q):
    return q[0] * tf.sin(q[1] * t + q[2]) - data


damping = 1e-2
best = float("inf")
for i in range(15):
    with tf.GradientTape() as tape:
        r = residuals(p)
    J = tape.jacobian(r, p)
    A = tf.matmul(J, J, transpose_a=True)
    g = tf.linalg.matvec(J, r, transpose_a=True)
    step = tf.linalg.solve(A + damping * tf.linalg.diag(tf.linalg.diag_part(A)), g[:, None])[:, 0]
    trial = p - step
    cost = float(tf.reduce_sum(residuals(trial) ** 2))
    if cost < best:
        p.assign(trial)
        best, damping = cost, damping / 3
    else:
        damping *= 5
print(p.numpy().round(4), best < 1e-6)
