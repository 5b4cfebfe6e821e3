import tensorflow as tf

x = tf.Variable([3.0, 1.0, 2.0])
with tf.GradientTape() as tape:
    order = tf.argsort(x)  # cause
    loss = tf.reduce_sum(tf.cast(order, tf.float32))
print(tape.gradient(loss, x))
