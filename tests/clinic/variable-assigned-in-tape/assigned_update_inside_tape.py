import tensorflow as tf

theta = tf.Variable([0.5, 1.0])
fast = tf.Variable([0.0, 0.0])
x = tf.constant([1.0, 2.0])
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        inner_loss = tf.reduce_sum((theta * x - 1.0) ** 2)
    g = inner.gradient(inner_loss, theta)
    fast.assign(theta - 0.1 * g)  # cause
    outer_loss = tf.reduce_sum((fast * x - 2.0) ** 2)
print(outer.gradient(outer_loss, theta))
