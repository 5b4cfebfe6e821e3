import tensorflow as tf

w = tf.Variable([2.0, 1.0])
with tf.GradientTape() as tape:
    revenue = w * tf.constant([60000.0, 10.0])
    compact = tf.cast(revenue, tf.float16)  # cause
    loss = tf.reduce_sum(tf.cast(compact, tf.float32) ** 2)
print(tape.gradient(loss, w).numpy())
