"""Tables of all pairs without an axis that is made for it: kernels, decays, odds of persons and items, and ratios that go on."""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
column = rng.normal(size=(8, 1)).astype("float32")
row = rng.normal(size=8).astype("float32")
scale, shift = tf.Variable(1.0), tf.Variable(0.5)
abilities, difficulties, rates = tf.Variable(column), tf.Variable(row), tf.Variable(tf.ones([8]) * 0.3)


def laplace():
    return tf.reduce_mean(tf.exp(-tf.abs(column * scale - row)))


def gaussian():
    difference = column * scale - row
    return tf.reduce_mean(tf.exp(-0.5 * difference * difference))


def transport():
    plan = tf.exp(column * shift - row)
    plan /= tf.reduce_sum(plan, axis=0)
    return tf.reduce_sum(tf.square(plan @ column))


def decays():
    return tf.reduce_mean((tf.exp(-tf.abs(column) * rates * scale) - 0.3) ** 2)


def odds():
    ratio = tf.exp(abilities - difficulties)
    return -tf.reduce_mean(tf.math.log(ratio / (1.0 + ratio))) + scale**2


for loss_of in (laplace, gaussian, transport, decays, odds):
    for _ in range(2):
        with tf.GradientTape() as tape:
            loss = loss_of()
        trained = tape.watched_variables()
        for variable, gradient in zip(trained, tape.gradient(loss, trained)):
            variable.assign_sub(0.01 * gradient)
print("RESULT:", scale.numpy(), shift.numpy())
