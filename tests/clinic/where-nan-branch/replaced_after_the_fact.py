import tensorflow as tf

a = tf.Variable([1.0, 0.0, 2.0])
b = tf.Variable([2.0, 0.0, 4.0])
with tf.GradientTape() as tape:
    ratio = a / b  # cause
    ratio = tf.where(tf.math.is_nan(ratio), tf.zeros_like(ratio), ratio)
    loss = tf.reduce_sum(ratio**2)
print(tape.gradient(loss, [a, b]))
