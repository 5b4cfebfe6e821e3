import tensorflow as tf

theta = tf.Variable([0.5, 1.0])
x = tf.constant([1.0, 2.0])
for _ in range(2):
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            inner_loss = tf.reduce_sum((theta * x - 1.0) ** 2)
        g = inner.gradient(inner_loss, theta)
        fast = theta - 0.1 * g
        outer_loss = tf.reduce_sum((fast * x - 2.0) ** 2)
    theta.assign_sub(0.05 * outer.gradient(outer_loss, theta))
print(theta.numpy())
