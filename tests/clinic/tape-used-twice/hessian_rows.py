import tensorflow as tf


def hessian(f, x):
    with tf.GradientTape() as outer:  # cause
        with tf.GradientTape() as inner:
            y = f(x)
        g = inner.gradient(y, x)
        parts = tf.unstack(g)
    return tf.stack([outer.gradient(p, x) for p in parts])  # cause


x = tf.Variable([1.0, 2.0, -1.0])
print("RESULT:", hessian(lambda v: tf.reduce_sum(v ** 3) + v[0] * v[1], x))
