import tensorflow as tf

x = tf.constant([1, 2, 3])  # cause
with tf.GradientTape() as tape:
    tape.watch(x)  # cause
    y = tf.reduce_sum(x * x)  # cause
print(tape.gradient(y, x))
