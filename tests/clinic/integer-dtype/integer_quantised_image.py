import tensorflow as tf

pixels = tf.Variable(tf.fill([4, 4], 100.3))
with tf.GradientTape() as tape:
    stored = tf.cast(pixels, tf.uint8)  # cause
    shown = tf.cast(stored, tf.float32) / 255.0
    loss = tf.reduce_mean((shown - 0.5) ** 2)
print(tape.gradient(loss, pixels))
