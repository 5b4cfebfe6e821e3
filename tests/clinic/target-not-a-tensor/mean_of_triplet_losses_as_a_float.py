"""The losses of the triplets are averaged with NumPy, which gives a number."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(48)
anchors, positives, negatives = (rng.normal(size=(4, 6)).astype("float32") for _ in range(3))
embed = tf.Variable(rng.normal(0, 0.4, (6, 3)).astype("float32"))


def encode(x):
    return tf.math.l2_normalize(tf.reshape(x, (1, 6)) @ embed, axis=-1)


def triplet(a, p, n, margin=0.5):
    near = tf.reduce_sum((encode(a) - encode(p)) ** 2)
    far = tf.reduce_sum((encode(a) - encode(n)) ** 2)
    return tf.maximum(near - far + margin, 0.0)


with tf.GradientTape() as tape:
    losses = [triplet(*each) for each in zip(anchors, positives, negatives)]
    loss = np.mean(losses)  # cause
gradient = tape.gradient(loss, embed)
embed.assign_sub(0.1 * gradient)
