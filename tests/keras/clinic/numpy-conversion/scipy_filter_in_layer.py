import numpy as np
import tensorflow as tf


class Smooth(tf.keras.layers.Layer):
    def call(self, x):
        kernel = np.ones(3) / 3.0
        rows = [np.convolve(row, kernel, mode="same") for row in x.numpy()]  # cause
        return tf.convert_to_tensor(np.stack(rows), tf.float32)


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.wide, self.smooth, self.out = tf.keras.layers.Dense(8), Smooth(), tf.keras.layers.Dense(1)

    def call(self, x):
        return self.out(self.smooth(self.wide(x)))


x = np.random.default_rng(5).normal(size=(16, 8)).astype("float32")
model = Net()
model.compile("sgd", "mse", run_eagerly=True)
model.fit(x, x[:, :1], verbose=0)
