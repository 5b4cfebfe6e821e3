import tensorflow as tf
x = tf.constant([0.1, 0.3, 0.2])
a, b = tf.Variable(1.0), tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = tf.where(x < 0.5, a * x, b * x)
    loss = tf.reduce_mean((y - 1.0) ** 2)
print(tape.gradient(loss, [a, b]))
