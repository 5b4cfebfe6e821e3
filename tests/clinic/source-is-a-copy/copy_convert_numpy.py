import tensorflow as tf

x = tf.constant([1.0, 2.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.reduce_sum(x ** 3)
again = tf.constant([1.0, 2.0])  # cause
print(tape.gradient(y, again))  # cause
