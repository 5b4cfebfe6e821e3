"""Newton's method for a fit by absolute errors: the hessian is zero."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(13)
A = tf.constant(rng.normal(size=(30, 3)))
b = tf.constant(rng.normal(size=30))


def objective(x):
    return tf.reduce_sum(tf.abs(tf.linalg.matvec(A, x) - b))  # cause


x = tf.Variable(np.zeros(3))
for i in range(3):
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            value = objective(x)
        slope = inner.gradient(value, x)
    hessian = outer.jacobian(slope, x)  # cause
    if hessian is None:
        hessian = tf.zeros([3, 3], tf.float64)
    step = tf.linalg.solve(hessian + 1e-3 * tf.eye(3, dtype=tf.float64), slope[:, None])
    x.assign_sub(1e-5 * step[:, 0])
    print(i, float(value), x.numpy())
