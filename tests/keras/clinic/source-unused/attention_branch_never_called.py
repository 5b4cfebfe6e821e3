import numpy as np
import tensorflow as tf


class Ranker(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.embed = tf.keras.layers.Dense(8, activation="relu")
        self.gate = tf.keras.layers.Dense(8, activation="sigmoid", name="gate")  # cause
        self.score = tf.keras.layers.Dense(1)

    def build(self, shape):
        self.embed.build(shape)
        self.gate.build((None, 8))
        self.score.build((None, 8))

    def call(self, x):
        hidden = self.embed(x)
        return self.score(hidden)


x = np.random.default_rng(0).normal(size=(24, 5)).astype("float32")
model = Ranker()
model.compile("adam", "mse")
model.fit(x, x[:, :1], epochs=2, verbose=0)
