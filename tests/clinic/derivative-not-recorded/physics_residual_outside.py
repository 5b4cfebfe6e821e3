import numpy as np
import tensorflow as tf

a = tf.Variable(0.5)
t = tf.constant(np.linspace(0.0, 1.0, 5).astype("float32"))


def x(t):
    return tf.exp(-a * t)


with tf.GradientTape() as inner:
    inner.watch(t)
    position = x(t)
velocity = inner.gradient(position, t)  # cause
residual = tf.reduce_mean((velocity + 2.0 * position) ** 2)
with tf.GradientTape() as tape:
    start = (x(tf.constant(0.0)) - 1.0) ** 2 + 0.01 * a ** 2
    loss = start + residual
print(tape.gradient(loss, a).numpy())
