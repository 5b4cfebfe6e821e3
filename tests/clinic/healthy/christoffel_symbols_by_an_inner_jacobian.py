import tensorflow as tf


def metric(x):
    return tf.stack([[1.0 + x[0] ** 2, x[0] * x[1]], [x[0] * x[1], 1.0 + x[1] ** 2]])


def christoffel_trace(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        g = metric(x)
    dg = tape.jacobian(g, x)
    inverse = tf.linalg.inv(g)
    return 0.5 * tf.einsum("ij,ijk->k", inverse, dg)


x = tf.Variable([0.5, -0.3])
with tf.GradientTape() as tape:
    trace = christoffel_trace(x)
    length = tf.reduce_sum(trace**2)
print(length, tape.gradient(length, x))
