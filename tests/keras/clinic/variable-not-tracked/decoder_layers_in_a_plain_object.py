import keras
import numpy as np
from keras import layers


class Towers:
    def __init__(self, width):
        self.first = layers.Dense(width, activation="relu")  # cause
        self.rest = {"second": layers.Dense(width)}

    def join(self, x):
        return self.rest["second"](self.first(x))


class Recommender(keras.Model):
    def __init__(self):
        super().__init__()
        self.embed = layers.Embedding(20, 4)
        self.towers = Towers(4)
        self.score = layers.Dense(1)

    def call(self, items):
        return self.score(self.towers.join(self.embed(items)))


rng = np.random.default_rng(0)
model = Recommender()
model.compile(keras.optimizers.Adam(), "mse", run_eagerly=True)
model.fit(rng.integers(0, 20, 48), rng.normal(size=(48, 1)), epochs=2, batch_size=16, verbose=0)
