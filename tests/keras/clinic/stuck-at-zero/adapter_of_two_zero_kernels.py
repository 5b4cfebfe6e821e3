import keras
import numpy as np
from keras import layers


class Adapter(layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.narrow = layers.Dense(2, use_bias=False, kernel_initializer="zeros")  # cause
        self.wide = layers.Dense(units, use_bias=False, kernel_initializer="zeros")  # cause

    def call(self, x):
        return x + self.wide(self.narrow(x))


rng = np.random.default_rng(0)
inputs = keras.Input((5,))
model = keras.Model(inputs, Adapter(5)(inputs))
model.compile(keras.optimizers.SGD(0.1), "mse")
model.fit(rng.normal(size=(16, 5)), rng.normal(size=(16, 5)), epochs=2, batch_size=8, verbose=0)
