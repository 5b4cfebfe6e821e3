import numpy as np
import tensorflow as tf


class Rescale(tf.keras.layers.Layer):
    def call(self, x):
        largest = float(tf.reduce_max(tf.abs(x)))  # cause
        return x / largest


x = np.random.default_rng(20).normal(size=(16, 3)).astype("float32")
model = tf.keras.Sequential([tf.keras.layers.Dense(4), Rescale(), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(x, x[:, :1], verbose=0)
