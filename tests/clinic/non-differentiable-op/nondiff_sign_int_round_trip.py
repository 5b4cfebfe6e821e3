import tensorflow as tf

code = tf.Variable([0.2, 1.7])
with tf.GradientTape() as tape:
    index = tf.cast(tf.math.floor(code), tf.int32)  # cause
    value = tf.cast(index, tf.float32) * 2.0
    loss = tf.reduce_sum(value)
print(tape.gradient(loss, code))
