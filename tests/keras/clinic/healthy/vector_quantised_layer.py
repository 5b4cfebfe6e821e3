"""A VQ layer with a straight-through estimator and a commitment loss, trained by fit."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(2)
rng = np.random.default_rng(25)
x = rng.normal(size=(96, 8)).astype("float32")


class Quantiser(keras.layers.Layer):
    def __init__(self, entries, dim, beta=0.25):
        super().__init__()
        self.beta = beta
        self.table = self.add_weight(shape=(entries, dim), initializer="random_normal", name="table")

    def call(self, z):
        distances = (
            tf.reduce_sum(z**2, 1, keepdims=True) + tf.reduce_sum(self.table**2, 1) - 2 * z @ tf.transpose(self.table)
        )
        codes = tf.argmin(distances, axis=1)
        chosen = tf.gather(self.table, codes)
        commitment = tf.reduce_mean((tf.stop_gradient(chosen) - z) ** 2)
        codebook = tf.reduce_mean((chosen - tf.stop_gradient(z)) ** 2)
        self.add_loss(self.beta * commitment + codebook)
        return z + tf.stop_gradient(chosen - z)


inputs = keras.Input((8,))
h = keras.layers.Dense(4)(keras.layers.Dense(16, activation="relu")(inputs))
q = Quantiser(10, 4)(h)
outputs = keras.layers.Dense(8)(keras.layers.Dense(16, activation="relu")(q))
model = keras.Model(inputs, outputs)
model.compile(optimizer=keras.optimizers.Adam(1e-2), loss="mse")
history = model.fit(x, x, epochs=3, batch_size=24, verbose=0)
print(history.history["loss"])
