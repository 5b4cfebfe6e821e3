import tensorflow as tf

x = tf.constant([0.5, 1.5])
with tf.GradientTape() as tape:
    y = tf.sin(x)  # cause
    tape.watch(x)  # cause
    z = tf.reduce_sum(y * 2.0)
print("RESULT:", tape.gradient(z, x))
