import tensorflow as tf

volume = tf.Variable([8.0, 0.0])
with tf.GradientTape() as tape:
    side = tf.pow(volume, 1.0 / 3.0)  # cause
    total = tf.reduce_sum(side)
print(tape.gradient(total, volume).numpy())
