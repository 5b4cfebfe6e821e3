import numpy as np
import tensorflow as tf

theta = tf.Variable([0.5, 1.0], dtype=tf.float64)
t = np.linspace(0.0, 2.0, 9)
data = 1.3 * np.exp(-0.7 * t)


def residuals():
    return theta[0] * tf.exp(-theta[1] * t) - data


for it in range(15):
    with tf.GradientTape() as tape:
        r = residuals()
    J = tape.jacobian(r, theta)
    normal = tf.matmul(J, J, transpose_a=True) + 1e-8 * tf.eye(2, dtype=tf.float64)
    step = tf.linalg.solve(normal, tf.linalg.matvec(J, r, transpose_a=True)[:, None])
    theta.assign_sub(step[:, 0])
    if float(tf.norm(step)) < 1e-10:
        break
print("RESULT:", theta.numpy())
