import tensorflow as tf

theta = tf.Variable([-4.0, -5.0])
with tf.GradientTape() as tape:
    stock = tf.maximum(theta + 1.0, 0.0)  # cause
    cost = tf.reduce_sum(3.0 - stock)
print(tape.gradient(cost, theta))
