import keras
import numpy as np
from keras import layers


class Bilinear(layers.Layer):
    def build(self, shape):
        self.form = self.add_weight(shape=(4, 4), name="form")

    def call(self, x):
        return x @ self.form  # cause


keras.utils.set_random_seed(0)
model = keras.Sequential([layers.Dense(5), Bilinear(), layers.Dense(1)])
x = np.ones((8, 3), "float32")
model.compile("sgd", "mse")
model.fit(x, x[:, :1], verbose=0)
