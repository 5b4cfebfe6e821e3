"""The hinge of a contrastive loss is written with tf.reduce_max instead of tf.maximum."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(10)
left, right = (tf.constant(rng.normal(size=(6, 5)).astype("float32")) for _ in range(2))
same = tf.constant([1.0, 0.0, 1.0, 0.0, 0.0, 1.0])
w = tf.Variable(rng.normal(0, 0.5, (5, 3)).astype("float32"))


class Siamese:
    def __init__(self, weight):
        self.weight = weight

    def distance(self, a, b):
        return tf.sqrt(tf.reduce_sum((a @ self.weight - b @ self.weight) ** 2, axis=1) + 1e-9)


def contrastive(d, same, margin=1.0):
    near = same * d ** 2
    far = (1.0 - same) * tf.reduce_max(0.0, margin - d) ** 2  # cause
    return tf.reduce_mean(near + far)


net = Siamese(w)
with tf.GradientTape() as tape:
    loss = contrastive(net.distance(left, right), same)
print(tape.gradient(loss, w))
