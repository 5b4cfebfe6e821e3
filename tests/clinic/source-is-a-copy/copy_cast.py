import tensorflow as tf

x = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    x64 = tf.cast(x, tf.float64)  # cause
    y = tf.reduce_sum(x ** 2)  # cause
print(tape.gradient(y, x64))  # cause
