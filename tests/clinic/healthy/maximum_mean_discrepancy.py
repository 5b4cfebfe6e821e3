import numpy as np
import tensorflow as tf

rng = np.random.default_rng(4)
real = tf.constant(rng.normal(size=(8,)).astype("float32"))
noise = tf.constant(rng.normal(size=(8,)).astype("float32"))
scale, shift = tf.Variable(1.0), tf.Variable(0.3)


def kernel(a, b):
    a = tf.expand_dims(a, 1)
    b = tf.expand_dims(b, 0)
    return tf.reduce_mean(tf.exp(-(a - b) ** 2))


with tf.GradientTape() as tape:
    fake = noise * scale + shift
    mmd = kernel(fake, fake) + kernel(real, real) - 2.0 * kernel(real, fake)
print(tape.gradient(mmd, [scale, shift]))
