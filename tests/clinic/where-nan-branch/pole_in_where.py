import tensorflow as tf


def sinc(x):
    return tf.where(tf.abs(x) < 1e-6, tf.ones_like(x), tf.sin(x) / x)  # cause


t = tf.Variable([-1.0, 0.0, 0.5])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(sinc(t))
print("RESULT:", tape.gradient(y, t).numpy())
