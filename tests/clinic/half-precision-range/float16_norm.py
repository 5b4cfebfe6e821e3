import tensorflow as tf

force = tf.Variable(tf.constant([200.0, 300.0], tf.float16))
with tf.GradientTape() as tape:
    squared = tf.reduce_sum(force ** 2)  # cause
    size = tf.sqrt(squared)
print(tape.gradient(size, force).numpy())
