import tensorflow as tf

a = tf.constant([1.0, 2.0])
b = tf.constant([3.0, 4.0])
with tf.GradientTape() as tape:
    tape.watch(a)  # cause
    y = tf.reduce_sum(a * b)  # cause
print(tape.gradient(y, b))  # cause
