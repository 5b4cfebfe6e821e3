import keras
import numpy as np
from keras import layers, ops


class Projector(keras.Model):
    def __init__(self):
        super().__init__()
        self.encoder = keras.Sequential([layers.Dense(8, activation="gelu"), layers.Dense(4)])
        self.head = layers.Dense(1)

    def call(self, x):
        code = ops.stop_gradient(self.encoder(x))  # cause
        return self.head(code)


keras.utils.set_random_seed(0)
x = np.random.default_rng(7).normal(size=(24, 3)).astype("float32")
model = Projector()
model.compile(keras.optimizers.AdamW(0.01), "mse")
model.fit(x, x[:, 1:2], epochs=2, batch_size=8, verbose=0)
