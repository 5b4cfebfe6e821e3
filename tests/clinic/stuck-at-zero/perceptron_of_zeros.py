"""A network all of whose weights start at zero: only the last bias is trained."""

import tensorflow as tf

x = tf.constant([[0.5, -1.0, 0.2], [2.0, 0.3, 1.0], [-0.4, 0.8, 0.1]])
y = tf.constant([[1.0], [0.0], [2.0]])
w1, b1 = tf.Variable(tf.zeros((3, 8))), tf.Variable(tf.zeros(8))
w2, b2 = tf.Variable(tf.zeros((8, 1))), tf.Variable(tf.zeros(1))  # cause
for _ in range(10):
    with tf.GradientTape() as tape:
        hidden = tf.tanh(x @ w1 + b1)
        loss = tf.reduce_mean((hidden @ w2 + b2 - y) ** 2)
    for variable, g in zip([w1, b1, w2, b2], tape.gradient(loss, [w1, b1, w2, b2])):
        variable.assign_sub(0.1 * g)
print(float(loss))
