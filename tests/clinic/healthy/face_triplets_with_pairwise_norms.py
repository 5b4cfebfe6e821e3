"""Batch-hard triplets: each image has distance 0 to itself, but no gradient goes there."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(13)
faces = tf.constant(rng.normal(size=(8, 10)).astype("float32"))
people = tf.constant([0, 0, 1, 1, 2, 2, 3, 3])
projection = tf.Variable(rng.normal(0, 0.3, (10, 4)).astype("float32"))


@tf.function
def distances(z):
    return tf.norm(z[:, None, :] - z[None, :, :], axis=-1)


def batch_hard(z, people, margin=0.3):
    d = distances(z)
    same = tf.cast(people[:, None] == people[None, :], tf.float32)
    hardest_positive = tf.reduce_max(same * d, axis=1)
    furthest = tf.reduce_max(d, axis=1, keepdims=True)
    hardest_negative = tf.reduce_min(d + furthest * same, axis=1)
    return tf.reduce_mean(tf.nn.relu(hardest_positive - hardest_negative + margin))


def embed(x):
    return tf.math.l2_normalize(x @ projection, axis=1)


for step in range(3):
    with tf.GradientTape() as tape:
        loss = batch_hard(embed(faces), people)
    gradient = tape.gradient(loss, projection)
    projection.assign_sub(0.1 * gradient)
    print(step, loss.numpy())
