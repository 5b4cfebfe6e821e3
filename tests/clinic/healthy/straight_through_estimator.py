import tensorflow as tf

x = tf.Variable([0.2, 1.7])
with tf.GradientTape() as tape:
    hard = x + tf.stop_gradient(tf.round(x) - x)
    loss = tf.reduce_sum((hard - 1.5) ** 2)
print(tape.gradient(loss, x))
