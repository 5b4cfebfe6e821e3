import tensorflow as tf

w = tf.Variable([0.5, 0.25])
with tf.GradientTape() as tape:
    half = tf.cast(w, tf.float16)
    small = half * 1e-4  # cause
    loss = tf.reduce_mean(small) * 1e-4  # cause
    loss = tf.cast(loss, tf.float32)
print(tape.gradient(loss, w).numpy())
