"""The losses of several small batches are added up under a tape each, and only the last tape is asked: the other terms are constants."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(5)
slope, offset = tf.Variable([[0.1], [0.4]]), tf.Variable(0.0)


def error(x, y):
    return tf.reduce_mean(tf.abs(x @ slope + offset - y))


def batches():
    for _ in range(6):
        x = tf.constant(rng.normal(size=(5, 2)), tf.float32)
        yield x, x @ [[1.5], [-0.5]] + 0.3


running, waiting = tf.constant(0.0), 0
for x, y in batches():
    with tf.GradientTape() as tape:
        running += error(x, y)  # cause
    waiting += 1
    if waiting == 3:
        gradients = tape.gradient(running, [slope, offset])
        for variable, gradient in zip([slope, offset], gradients):
            variable.assign_sub(0.1 * gradient)
        print(running.numpy())
        running, waiting = tf.constant(0.0), 0
