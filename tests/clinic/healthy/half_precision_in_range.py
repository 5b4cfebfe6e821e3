import tensorflow as tf

w = tf.Variable([0.5, 0.25])
with tf.GradientTape() as tape:
    half = tf.cast(w, tf.float16)
    loss = tf.cast(tf.reduce_sum(half * half), tf.float32)
print(tape.gradient(loss, w).numpy())
