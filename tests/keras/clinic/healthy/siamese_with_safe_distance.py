"""A siamese network through fit, with a distance that keeps away from 0 and a contrastive loss."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(24)
rng = np.random.default_rng(24)
a = rng.normal(size=(60, 5)).astype("float32")
b = np.where(rng.uniform(size=(60, 1)) > 0.5, a, rng.normal(size=(60, 5))).astype("float32")
same = (np.abs(a - b).sum(axis=1) == 0).astype("float32")[:, None]

tower = keras.Sequential([keras.Input((5,)), keras.layers.Dense(12, activation="relu"), keras.layers.Dense(4)])


class Distance(keras.layers.Layer):
    def call(self, pair):
        gap = tf.reduce_sum(tf.square(pair[0] - pair[1]), axis=1, keepdims=True)
        return tf.sqrt(tf.maximum(gap, 1e-7))


def contrastive(y_true, distance, margin=1.0):
    return tf.reduce_mean(y_true * tf.square(distance) + (1 - y_true) * tf.square(tf.maximum(margin - distance, 0.0)))


left, right = keras.Input((5,)), keras.Input((5,))
model = keras.Model([left, right], Distance()([tower(left), tower(right)]))
model.compile(optimizer="adam", loss=contrastive)
history = model.fit([a, b], same, epochs=3, batch_size=20, verbose=0)
print(history.history["loss"])
