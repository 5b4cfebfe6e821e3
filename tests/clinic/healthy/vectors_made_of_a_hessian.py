"""Rows of a hessian by one derivative each, and its product with ones, which is a derivative of a sum."""
import tensorflow as tf

x = tf.Variable([1.0, 2.0, 3.0])
with tf.GradientTape(persistent=True) as outer:
    with tf.GradientTape() as inner:
        y = tf.reduce_sum(x**3) + x[0] * x[1] * x[2]
    g = inner.gradient(y, x)
    pieces = tf.unstack(g)
hessian_rows = [outer.gradient(each, x) for each in pieces]
hessian_times_ones = outer.gradient(g, x)
print(tf.reduce_sum(tf.stack(hessian_rows), 1).numpy(), hessian_times_ones.numpy())
