"""Tables of all pairs without an axis that is made for it: kernels of distances, and a table of ratios that goes on as one."""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
column = rng.normal(size=(8, 1)).astype("float32")
row = rng.normal(size=8).astype("float32")
scale, shift = tf.Variable(1.0), tf.Variable(0.5)


def laplace():
    return tf.reduce_mean(tf.exp(-tf.abs(column * scale - row)))


def gaussian():
    difference = column * scale - row
    return tf.reduce_mean(tf.exp(-0.5 * difference * difference))


def transport():
    plan = tf.exp(column * shift - row)
    plan /= tf.reduce_sum(plan, axis=0)
    return tf.reduce_sum(tf.square(plan @ column))


for loss_of in (laplace, gaussian, transport):
    for _ in range(2):
        with tf.GradientTape() as tape:
            loss = loss_of()
        for variable, gradient in zip((scale, shift), tape.gradient(loss, (scale, shift), unconnected_gradients="zero")):
            variable.assign_sub(0.01 * gradient)
print("RESULT:", scale.numpy(), shift.numpy())
