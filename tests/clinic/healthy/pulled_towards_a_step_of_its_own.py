"""A proximal step: the goal of the weights is made of a gradient, and the loss pulls towards it."""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(31)
w = tf.Variable(rng.normal(size=(4, 1)).astype("float32"))
x = tf.constant(rng.normal(size=(30, 4)).astype("float32"))
y = x @ tf.constant([[1.0], [-1.0], [0.5], [2.0]])


def mse():
    return tf.reduce_mean((x @ w - y) ** 2)


for it in range(3):
    with tf.GradientTape() as tape:
        loss = mse()
    goal = w - 0.3 * tape.gradient(loss, w)
    for _ in range(4):
        with tf.GradientTape() as tape:
            prox = mse() + tf.reduce_sum((w - goal) ** 2)
        w.assign_sub(0.1 * tape.gradient(prox, w))
    print(it, float(mse()))
