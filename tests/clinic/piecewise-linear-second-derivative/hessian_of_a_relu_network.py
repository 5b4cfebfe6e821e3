import tensorflow as tf

x = tf.Variable([[0.5, -0.2]])
w = tf.constant([[0.4, -1.0, 0.3], [0.2, 0.6, 0.9]])
with tf.GradientTape() as t2:
    with tf.GradientTape() as t1:
        y = tf.reduce_sum(tf.nn.relu(x @ w))  # cause
    g = t1.gradient(y, x)
print(t2.jacobian(g, x))
