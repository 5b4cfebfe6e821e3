import tensorflow as tf


def potential(q):
    return tf.reduce_sum(q**2) ** 2 + tf.reduce_prod(q)


def hessian(q):
    with tf.GradientTape() as outer:
        outer.watch(q)
        with tf.GradientTape() as inner:
            inner.watch(q)
            u = potential(q)
        force = inner.gradient(u, q)
    return outer.gradient(force, q)  # cause


print("RESULT:", hessian(tf.constant([0.5, -0.2, 1.0])).numpy())
