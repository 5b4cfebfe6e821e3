import tensorflow as tf

x = tf.Variable([1.2, 2.7])
with tf.GradientTape() as tape:
    total = tf.reduce_sum(tf.cast(x, tf.int32))  # cause
print(tape.gradient(total, x))
