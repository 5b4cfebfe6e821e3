"""A Hessian from two tapes: the inner jacobian is taken after the outer block has ended."""

import tensorflow as tf

point = {"x": tf.Variable([1.0, 2.0, 0.5])}
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = tf.reduce_sum(point["x"] ** 3)
slope = inner.jacobian(y, point["x"])  # cause
hessian = outer.jacobian(slope, point["x"])
print(hessian)
