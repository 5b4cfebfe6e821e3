import tensorflow as tf

x = tf.Variable([3.0, -1.0])
with tf.GradientTape() as tape:
    loss = tf.reduce_sum((x - [3.0, -1.0]) ** 2)
print(tape.gradient(loss, x).numpy())
