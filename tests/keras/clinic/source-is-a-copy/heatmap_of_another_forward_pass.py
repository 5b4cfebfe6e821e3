"""Grad-CAM: the feature maps are computed once more, apart from the class score."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(5)
rng = np.random.default_rng(5)
picture = tf.constant(rng.uniform(size=(1, 16, 16, 3)).astype("float32"))

inputs = keras.Input((16, 16, 3))
h = keras.layers.Conv2D(6, 3, activation="relu", name="conv1")(inputs)
h = keras.layers.MaxPooling2D()(h)
features = keras.layers.Conv2D(8, 3, activation="relu", name="last_conv")(h)
h = keras.layers.GlobalAveragePooling2D()(features)
outputs = keras.layers.Dense(5, name="scores")(h)
model = keras.Model(inputs, outputs)
backbone = keras.Model(inputs, features)


def heatmap(image, index=None):
    with tf.GradientTape() as tape:
        maps = backbone(image)  # cause
        tape.watch(maps)
        scores = model(image)
        if index is None:
            index = int(tf.argmax(scores[0]))
        chosen = scores[:, index]  # cause
    slopes = tape.gradient(chosen, maps)  # cause
    if slopes is None:
        return np.zeros(maps.shape[1:3])
    weights = tf.reduce_mean(slopes, axis=(0, 1, 2))
    cam = tf.nn.relu(tf.reduce_sum(maps[0] * weights, axis=-1))
    return (cam / (tf.reduce_max(cam) + 1e-8)).numpy()


print(heatmap(picture).round(2))
