"""Two losses brought to one scale, each divided by its own size without stopping the gradient."""

import tensorflow as tf

a, b = tf.Variable(1.5), tf.Variable(-0.7)


def scaled(loss):
    return loss / loss  # cause


with tf.GradientTape() as tape:
    first = tf.square(a * b - 2.0)
    second = tf.abs(a + b)
    total = scaled(first) + 0.1 * scaled(second)
print(tape.gradient(total, [a, b]))
