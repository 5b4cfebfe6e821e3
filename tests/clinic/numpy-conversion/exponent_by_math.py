import math

import tensorflow as tf

x = tf.Variable([0.3, 2.0])


def energy(x):
    return math.exp(x[0]) * x[1]  # cause


with tf.GradientTape() as tape:
    value = energy(x)
print(tape.gradient(value, x))
