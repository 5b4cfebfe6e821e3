import numpy as np
import tensorflow as tf

rng = np.random.default_rng(26)
theta = tf.Variable(rng.normal(size=(6,)).astype("float32"))


def unique_levels(x):
    return tf.raw_ops.Bincount(arr=tf.cast(x * 3.0, tf.int32), size=4, weights=x)


def ranks(x):
    return tf.argsort(tf.argsort(x))  # cause


def spread(x):
    ordered = tf.cast(ranks(x), tf.float32)
    return tf.reduce_sum(ordered * tf.constant([0.1, 0.2, 0.3, 0.1, 0.2, 0.1]))


with tf.GradientTape() as tape:
    loss = spread(theta)
print("RESULT:", tape.gradient(loss, theta))
