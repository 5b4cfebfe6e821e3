import tensorflow as tf

scale = tf.Variable(0.13)
signal = tf.constant([0.4, -1.2, 2.3, 0.05])


def quantise(x, scale):
    levels = tf.round(x / scale)  # cause
    return tf.clip_by_value(levels, -8.0, 7.0)


with tf.GradientTape() as tape:
    error = tf.reduce_mean((quantise(signal, scale) - 3.0) ** 2)
print("RESULT:", tape.gradient(error, scale))
