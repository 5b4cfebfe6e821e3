import tensorflow as tf

x = tf.Variable(tf.constant([12.0, 1.0], tf.float16))
with tf.GradientTape() as tape:
    y = tf.exp(x)  # cause
    p = y / tf.reduce_sum(y)
    loss = tf.reduce_sum(p * p)
print(tape.gradient(loss, x))
