import tensorflow as tf

speed = tf.Variable([120.0, 300.0, 15.0])
with tf.GradientTape() as tape:
    half = tf.cast(speed, tf.float16)
    energy = half * half  # cause
    loss = tf.cast(tf.reduce_mean(energy), tf.float32) * 1e-4
print(tape.gradient(loss, speed))
