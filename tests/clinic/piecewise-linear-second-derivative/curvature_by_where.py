import tensorflow as tf

x = tf.Variable([-1.0, 0.5, 2.0])


def leaky(z):
    return tf.where(z > 0.0, z, 0.1 * z)  # cause


with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = tf.reduce_sum(leaky(x))
    g = inner.gradient(y, x)
print(outer.gradient(g, x))
