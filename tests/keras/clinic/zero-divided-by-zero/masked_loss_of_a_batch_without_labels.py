"""A loss averages over labelled entries; one batch has none."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(5)
rng = np.random.default_rng(5)
x = rng.normal(size=(40, 5)).astype("float32")
y = rng.normal(size=(40, 3)).astype("float32")
y[rng.uniform(size=y.shape) < 0.4] = -999.0
y[10:20] = -999.0


def masked_mse(y_true, y_pred):
    known = tf.cast(tf.not_equal(y_true, -999.0), tf.float32)
    error = tf.square(y_true - y_pred) * known
    return tf.reduce_sum(error) / tf.reduce_sum(known)  # cause


model = keras.Sequential([keras.Input((5,)), keras.layers.Dense(12, activation="relu"), keras.layers.Dense(3)])
model.compile(optimizer="rmsprop", loss=masked_mse)
history = model.fit(x, y, batch_size=10, epochs=2, shuffle=False, verbose=0)
print(history.history["loss"])
print(np.isnan(model.get_weights()[0]).any())
