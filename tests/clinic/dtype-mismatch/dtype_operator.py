import numpy as np
import tensorflow as tf

target = tf.convert_to_tensor(np.linspace(0.0, 1.0, 4))  # cause
w = tf.Variable(tf.ones([4]))


def residual(w):
    return w * 0.5 - target  # cause


with tf.GradientTape() as tape:
    loss = tf.reduce_sum(residual(w) ** 2)
print(tape.gradient(loss, w))
